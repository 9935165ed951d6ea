import type { Attempt } from '../../record/record.ts';
import type { Ecosystem } from './command-table.ts';
import type { CommandFact } from './project-stack.ts';
import { type CommandUse, plainCommand, recogniseCommands } from './recognise-commands.ts';

/** What can be confirmed by running it. */
export type TalliedFact = CommandFact | 'packageManager';

/** How often one command, or one package manager, ran successfully. */
export interface TallyRow {
  readonly value: string;
  readonly ecosystem: Ecosystem;
  /** Where it ran, relative to the project. */
  readonly folder: string;
  readonly runs: number;
  /** Fades as other commands of the same purpose run, so that a change of habit shows after some runs. */
  readonly weight: number;
  /** ISO 8601. */
  readonly lastRun: string;
}

/** What ran in a project so far: small, plain JSON, and grown by one attempt at a time. */
export type StackTally = { readonly [K in TalliedFact]?: readonly TallyRow[] };

/** Nothing ran yet. */
export const EMPTY_TALLY: StackTally = Object.freeze({});

/** Rows kept for each purpose; the lightest goes. */
const MOST_ROWS = 12;
/** Longer commands are not worth showing as the project's. */
const LONGEST_VALUE = 120;
/** What one run of the whole project takes from the weight of all commands: about the last 20 runs count. */
const FADING = 0.05;
/** A run of one test file says less about the project's command than a run of all. */
const NARROWED_RUN = 0.1;

/** Output of a command that did not run, although what it was piped into succeeded. */
const DID_NOT_RUN =
  /command not found|missing script|no such file or directory|no module named|is not recognized|unknown command|could not determine executable|no rule to make target|ERR_PNPM_NO_SCRIPT|command "[^"]*" not found|script not found/i;
/** Enough of the output to see that. */
const LOOKED_AT = 4_000;

const FACT_OF_KIND: Readonly<Record<string, CommandFact>> = {
  test: 'testCommand',
  build: 'buildCommand',
  lint: 'lintCommand',
  format: 'formatCommand',
};

/**
 * Adds one attempt to what ran so far; the same tally when it says nothing. Every attempt must be added once.
 * Only successes count; a script that no table knows counts as what the attempt's `kind` says it is.
 */
export function tallyAttempt(tally: StackTally, attempt: Attempt): StackTally {
  const { command, outcome, cwd = '', result = '', timestamp } = attempt;
  if (outcome !== 'success' || command === undefined || OUTSIDE.test(cwd)) return tally;
  const runs = runsOf(command, cwd === '.' ? '' : cwd, attempt.kind);
  if (runs.length === 0 || DID_NOT_RUN.test(result.slice(0, LOOKED_AT))) return tally;
  return runs.reduce((grown, run) => addRun(grown, run, timestamp), tally);
}

/** A folder that is not in the project. */
const OUTSIDE = /^(\.\.|\/|[A-Za-z]:)/;

/** The same few commands run again and again. */
const recent = new Map<string, readonly CommandUse[]>();
const MOST_RECENT = 64;

function runsOf(command: string, folder: string, kind = ''): readonly CommandUse[] {
  const key = `${kind} ${folder}\n${command}`;
  let runs = recent.get(key);
  if (runs === undefined) {
    runs = recogniseRuns(command, folder, kind);
    if (recent.size >= MOST_RECENT) recent.clear();
    recent.set(key, runs);
  }
  return runs;
}

function recogniseRuns(command: string, folder: string, kind: string): readonly CommandUse[] {
  const uses = recogniseCommands(command, folder);
  const fact = Object.hasOwn(FACT_OF_KIND, kind) ? FACT_OF_KIND[kind] : undefined;
  if (uses.length > 0 || fact === undefined) return uses;
  const plain = plainCommand(command, folder);
  return plain ? [{ ...plain, fact, ecosystem: 'any', whole: true }] : [];
}

function addRun(tally: StackTally, run: CommandUse, at: string): StackTally {
  const { fact, value, ecosystem } = run;
  const folder = fact === 'packageManager' ? '' : run.folder;
  if (value.length + folder.length > LONGEST_VALUE) return tally;
  const weight = run.whole ? 1 : NARROWED_RUN;
  const fading = 1 - FADING * weight;
  const rows = tally[fact] ?? [];
  const known = rows.find((row) => row.value === value && row.folder === folder);
  const others = rows
    .filter((row) => row !== known)
    .map((row) => ({ ...row, weight: row.weight * fading }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_ROWS - 1);
  const grown: TallyRow = {
    value,
    ecosystem,
    folder,
    runs: (known?.runs ?? 0) + 1,
    weight: (known?.weight ?? 0) * fading + weight,
    lastRun: known && known.lastRun > at ? known.lastRun : at,
  };
  return { ...tally, [fact]: [...others, grown] };
}
