import { COMMAND_FACTS, type CommandFact, type Ecosystem, scriptCommand } from '../facts/commands/command-table.ts';
import { type CommandUse, findSingleCommand, recogniseCommands } from '../facts/commands/recognise-commands.ts';
import { compareText } from '../text/compare-text.ts';
import type { ProjectStack, StackEvidence } from './project-stack.ts';

/** Fewer runs are no evidence. */
const MIN_RUNS = 2;
/** A value from the project's files counts as this many runs. */
const FILE_WEIGHT = 1;

/**
 * Corrects a detected tech stack by commands that ran successfully, given in order of time: one that ran repeatedly
 * replaces one that ran less, and each confirmed value gets its number of runs as evidence.
 */
export function confirmStack(stack: ProjectStack, runs: Iterable<RecordedRun>): ProjectStack {
  let counts: RunCounts = {};
  for (const run of runs) counts = addRun(counts, run);
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

/** A successful run of a command or a package manager. */
export interface RecordedRun extends CommandUse {
  /** ISO 8601. */
  readonly at: string;
}

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

type RunCounts = { readonly [K in CountedFact]?: readonly CommandCount[] };

/** The decay of all weights by one run of a whole command: about the last 20 runs count. */
const DECAY = 0.05;
/** The weight of a run that is narrowed to some files or tests. */
const NARROWED_WEIGHT = 0.1;

function addRun(counts: RunCounts, run: RecordedRun): RunCounts {
  const { fact, value, ecosystem, at } = run;
  const folder = fact === 'packageManager' ? '' : run.folder;
  const weight = run.whole ? 1 : NARROWED_WEIGHT;
  const decay = 1 - DECAY * weight;
  const rows = counts[fact] ?? [];
  const known = rows.find((row) => row.value === value && row.folder === folder);
  const others = rows.filter((row) => row !== known).map((row) => ({ ...row, weight: row.weight * decay }));
  const counted: CommandCount = {
    value,
    ecosystem,
    folder,
    runs: (known?.runs ?? 0) + 1,
    weight: (known?.weight ?? 0) * decay + weight,
    lastRun: at,
  };
  return { ...counts, [fact]: [...others, counted] };
}
