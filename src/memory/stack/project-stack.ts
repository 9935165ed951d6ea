/** A command of the project, by what it is for. */
export type CommandFact = 'testCommand' | 'buildCommand' | 'lintCommand' | 'formatCommand';

/** What can be known of a project's stack. */
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

/** Why a value is in the stack: the file that says so, or how often it ran successfully. */
export type StackEvidence =
  | { readonly fact: Fact; readonly value: string; readonly file: string }
  | { readonly fact: Fact; readonly value: string; readonly runs: number; readonly lastRun: string };

/** What a project is written in and how it is tested, built and kept in shape. Unknown fields are left out. */
export interface ProjectStack {
  /** Most important first: those of the main ecosystem, then the others in the order of the table. */
  readonly techStack: {
    readonly languages: readonly string[];
    readonly frameworks: readonly string[];
    readonly tools: readonly string[];
  };
  /** Commands as typed in the project's root folder. */
  readonly patterns: { readonly [K in CommandFact]?: string } & { readonly packageManager?: string };
  readonly conventions: {
    /** The names of test files, such as `*.test.ts`. */
    readonly testPattern?: string;
    /** `ES modules` or `CommonJS`. */
    readonly importStyle?: string;
    readonly formatter?: string;
  };
  /** What git hooks run before each commit, in order; empty when there are none. */
  readonly beforeCommit: readonly string[];
  readonly evidence: readonly StackEvidence[];
}
