import type { Cursor } from './cursor.ts';
import { readRedirections } from './redirection.ts';
import { type CommandReader, readFunctionBody } from './simple-command.ts';
import type { CommandNode, GroupNode, GroupPart, ShellWord } from './tree.ts';
import { readWord, skipArithmetic } from './word.ts';

const KEYWORD = /(?:if|for|while|until|case|select|function|\{|\[\[)(?![^\s;&|()<>])/y;
const BRACE_NEEDS_SPACE = /\{(?=\s)/y;
const TEST_END = /\]\](?![^\s;&|()<>])/y;
const TEST_OPERATOR = /[&|<>()!;]+/y;
const WORD_IN = /in(?![^\s;&|()<>])/y;
const NAME_PARENTHESES = /[ \t]*\([ \t]*\)/y;

const THEN: ReadonlySet<string> = new Set(['then']);
const BRANCH_END: ReadonlySet<string> = new Set(['elif', 'else', 'fi']);
const DO: ReadonlySet<string> = new Set(['do']);
const DONE: ReadonlySet<string> = new Set(['done']);
const BRACE_END: ReadonlySet<string> = new Set(['}']);
const CASE_END: ReadonlySet<string> = new Set([';;', 'esac']);

/** Reads a compound command, `[[ ]]` or `(( ))`; undefined when none starts here. */
export function readCompound(
  cursor: Cursor,
  readCommand: CommandReader,
): GroupNode | CommandNode | undefined {
  if (cursor.peek() === '(') return readArithmetic(cursor) ?? readSubshell(cursor);
  const keyword = cursor.match(KEYWORD)?.[0];
  switch (keyword) {
    case undefined:
      return undefined;
    case '{':
      return cursor.match(BRACE_NEEDS_SPACE) ? readBraces(cursor) : undefined;
    case '[[':
      return readTest(cursor);
    case 'if':
      return readIf(cursor);
    case 'case':
      return readCase(cursor);
    case 'function':
      return readFunction(cursor, readCommand);
    case 'while':
    case 'until':
      return readWhile(cursor);
    default:
      return readFor(cursor, keyword);
  }
}

function finish(cursor: Cursor, kind: GroupNode['kind'], parts: readonly GroupPart[]): GroupNode {
  const heredocs: string[] = [];
  const redirections = readRedirections(cursor, heredocs);
  return { kind, parts, redirections, heredocs, substitutions: cursor.substitutions };
}

function readPart(cursor: Cursor, closers: ReadonlySet<string>, condition = false): GroupPart {
  return { condition, list: cursor.readList(cursor, closers) };
}

/** Moves past a word that has to come next; without it the text is broken or cut off. */
function expect(cursor: Cursor, word: string): boolean {
  cursor.skipGaps();
  if (cursor.startsWith(word)) {
    cursor.position += word.length;
    return true;
  }
  cursor.complete = false;
  return false;
}

function readSubshell(cursor: Cursor): GroupNode {
  cursor.position += 1;
  const list = cursor.readParenthesized();
  return finish(cursor, 'subshell', [{ condition: false, list }]);
}

function readArithmetic(cursor: Cursor): CommandNode | undefined {
  const start = cursor.position;
  if (!skipArithmetic(cursor)) return undefined;
  const source = cursor.text.slice(start, cursor.position);
  const word: ShellWord = { text: source, quoted: false, expands: true, source };
  return { ...finishCommand(cursor), words: [word] };
}

function finishCommand(cursor: Cursor): CommandNode {
  const heredocs: string[] = [];
  const redirections = readRedirections(cursor, heredocs);
  const { substitutions } = cursor;
  return { kind: 'command', assignments: [], words: [], redirections, heredocs, substitutions };
}

/** `[[ ]]`: operators are words in it, and `<` redirects nothing. */
function readTest(cursor: Cursor): CommandNode {
  const words: ShellWord[] = [];
  for (;;) {
    cursor.skipGaps();
    if (cursor.ended) {
      cursor.complete = false;
      break;
    }
    const closes = words.length > 0 && cursor.match(TEST_END) !== null;
    const word = readWord(cursor);
    if (word !== undefined) words.push(word);
    else words.push(readTestOperator(cursor));
    if (closes) break;
  }
  return { ...finishCommand(cursor), words };
}

function readTestOperator(cursor: Cursor): ShellWord {
  const start = cursor.position;
  if (!cursor.skip(TEST_OPERATOR)) cursor.position += 1;
  const source = cursor.text.slice(start, cursor.position);
  return { text: source, quoted: false, expands: false, source };
}

function readBraces(cursor: Cursor): GroupNode {
  cursor.position += 1;
  const part = readPart(cursor, BRACE_END);
  expect(cursor, '}');
  return finish(cursor, 'group', [part]);
}

function readIf(cursor: Cursor): GroupNode {
  const parts: GroupPart[] = [];
  cursor.position += 2;
  for (;;) {
    parts.push(readPart(cursor, THEN, true));
    if (!expect(cursor, 'then')) break;
    parts.push(readPart(cursor, BRANCH_END));
    if (!cursor.startsWith('elif')) break;
    cursor.position += 4;
  }
  if (cursor.startsWith('else')) {
    cursor.position += 4;
    parts.push(readPart(cursor, BRANCH_END));
  }
  expect(cursor, 'fi');
  return finish(cursor, 'if', parts);
}

function readWhile(cursor: Cursor): GroupNode {
  cursor.position += 5;
  const condition = readPart(cursor, DO, true);
  return finish(cursor, 'loop', [condition, ...readLoopBody(cursor)]);
}

function readLoopBody(cursor: Cursor): GroupPart[] {
  cursor.skipGaps();
  if (cursor.match(BRACE_NEEDS_SPACE)) {
    cursor.position += 1;
    const part = readPart(cursor, BRACE_END);
    expect(cursor, '}');
    return [part];
  }
  if (!expect(cursor, 'do')) return [];
  const part = readPart(cursor, DONE);
  expect(cursor, 'done');
  return [part];
}

/** `for` and `select`; what the words of the list run is collected as they are read. */
function readFor(cursor: Cursor, keyword: string): GroupNode {
  cursor.position += keyword.length;
  cursor.skipBlanks();
  if (!skipArithmetic(cursor)) readWord(cursor);
  cursor.skipGaps();
  if (cursor.match(WORD_IN)) {
    cursor.position += 2;
    do cursor.skipBlanks();
    while (readWord(cursor) !== undefined);
  }
  if (cursor.peek() === ';') cursor.position += 1;
  return finish(cursor, 'loop', readLoopBody(cursor));
}

function readCase(cursor: Cursor): GroupNode {
  const parts: GroupPart[] = [];
  cursor.position += 4;
  cursor.skipBlanks();
  readWord(cursor);
  if (!expect(cursor, 'in')) return finish(cursor, 'case', parts);
  for (;;) {
    cursor.skipGaps();
    if (cursor.ended || atEsac(cursor)) break;
    readCasePattern(cursor);
    parts.push(readPart(cursor, CASE_END));
    if (atEsac(cursor)) break;
    // A parenthesis that closes something outside: this `case` has no end.
    if (cursor.peek() !== ';') break;
    cursor.skip(CASE_SEPARATOR);
  }
  expect(cursor, 'esac');
  return finish(cursor, 'case', parts);
}

const ESAC = /esac(?![^\s;&|()<>])/y;
const CASE_SEPARATOR = /;;&?|;&/y;

function atEsac(cursor: Cursor): boolean {
  return cursor.match(ESAC) !== null;
}

function readCasePattern(cursor: Cursor): void {
  if (cursor.peek() === '(') cursor.position += 1;
  for (;;) {
    cursor.skipBlanks();
    if (readWord(cursor) === undefined && cursor.peek() !== '|') break;
    cursor.skipBlanks();
    if (cursor.peek() === '|') cursor.position += 1;
  }
  if (cursor.peek() === ')') cursor.position += 1;
  else cursor.complete = false;
}

function readFunction(cursor: Cursor, readCommand: CommandReader): GroupNode {
  cursor.position += 'function'.length;
  cursor.skipBlanks();
  readWord(cursor);
  cursor.skip(NAME_PARENTHESES);
  return readFunctionBody(cursor, readCommand);
}
