import type { CommandNode, Redirection, ShellWord } from './tree.ts';
import { baseName } from './unwrap.ts';

/** What a command is there for: `limiter` and `filler` only shape the output, `state` only changes the shell. */
export type Role = 'main' | 'filler' | 'limiter' | 'state';

/** Commands that cannot fail, or that end the line: they are never what a line is about when it has anything else. */
const FILLERS: ReadonlySet<string> = new Set([
  'echo',
  'printf',
  'true',
  ':',
  'false',
  'sleep',
  'wait',
  'clear',
]);

const STATE: ReadonlySet<string> = new Set(
  'exit return break continue shift local declare typeset readonly let trap shopt unsetopt umask ulimit hash alias unalias bindkey'.split(
    ' ',
  ),
);

/** Commands that only look: whether one of them succeeded says nothing of the work of a line. */
const READERS: ReadonlySet<string> = new Set(
  'echo printf yes true : false sleep wait cat head tail less more tee ls tree pwd which type whereis command date whoami hostname uname env printenv test [ [[ stat file wc sort uniq cut tr nl column basename dirname realpath readlink du df ps history seq'.split(
    ' ',
  ),
);

/** The role of a command, from its words without wrappers. `stage` counts from 0 within its pipeline. */
export function roleOf(words: readonly ShellWord[], node: CommandNode, stage: number, stages: number): Role {
  const program = baseName(words[0]?.text ?? '');
  if (program === '' || STATE.has(program)) return 'state';
  if (stage > 0 && limitsOutput(program, words)) return 'limiter';
  if (stages > 1 || writesFile(node.redirections)) return 'main';
  // `$(cat <<EOF … )` is how agents write a long text.
  const talks = FILLERS.has(program) || (program === 'cat' && words.length === 1 && node.heredocs.length > 0);
  return talks ? 'filler' : 'main';
}

/** Only looks or feeds a pipe: its success is not what a line is run for. */
export function onlyReads(program: string): boolean {
  return READERS.has(baseName(program));
}

function writesFile(redirections: readonly Redirection[]): boolean {
  return redirections.some(
    ({ operator, target }) => operator.includes('>') && target !== '' && target !== '/dev/null',
  );
}

function limitsOutput(program: string, words: readonly ShellWord[]): boolean {
  switch (program) {
    case 'tee':
    case 'less':
    case 'more':
      return true;
    case 'cat':
      return words.slice(1).every(({ text }) => text.startsWith('-'));
    case 'head':
    case 'tail':
      return !readsFile(words);
    case 'cut':
      return words.slice(1).every(({ text }) => /^(?:-[cb])?[\d,-]*$/.test(text));
    case 'sed':
      return (
        words.length === 3 && words[1]?.text === '-n' && /^\d*,?(?:\d+|\$)?p$/.test(words[2]?.text ?? '')
      );
    default:
      return false;
  }
}

function readsFile(words: readonly ShellWord[]): boolean {
  for (let index = 1; index < words.length; index += 1) {
    const text = words[index]?.text ?? '';
    if (/^(?:-[nc]|--lines|--bytes)$/.test(text)) index += 1;
    else if (!/^[-+]/.test(text)) return true;
  }
  return false;
}
