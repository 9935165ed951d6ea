import type { Cursor } from './cursor.ts';
import { readRedirection } from './redirection.ts';
import type { Assignment, CommandNode, GroupNode, Redirection, ShellWord } from './tree.ts';
import { readWord } from './word.ts';

/** Reads one command, simple or compound. */
export type CommandReader = (cursor: Cursor) => CommandNode | GroupNode | undefined;

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;
const EMPTY_PARENTHESES = /[ \t]*\([ \t]*\)/y;

/** Reads assignments, words and redirections, or the function that `name()` defines; undefined when nothing is here. */
export function readSimpleCommand(
  cursor: Cursor,
  readCommand: CommandReader,
): CommandNode | GroupNode | undefined {
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

/** Reads the command that a function runs. */
export function readFunctionBody(cursor: Cursor, readCommand: CommandReader): GroupNode {
  cursor.skipGaps();
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
