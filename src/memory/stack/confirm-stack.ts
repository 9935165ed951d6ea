import type { Attempt } from '../../record/record.ts';
import { compareText } from '../../text/compare-text.ts';
import { COMMAND_FACTS, type Ecosystem, scriptCommand } from './command-table.ts';
import type { CommandFact, ProjectStack, StackEvidence } from './project-stack.ts';
import { type CommandUse, findSingleCommand, recogniseCommands } from './recognise-commands.ts';

/** Fewer runs are no evidence. */
const MIN_RUNS = 2;
/** A value from the project's files counts as this many runs. */
const FILE_WEIGHT = 1;

/**
 * Corrects a detected tech stack by commands that ran successfully: one that ran repeatedly replaces one that ran less,
 * and each confirmed value gets its number of runs as evidence.
 */
export function confirmStack(stack: ProjectStack, counts: StackCounts): ProjectStack {
  const manager = choose('packageManager', stack.commands.packageManager, counts.packageManager ?? []);
  const choices: Choice[] = COMMAND_FACTS.map((fact) => choose(fact, stack.commands[fact], counts[fact] ?? []));
  const before = stack.commands.packageManager;
  const facts = [...choices.map((choice) => adaptToManager(manager.value, before, choice)), manager];
  const commands = Object.fromEntries(
    facts.flatMap(({ fact, value }) => (value === undefined ? [] : [[fact, value] as const])),
  );
  return { ...stack, commands, evidence: [...keepEvidence(stack.evidence, facts), ...runEvidence(facts)] };
}

interface Choice {
  readonly fact: CountedFact;
  readonly value: string | undefined;
  /** The runs that confirm the value. */
  readonly row?: CommandCount | undefined;
}

function choose(fact: CountedFact, detected: string | undefined, rows: readonly CommandCount[]): Choice {
  const identity = detected === undefined ? undefined : identify(fact, detected);
  const own = rows.find((row) => row.value === identity?.value && row.folder === identity.folder);
  const best = rows
    .filter((row) => row.runs >= MIN_RUNS && mayReplace(fact, row, own, identity?.ecosystem))
    .sort((a, b) => b.weight - a.weight || compareText(a.value, b.value))[0];
  const ownWeight = detected === undefined ? 0 : (own?.weight ?? 0) + FILE_WEIGHT;
  if (!best || best === own || best.weight <= ownWeight) return { fact, value: detected, row: own };
  return { fact, value: best.folder === '' ? best.value : `cd ${best.folder} && ${best.value}`, row: best };
}

/** A command of another ecosystem replaces only one that never ran; a package manager replaces none. */
function mayReplace(
  fact: CountedFact,
  row: CommandCount,
  own: CommandCount | undefined,
  ecosystem: Ecosystem | undefined,
): boolean {
  if (ecosystem === undefined || row.ecosystem === ecosystem) return true;
  if (fact === 'packageManager') return false;
  return row.ecosystem === 'any' || ecosystem === 'any' || own === undefined;
}

/** How runs of a detected value are counted. */
function identify(
  fact: CountedFact,
  detected: string,
): Pick<CommandCount, 'value' | 'folder'> & { readonly ecosystem?: Ecosystem } {
  if (fact === 'packageManager') {
    const use = recogniseCommands(`${INSTALLING[detected] ?? `${detected} install`}`)[0];
    return { value: detected, folder: '', ...(use ? { ecosystem: use.ecosystem } : {}) };
  }
  const use = recogniseCommands(detected).find((candidate) => candidate.fact === fact);
  return use ?? findSingleCommand(detected) ?? { value: detected, folder: '' };
}

/** Commands of package managers for which `NAME install` does not exist. */
const INSTALLING: Readonly<Record<string, string>> = {
  bundler: 'bundle install',
  uv: 'uv sync',
  cargo: 'cargo add',
  go: 'go get',
  dotnet: 'dotnet restore',
  mix: 'mix deps.get',
  swiftpm: 'swift package resolve',
};

/** When another package manager is used than the detected one, it also runs the scripts that never ran. */
function adaptToManager(manager: string | undefined, before: string | undefined, choice: Choice): Choice {
  if (manager === undefined || before === undefined || manager === before || choice.row) return choice;
  const { value = '' } = choice;
  if (!value.startsWith(`${before} `)) return choice;
  const script = /^(?:run )?([\w:-]+)$/.exec(value.slice(before.length + 1))?.[1];
  return script === undefined ? choice : { ...choice, value: scriptCommand(manager, script) };
}

function keepEvidence(evidence: readonly StackEvidence[], facts: readonly Choice[]): StackEvidence[] {
  return evidence.filter((one) => {
    const choice = facts.find(({ fact }) => fact === one.fact);
    return !choice || ('file' in one && choice.value === one.value);
  });
}

function runEvidence(facts: readonly Choice[]): StackEvidence[] {
  return facts.flatMap(({ fact, value, row }) =>
    value === undefined || !row ? [] : [{ fact, value, runs: row.runs, lastRun: row.lastRun }],
  );
}

/** Facts that can be confirmed by runs. */
type CountedFact = CommandFact | 'packageManager';

/** Successful runs of a command or a package manager. */
interface CommandCount {
  readonly value: string;
  readonly ecosystem: Ecosystem;
  /** Where it ran, relative to the project. */
  readonly folder: string;
  readonly runs: number;
  /** Decays as other commands of the same purpose run, so that a change of habit shows after some runs. */
  readonly weight: number;
  /** ISO 8601. */
  readonly lastRun: string;
}

/** The runs in a project: plain JSON of bounded size. */
export type StackCounts = { readonly [K in CountedFact]?: readonly CommandCount[] };

/** The counts before the first attempt. */
export const EMPTY_STACK_COUNTS: StackCounts = Object.freeze({});

/** Rows kept for each purpose; those of the lowest weight are dropped. */
const MAX_ROWS = 12;
/** Longer commands are not commands of the project. */
const MAX_VALUE_LENGTH = 120;
/** The decay of all weights by one run of a whole command: about the last 20 runs count. */
const DECAY = 0.05;
/** The weight of a run that is narrowed to some files or tests. */
const NARROWED_WEIGHT = 0.1;

/** Output of a command that did not run although the call succeeded, because it was piped. */
const DID_NOT_RUN =
  /command not found|missing script|no such file or directory|no module named|is not recognized|unknown command|could not determine executable|no rule to make target|ERR_PNPM_NO_SCRIPT|command "[^"]*" not found|script not found/i;
const MAX_OUTPUT_READ = 4_000;

/**
 * Adds an attempt to the counts, which are returned unchanged if it is not a successful run of a known command. An
 * unknown script counts by the `kind` of the attempt.
 */
export function countAttempt(counts: StackCounts, attempt: Attempt): StackCounts {
  const { command, outcome, cwd = '', result = '', timestamp } = attempt;
  if (outcome !== 'success' || command === undefined || OUTSIDE.test(cwd)) return counts;
  const runs = runsOf(command, cwd === '.' ? '' : cwd, attempt.kind);
  if (runs.length === 0 || DID_NOT_RUN.test(result.slice(0, MAX_OUTPUT_READ))) return counts;
  return runs.reduce((sum, run) => addRun(sum, run, timestamp), counts);
}

/** A folder that is not in the project. */
const OUTSIDE = /^(\.\.|\/|[A-Za-z]:)/;

/** The same few commands run repeatedly. */
const cache = new Map<string, readonly CommandUse[]>();
const MAX_CACHED = 64;

function runsOf(command: string, folder: string, kind = ''): readonly CommandUse[] {
  const key = `${kind} ${folder}\n${command}`;
  let runs = cache.get(key);
  if (runs === undefined) {
    runs = recogniseRuns(command, folder, kind);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, runs);
  }
  return runs;
}

function recogniseRuns(command: string, folder: string, kind: string): readonly CommandUse[] {
  const uses = recogniseCommands(command, folder);
  const fact = COMMAND_FACTS.find((each) => each === `${kind}Command`);
  if (uses.length > 0 || fact === undefined) return uses;
  const plain = findSingleCommand(command, folder);
  return plain ? [{ ...plain, fact, ecosystem: 'any', whole: true }] : [];
}

function addRun(counts: StackCounts, run: CommandUse, at: string): StackCounts {
  const { fact, value, ecosystem } = run;
  const folder = fact === 'packageManager' ? '' : run.folder;
  if (value.length + folder.length > MAX_VALUE_LENGTH) return counts;
  const weight = run.whole ? 1 : NARROWED_WEIGHT;
  const decay = 1 - DECAY * weight;
  const rows = counts[fact] ?? [];
  const known = rows.find((row) => row.value === value && row.folder === folder);
  const others = rows
    .filter((row) => row !== known)
    .map((row) => ({ ...row, weight: row.weight * decay }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_ROWS - 1);
  const counted: CommandCount = {
    value,
    ecosystem,
    folder,
    runs: (known?.runs ?? 0) + 1,
    weight: (known?.weight ?? 0) * decay + weight,
    lastRun: known && known.lastRun > at ? known.lastRun : at,
  };
  return { ...counts, [fact]: [...others, counted] };
}
