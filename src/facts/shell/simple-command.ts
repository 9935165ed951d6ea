import type { Cursor } from './cursor.ts';
import type { Assignment, CommandNode, GroupNode, Redirection, ShellWord } from './tree.ts';
import { readWord } from './word.ts';

/** Reads one command, simple or compound. */
export type CommandReader = (cursor: Cursor) => CommandNode | GroupNode | undefined;

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;
const EMPTY_PARENTHESES = /[ \t]*\([ \t]*\)/y;

/** Reads assignments, words and redirections, or a function definition `name() …`; undefined if there is no command. */
export function readSimpleCommand(cursor: Cursor, readCommand: CommandReader): CommandNode | GroupNode | undefined {
  const assignments: Assignment[] = [];
  const words: ShellWord[] = [];
  const redirections: Redirection[] = [];
  const heredocs: string[] = [];
  for (;;) {
    cursor.skipBlanks();
    if (cursor.ended || cursor.peek() === '#') break;
    const redirection = readRedirection(cursor, heredocs);
    if (redirection !== undefined) {
      redirections.push(redirection);
      continue;
    }
    const word = readWord(cursor);
    if (word === undefined) break;
    const assignment = words.length === 0 ? toAssignment(word) : undefined;
    if (assignment !== undefined) assignments.push(assignment);
    else words.push(word);
    if (words.length === 1 && assignment === undefined && cursor.skip(EMPTY_PARENTHESES)) {
      return readFunctionBody(cursor, readCommand);
    }
  }
  if (words.length + assignments.length + redirections.length === 0) return undefined;
  return { kind: 'command', assignments, words, redirections, heredocs, substitutions: cursor.substitutions };
}

/** Reads the body of a function definition. */
export function readFunctionBody(cursor: Cursor, readCommand: CommandReader): GroupNode {
  cursor.skipLineBreaks();
  const body = readCommand(cursor);
  if (body === undefined) cursor.complete = false;
  const stages = body === undefined ? [] : [body];
  const list = { pipelines: [{ stages, operator: '', negated: false, background: false } as const] };
  return {
    kind: 'function',
    parts: [{ condition: false, list }],
    redirections: [],
    heredocs: [],
    substitutions: [],
  };
}

function toAssignment(word: ShellWord): Assignment | undefined {
  const match = ASSIGNMENT.exec(word.source);
  if (match?.[1] === undefined) return undefined;
  return { name: match[1], value: word.text.slice(match[0].length) };
}

const OPERATOR = /(?:\d+|\{[A-Za-z_]\w*\})?(?:&>>|&>|<<<|<<-|<<|<>|<&|>>|>\||>&|>(?!\()|<(?!\())/y;
const HEREDOC = /(?<!<)<<-?$/;
const DESCRIPTOR = /(?:\d+-?|-)(?![^\s;&|()<>])/y;

/** Reads one redirection, if there is one. The body of a heredoc is added to `heredocs` once its line has been read. */
function readRedirection(cursor: Cursor, heredocs: string[]): Redirection | undefined {
  if (!mayStartRedirection(cursor.peek())) return undefined;
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
    cursor.expectHeredoc(target.text, operator.endsWith('-'), heredocs);
  }
  return { operator, target: target.text };
}

/** Reads the redirections after a compound command. */
export function readRedirections(cursor: Cursor, heredocs: string[]): readonly Redirection[] {
  const redirections: Redirection[] = [];
  for (;;) {
    cursor.skipBlanks();
    const redirection = readRedirection(cursor, heredocs);
    if (redirection === undefined) return redirections;
    redirections.push(redirection);
  }
}

function mayStartRedirection(character: string): boolean {
  return (
    character === '>' ||
    character === '<' ||
    character === '&' ||
    character === '{' ||
    (character >= '0' && character <= '9')
  );
}
