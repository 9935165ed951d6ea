import type { Attempt } from '../../record/record.ts';
import { COMMAND_FACTS, type Ecosystem } from './command-table.ts';
import type { ProjectStack, StackEvidence } from './project-stack.ts';
import { plainCommand, recogniseCommands } from './recognise-commands.ts';
import { scriptCommand } from './script-command.ts';
import {
  EMPTY_TALLY,
  type StackTally,
  type TalliedFact,
  type TallyRow,
  tallyAttempt,
} from './stack-tally.ts';

/** Fewer successful runs prove nothing. */
const LEAST_RUNS = 2;
/** What the project's files say counts like this many runs. */
const WEIGHT_OF_FILES = 1;

/**
 * Corrects a detected stack by what really ran successfully: a command that ran repeatedly replaces one that
 * ran less, and each confirmed value gets its number of runs as evidence. Pure. To go on from where an earlier
 * call ended, keep a tally (`tallyAttempt`) and use `confirmFromTally`.
 */
export function confirmStack(stack: ProjectStack, attempts: Iterable<Attempt>): ProjectStack {
  let tally = EMPTY_TALLY;
  for (const attempt of attempts) tally = tallyAttempt(tally, attempt);
  return confirmFromTally(stack, tally);
}

/** As `confirmStack`, with the attempts already counted. */
export function confirmFromTally(stack: ProjectStack, tally: StackTally): ProjectStack {
  const manager = settle('packageManager', stack.patterns.packageManager, tally.packageManager ?? []);
  const settled: Settled[] = COMMAND_FACTS.map((fact) =>
    settle(fact, stack.patterns[fact], tally[fact] ?? []),
  );
  const before = stack.patterns.packageManager;
  const facts = [...settled.map((one) => calledBy(manager.value, before, one)), manager];
  const patterns = Object.fromEntries(
    facts.flatMap(({ fact, value }) => (value === undefined ? [] : [[fact, value] as const])),
  );
  return { ...stack, patterns, evidence: [...keptEvidence(stack.evidence, facts), ...runEvidence(facts)] };
}

interface Settled {
  readonly fact: TalliedFact;
  readonly value: string | undefined;
  /** The runs that confirm the value. */
  readonly row?: TallyRow | undefined;
}

function settle(fact: TalliedFact, detected: string | undefined, rows: readonly TallyRow[]): Settled {
  const identity = detected === undefined ? undefined : identify(fact, detected);
  const own = rows.find((row) => row.value === identity?.value && row.folder === identity.folder);
  const best = rows
    .filter((row) => row.runs >= LEAST_RUNS && mayReplace(fact, row, own, identity?.ecosystem))
    .sort((a, b) => b.weight - a.weight || (a.value < b.value ? -1 : 1))[0];
  const ownWeight = detected === undefined ? 0 : (own?.weight ?? 0) + WEIGHT_OF_FILES;
  if (!best || best === own || best.weight <= ownWeight) return { fact, value: detected, row: own };
  return { fact, value: best.folder === '' ? best.value : `cd ${best.folder} && ${best.value}`, row: best };
}

/** Another ecosystem's command replaces only one that never ran, and its package manager only none. */
function mayReplace(
  fact: TalliedFact,
  row: TallyRow,
  own: TallyRow | undefined,
  ecosystem: Ecosystem | undefined,
): boolean {
  if (ecosystem === undefined || row.ecosystem === ecosystem) return true;
  if (fact === 'packageManager') return false;
  return row.ecosystem === 'any' || ecosystem === 'any' || own === undefined;
}

/** How runs of a detected value are tallied. */
function identify(
  fact: TalliedFact,
  detected: string,
): Pick<TallyRow, 'value' | 'folder'> & { readonly ecosystem?: Ecosystem } {
  if (fact === 'packageManager') {
    const use = recogniseCommands(`${INSTALLING[detected] ?? `${detected} install`}`)[0];
    return { value: detected, folder: '', ...(use ? { ecosystem: use.ecosystem } : {}) };
  }
  const use = recogniseCommands(detected).find((candidate) => candidate.fact === fact);
  return use ?? plainCommand(detected) ?? { value: detected, folder: '' };
}

/** Package managers that are not the program that installs. */
const INSTALLING: Readonly<Record<string, string>> = {
  bundler: 'bundle install',
  uv: 'uv sync',
  cargo: 'cargo add',
  go: 'go get',
  dotnet: 'dotnet restore',
  mix: 'mix deps.get',
  swiftpm: 'swift package resolve',
};

/** When another manager than the detected one installs, scripts that never ran are called by that one too. */
function calledBy(manager: string | undefined, before: string | undefined, settled: Settled): Settled {
  if (manager === undefined || before === undefined || manager === before || settled.row) return settled;
  const { value = '' } = settled;
  if (!value.startsWith(`${before} `)) return settled;
  const script = /^(?:run )?([\w:-]+)$/.exec(value.slice(before.length + 1))?.[1];
  return script === undefined ? settled : { ...settled, value: scriptCommand(manager, script) };
}

function keptEvidence(evidence: readonly StackEvidence[], facts: readonly Settled[]): StackEvidence[] {
  return evidence.filter((one) => {
    const settled = facts.find(({ fact }) => fact === one.fact);
    return !settled || ('file' in one && settled.value === one.value);
  });
}

function runEvidence(facts: readonly Settled[]): StackEvidence[] {
  return facts.flatMap(({ fact, value, row }) =>
    value === undefined || !row ? [] : [{ fact, value, runs: row.runs, lastRun: row.lastRun }],
  );
}
