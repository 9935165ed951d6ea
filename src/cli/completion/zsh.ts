import type { ArgumentSpec, Completion } from '../command.ts';
import type { CompletedCommand, CompletedOption } from './model.ts';

/** The completion script for zsh: to source after compinit, or to put into a folder of `fpath` as `_yore`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef yore
# Put into ~/.zshrc, after compinit: source <(yore completion zsh)

# _arguments puts options for compadd before the kind of values.
_yore_values() {
  local -a values
  values=("\${(@f)$(yore completion --values $argv[-1] 2>/dev/null)}")
  compadd "\${(@)argv[1,-2]}" -a values
}

${commands.map(commandFunction).join('\n\n')}

if [[ $funcstack[1] == _yore ]]; then
  _yore "$@"
else
  compdef _yore yore
fi
`;
}

function functionName(path: string): string {
  return ['_yore', ...path.split(' ').filter((word) => word !== '')].join('_');
}

function commandFunction({ path, commands, options, arguments: args }: CompletedCommand): string {
  const name = functionName(path);
  const specs = options.flatMap(optionSpecs);
  if (commands.length === 0) {
    const all = [...specs, ...args.map(argumentSpec)];
    return `${name}() {\n  _arguments ${all.map((spec) => `\\\n    ${spec}`).join(' ')}\n}`;
  }
  const list = commands.map((each) => `    ${quote(`${each.name}:${each.summary}`)}`).join('\n');
  const cases =
    path === 'help'
      ? ''
      : commands.map((each) => `    ${each.name}) ${functionName(`${path} ${each.name}`)} ;;`).join('\n');
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

function optionSpecs({ long, short, description, value, choices, completes }: CompletedOption): string[] {
  const text = `[${escapeSpec(description)}]`;
  const action = value === undefined ? '' : `:${value}:${actionFor(choices, completes)}`;
  if (short === undefined) return [quote(`${long}${text}${action}`)];
  return [`'(${short} ${long})'{${short},${long}}${quote(`${text}${action}`)}`];
}

function argumentSpec({ name, variadic, required, choices, completes }: ArgumentSpec): string {
  const position = variadic ? '*:' : required ? ':' : '::';
  return quote(`${position}${name}:${actionFor(choices, completes)}`);
}

function actionFor(choices: readonly string[] | undefined, completes: Completion | undefined): string {
  if (choices) return `(${choices.join(' ')})`;
  if (completes === 'files') return '_files';
  return completes ? `_yore_values ${completes}` : '_nothing';
}

function escapeSpec(text: string): string {
  return text.replace(/[[\]:\\]/g, (character) => `\\${character}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
