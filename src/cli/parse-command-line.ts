import { Argument, Command, CommanderError, Option } from 'commander';
import { findNearest } from '../text/nearest.ts';
import type { ArgumentSpec, CommandSpec, Example, OptionSpec, OptionValues } from './command.ts';
import { EXIT_MEANINGS } from './exit-codes.ts';
import type { Style } from './output/terminal.ts';
import { COMMAND_GROUPS, GLOBAL_OPTIONS } from './program.ts';

/** What to run, or the help or the usage error to print. */
export type CommandLine =
  | {
      readonly kind: 'run';
      readonly spec: CommandSpec;
      /** As it is typed: `yore config set`. */
      readonly path: string;
      readonly args: readonly string[];
      readonly options: OptionValues;
    }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'usage error'; readonly message: string; readonly hint: string };

/** How help is printed. */
export interface HelpLook {
  readonly columns: number;
  readonly style: Style;
}

/** Parses the arguments after `yore`. */
export function parseCommandLine(argv: readonly string[], program: CommandSpec, look: HelpLook): CommandLine {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  const word = findCommandWord(words, program);
  const spec = program.commands?.find(({ name }) => name === word);
  if (word !== undefined && !spec) return reportUnknownCommand(word, program);

  let chosen: CommandLine | undefined;
  let help = '';
  // Only the requested command is built; the others are needed for the general help alone.
  const reduced = spec ? { ...program, commands: [spec] } : program;
  const command = buildCommand(reduced, [], look, (run) => {
    chosen = run;
  });
  forEachCommand(command, (each) => {
    each.exitOverride().configureOutput({
      writeOut: (text) => {
        help += text;
      },
      outputError: () => undefined,
      getOutHelpWidth: () => look.columns,
    });
  });
  try {
    command.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'help', text: help };
    return toUsageError(error.message, spec);
  }
  if (chosen === undefined) throw new Error('The command line was parsed, but no command was chosen.');
  return chosen;
}

type Choose = (run: Extract<CommandLine, { readonly kind: 'run' }>) => void;

function buildCommand(spec: CommandSpec, parents: readonly string[], look: HelpLook, choose: Choose): Command {
  const path = [...parents, spec.name];
  const isProgram = parents.length === 0;
  const command = new Command(spec.name)
    .summary(spec.summary)
    .description(describe(spec, isProgram))
    .enablePositionalOptions()
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ styleTitle: look.style.bold, minWidthToWrap: 20, subcommandTerm: formatTerm })
    .addHelpText('after', helpEnd(spec, isProgram, look));
  for (const argument of spec.arguments ?? []) command.addArgument(buildArgument(argument));
  for (const option of spec.options ?? []) command.addOption(buildOption(option));
  for (const option of GLOBAL_OPTIONS)
    command.addOption(isProgram ? buildOption(option) : buildOption(option).hideHelp());
  for (const child of spec.commands ?? []) {
    const group = COMMAND_GROUPS.find(({ commands }) => commands.includes(child));
    const built = buildCommand(child, path, look, choose);
    command.addCommand(group ? built.helpGroup(group.title) : built);
  }
  return command.action(() => {
    choose({ kind: 'run', spec, path: path.join(' '), args: command.args, options: givenOptions(command) });
  });
}

/** The options given to a command or to its parents, without commander's own default for `--no-color`. */
function givenOptions(command: Command): OptionValues {
  const given: Record<string, unknown> = {};
  for (let each: Command | null = command; each !== null; each = each.parent) {
    for (const [name, value] of Object.entries(each.opts())) {
      if (each.getOptionValueSource(name) !== 'default' && !(name in given)) given[name] = value;
    }
  }
  return given;
}

function describe(spec: CommandSpec, isProgram: boolean): string {
  const { summary: text } = spec;
  const summary = isProgram ? `yore: ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  return spec.details === undefined ? summary : `${summary}\n${spec.details}`;
}

function buildArgument(spec: ArgumentSpec): Argument {
  const name = spec.variadic ? `${spec.name}...` : spec.name;
  const argument = new Argument(spec.required ? `<${name}>` : `[${name}]`, spec.description);
  return spec.choices ? argument.choices(spec.choices) : argument;
}

function buildOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.description).hideHelp(spec.hidden ?? false);
  if (spec.choices) option.choices(spec.choices);
  if (spec.repeatable) {
    const check = option.parseArg;
    option.argParser((value: string, before: readonly string[] | undefined) => {
      check?.(value, undefined);
      return [...(before ?? []), value];
    });
  }
  return option;
}

function helpEnd(spec: CommandSpec, isProgram: boolean, look: HelpLook): string {
  const lines = ['', look.style.bold('Examples:'), ...exampleLines(spec.examples, look)];
  if (isProgram) {
    lines.push('', look.style.bold('Exit codes:'));
    for (const [code, meaning] of EXIT_MEANINGS) lines.push(`  ${String(code).padEnd(5)}${meaning}`);
  } else {
    lines.push('', look.style.dim('Global options: --home <folder>, --no-color, --debug. See yore --help.'));
  }
  return lines.join('\n');
}

/** Each meaning beside its command if all of them fit, otherwise below. */
function exampleLines(examples: readonly Example[], { columns, style }: HelpLook): string[] {
  const widest = Math.max(...examples.map(({ command }) => command.length));
  const fits = examples.every(({ meaning }) => 2 + widest + 3 + meaning.length <= columns);
  return examples.flatMap(({ command, meaning }) =>
    fits ? [`  ${command.padEnd(widest)}   ${style.dim(meaning)}`] : [`  ${command}`, `      ${style.dim(meaning)}`],
  );
}

/** A command as the list of commands shows it: its name and arguments. */
function formatTerm(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(' ');
}

function forEachCommand(command: Command, visit: (each: Command) => void): void {
  visit(command);
  for (const child of command.commands) forEachCommand(child, visit);
}

/** The word in the position of a command, if any. */
function findCommandWord(words: readonly string[], { options = [] }: CommandSpec): string | undefined {
  const withValue = [...options, ...GLOBAL_OPTIONS].filter(({ flags }) => flags.includes('<'));
  const names = new Set(withValue.flatMap(({ flags }) => flags.split(/[ ,]+/)));
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') return words[index + 1];
    if (names.has(word)) index++;
    else if (!word.startsWith('-')) return word;
  }
  return undefined;
}

function reportUnknownCommand(word: string, program: CommandSpec): CommandLine {
  const names = (program.commands ?? []).map(({ name }) => name);
  const nearest = findNearest(word, names);
  const quoted = /^[\w.-]+$/.test(word) ? word : `'${word}'`;
  return {
    kind: 'usage error',
    message: `unknown command "${word}".`,
    hint: nearest
      ? `Did you mean "yore ${nearest}"? All commands: yore --help`
      : `To search for it: yore search ${quoted}. All commands: yore --help`,
  };
}

/** Rewords commander's message about a value that is not among the choices, like the other errors. */
function describeInvalidChoice(message: string): string {
  const ofOption =
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. Allowed choices are (.+?)\.?$/.exec(message);
  const ofArgument =
    /^command-argument value '(.*)' is invalid for argument '([\w-]+)'\. Allowed choices are (.+?)\.?$/.exec(message);
  if (ofOption !== null) return `${ofOption[1]} "${ofOption[2]}" is not one of ${ofOption[3]}.`;
  return ofArgument === null
    ? message
    : `"${ofArgument[1]}" is not a supported ${ofArgument[2]}. Choose one of ${ofArgument[3]}.`;
}

function toUsageError(problem: string, spec: CommandSpec | undefined): CommandLine {
  const message = describeInvalidChoice(problem.replace(/^error: /, '').replace(/\n/g, ' '));
  const help = spec ? `yore ${spec.name} --help` : 'yore --help';
  const option = /^unknown option '(-[^']*)'/.exec(message)?.[1];
  const takesText = spec?.arguments?.some(({ variadic }) => variadic) ?? false;
  const hint =
    spec && option && takesText
      ? `To pass it as text: yore ${spec.name} -- ${option}. All options: ${help}`
      : `Usage: ${help}`;
  return { kind: 'usage error', message: message.endsWith('.') ? message : `${message}.`, hint };
}
