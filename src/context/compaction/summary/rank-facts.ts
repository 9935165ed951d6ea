import { formatCommand } from '../../../memory/digest/command-text.ts';
import { recogniseCommands } from '../../../memory/stack/recognise-commands.ts';
import { oneLine, truncateLine } from '../../../text/one-line.ts';
import { isReadOnly } from './commands.ts';
import type { CommandRun, FileMention, Statement, TurnFacts } from './find-facts.ts';
import { SECTIONS, type Section, type SummaryLine } from './render-summary.ts';

/** Longer commands are not written down: nobody runs them twice letter by letter. */
const MAX_COMMAND_LENGTH = 300;
/** More than one line, only where and how the next one runs, or with a gap that somebody has to fill: `git show <id>`. */
const NOT_REUSABLE = /\n|^(?:cd|set|export|source)\b[^;&|]*$|<[A-Za-z][\w-]*>/;
/** Paths with the same last part that are compared with each other. */
const MAX_PATHS_PER_NAME = 20;
/** Commands that differ only in what they are about, from here on: each is one question of a series. */
const LARGE_FAMILY = 8;
/** `yes`, `go on`: says little without what it answers. */
const SHORT_STATEMENT = 16;
const MIN_STATEMENT_LENGTH = 6;
const MAX_ERROR_LENGTH = 240;
const MAX_TASK_LENGTH = 60;

/** What was found, as lines of a summary with how likely each is to be needed again. */
export function rankFacts(sightings: TurnFacts): SummaryLine[] {
  const span = Math.max(1, sightings.turns);
  return [
    ...rankFiles(sightings.files, span),
    ...rankCommands(sightings.commands, span),
    ...rankFailures(sightings.commands, span),
    ...rankStatements(sightings.statements, span),
  ];
}

/** Chances are multiplied as odds, so that no number of reasons makes one certain. */
function combineOdds(base: number, ...factors: readonly number[]): number {
  const odds = factors.reduce((product, factor) => product * factor, base / (1 - base));
  return odds / (1 + odds);
}

/** What was done late is still being worked on: from 0.5 at the beginning to 2 at the end. */
function recency(turn: number, span: number): number {
  return 0.5 * 4 ** (turn / span);
}

function rankFiles(files: readonly FileMention[], span: number): SummaryLine[] {
  const notes: SummaryLine[] = [];
  for (const [path, seen] of groupBy(files, fullPaths(files))) {
    const edits = new Set(seen.filter(({ edited }) => edited).map(({ turn }) => turn)).size;
    const turn = seen.at(-1)?.turn ?? 0;
    const mentions = new Set(seen.map(({ turn }) => turn)).size;
    const value =
      edits > 0
        ? combineOdds(0.4, recency(turn, span), edits > 1 ? 1.8 : 1)
        : combineOdds(0.04, recency(turn, span), mentions > 1 ? 2 : 1);
    notes.push({ section: 'Files', text: path, value, turn });
  }
  return notes;
}

/** Files are called by their whole path or the end of it; all names of a file are read as the longest one. */
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

function rankCommands(commands: readonly CommandRun[], span: number): SummaryLine[] {
  const notes: SummaryLine[] = [];
  const kinds = groupBy([...new Set(commands.map(({ text }) => text))], commandFamily);
  for (const [text, runs] of groupBy(commands, ({ text }) => text)) {
    if (
      text.length > MAX_COMMAND_LENGTH ||
      NOT_REUSABLE.test(text) ||
      runs.every(({ ending }) => ending === 'failed')
    )
      continue;
    const turn = runs.at(-1)?.turn ?? 0;
    const worked = runs.some(({ ending }) => ending === 'worked');
    notes.push({
      section: worked ? 'Worked' : 'Ran',
      text,
      value: combineOdds(
        shortness(text),
        recency(turn, span),
        runs.length > 1 ? 2 + runs.length : 1,
        worked ? 1 : 0.6,
        purposeFactor(text),
        (kinds.get(commandFamily(text))?.length ?? 0) >= LARGE_FAMILY ? 0.6 : 1,
      ),
      turn,
    });
  }
  return notes;
}

/** The program and what it is told to do, without what it is told to do it to. */
function commandFamily(command: string): string {
  return command.split(/\s+/, 2).join(' ');
}

/** A short command is a habit, a long one was made for one occasion. */
function shortness(command: string): number {
  return 0.012 + 0.4 * Math.exp(-command.length / 34);
}

function purposeFactor(command: string): number {
  const [use] = recogniseCommands(command);
  if (use) return use.fact === 'packageManager' ? 0.7 : use.whole ? 3 : 0.5;
  return isReadOnly(command) ? 0.15 : 1;
}

function rankFailures(commands: readonly CommandRun[], span: number): SummaryLine[] {
  const notes: SummaryLine[] = [];
  const tasks = commands.map(({ text }) => formatCommand(text));
  const times = new Map<string, number>();
  for (const { errorLine } of commands) times.set(errorLine, (times.get(errorLine) ?? 0) + 1);
  const lastRun = new Map(tasks.map((task, index) => [task, index]));
  const lastSuccess = new Map(
    tasks.flatMap((task, index) => (commands[index]?.ending === 'worked' ? [[task, index]] : [])),
  );
  for (const [index, { ending, errorLine, turn }] of commands.entries()) {
    if (errorLine === '' || (ending !== 'failed' && ending !== 'suspect')) continue;
    const task = tasks[index] ?? '';
    const solved = (lastSuccess.get(task) ?? -1) > index;
    // Of what goes on failing, the last time counts; of what only looks like a failure, that it went away.
    if (!solved && (ending === 'suspect' || lastRun.get(task) !== index)) continue;
    const text = `${errorLine.slice(0, MAX_ERROR_LENGTH)} (${truncateLine(task, MAX_TASK_LENGTH)})`;
    notes.push({
      section: solved ? 'Failed → solved' : 'Still failing',
      text,
      value: combineOdds(
        0.14,
        recency(turn, span),
        ending === 'failed' ? 1.5 : 1,
        (times.get(errorLine) ?? 0) > 1 ? 3 : 1,
      ),
      turn,
    });
  }
  return notes;
}

function rankStatements(statements: readonly Statement[], span: number): SummaryLine[] {
  const first = statements.find(({ kind }) => kind === 'request');
  return statements
    .filter(({ text }) => text.length >= MIN_STATEMENT_LENGTH)
    .map((statement) => {
      const { kind, text, turn } = statement;
      const section = kind === 'request' ? 'Asked' : kind === 'decision' ? 'Decisions' : 'Figures';
      const value = combineOdds(
        0.3,
        recency(turn, span),
        statement === first ? 3 : 1,
        text.length < SHORT_STATEMENT ? 0.3 : 1,
      );
      return { section, text, value, turn };
    });
}

function groupBy<T>(list: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

const MAX_EARLIER_LINES = 500;
const MAX_LINE_LENGTH = 400;
/** What was worth keeping once is worth it again, the less the further down it stood. */
const FIRST_RELEVANCE = 0.5;
const LAST_RELEVANCE = 0.15;

/** The lines of an earlier summary, to be weighed against what happened since. */
export function parseEarlierSummary(text: string): SummaryLine[] {
  const found: { section: Section; text: string }[] = [];
  let section: Section = 'Background';
  for (const line of text.split('\n', MAX_EARLIER_LINES)) {
    const heading = SECTIONS.find((name) => line === `${name}:`);
    if (heading !== undefined) section = heading;
    else if (line.trim() !== '') found.push({ section, text: noteText(line) });
  }
  return found.map((note, index) => ({
    ...note,
    value: relevanceAt(index, found.length),
    turn: index - found.length,
  }));
}

/** A summary that somebody else wrote, as lines that come first. */
export function parseBackground(text: string): SummaryLine[] {
  const sentences = text
    .slice(0, 20_000)
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map((sentence) => oneLine(sentence, MAX_LINE_LENGTH))
    .filter((sentence) => sentence !== '');
  return sentences.map((sentence, index) => ({
    section: 'Background',
    text: sentence,
    value: relevanceAt(index, sentences.length),
    turn: index,
  }));
}

function noteText(line: string): string {
  return (line.startsWith('- ') ? line.slice(2) : line).slice(0, MAX_LINE_LENGTH).trim();
}

function relevanceAt(index: number, count: number): number {
  return FIRST_RELEVANCE - ((FIRST_RELEVANCE - LAST_RELEVANCE) * index) / count;
}
