import { COMMAND_FACTS, type Ecosystem, findScript } from '../facts/commands/command-table.ts';
import { omitUndefined } from '../record/object.ts';
import type { ProjectFolder } from './project-files.ts';
import type { Fact } from './project-stack.ts';

/**
 * Where a finding comes from, in order of precedence within a folder (`choose` in `detect-stack.ts`): a script in the
 * manifest, a target of a task runner, the project's instructions, the configuration or dependency of a tool, a command of
 * continuous integration, the default of the ecosystem.
 */
export type FindingSource = 'declared' | 'target' | 'documented' | 'configured' | 'ci' | 'default';

/** Something that a file says about the tech stack. */
export interface Finding {
  readonly fact: Fact;
  readonly value: string;
  /** Relative to the folder. */
  readonly file: string;
  /** Default: `configured`. Decides where a single value is chosen: commands, package manager, conventions. */
  readonly source?: FindingSource;
  /** The folder that a command runs in, relative to the project. Default: the folder of the file. */
  readonly folder?: string;
  /** The ecosystem of a command that is not from a manifest. Default: that of the detector. */
  readonly ecosystem?: Ecosystem;
}

/** Detects one ecosystem, or one kind of tooling: task runners, continuous integration, git hooks. */
export interface Detector {
  readonly id: Ecosystem;
  /** Extensions of its source files, whose number helps to choose the main ecosystem. */
  readonly extensions: readonly string[];
  /** The findings in a folder; none without one of its manifests. Must not throw. */
  detect(folder: ProjectFolder): Iterable<Finding>;
  /** Findings that need the source files; asked for the main folder only. */
  conventions?(folder: ProjectFolder): Iterable<Finding>;
}

/** Findings of one file. */
export function* toFindings(
  file: string,
  values: { readonly [F in Fact]?: string },
  source?: FindingSource,
): Generator<Finding> {
  for (const [fact, value] of Object.entries(values) as [Fact, string][])
    yield { fact, value, file, ...omitUndefined({ source }) };
}

/** The first groups of all matches of a pattern. */
export function findAll(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(pattern), (match) => match.slice(1).find(Boolean) ?? ''));
}

/** Frameworks and tools with the packages that provide them: `Name: package other*; …`. */
export interface DependencyTable {
  readonly frameworks: string;
  readonly tools: string;
}

/** The frameworks and tools among the dependencies of a manifest, in the order of the table. */
export function* findDependencies(
  names: ReadonlySet<string>,
  table: DependencyTable,
  file: string | ((packageName: string) => string),
): Generator<Finding> {
  for (const fact of ['framework', 'tool'] as const) {
    for (const row of table[`${fact}s`].split('; ')) {
      const [value = '', packages = ''] = row.split(': ');
      const found = packages.split(' ').find((wanted) => includesPackage(names, wanted));
      if (found !== undefined) yield { fact, value, file: typeof file === 'string' ? file : file(found) };
    }
  }
}

/** A command for each purpose that one of the scripts has. */
export function* findScripts(
  scripts: readonly string[],
  file: string,
  toCommand: (script: string) => string,
  source: FindingSource = 'declared',
): Generator<Finding> {
  for (const fact of COMMAND_FACTS) {
    const script = findScript(scripts, fact);
    if (script !== undefined) yield { fact, value: toCommand(script), file, source };
  }
}

function includesPackage(names: ReadonlySet<string>, wanted: string): boolean {
  if (!wanted.endsWith('*')) return names.has(wanted);
  const start = wanted.slice(0, -1);
  for (const name of names) if (name.startsWith(start)) return true;
  return false;
}
