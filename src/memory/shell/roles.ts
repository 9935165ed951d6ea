import type { CommandNode, Redirection, ShellWord } from './tree.ts';
import { programName } from './unwrap.ts';

/** What a command contributes: `limiter` and `filler` only shape the output, `state` only changes the shell. */
export type Role = 'main' | 'filler' | 'limiter' | 'state';

/** Commands that never are the purpose of a line that has any others. */
const FILLERS: ReadonlySet<string> = new Set('echo printf true : false sleep wait clear'.split(' '));

const STATE_COMMANDS: ReadonlySet<string> = new Set(
  'exit return break continue shift local declare typeset readonly let trap shopt unsetopt umask ulimit hash alias unalias bindkey'.split(
    ' ',
  ),
);

/** Commands that change nothing. */
const READERS: ReadonlySet<string> = new Set(
  'echo printf yes true : false sleep wait cat head tail less more tee ls tree pwd which type whereis command date whoami hostname uname env printenv test [ [[ stat file wc sort uniq cut tr nl column basename dirname realpath readlink du df ps history seq'.split(
    ' ',
  ),
);

/** The role of a command by its words without wrappers. `stage` is its index in a pipeline of `stages` commands. */
export function findRole(
  words: readonly ShellWord[],
  node: CommandNode,
  stage: number,
  stages: number,
): Role {
  const program = programName(words[0]?.text ?? '');
  if (program === '' || STATE_COMMANDS.has(program)) return 'state';
  if (stage > 0 && limitsOutput(program, words)) return 'limiter';
  if (stages > 1 || writesFile(node.redirections)) return 'main';
  // `$(cat <<EOF … )` is how agents write a long text.
  const isText = program === 'cat' && words.length === 1 && node.heredocs.length > 0;
  return isText || FILLERS.has(program) ? 'filler' : 'main';
}

/** Whether a program only reads or prints, so that its success does not mean that the work of a line succeeded. */
export function isReadOnly(program: string): boolean {
  return READERS.has(programName(program));
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
