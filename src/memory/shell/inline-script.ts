import type { ShellWord } from './tree.ts';
import { baseName, type Unwrapped } from './unwrap.ts';

/** A script handed to a shell as an argument or on its standard input. */
export interface InlineScript {
  readonly text: string;
  /** What the commands of the script inherit: the wrappers and assignments of the shell, and `sh -c` itself. */
  readonly circumstances: readonly string[];
  /** Run by the shell itself, as `eval` does: a `cd` in it outlasts it. */
  readonly inPlace: boolean;
  /** The shell was started with `-e`. */
  readonly stopsAtError: boolean;
  /** The shell was started with `-o pipefail`. */
  readonly pipeFails: boolean;
}

/** Scripts within scripts are followed this far: each level is a whole reading of the one inside. */
const MAX_SCRIPT_DEPTH = 4;

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);

/** The script that `bash -c '…'`, `eval '…'` or `bash <<EOF` runs; undefined for any other command. */
export function findInlineScript(
  { words, circumstances }: Unwrapped,
  heredocs: readonly string[],
  depth: number,
): InlineScript | undefined {
  if (depth >= MAX_SCRIPT_DEPTH) return undefined;
  const program = baseName(words[0]?.text ?? '');
  if (program === 'eval' && words.length > 1) {
    const text = words
      .slice(1)
      .map((word) => word.text)
      .join(' ');
    return { text, circumstances, inPlace: true, stopsAtError: false, pipeFails: false };
  }
  if (!SHELLS.has(program)) return undefined;
  const options = readShellOptions(words);
  const text = options.takesScript ? words[options.next]?.text : scriptOnInput(heredocs, words, options.next);
  if (text === undefined) return undefined;
  const { stopsAtError, pipeFails } = options;
  return { text, circumstances: [...circumstances, 'sh -c'], inPlace: false, stopsAtError, pipeFails };
}

function scriptOnInput(
  heredocs: readonly string[],
  words: readonly ShellWord[],
  next: number,
): string | undefined {
  const operand = words[next]?.text;
  return operand === undefined || operand === '-' ? heredocs.at(-1) : undefined;
}

interface ShellOptions {
  readonly takesScript: boolean;
  readonly stopsAtError: boolean;
  readonly pipeFails: boolean;
  /** The first word after the options. */
  readonly next: number;
}

function readShellOptions(words: readonly ShellWord[]): ShellOptions {
  let takesScript = false;
  let stopsAtError = false;
  let pipeFails = false;
  let next = 1;
  for (; next < words.length; next += 1) {
    const option = words[next]?.text ?? '';
    if (option === '--rcfile' || option === '--init-file') next += 1;
    if (option.startsWith('--')) continue;
    if (!/^[-+][A-Za-z]/.test(option)) break;
    if (option.startsWith('+')) continue;
    if (option.includes('c')) takesScript = true;
    if (option.includes('e')) stopsAtError = true;
    if (!/[oO]$/.test(option)) continue;
    next += 1;
    if (words[next]?.text === 'pipefail') pipeFails = true;
    if (words[next]?.text === 'errexit') stopsAtError = true;
  }
  return { takesScript, stopsAtError, pipeFails, next };
}
