import type { Ecosystem } from './command-table.ts';
import type { Place } from './place.ts';
import type { Fact } from './project-stack.ts';

/**
 * How sure a clue is, surest first: a script of that name in the manifest, a target of a task runner, the
 * configuration or dependency of a tool, a command that the continuous integration runs, what is usual.
 */
export type Strength = 'declared' | 'target' | 'configured' | 'integration' | 'usual';

/** One thing that one file says. */
export interface Clue {
  readonly fact: Fact;
  readonly value: string;
  /** Relative to the place. */
  readonly file: string;
  /** Default `configured`. Matters only where one value is chosen: commands, package manager, conventions. */
  readonly strength?: Strength;
  /** For a command that belongs to another folder than the place: relative to the project. */
  readonly folder?: string;
  /** For a command seen elsewhere than in a manifest: whose it is. */
  readonly ecosystem?: Ecosystem;
}

/** Knows one ecosystem, or one thing around them (task runners, continuous integration, git hooks). */
export interface Detector {
  readonly id: Ecosystem;
  /** How the names of its sources end; they weigh the ecosystem when the main one is chosen. */
  readonly extensions: readonly string[];
  /** What one folder says; nothing when there is none of its manifests. Must not throw. */
  detect(place: Place): Iterable<Clue>;
  /** What costs a look into the sources; asked only of the place that the commands come from. */
  conventions?(place: Place): Iterable<Clue>;
}

/** What dependencies mean: for each name to show, the packages that bring it; `*` at the end stands for anything. */
export interface DependencyTable {
  readonly frameworks: Readonly<Record<string, readonly string[]>>;
  readonly tools: Readonly<Record<string, readonly string[]>>;
}

/** The frameworks and tools among the dependencies of a manifest, in the order of the table. */
export function* knownDependencies(
  names: ReadonlySet<string>,
  table: DependencyTable,
  file: string,
): Generator<Clue> {
  for (const [value, packages] of Object.entries(table.frameworks)) {
    if (packages.some((wanted) => isAmong(names, wanted))) yield { fact: 'framework', value, file };
  }
  for (const [value, packages] of Object.entries(table.tools)) {
    if (packages.some((wanted) => isAmong(names, wanted))) yield { fact: 'tool', value, file };
  }
}

function isAmong(names: ReadonlySet<string>, wanted: string): boolean {
  if (!wanted.endsWith('*')) return names.has(wanted);
  const start = wanted.slice(0, -1);
  for (const name of names) if (name.startsWith(start)) return true;
  return false;
}
