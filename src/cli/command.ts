import type { Home } from '../project/index.ts';
import type { Output } from './output/output.ts';

/** What a value on the command line can be completed with. */
export type Completion = 'sessions' | 'projects' | 'settings' | 'failures' | 'files';

/** An option of a command. */
export interface OptionSpec {
  /** As commander reads it: `-o, --output <file>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly completes?: Completion;
  /** May be given several times; its value is the list of them. */
  readonly repeatable?: boolean;
  /** Not in help, docs and completion: for yore's own scripts. */
  readonly hidden?: boolean;
}

/** A positional argument of a command. */
export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: Completion;
}

/** One line of the examples in a command's help. */
export interface Example {
  readonly command: string;
  readonly meaning: string;
}

/** A command as help, completion, docs and the parser know it. Its code is loaded when it runs. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** Said in the command's own help after the summary. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly Example[];
  readonly commands?: readonly CommandSpec[];
  readonly load: () => Promise<CommandRun>;
}

/** The options given to a command, by camelCase name. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** What a command gets to work with. The process itself stays in `run.ts`. */
export interface CommandContext {
  readonly output: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => number;
  /** The value of `--home`. */
  readonly homeOption: string | undefined;
  /** Opens yore's home once; it is closed when the command ends. */
  readonly openHome: () => Promise<Home>;
}

/** Runs a command. Resolves to its exit code; nothing means 0. */
type CommandRun = (
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
) => Promise<number | undefined> | Promise<void>;
