import type { Clue } from './detector.ts';

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
