import { Cursor } from './cursor.ts';
import { type CommandReader, readFunctionBody, readRedirections, readSimpleCommand } from './simple-command.ts';
import type { CommandNode, GroupNode, GroupPart, ListNode, Operator, PipelineNode, ShellWord } from './tree.ts';
import { readWord, skipArithmetic } from './word.ts';

/** Only the beginning of a longer text is parsed: commands are shorter, and what is longer is mostly data. */
const MAX_LENGTH = 64 * 1024;

const NOT = /![ \t]+/y;
const TIME_OF_COMPOUND = /time(?:[ \t]+-p)?[ \t]+(?=[({]|(?:if|for|while|until|case|select)\b)/y;
const PIPE = /\|&?(?!\|)/y;
const CLOSER = /(?:then|elif|else|fi|do|done|esac|\})(?![^\s;&|()<>])|;;&?|;&/y;

/** Parses a command line into its syntax tree. `complete` is false when the text is too long or partly unreadable. */
export function parseTree(text: string): { readonly list: ListNode; readonly complete: boolean } {
  const cursor = new Cursor(text.slice(0, MAX_LENGTH), readList);
  const list = readList(cursor, new Set());
  cursor.finish();
  return { list, complete: cursor.complete && text.length <= MAX_LENGTH };
}

/** Reads pipelines up to a closing parenthesis, one of `closers` or the end of the text. */
function readList(cursor: Cursor, closers: ReadonlySet<string>): ListNode {
  const pipelines: PipelineNode[] = [];
  let operator: Operator = '';
  for (;;) {
    cursor.skipLineBreaks();
    if (cursor.ended || atCloser(cursor, closers)) break;
    const pipeline = readPipeline(cursor, operator);
    if (pipeline === undefined) {
      // A stray operator or parenthesis.
      cursor.position += 1;
      cursor.complete = false;
      continue;
    }
    pipelines.push(pipeline);
    operator = readOperator(cursor);
    if (operator === '&') sendToBackground(pipelines);
  }
  if (operator === '&&' || operator === '||') cursor.complete = false;
  return { pipelines };
}

function atCloser(cursor: Cursor, closers: ReadonlySet<string>): boolean {
  if (cursor.peek() === ')') return cursor.parentheses > 0;
  const closer = closers.size > 0 ? cursor.match(CLOSER)?.[0] : undefined;
  if (closer === undefined) return false;
  return closers.has(closer.startsWith(';') ? ';;' : closer);
}

function readOperator(cursor: Cursor): Operator {
  cursor.skipBlanks();
  if (cursor.startsWith('&&') || cursor.startsWith('||')) {
    const operator = cursor.peek() === '&' ? '&&' : '||';
    cursor.position += 2;
    return operator;
  }
  const character = cursor.peek();
  if (character === '&') {
    cursor.position += 1;
    return '&';
  }
  if (character === ';' && cursor.peek(1) !== ';' && cursor.peek(1) !== '&') cursor.position += 1;
  return ';';
}

/** `&` applies to the whole chain of `&&` and `||` before it. */
function sendToBackground(pipelines: PipelineNode[]): void {
  for (let index = pipelines.length - 1; index >= 0; index -= 1) {
    const pipeline = pipelines[index];
    if (pipeline === undefined) return;
    pipelines[index] = { ...pipeline, background: true };
    if (pipeline.operator !== '&&' && pipeline.operator !== '||') return;
  }
}

function readPipeline(cursor: Cursor, operator: Operator): PipelineNode | undefined {
  const stages: (CommandNode | GroupNode)[] = [];
  let negated = false;
  while (cursor.skip(NOT)) negated = !negated;
  cursor.skip(TIME_OF_COMPOUND);
  for (;;) {
    const stage = readCommand(cursor);
    if (stage === undefined) {
      if (stages.length > 0 || negated) cursor.complete = false;
      break;
    }
    stages.push(stage);
    cursor.skipBlanks();
    if (!cursor.skip(PIPE)) break;
    cursor.skipLineBreaks();
  }
  return stages.length > 0 ? { stages, operator, negated, background: false } : undefined;
}

/** Reads one command, simple or compound, and collects the substitutions in its words. */
function readCommand(cursor: Cursor): CommandNode | GroupNode | undefined {
  const outer = cursor.substitutions;
  cursor.substitutions = [];
  let command: CommandNode | GroupNode | undefined;
  cursor.nest(() => {
    command = readCompound(cursor, readCommand) ?? readSimpleCommand(cursor, readCommand);
  });
  cursor.substitutions = outer;
  return command;
}

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
function readCompound(cursor: Cursor, readCommand: CommandReader): GroupNode | CommandNode | undefined {
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

function finishGroup(cursor: Cursor, kind: GroupNode['kind'], parts: readonly GroupPart[]): GroupNode {
  const heredocs: string[] = [];
  const redirections = readRedirections(cursor, heredocs);
  return { kind, parts, redirections, heredocs, substitutions: cursor.substitutions };
}

function readPart(cursor: Cursor, closers: ReadonlySet<string>, condition = false): GroupPart {
  return { condition, list: cursor.readList(cursor, closers) };
}

/** Reads a keyword that must come next; without it the text is incomplete. */
function expectText(cursor: Cursor, word: string): boolean {
  cursor.skipLineBreaks();
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
  return finishGroup(cursor, 'subshell', [{ condition: false, list }]);
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

/** Reads `[[ ]]`, in which operators are words and `<` is no redirection. */
function readTest(cursor: Cursor): CommandNode {
  const words: ShellWord[] = [];
  for (;;) {
    cursor.skipLineBreaks();
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
  expectText(cursor, '}');
  return finishGroup(cursor, 'group', [part]);
}

function readIf(cursor: Cursor): GroupNode {
  const parts: GroupPart[] = [];
  cursor.position += 2;
  for (;;) {
    parts.push(readPart(cursor, THEN, true));
    if (!expectText(cursor, 'then')) break;
    parts.push(readPart(cursor, BRANCH_END));
    if (!cursor.startsWith('elif')) break;
    cursor.position += 4;
  }
  if (cursor.startsWith('else')) {
    cursor.position += 4;
    parts.push(readPart(cursor, BRANCH_END));
  }
  expectText(cursor, 'fi');
  return finishGroup(cursor, 'if', parts);
}

function readWhile(cursor: Cursor): GroupNode {
  cursor.position += 5;
  const condition = readPart(cursor, DO, true);
  return finishGroup(cursor, 'loop', [condition, ...readLoopBody(cursor)]);
}

function readLoopBody(cursor: Cursor): GroupPart[] {
  cursor.skipLineBreaks();
  if (cursor.match(BRACE_NEEDS_SPACE)) {
    cursor.position += 1;
    const part = readPart(cursor, BRACE_END);
    expectText(cursor, '}');
    return [part];
  }
  if (!expectText(cursor, 'do')) return [];
  const part = readPart(cursor, DONE);
  expectText(cursor, 'done');
  return [part];
}

/** Reads `for` and `select`. */
function readFor(cursor: Cursor, keyword: string): GroupNode {
  cursor.position += keyword.length;
  cursor.skipBlanks();
  if (!skipArithmetic(cursor)) readWord(cursor);
  cursor.skipLineBreaks();
  if (cursor.match(WORD_IN)) {
    cursor.position += 2;
    do cursor.skipBlanks();
    while (readWord(cursor) !== undefined);
  }
  if (cursor.peek() === ';') cursor.position += 1;
  return finishGroup(cursor, 'loop', readLoopBody(cursor));
}

function readCase(cursor: Cursor): GroupNode {
  const parts: GroupPart[] = [];
  cursor.position += 4;
  cursor.skipBlanks();
  readWord(cursor);
  if (!expectText(cursor, 'in')) return finishGroup(cursor, 'case', parts);
  for (;;) {
    cursor.skipLineBreaks();
    if (cursor.ended || atEsac(cursor)) break;
    readCasePattern(cursor);
    parts.push(readPart(cursor, CASE_END));
    if (atEsac(cursor)) break;
    // A parenthesis that closes an enclosing construct: this `case` is unterminated.
    if (cursor.peek() !== ';') break;
    cursor.skip(CASE_SEPARATOR);
  }
  expectText(cursor, 'esac');
  return finishGroup(cursor, 'case', parts);
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
