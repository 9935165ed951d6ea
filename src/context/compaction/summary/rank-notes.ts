import { displayCommand } from '../../../memory/digest/display-command.ts';
import { shorter } from '../../../memory/one-line.ts';
import { recogniseCommands } from '../../../memory/stack/recognise-commands.ts';
import type { Note } from './note.ts';
import { isReading } from './programs.ts';
import type { CommandSighting, FileSighting, Sightings, Statement } from './sighting.ts';

/** Longer commands are not written down: nobody runs them twice letter by letter. */
const LONGEST_COMMAND = 300;
/** More than one line, only where and how the next one runs, or with a gap that somebody has to fill: `git show <id>`. */
const NOTHING_BY_ITSELF = /\n|^(?:cd|set|export|source)\b[^;&|]*$|<[A-Za-z][\w-]*>/;
/** Paths with the same last part that are compared with each other. */
const MOST_OF_A_NAME = 20;
/** Commands that differ only in what they are about, from here on: each is one question of a series. */
const MANY_OF_A_KIND = 8;
/** `yes`, `go on`: says little without what it answers. */
const SHORT_STATEMENT = 16;
const SHORTEST_STATEMENT = 6;
const LONGEST_ERROR = 240;
const LONGEST_TASK = 60;

/** What was found, as lines of a summary with how likely each is to be needed again. */
export function rankNotes(sightings: Sightings): Note[] {
  const span = Math.max(1, sightings.turns);
  return [
    ...fileNotes(sightings.files, span),
    ...commandNotes(sightings.commands, span),
    ...failureNotes(sightings.commands, span),
    ...statementNotes(sightings.statements, span),
  ];
}

/** Chances are multiplied as odds, so that no number of reasons makes one certain. */
function chance(base: number, ...factors: readonly number[]): number {
  const odds = factors.reduce((product, factor) => product * factor, base / (1 - base));
  return odds / (1 + odds);
}

/** What was done late is still being worked on: from 0.5 at the beginning to 2 at the end. */
function recency(turn: number, span: number): number {
  return 0.5 * 4 ** (turn / span);
}

function fileNotes(files: readonly FileSighting[], span: number): Note[] {
  const notes: Note[] = [];
  for (const [path, seen] of grouped(files, fullPaths(files))) {
    const edits = new Set(seen.filter(({ edited }) => edited).map(({ turn }) => turn)).size;
    const turn = seen.at(-1)?.turn ?? 0;
    const mentions = new Set(seen.map(({ turn }) => turn)).size;
    const value =
      edits > 0
        ? chance(0.4, recency(turn, span), edits > 1 ? 1.8 : 1)
        : chance(0.04, recency(turn, span), mentions > 1 ? 2 : 1);
    notes.push({ section: 'Files', text: path, value, turn });
  }
  return notes;
}

/** Files are called by their whole path or the end of it; all names of a file are read as the longest one. */
function fullPaths(files: readonly FileSighting[]): (file: FileSighting) => string {
  const byName = new Map<string, Set<string>>();
  for (const { path } of files) {
    const paths = byName.get(nameOf(path)) ?? new Set();
    if (paths.size < MOST_OF_A_NAME) byName.set(nameOf(path), paths.add(path));
  }
  return ({ path }) => {
    const longer = [...(byName.get(nameOf(path)) ?? [])].filter((other) =>
      other.endsWith(`/${path.replace(/^\.?\//, '')}`),
    );
    return longer.length === 1 && longer[0] !== undefined ? longer[0] : path;
  };
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function commandNotes(commands: readonly CommandSighting[], span: number): Note[] {
  const notes: Note[] = [];
  const kinds = grouped([...new Set(commands.map(({ text }) => text))], kindOf);
  for (const [text, runs] of grouped(commands, ({ text }) => text)) {
    if (
      text.length > LONGEST_COMMAND ||
      NOTHING_BY_ITSELF.test(text) ||
      runs.every(({ ending }) => ending === 'failed')
    )
      continue;
    const turn = runs.at(-1)?.turn ?? 0;
    const worked = runs.some(({ ending }) => ending === 'worked');
    notes.push({
      section: worked ? 'Worked' : 'Ran',
      text,
      value: chance(
        shortness(text),
        recency(turn, span),
        runs.length > 1 ? 2 + runs.length : 1,
        worked ? 1 : 0.6,
        purposeFactor(text),
        (kinds.get(kindOf(text))?.length ?? 0) >= MANY_OF_A_KIND ? 0.6 : 1,
      ),
      turn,
    });
  }
  return notes;
}

/** The program and what it is told to do, without what it is told to do it to. */
function kindOf(command: string): string {
  return command.split(/\s+/, 2).join(' ');
}

/** A short command is a habit, a long one was made for one occasion. */
function shortness(command: string): number {
  return 0.012 + 0.4 * Math.exp(-command.length / 34);
}

function purposeFactor(command: string): number {
  const [use] = recogniseCommands(command);
  if (use) return use.fact === 'packageManager' ? 0.7 : use.whole ? 3 : 0.5;
  return isReading(command) ? 0.15 : 1;
}

function failureNotes(commands: readonly CommandSighting[], span: number): Note[] {
  const notes: Note[] = [];
  const tasks = commands.map(({ text }) => displayCommand(text));
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
    const text = `${errorLine.slice(0, LONGEST_ERROR)} (${shorter(task, LONGEST_TASK)})`;
    notes.push({
      section: solved ? 'Failed → solved' : 'Still failing',
      text,
      value: chance(
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

function statementNotes(statements: readonly Statement[], span: number): Note[] {
  const first = statements.find(({ kind }) => kind === 'request');
  return statements
    .filter(({ text }) => text.length >= SHORTEST_STATEMENT)
    .map((statement) => {
      const { kind, text, turn } = statement;
      const section = kind === 'request' ? 'Asked' : kind === 'decision' ? 'Decisions' : 'Figures';
      const value = chance(
        0.3,
        recency(turn, span),
        statement === first ? 3 : 1,
        text.length < SHORT_STATEMENT ? 0.3 : 1,
      );
      return { section, text, value, turn };
    });
}

function grouped<T>(list: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
