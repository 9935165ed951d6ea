import type { CommandFact } from '../facts/commands/command-table.ts';

/** What can be known about a tech stack. */
export type Fact =
  | CommandFact
  | 'language'
  | 'framework'
  | 'tool'
  | 'packageManager'
  | 'testPattern'
  | 'importStyle'
  | 'formatter'
  | 'beforeCommit';

/** The evidence for a value: a file, or successful runs. */
export type StackEvidence =
  | { readonly fact: Fact; readonly value: string; readonly file: string }
  | { readonly fact: Fact; readonly value: string; readonly runs: number; readonly lastRun: string };

/** Languages, package manager, frameworks and commands of a project. Unknown fields are absent. */
export interface ProjectStack {
  /** The most important first: those of the main ecosystem, then of the others. */
  readonly techStack: {
    readonly languages: readonly string[];
    readonly frameworks: readonly string[];
    readonly tools: readonly string[];
  };
  /** Commands as typed in the root folder. */
  readonly commands: { readonly [K in CommandFact]?: string } & { readonly packageManager?: string };
  readonly conventions: {
    /** The names of test files, such as `*.test.ts`. */
    readonly testPattern?: string;
    /** `ES modules` or `CommonJS`. */
    readonly importStyle?: string;
    readonly formatter?: string;
  };
  /** Commands that git hooks run before each commit, in order. */
  readonly beforeCommit: readonly string[];
  /** What a manifest, a task runner or the project's instructions say, not a default or the configuration of a tool. */
  readonly stated: readonly Fact[];
  readonly evidence: readonly StackEvidence[];
}
