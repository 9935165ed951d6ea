import type { Cursor } from './cursor.ts';
import type { Redirection } from './tree.ts';
import { readWord } from './word.ts';

const OPERATOR = /(?:\d+|\{[A-Za-z_]\w*\})?(?:&>>|&>|<<<|<<-|<<|<>|<&|>>|>\||>&|>(?!\()|<(?!\())/y;
const HEREDOC = /(?<!<)<<-?$/;
const DESCRIPTOR = /(?:\d+-?|-)(?![^\s;&|()<>])/y;

/** Reads the redirection at the cursor, if there is one. The body of a heredoc comes into `heredocs` when its line ends. */
export function readRedirection(cursor: Cursor, heredocs: string[]): Redirection | undefined {
  if (!mayStart(cursor.peek())) return undefined;
  const operator = cursor.match(OPERATOR)?.[0];
  if (operator === undefined) return undefined;
  cursor.position += operator.length;
  if (operator.endsWith('>&') || operator.endsWith('<&')) {
    const descriptor = cursor.match(DESCRIPTOR)?.[0];
    if (descriptor !== undefined) {
      cursor.position += descriptor.length;
      return { operator: operator + descriptor, target: '' };
    }
  }
  cursor.skipBlanks();
  const target = readWord(cursor);
  if (target === undefined) {
    cursor.complete = false;
    return { operator, target: '' };
  }
  if (HEREDOC.test(operator)) {
    cursor.awaitHeredoc(target.text, operator.endsWith('-'), heredocs);
  }
  return { operator, target: target.text };
}

/** Reads all redirections that follow a compound command. */
export function readRedirections(cursor: Cursor, heredocs: string[]): readonly Redirection[] {
  const redirections: Redirection[] = [];
  for (;;) {
    cursor.skipBlanks();
    const redirection = readRedirection(cursor, heredocs);
    if (redirection === undefined) return redirections;
    redirections.push(redirection);
  }
}

function mayStart(character: string): boolean {
  return (
    character === '>' ||
    character === '<' ||
    character === '&' ||
    character === '{' ||
    (character >= '0' && character <= '9')
  );
}
