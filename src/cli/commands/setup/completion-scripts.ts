import { omitUndefined } from '../../../record/object.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../../command.ts';
import { option } from '../../options.ts';
import { GLOBAL_OPTIONS } from '../../program.ts';

/** Where the values of an option or argument come from. */
type ValueSource = Pick<OptionSpec, 'choices' | 'completes'>;

interface CompletionOption extends ValueSource {
  /** `--output` and, if it has one, `-o`. */
  readonly long: string;
  readonly short?: string;
  readonly description: string;
  /** Name of the value that it takes, if any. */
  readonly value?: string;
}

type CommandName = Pick<CommandSpec, 'name' | 'summary'>;

/** A command with what may follow it. */
export interface CompletionCommand {
  /** Empty for `yore` itself, `config get` for a nested command. */
  readonly path: string;
  readonly commands: readonly CommandName[];
  readonly options: readonly CompletionOption[];
  readonly arguments: readonly ArgumentSpec[];
}

const HELP_OPTION: OptionSpec = option('-h, --help', 'show help');
const HELP_COMMAND: CommandName = { name: 'help', summary: 'show help for a command' };

/** All commands of a program as a flat list. */
export function toCompletionCommands(program: CommandSpec): CompletionCommand[] {
  return [
    { ...toCompletionCommand(program, ''), commands: [...commandNames(program), HELP_COMMAND] },
    ...(program.commands ?? []).flatMap((command) => flatten(command, command.name)),
    { path: 'help', commands: commandNames(program), options: [], arguments: [] },
  ];
}

function flatten(command: CommandSpec, path: string): CompletionCommand[] {
  const children = (command.commands ?? []).flatMap((child) => flatten(child, `${path} ${child.name}`));
  return [toCompletionCommand(command, path), ...children];
}

function toCompletionCommand(command: CommandSpec, path: string): CompletionCommand {
  const options = [...(command.options ?? []), ...GLOBAL_OPTIONS, HELP_OPTION];
  return {
    path,
    commands: commandNames(command),
    options: options.filter(({ hidden }) => !hidden).map(toCompletionOption),
    arguments: command.arguments ?? [],
  };
}

function commandNames({ commands = [] }: CommandSpec): CommandName[] {
  return commands.map(({ name, summary }) => ({ name, summary }));
}

function toCompletionOption({ flags, description, choices, completes }: OptionSpec): CompletionOption {
  const [, short, long = flags, value] = /^(?:(-\w), )?(--[\w-]+)(?: <(\w+)>)?$/.exec(flags) ?? [];
  return { long, description, ...omitUndefined({ short, value, choices, completes }) };
}

function optionNames({ long, short }: CompletionOption): string[] {
  return short === undefined ? [long] : [long, short];
}

/** Names of all options that take a value: the next word is no command. */
function valueOptionNames(commands: readonly CompletionCommand[]): string[] {
  const options = commands.flatMap((command) => command.options).filter(({ value }) => value);
  return [...new Set(options.flatMap(optionNames))];
}

/** The completion script for bash, from version 3.2 on. */
export function bashCompletion(commands: readonly CompletionCommand[]): string {
  const valued = valueOptionNames(commands);
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `# bash completion for yore
# Put into ~/.bashrc: source <(yore completion bash)

# Completes with the words after the first argument. They are not evaluated.
_yore_words() {
  local current="$1" word
  shift
  for word in "$@"; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done
}

_yore_values() {
  local current="$1" word
  while IFS= read -r word; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done < <("\${COMP_WORDS[0]}" completion --values "$2" 2>/dev/null)
}

# bash 3.2 has no compopt.
_yore_files() {
  if type compopt >/dev/null 2>&1; then
    compopt -o default
  else
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$1"))
  fi
}

_yore() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path='' word index longer
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in
      ${valued.join('|')}) index=$((index + 1)) ;;
      -*) ;;
      *)
        longer="\${path:+$path }$word"
        case "$longer" in
          ${paths.join('|')}) path="$longer" ;;
        esac
        ;;
    esac
  done
  case "$path $previous" in
${commands.flatMap(bashValueCases).join('\n')}
  esac
  case "$path" in
${commands.map(bashCommandCase).join('\n')}
  esac
}

complete -F _yore yore
`;
}

function bashValueCases({ path, options }: CompletionCommand): string[] {
  return options
    .filter(({ value }) => value)
    .map((option) => {
      const patterns = optionNames(option).map((name) => `'${path} ${name}'`);
      return `    ${patterns.join('|')}) ${bashValues(option)}return ;;`;
    });
}

function bashValues({ choices, completes }: ValueSource): string {
  if (choices) return `_yore_words "$current" ${choices.join(' ')}; `;
  if (completes === 'files') return `_yore_files "$current"; `;
  return completes ? `_yore_values "$current" ${completes}; ` : '';
}

function bashCommandCase({ path, commands, options, arguments: args }: CompletionCommand): string {
  const words = commands.map(({ name }) => name);
  const flags = options.flatMap(optionNames);
  const argument = args[0];
  const plain = words.length > 0 ? `_yore_words "$current" ${words.join(' ')}` : '';
  const values = argument ? bashValues(argument).replace(/; $/, '') : '';
  return `    '${path}')
      if [[ $current == -* ]]; then
        _yore_words "$current" ${flags.join(' ')}
      else
        ${[plain, values].filter((part) => part !== '').join('\n        ') || ':'}
      fi
      ;;`;
}

/** The completion script for fish. */
export function fishCompletion(commands: readonly CompletionCommand[]): string {
  const valued = valueOptionNames(commands);
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quoteFish(path));
  return `# fish completion for yore
# Put into ~/.config/fish/config.fish: yore completion fish | source

# Whether the words before the cursor name exactly this command.
function __yore_at
  set -l path ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${valued.join(' ')}
        set skip 1
      case '-*'
      case '*'
        set -l longer (string trim -- "$path $word")
        if contains -- $longer ${paths.join(' ')}
          set path $longer
        end
    end
  end
  test "$path" = "$argv[1]"
end

function __yore_values
  command yore completion --values $argv[1] 2>/dev/null
end

complete -c yore -f
${commands.flatMap(fishCommandLines).join('\n')}
`;
}

function fishCommandLines({ path, commands, options, arguments: args }: CompletionCommand): string[] {
  const start = `complete -c yore -n ${quoteFish(`__yore_at "${path}"`)}`;
  const argument = args[0];
  const values = argument && fishValues(argument);
  return [
    ...commands.map(({ name, summary }) => `${start} -a ${name} -d ${quoteFish(summary)}`),
    ...options.map((option) => `${start} ${fishOption(option)}`),
    ...(argument?.completes === 'files' ? [`${start} -F`] : values ? [`${start} -a ${values}`] : []),
  ];
}

function fishOption(option: CompletionOption): string {
  const { long, short, description, value, completes } = option;
  const names = `${short ? `-s ${short.slice(1)} ` : ''}-l ${long.slice(2)}`;
  if (value === undefined) return `${names} -d ${quoteFish(description)}`;
  const values = fishValues(option);
  const takes = completes === 'files' ? '-r -F' : `-x${values ? ` -a ${values}` : ''}`;
  return `${names} ${takes} -d ${quoteFish(description)}`;
}

function fishValues({ choices, completes }: ValueSource): string | undefined {
  if (choices) return quoteFish(choices.join(' '));
  return completes && completes !== 'files' ? quoteFish(`(__yore_values ${completes})`) : undefined;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The completion script for zsh: to source after compinit, or to put into a folder of `fpath` as `_yore`. */
export function zshCompletion(commands: readonly CompletionCommand[]): string {
  return `#compdef yore
# Put into ~/.zshrc, after compinit: source <(yore completion zsh)

# _arguments puts options for compadd before the kind of values.
_yore_values() {
  local -a values
  values=("\${(@f)$(yore completion --values $argv[-1] 2>/dev/null)}")
  compadd "\${(@)argv[1,-2]}" -a values
}

${commands.map(zshCommandFunction).join('\n\n')}

if [[ $funcstack[1] == _yore ]]; then
  _yore "$@"
else
  compdef _yore yore
fi
`;
}

function zshFunctionName(path: string): string {
  return ['_yore', ...path.split(' ').filter((word) => word !== '')].join('_');
}

function zshCommandFunction({ path, commands, options, arguments: args }: CompletionCommand): string {
  const name = zshFunctionName(path);
  const specs = options.map(zshOption);
  if (commands.length === 0) {
    const all = [...specs, ...args.map(zshArgument)];
    return `${name}() {\n  _arguments ${all.map((spec) => `\\\n    ${spec}`).join(' ')}\n}`;
  }
  const list = commands.map((each) => `    ${quoteZsh(`${each.name}:${each.summary}`)}`).join('\n');
  const cases =
    path === 'help'
      ? ''
      : commands.map((each) => `    ${each.name}) ${zshFunctionName(`${path} ${each.name}`)} ;;`).join('\n');
  return `${name}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
${list}
  )
  _arguments -C ${[...specs, "'1: :->command'", "'*:: :->rest'"].map((spec) => `\\\n    ${spec}`).join(' ')}
  case $state in
    command) _describe -t commands command commands ;;
    rest)
      case $line[1] in
${cases.replace(/^ {4}/gm, '        ')}
      esac
      ;;
  esac
}`;
}

function zshOption(option: CompletionOption): string {
  const { long, short, description, value } = option;
  const text = `[${description.replace(/[[\]:\\]/g, '\\$&')}]`;
  const action = value === undefined ? '' : `:${value}:${zshAction(option)}`;
  if (short === undefined) return quoteZsh(`${long}${text}${action}`);
  return `'(${short} ${long})'{${short},${long}}${quoteZsh(`${text}${action}`)}`;
}

function zshArgument(argument: ArgumentSpec): string {
  const position = argument.variadic ? '*:' : argument.required ? ':' : '::';
  return quoteZsh(`${position}${argument.name}:${zshAction(argument)}`);
}

function zshAction({ choices, completes }: ValueSource): string {
  if (choices) return `(${choices.join(' ')})`;
  if (completes === 'files') return '_files';
  return completes ? `_yore_values ${completes}` : '_nothing';
}

function quoteZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
