import { COMMAND_FACTS, INSTALLS, SCRIPT_NAMES, scriptCommand } from '../facts/commands/command-table.ts';
import type { UsedCommand } from '../facts/commands/used-commands.ts';
import { getOrAdd } from '../record/once.ts';
import { compareText } from '../text/compare-text.ts';
import type { ProjectStack, StackEvidence } from './project-stack.ts';

/** Fewer runs of a tool are no evidence. A script has to run once: then the manifest has it. */
const MIN_RUNS = 2;
/** The latest runs that decide, so that a change of habit shows. */
const RECENT_RUNS = 20;

/** A successful run of a command or a package manager. */
export interface RecordedRun extends UsedCommand {
  /** ISO 8601. */
  readonly at: string;
}

type RunFact = UsedCommand['fact'];

/**
 * Completes a detected tech stack by commands that ran successfully, given in order of time. What the project's files state
 * stays; a default gives way to what ran. Each value gets the number of its runs as evidence.
 */
export function confirmStack(stack: ProjectStack, runs: Iterable<RecordedRun>): ProjectStack {
  const byFact = new Map<RunFact, RecordedRun[]>();
  for (const run of runs) getOrAdd(byFact, run.fact, () => []).push(run);
  const choices = ([...COMMAND_FACTS, 'packageManager'] as const).map((fact) =>
    choose(fact, stack, byFact.get(fact) ?? []),
  );
  const manager = choices.find(({ fact }) => fact === 'packageManager')?.value;
  const adapted = choices.map((choice) => adaptToManager(manager, stack.commands.packageManager, choice));
  const known = adapted.flatMap(({ fact, value }) => (value === undefined ? [] : [[fact, value] as const]));
  return {
    ...stack,
    commands: Object.fromEntries(known),
    evidence: [...keepEvidence(stack.evidence, adapted), ...adapted.flatMap(runEvidence)],
  };
}

interface Choice {
  readonly fact: RunFact;
  readonly value: string | undefined;
  /** The runs of the value. */
  readonly runs: readonly RecordedRun[];
}

function choose(fact: RunFact, stack: ProjectStack, runs: readonly RecordedRun[]): Choice {
  const detected = stack.commands[fact];
  const own = runs.filter(({ value }) => value === detected);
  if (stack.stated.includes(fact)) return { fact, value: detected, runs: own };
  // What ran in another ecosystem replaces only a command that never ran, and no package manager.
  const ecosystem = own[0]?.ecosystem ?? (fact === 'packageManager' ? ecosystemOf(detected) : undefined);
  const usual = findUsual(fact, ecosystem === undefined ? runs : runs.filter((run) => run.ecosystem === ecosystem));
  const recentOwn = runs.slice(-RECENT_RUNS).filter(({ value }) => value === detected);
  if (usual.length <= recentOwn.length) return { fact, value: detected, runs: own };
  return { fact, value: usual[0]?.value, runs: usual };
}

function ecosystemOf(manager: string | undefined): string | undefined {
  return INSTALLS.find(([name]) => name === manager)?.[1];
}

/** The runs of the command that is used: a script before a tool, and of scripts the one with the most usual name. */
function findUsual(fact: RunFact, runs: readonly RecordedRun[]): readonly RecordedRun[] {
  const scripts = runs.filter(({ isScript }) => isScript);
  const hasScripts = scripts.length > 0 && fact !== 'packageManager';
  const byValue = new Map<string, RecordedRun[]>();
  for (const run of (hasScripts ? scripts : runs).slice(-RECENT_RUNS)) getOrAdd(byValue, run.value, () => []).push(run);
  const rank = (value: string) =>
    hasScripts ? SCRIPT_NAMES[fact].indexOf(value.slice(value.lastIndexOf(' ') + 1)) : 0;
  const [best] = [...byValue]
    .filter(([, same]) => hasScripts || same.length >= MIN_RUNS)
    .sort(([a, x], [b, y]) => rank(a) - rank(b) || y.length - x.length || compareText(a, b));
  return best?.[1] ?? [];
}

/** When another package manager is used than the detected one, it also runs the scripts that never ran. */
function adaptToManager(manager: string | undefined, before: string | undefined, choice: Choice): Choice {
  const { value, runs } = choice;
  if (manager === undefined || before === undefined || manager === before || runs.length > 0) return choice;
  if (value?.startsWith(`${before} `) !== true) return choice;
  const script = /^(?:run )?([\w:-]+)$/.exec(value.slice(before.length + 1))?.[1];
  return script === undefined ? choice : { ...choice, value: scriptCommand(manager, script) };
}

function keepEvidence(evidence: readonly StackEvidence[], choices: readonly Choice[]): StackEvidence[] {
  return evidence.filter((one) => {
    const choice = choices.find(({ fact }) => fact === one.fact);
    return !choice || ('file' in one && choice.value === one.value);
  });
}

function runEvidence({ fact, value, runs }: Choice): readonly StackEvidence[] {
  const last = runs.at(-1);
  return value === undefined || last === undefined ? [] : [{ fact, value, runs: runs.length, lastRun: last.at }];
}
