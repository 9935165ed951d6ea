import { readCompound } from './compound.ts';
import { Cursor } from './cursor.ts';
import { readSimpleCommand } from './simple-command.ts';
import type { CommandNode, GroupNode, ListNode, Operator, PipelineNode } from './tree.ts';

/** Longer texts are read up to here: what an agent types is shorter, what is longer is data. */
const MAX_LENGTH = 64 * 1024;

const NOT = /![ \t]+/y;
const TIME_OF_COMPOUND = /time(?:[ \t]+-p)?[ \t]+(?=[({]|(?:if|for|while|until|case|select)\b)/y;
const PIPE = /\|&?(?!\|)/y;
const CLOSER = /(?:then|elif|else|fi|do|done|esac|\})(?![^\s;&|()<>])|;;&?|;&/y;

/** Reads a whole text, or its start when it is too long. `complete` is false when anything of it was not understood. */
export function readTree(text: string): { readonly list: ListNode; readonly complete: boolean } {
  const cursor = new Cursor(text.slice(0, MAX_LENGTH), readList);
  const list = readList(cursor, new Set());
  cursor.finish();
  return { list, complete: cursor.complete && text.length <= MAX_LENGTH };
}

/** Reads pipelines up to a closing parenthesis, one of `closers` or the end. */
function readList(cursor: Cursor, closers: ReadonlySet<string>): ListNode {
  const pipelines: PipelineNode[] = [];
  let operator: Operator = '';
  for (;;) {
    cursor.skipGaps();
    if (cursor.ended || atEnd(cursor, closers)) break;
    const pipeline = readPipeline(cursor, operator);
    if (pipeline === undefined) {
      // Nothing can start here: an operator or a parenthesis too many.
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

function atEnd(cursor: Cursor, closers: ReadonlySet<string>): boolean {
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

/** An `&` sends the whole chain of `&&` and `||` before it to the background. */
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
    cursor.skipGaps();
  }
  return stages.length > 0 ? { stages, operator, negated, background: false } : undefined;
}

/** Reads one command, simple or compound; a new scope for what its words run by substitution. */
function readCommand(cursor: Cursor): CommandNode | GroupNode | undefined {
  const outer = cursor.substitutions;
  cursor.substitutions = [];
  let command: CommandNode | GroupNode | undefined;
  cursor.deeper(() => {
    command = readCompound(cursor, readCommand) ?? readSimpleCommand(cursor, readCommand);
  });
  cursor.substitutions = outer;
  return command;
}
