import type { ArgumentSpec, CommandSpec, Completion, OptionSpec } from '../command.ts';
import { GLOBAL_OPTIONS } from '../program.ts';

/** An option as a completion script needs it. */
export interface CompletedOption {
  /** `--output` and, if it has one, `-o`. */
  readonly long: string;
  readonly short?: string;
  readonly description: string;
  /** Name of the value it takes, if it takes one. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly completes?: Completion;
}

/** One command with what may follow it. `path` is empty for `yore` itself, `config get` for a nested one. */
export interface CompletedCommand {
  readonly path: string;
  readonly summary: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly ArgumentSpec[];
}

const HELP: OptionSpec = { flags: '-h, --help', description: 'show this help' };

/** Every command of a program, flat. */
export function completedCommands(program: CommandSpec): CompletedCommand[] {
  return [
    {
      ...complete(program, ''),
      commands: [...named(program), { name: 'help', summary: 'how to use a command' }],
    },
    ...(program.commands ?? []).flatMap((command) => nested(command, command.name)),
    {
      path: 'help',
      summary: 'how to use a command',
      commands: named(program),
      options: [],
      arguments: [],
    },
  ];
}

function nested(command: CommandSpec, path: string): CompletedCommand[] {
  const children = (command.commands ?? []).flatMap((child) => nested(child, `${path} ${child.name}`));
  return [complete(command, path), ...children];
}

function complete(command: CommandSpec, path: string): CompletedCommand {
  const options = [...(command.options ?? []), ...GLOBAL_OPTIONS, HELP].filter((option) => !option.hidden);
  return {
    path,
    summary: command.summary,
    commands: named(command),
    options: options.map(completedOption),
    arguments: command.arguments ?? [],
  };
}

function named(command: CommandSpec): { readonly name: string; readonly summary: string }[] {
  return (command.commands ?? []).map(({ name, summary }) => ({ name, summary }));
}

function completedOption({ flags, description, choices, completes }: OptionSpec): CompletedOption {
  const [, short, long = flags, value] = /^(?:(-\w), )?(--[\w-]+)(?: <(\w+)>)?$/.exec(flags) ?? [];
  return {
    long,
    description,
    ...(short === undefined ? {} : { short }),
    ...(value === undefined ? {} : { value }),
    ...(choices === undefined ? {} : { choices }),
    ...(completes === undefined ? {} : { completes }),
  };
}
