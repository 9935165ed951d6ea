import type { Completion } from '../command.ts';
import type { CompletedCommand, CompletedOption } from './model.ts';

interface Values {
  readonly choices?: readonly string[];
  readonly completes?: Completion;
}

/** The completion script for bash, from version 3.2 on. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const valued = new Set(
    commands.flatMap(({ options }) => options.filter(({ value }) => value).flatMap(optionNames)),
  );
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
      ${[...valued].join('|')}) index=$((index + 1)) ;;
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
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$path" in
${commands.map(commandCase).join('\n')}
  esac
}

complete -F _yore yore
`;
}

function optionNames({ long, short }: CompletedOption): string[] {
  return short === undefined ? [long] : [long, short];
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options
    .filter(({ value }) => value)
    .map((option) => {
      const patterns = optionNames(option).map((name) => `'${path} ${name}'`);
      return `    ${patterns.join('|')}) ${completeValues(option)}return ;;`;
    });
}

function completeValues({ choices, completes }: Values): string {
  if (choices) return `_yore_words "$current" ${choices.join(' ')}; `;
  if (completes === 'files') return `_yore_files "$current"; `;
  return completes ? `_yore_values "$current" ${completes}; ` : '';
}

function commandCase({ path, commands, options, arguments: args }: CompletedCommand): string {
  const words = commands.map(({ name }) => name);
  const flags = options.flatMap(optionNames);
  const argument = args[0];
  const plain = `${words.length > 0 ? `_yore_words "$current" ${words.join(' ')}` : ''}`;
  const values = argument ? completeValues(argument).replace(/; $/, '') : '';
  return `    '${path}')
      if [[ $current == -* ]]; then
        _yore_words "$current" ${flags.join(' ')}
      else
        ${[plain, values].filter((part) => part !== '').join('\n        ') || ':'}
      fi
      ;;`;
}
