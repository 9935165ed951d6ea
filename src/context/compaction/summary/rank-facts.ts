import { formatCommand } from '../../../facts/call/command-text.ts';
import { recogniseCommands } from '../../../facts/commands/recognise-commands.ts';
import { getOrAdd } from '../../../record/once.ts';
import { oneLine, truncateLine } from '../../../text/one-line.ts';
import { isReadOnly } from './commands.ts';
import type { FileMention, FoundStatement, RanCommand, TurnFacts } from './find-facts.ts';
import { SECTIONS, type SummaryLine, type SummarySection } from './render-summary.ts';

/** Longer commands are left out: nobody repeats them verbatim. */
const MAX_COMMAND_LENGTH = 300;
/** Several lines, nothing but a setup step, or a placeholder such as `git show <id>`. */
const NOT_REUSABLE = /\n|^(?:cd|set|export|source)\b[^;&|]*$|<[A-Za-z][\w-]*>/;
/** How many paths with the same file name are compared with each other. */
const MAX_PATHS_PER_NAME = 20;
/** From this many commands that differ only in their arguments, each is one of a series and less likely to recur. */
const LARGE_FAMILY = 8;
/** `yes`, `go on`: says little without what it answers. */
const SHORT_STATEMENT = 16;
const MIN_STATEMENT_LENGTH = 6;
const MAX_ERROR_LENGTH = 240;
const MAX_TASK_LENGTH = 60;

/** Turns facts into summary lines with an estimate of how likely each is to be needed again. */
export function rankFacts(facts: TurnFacts): SummaryLine[] {
  const span = Math.max(1, facts.turns);
  return [
    ...rankFiles(facts.files, span),
    ...rankCommands(facts.commands, span),
    ...rankFailures(facts.commands, span),
    ...rankStatements(facts.statements, span),
  ];
}

/** Multiplies the odds of a probability by factors, so that no number of factors makes it certain. */
function combineOdds(base: number, ...factors: readonly number[]): number {
  const odds = factors.reduce((product, factor) => product * factor, base / (1 - base));
  return odds / (1 + odds);
}

/** What was done recently is still being worked on: 0.5 at the beginning to 2 at the end. */
function recency(turn: number, span: number): number {
  return 0.5 * 4 ** (turn / span);
}

function rankFiles(files: readonly FileMention[], span: number): SummaryLine[] {
  return [...groupBy(files, fullPaths(files))].map(([path, mentions]) => {
    const edits = countTurns(mentions.filter(({ isEdited }) => isEdited));
    const turn = mentions.at(-1)?.turn ?? 0;
    const relevance =
      edits > 0
        ? combineOdds(0.4, recency(turn, span), edits > 1 ? 1.8 : 1)
        : combineOdds(0.04, recency(turn, span), countTurns(mentions) > 1 ? 2 : 1);
    return { section: 'Files', text: path, relevance, turn };
  });
}

function countTurns(mentions: readonly FileMention[]): number {
  return new Set(mentions.map(({ turn }) => turn)).size;
}

/** A file may be mentioned by its full path or the end of it; maps each mention to the full path if that is unambiguous. */
function fullPaths(files: readonly FileMention[]): (file: FileMention) => string {
  const byName = new Map<string, Set<string>>();
  for (const { path } of files) {
    const paths = byName.get(baseName(path)) ?? new Set();
    if (paths.size < MAX_PATHS_PER_NAME) byName.set(baseName(path), paths.add(path));
  }
  return ({ path }) => {
    const longer = [...(byName.get(baseName(path)) ?? [])].filter((other) =>
      other.endsWith(`/${path.replace(/^\.?\//, '')}`),
    );
    return longer.length === 1 && longer[0] !== undefined ? longer[0] : path;
  };
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function rankCommands(commands: readonly RanCommand[], span: number): SummaryLine[] {
  const lines: SummaryLine[] = [];
  const families = groupBy([...new Set(commands.map(({ text }) => text))], commandFamily);
  for (const [text, runs] of groupBy(commands, ({ text }) => text)) {
    const isUseless =
      text.length > MAX_COMMAND_LENGTH || NOT_REUSABLE.test(text) || runs.every(({ outcome }) => outcome === 'failed');
    if (isUseless) continue;
    const turn = runs.at(-1)?.turn ?? 0;
    const hasWorked = runs.some(({ outcome }) => outcome === 'worked');
    const relevance = combineOdds(
      shortness(text),
      recency(turn, span),
      runs.length > 1 ? 2 + runs.length : 1,
      hasWorked ? 1 : 0.6,
      purposeFactor(text),
      (families.get(commandFamily(text))?.length ?? 0) >= LARGE_FAMILY ? 0.6 : 1,
    );
    lines.push({ section: hasWorked ? 'Worked' : 'Ran', text, relevance, turn });
  }
  return lines;
}

/** The program and its subcommand, without arguments. */
function commandFamily(command: string): string {
  return command.split(/\s+/, 2).join(' ');
}

/** Base probability: a short command is a habit, a long one was written for one occasion. */
function shortness(command: string): number {
  return 0.012 + 0.4 * Math.exp(-command.length / 34);
}

function purposeFactor(command: string): number {
  const [use] = recogniseCommands(command);
  if (use) return use.fact === 'packageManager' ? 0.7 : use.whole ? 3 : 0.5;
  return isReadOnly(command) ? 0.15 : 1;
}

function rankFailures(commands: readonly RanCommand[], span: number): SummaryLine[] {
  const lines: SummaryLine[] = [];
  const tasks = commands.map(({ text }) => formatCommand(text));
  const counts = new Map<string, number>();
  for (const { errorLine } of commands) counts.set(errorLine, (counts.get(errorLine) ?? 0) + 1);
  const lastRun = new Map(tasks.map((task, index) => [task, index]));
  const lastSuccess = new Map(
    tasks.flatMap((task, index) => (commands[index]?.outcome === 'worked' ? [[task, index]] : [])),
  );
  for (const [index, { outcome, errorLine, turn }] of commands.entries()) {
    if (errorLine === '' || (outcome !== 'failed' && outcome !== 'suspect')) continue;
    const task = tasks[index] ?? '';
    const isSolved = (lastSuccess.get(task) ?? -1) > index;
    // A failure that persists is reported once, at its last run; a suspected one only if it was solved.
    if (!isSolved && (outcome === 'suspect' || lastRun.get(task) !== index)) continue;
    const relevance = combineOdds(
      0.14,
      recency(turn, span),
      outcome === 'failed' ? 1.5 : 1,
      (counts.get(errorLine) ?? 0) > 1 ? 3 : 1,
    );
    const text = `${errorLine.slice(0, MAX_ERROR_LENGTH)} (${truncateLine(task, MAX_TASK_LENGTH)})`;
    lines.push({ section: isSolved ? 'Failed → solved' : 'Still failing', text, relevance, turn });
  }
  return lines;
}

const STATEMENT_SECTIONS = { request: 'Asked', decision: 'Decisions', figure: 'Figures' } as const;

function rankStatements(statements: readonly FoundStatement[], span: number): SummaryLine[] {
  const first = statements.find(({ kind }) => kind === 'request');
  return statements
    .filter(({ text }) => text.length >= MIN_STATEMENT_LENGTH)
    .map((statement) => {
      const { kind, text, turn } = statement;
      const relevance = combineOdds(
        0.3,
        recency(turn, span),
        statement === first ? 3 : 1,
        text.length < SHORT_STATEMENT ? 0.3 : 1,
      );
      return { section: STATEMENT_SECTIONS[kind], text, relevance, turn };
    });
}

function groupBy<T>(list: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) getOrAdd(groups, key(item), () => []).push(item);
  return groups;
}

const MAX_EARLIER_LINES = 500;
const MAX_LINE_LENGTH = 400;
const MAX_BACKGROUND_LENGTH = 20_000;
/** Lines that were kept before are relevant again, the less the further down they are. */
const FIRST_RELEVANCE = 0.5;
const LAST_RELEVANCE = 0.15;

/** The lines of an earlier summary, which compete with the facts since then. */
export function parseEarlierSummary(text: string): SummaryLine[] {
  const found: { section: SummarySection; text: string }[] = [];
  let section: SummarySection = 'Background';
  for (const line of text.split('\n', MAX_EARLIER_LINES)) {
    const heading = SECTIONS.find((name) => line === `${name}:`);
    if (heading !== undefined) section = heading;
    else if (line.trim() !== '') found.push({ section, text: parseLine(line) });
  }
  return found.map((line, index) => ({
    ...line,
    relevance: relevanceAt(index, found.length),
    turn: index - found.length,
  }));
}

/** The sentences of a given summary, as lines of the section `Background`. */
export function parseBackground(text: string): SummaryLine[] {
  const sentences = text
    .slice(0, MAX_BACKGROUND_LENGTH)
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map((sentence) => oneLine(sentence, MAX_LINE_LENGTH))
    .filter((sentence) => sentence !== '');
  return sentences.map((sentence, index) => ({
    section: 'Background',
    text: sentence,
    relevance: relevanceAt(index, sentences.length),
    turn: index,
  }));
}

function parseLine(line: string): string {
  return (line.startsWith('- ') ? line.slice(2) : line).slice(0, MAX_LINE_LENGTH).trim();
}

function relevanceAt(index: number, count: number): number {
  return FIRST_RELEVANCE - ((FIRST_RELEVANCE - LAST_RELEVANCE) * index) / count;
}
