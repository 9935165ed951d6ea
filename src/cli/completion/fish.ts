import type { Completion } from '../command.ts';
import type { CompletedCommand, CompletedOption } from './model.ts';

/** The completion script for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const valued = new Set(
    commands.flatMap(({ options }) =>
      options.filter(({ value }) => value).flatMap(({ long, short }) => (short ? [long, short] : [long])),
    ),
  );
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
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
      case ${[...valued].join(' ')}
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
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines({ path, commands, options, arguments: args }: CompletedCommand): string[] {
  const start = `complete -c yore -n ${quote(`__yore_at "${path}"`)}`;
  const argument = args[0];
  const values = argument ? valuesFor(argument.choices, argument.completes) : undefined;
  return [
    ...commands.map(({ name, summary }) => `${start} -a ${name} -d ${quote(summary)}`),
    ...options.map((option) => `${start} ${optionPart(option)}`),
    ...(argument?.completes === 'files' ? [`${start} -F`] : values ? [`${start} -a ${values}`] : []),
  ];
}

function optionPart({ long, short, description, value, choices, completes }: CompletedOption): string {
  const names = `${short ? `-s ${short.slice(1)} ` : ''}-l ${long.slice(2)}`;
  if (value === undefined) return `${names} -d ${quote(description)}`;
  const values = valuesFor(choices, completes);
  const takes = completes === 'files' ? '-r -F' : `-x${values ? ` -a ${values}` : ''}`;
  return `${names} ${takes} -d ${quote(description)}`;
}

function valuesFor(
  choices: readonly string[] | undefined,
  completes: Completion | undefined,
): string | undefined {
  if (choices) return quote(choices.join(' '));
  return completes && completes !== 'files' ? quote(`(__yore_values ${completes})`) : undefined;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
