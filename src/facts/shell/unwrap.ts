import { once } from '../../record/once.ts';
import type { Assignment, ShellWord } from './tree.ts';

/** The fields of a command that unwrapping needs. */
interface Unwrappable {
  readonly assignments: readonly Assignment[];
  readonly words: readonly ShellWord[];
  readonly inherited: readonly string[];
}

/** A command without its wrappers, and the circumstances it runs in. */
export interface Unwrapped {
  readonly words: readonly ShellWord[];
  /** `env:NAME` for an assignment (never its value), the name of a wrapper; outermost first, no duplicates. */
  readonly circumstances: readonly string[];
}

const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;

/** Separates a command from its assignments and from the wrappers that run it: `sudo`, `timeout 60`, `npx`. */
export function unwrapCommand(command: Unwrappable): Unwrapped {
  const circumstances = new Set(command.inherited);
  for (const { name } of command.assignments) circumstances.add(`env:${name}`);
  let start = 0;
  for (;;) {
    const next = unwrapOnce(command.words, start, circumstances);
    if (next === undefined) break;
    start = next;
  }
  const words = start === 0 ? command.words : command.words.slice(start);
  return { words, circumstances: [...circumstances] };
}

/** The program that a word names: the last part of a path. */
export function programName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The index of the command that the wrapper at `from` runs; undefined if there is no wrapper. */
function unwrapOnce(words: readonly ShellWord[], from: number, circumstances: Set<string>): number | undefined {
  const found = findWrapper(words, from);
  if (found === undefined) return undefined;
  const names: string[] = [];
  const start = skipToCommand(words, from + found.length, found.wrapper, names);
  if (start === undefined || start >= words.length) return undefined;
  // `env A=b` is the same as `A=b`.
  if (found.name !== 'env' || names.length === 0) circumstances.add(found.name);
  for (const name of names) circumstances.add(`env:${name}`);
  return start;
}

interface FoundWrapper {
  readonly name: string;
  readonly wrapper: Wrapper;
  /** In words. */
  readonly length: number;
}

function findWrapper(words: readonly ShellWord[], from: number): FoundWrapper | undefined {
  let name = '';
  for (let length = 1; length <= MAX_WRAPPER_WORDS && from + length <= words.length; length += 1) {
    const text = words[from + length - 1]?.text ?? '';
    name = length === 1 ? programName(text) : `${name} ${text}`;
    const wrapper = wrappers().get(name);
    if (wrapper !== undefined) return { name, wrapper, length };
  }
  return undefined;
}

/** The index of the wrapped command; undefined when the wrapper runs none. */
function skipToCommand(
  words: readonly ShellWord[],
  from: number,
  wrapper: Wrapper,
  names: string[],
): number | undefined {
  if (wrapper.after !== undefined) {
    const marker = words.findIndex(({ text }, index) => index >= from && includesWord(wrapper.after, text));
    return marker === -1 ? undefined : marker + 1;
  }
  let index = from;
  let operands = wrapper.operands ?? 0;
  for (; index < words.length; index += 1) {
    const text = words[index]?.text ?? '';
    if (includesWord(wrapper.queries, text)) return undefined;
    if (text === '--') continue;
    if (includesWord(wrapper.values, text)) index += 1;
    else if (/^[-+]./.test(text)) continue;
    else if (text === '-' && wrapper.assigns) continue;
    else if (wrapper.assigns && ASSIGNMENT.test(text)) names.push(ASSIGNMENT.exec(text)?.[1] ?? '');
    else if (operands > 0) operands -= 1;
    else return index;
  }
  return undefined;
}

/** A script that a shell gets as an argument or on its standard input. */
interface InlineScript {
  readonly text: string;
  /** What its commands inherit: the wrappers and assignments of the shell, and `sh -c`. */
  readonly circumstances: readonly string[];
  /** Runs in the current shell (`eval`), so that a `cd` in it lasts. */
  readonly inPlace: boolean;
  /** The shell was started with `-e`. */
  readonly errexit: boolean;
  /** The shell was started with `-o pipefail`. */
  readonly pipefail: boolean;
}

/** Nested scripts are followed up to this depth, because each level parses the inner text again. */
const MAX_SCRIPT_DEPTH = 4;

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);

/** The script that `bash -c '…'`, `eval '…'` or `bash <<EOF` runs; undefined for any other command. */
export function findInlineScript(
  { words, circumstances }: Unwrapped,
  heredocs: readonly string[],
  depth: number,
): InlineScript | undefined {
  if (depth >= MAX_SCRIPT_DEPTH) return undefined;
  const program = programName(words[0]?.text ?? '');
  if (program === 'eval' && words.length > 1) {
    const text = words
      .slice(1)
      .map((word) => word.text)
      .join(' ');
    return { text, circumstances, inPlace: true, errexit: false, pipefail: false };
  }
  if (!SHELLS.has(program)) return undefined;
  const options = readShellOptions(words);
  const text = options.takesScript ? words[options.next]?.text : findScriptOnStdin(heredocs, words, options.next);
  if (text === undefined) return undefined;
  const { errexit, pipefail } = options;
  return {
    text,
    circumstances: [...circumstances, 'sh -c'],
    inPlace: false,
    errexit,
    pipefail,
  };
}

function findScriptOnStdin(heredocs: readonly string[], words: readonly ShellWord[], next: number): string | undefined {
  const operand = words[next]?.text;
  return operand === undefined || operand === '-' ? heredocs.at(-1) : undefined;
}

interface ShellOptions {
  readonly takesScript: boolean;
  readonly errexit: boolean;
  readonly pipefail: boolean;
  /** The first word after the options. */
  readonly next: number;
}

function readShellOptions(words: readonly ShellWord[]): ShellOptions {
  let takesScript = false;
  let errexit = false;
  let pipefail = false;
  let next = 1;
  for (; next < words.length; next += 1) {
    const option = words[next]?.text ?? '';
    if (option === '--rcfile' || option === '--init-file') next += 1;
    if (option.startsWith('--')) continue;
    if (!/^[-+][A-Za-z]/.test(option)) break;
    if (option.startsWith('+')) continue;
    if (option.includes('c')) takesScript = true;
    if (option.includes('e')) errexit = true;
    if (!/[oO]$/.test(option)) continue;
    next += 1;
    if (words[next]?.text === 'pipefail') pipefail = true;
    if (words[next]?.text === 'errexit') errexit = true;
  }
  return { takesScript, errexit, pipefail, next };
}

/** How to find the command that a wrapper runs. Options are separated by spaces. */
interface Wrapper {
  /** Options that take the next word as their value. */
  readonly values?: string;
  /** Number of words between the options and the command: 1 for the seconds of `timeout`. */
  readonly operands?: number;
  /** Accepts `NAME=value` words before the command. */
  readonly assigns?: boolean;
  /** Options with which it runs nothing: `command -v`. */
  readonly queries?: string;
  /** The command follows the first of these words; without one there is none. */
  readonly after?: string;
}

/** Wrappers by program, with the subcommand if it has others. The name is that of the circumstance. */
const WRAPPERS: readonly (readonly [names: string, Wrapper])[] = [
  ['env', { values: '-u --unset -C --chdir -P', assigns: true }],
  ['timeout, gtimeout', { values: '-s --signal -k --kill-after', operands: 1 }],
  [
    'sudo',
    {
      values: '-u --user -g --group -h --host -p --prompt -C -D --chdir -R -T -U',
      assigns: true,
      queries: '-l --list -v --validate -k -K -V --version -e --edit',
    },
  ],
  ['doas', { values: '-u -C' }],
  [
    'nohup, unbuffer, setsid, arch, builtin, noglob, nocorrect, yarn exec, poetry run, pipenv run, hatch run, rye run, bundle exec, rbenv exec, pyenv exec, asdf exec',
    {},
  ],
  ['time, gtime', { values: '-f --format -o --output' }],
  ['nice', { values: '-n --adjustment' }],
  ['ionice', { values: '-c --class -n --classdata', queries: '-p --pid' }],
  ['chrt, taskset', { operands: 1, queries: '-p --pid' }],
  ['stdbuf', { values: '-i --input -o --output -e --error' }],
  ['caffeinate', { values: '-t -w' }],
  ['flock', { values: '-w --wait --timeout -E', operands: 1 }],
  ['xvfb-run', { values: '-n --server-num -s --server-args -e -f -p -w' }],
  ['command', { queries: '-v -V' }],
  ['exec', { values: '-a' }],
  [
    'xargs',
    {
      values: '-I -n -P -L -d -E -s -a -J -R --max-args --max-procs --delimiter --replace --arg-file --max-lines',
    },
  ],
  ['cross-env', { assigns: true }],
  ['dotenv', { values: '-e -c -f -v', assigns: true }],
  ['dotenvx run', { values: '-f --env-file -e --env' }],
  ['npx', { values: '-p --package -w --workspace', queries: '-c --call --version -v' }],
  ['bunx, pnpx, bun x, yarn dlx', { values: '-p --package' }],
  ['uvx', { values: '--from --with -p --python --with-editable --with-requirements --index-url' }],
  ['npm exec, npm x', { values: '-p --package -w --workspace', queries: '-c --call' }],
  ['pnpm exec', { values: '-C --dir -F --filter', queries: '-c --shell-mode' }],
  ['pnpm dlx', { values: '--package -C --dir', queries: '-c --shell-mode' }],
  ['corepack', { queries: 'enable disable prepare use install up cache pack --version -v' }],
  [
    'uv run',
    {
      values:
        '--with --with-editable --with-requirements -p --python --extra --group --only-group --no-group --env-file --directory --project --package --index --index-url --extra-index-url',
      queries: '-m --module -s --script',
    },
  ],
  ['uv tool run', { values: '--from --with -p --python' }],
  ['pdm run', { values: '-p --project' }],
  ['pixi run', { values: '-e --environment --manifest-path' }],
  ['pipx run', { values: '--spec --python --pip-args' }],
  ['conda run, mamba run', { values: '-n --name -p --prefix --cwd' }],
  ['mise exec, mise x', { after: '-- -c --command' }],
  ['devbox run, op run, doppler run', { after: '--' }],
  ['direnv exec', { operands: 1 }],
  ['nix develop, nix shell', { after: '-c --command' }],
];
const MAX_WRAPPER_WORDS = 3;

const wrappers: () => ReadonlyMap<string, Wrapper> = once(
  () => new Map(WRAPPERS.flatMap(([names, wrapper]) => names.split(', ').map((name) => [name, wrapper] as const))),
);

function includesWord(list: string | undefined, word: string): boolean {
  return list?.split(' ').includes(word) === true;
}
