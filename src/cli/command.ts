import type { Home } from '../project/index.ts';
import type { Output } from './output/output.ts';

/** What the shell can complete a value with. */
type Completion = 'sessions' | 'projects' | 'settings' | 'failures' | 'decisions' | 'files';

/** Declares an option of a command. */
export interface OptionSpec {
  /** In commander's notation: `-o, --output <file>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly completes?: Completion;
  /** May be given several times; the value is a list. */
  readonly repeatable?: boolean;
  /** Left out of help, docs and completion: for yore's own scripts. */
  readonly hidden?: boolean;
}

/** Declares a positional argument of a command. */
export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: Completion;
}

/** An example in a command's help. */
export interface Example {
  readonly command: string;
  readonly meaning: string;
}

/** Declares a command for the parser, help, completion and docs. Its code is loaded when it runs. */
export interface CommandSpec {
  readonly name: string;
  /** One line without a full stop; begins with a verb in lower case. */
  readonly summary: string;
  /** Follows the summary in the command's own help. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly Example[];
  readonly commands?: readonly CommandSpec[];
  /** Its output may be long, and is shown in a pager on a terminal. Default false. */
  readonly isPaged?: boolean;
  /** Imports the command's code; not before, so that other commands start fast. */
  readonly load: () => Promise<CommandRun>;
}

/** The given options of a command by camelCase name. The functions of `options.ts` read them by the name as it is typed. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** What a command works with. Only `run.ts` deals with the process itself. */
export interface CommandContext {
  readonly output: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly now: () => number;
  /** The value of `--home`. */
  readonly homeOption: string | undefined;
  /** Opens yore's home on the first call; it is closed when the command ends. */
  readonly openHome: () => Promise<Home>;
}

/** Runs a command and resolves to its exit code; undefined means 0. */
export type CommandRun = (
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
) => Promise<number | undefined> | Promise<void>;
