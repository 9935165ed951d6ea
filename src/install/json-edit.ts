import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { JsonAddition, JsonValue } from '../agents/installation.ts';
import { compareText } from '../text/compare-text.ts';

/** A piece of a text: where it starts and how long it is, in UTF-16 units. */
export type JsonSpan = readonly [start: number, length: number];

/** A text with pieces inserted into it; without them it is the original text. */
export interface InsertedText {
  readonly text: string;
  /** Sorted; pieces neither overlap nor touch. */
  readonly inserted: readonly JsonSpan[];
}

/** Inserts a piece into the text. */
export function insertAt({ text, inserted }: InsertedText, at: number, piece: string): InsertedText {
  if (piece === '') return { text, inserted };
  const length = piece.length;
  const spans: JsonSpan[] = [];
  let isPlaced = false;
  for (const [start, size] of inserted) {
    if (start + size < at) spans.push([start, size]);
    else if (start <= at) {
      // Inside or at the edge of an earlier insertion: one piece.
      spans.push([start, size + length]);
      isPlaced = true;
    } else {
      if (!isPlaced) spans.push([at, length]);
      isPlaced = true;
      spans.push([start + length, size]);
    }
  }
  if (!isPlaced) spans.push([at, length]);
  return { text: text.slice(0, at) + piece + text.slice(at), inserted: mergeAdjacent(spans) };
}

/** The text as it was before anything was inserted. */
export function removeInserted({ text, inserted }: InsertedText): string {
  let original = '';
  let from = 0;
  for (const [start, length] of inserted) {
    original += text.slice(from, start);
    from = start + length;
  }
  return original + text.slice(from);
}

function mergeAdjacent(spans: readonly JsonSpan[]): JsonSpan[] {
  const merged: JsonSpan[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && last[0] + last[1] === span[0]) merged[merged.length - 1] = [last[0], last[1] + span[1]];
    else merged.push(span);
  }
  return merged;
}

/** Why a text is not JSON, and where: 1-based line and column. */
export class JsonTextError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(problem: string, text: string, offset: number) {
    super(problem);
    const before = text.slice(0, offset);
    this.line = before.split('\n').length;
    this.column = offset - before.lastIndexOf('\n');
  }
}

/**
 * Parses JSON as agents write and accept it: comments, trailing commas and a byte order mark are allowed. Throws
 * {@link JsonTextError}.
 */
export function parseJsonText(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new JsonTextError('nested too deeply', text, 0);
  }
  const [first] = errors;
  if (first !== undefined) throw new JsonTextError(describeError(first), text, first.offset);
  if (root === undefined) throw new JsonTextError('value expected', text, 0);
  return root;
}

/** `CloseBraceExpected` becomes `close brace expected`. */
function describeError({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

/** The value of a key, if the node is an object that has it. Of duplicate keys the last counts, as for `JSON.parse`. */
export function findValue(node: Node | undefined, key: string): Node | undefined {
  return node?.type === 'object' ? propertyAt(node, indexOfKey(node, key))?.value : undefined;
}

/** The keys of an object with their values, in order. */
export function listProperties(node: Node): readonly { readonly key: string; readonly value: Node }[] {
  return (node.children ?? []).flatMap((_, index) => propertyAt(node, index) ?? []);
}

function propertyAt(object: Node, index: number): { readonly key: string; readonly value: Node } | undefined {
  const [key, value] = object.children?.[index]?.children ?? [];
  return key && value && { key: String(key.value), value };
}

function indexOfKey(object: Node, key: string): number {
  return (object.children ?? []).findLastIndex((property) => property.children?.[0]?.value === key);
}

/** What became of an addition. */
export type Added =
  | {
      readonly kind: 'added';
      readonly document: InsertedText;
      /** Paths of the objects and lists that were created for it. */
      readonly containers: readonly (readonly string[])[];
    }
  | { readonly kind: 'present' }
  /** Something else is in its place: another value under the key, or no object or list where one is needed. */
  | { readonly kind: 'conflict'; readonly path: readonly string[] };

/**
 * Adds a value to a JSON text and changes nothing else: comments, order, indentation and line endings stay, and the
 * addition is formatted like the text around it. A blank text becomes an object. Throws {@link JsonTextError}.
 */
export function addToJson(document: InsertedText, addition: JsonAddition): Added {
  const { text } = document;
  if (text.replace('\uFEFF', '').trim() === '') {
    return addToJson(insertAt(document, text.length, `{}${lineEndingOf(text)}`), addition);
  }
  const root = parseJsonText(text);
  const { path, kind, value } = addition;
  const style = detectStyle(text, root);
  let node = root;
  for (const [index, key] of path.entries()) {
    if (node.type !== 'object') return { kind: 'conflict', path: path.slice(0, index) };
    const next = findValue(node, key);
    if (!next) {
      const whole = path
        .slice(index + 1)
        .reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), kind === 'element' ? [value] : value);
      const created = kind === 'element' ? path.length : path.length - 1;
      return {
        kind: 'added',
        document: insertItem(document, node, { key, value: whole }, style),
        containers: path.slice(index, created).map((_, offset) => path.slice(0, index + offset + 1)),
      };
    }
    node = next;
  }
  if (kind === 'member')
    return isSameJson(getNodeValue(node), value) ? { kind: 'present' } : { kind: 'conflict', path };
  if (node.type !== 'array') return { kind: 'conflict', path };
  if (node.children?.some((element) => isSameJson(getNodeValue(element), value))) return { kind: 'present' };
  return { kind: 'added', document: insertItem(document, node, { value }, style), containers: [] };
}

/** Whether two values are the same JSON; the order of keys does not count. */
function isSameJson(one: unknown, other: unknown): boolean {
  return toCanonicalJson(one) === toCanonicalJson(other);
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.entries(part).sort(([one], [other]) => compareText(one, other))
      : part,
  );
}

interface NewItem {
  readonly key?: string;
  readonly value: JsonValue;
}

/** How a text is formatted. */
interface Style {
  readonly indent: string;
  readonly lineEnding: string;
  /** All on one line. */
  readonly isCompact: boolean;
}

function detectStyle(text: string, root: Node): Style {
  const [first] = root.children ?? [];
  return {
    indent: (first && indentBefore(text, first.offset)) || '  ',
    lineEnding: lineEndingOf(text),
    isCompact: first !== undefined && !text.slice(root.offset, endOf(root)).includes('\n'),
  };
}

function lineEndingOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** The white space between the start of the line and an offset; undefined when something else stands there. */
function indentBefore(text: string, offset: number): string | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  return lineStart > 0 && /^[ \t]*$/.test(before) ? before : undefined;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

/**
 * Inserts an item behind the last one of an object or list. jsonc-parser's `modify` would put it before a comment that
 * belongs to the last item, and would reformat that item.
 */
function insertItem(document: InsertedText, container: Node, item: NewItem, style: Style): InsertedText {
  const { text } = document;
  const last = container.children?.at(-1);
  const comma = findTrailingComma(text, container);
  const after = comma === undefined ? (last ? endOf(last) : container.offset + 1) : comma + 1;
  const { commentEnd = after, end } = skipTrivia(text, after);
  const isOnOwnLine = last
    ? text.slice(container.offset, last.offset).includes('\n') || /\/\/[^\n]*$/.test(text.slice(after, commentEnd))
    : !style.isCompact;
  const piece = isOnOwnLine
    ? formatOnLines(text, container, item, style, text.slice(commentEnd, end))
    : formatInline(item, style, last !== undefined);
  const grown = insertAt(document, commentEnd, piece);
  // The comma comes right after the last value, before its comment.
  return last && comma === undefined ? insertAt(grown, endOf(last), ',') : grown;
}

function formatOnLines(
  text: string,
  container: Node,
  item: NewItem,
  { indent: unit, lineEnding }: Style,
  rest: string,
): string {
  const last = container.children?.at(-1);
  const outer = lineIndent(text, container.offset);
  const indent = (last && indentBefore(text, last.offset)) ?? outer + unit;
  const value = JSON.stringify(item.value, undefined, unit).replaceAll('\n', lineEnding + indent);
  const key = item.key === undefined ? '' : `${JSON.stringify(item.key)}: `;
  const closing = last || rest.includes('\n') ? '' : lineEnding + outer;
  return lineEnding + indent + key + value + closing;
}

function formatInline(item: NewItem, { isCompact }: Style, hasOthers: boolean): string {
  const space = isCompact ? '' : ' ';
  const key = item.key === undefined ? '' : `${JSON.stringify(item.key)}:${space}`;
  return (hasOthers ? space : '') + key + JSON.stringify(item.value);
}

/** An item of an object or list. */
export interface JsonItem {
  readonly container: Node;
  readonly index: number;
}

/**
 * Removes items from a JSON text, one after the other as `find` returns them, and leaves everything else as it is,
 * including comments. Objects and lists at `containers` are removed when they are empty. Throws {@link JsonTextError}.
 */
export function removeFromJson(
  text: string,
  find: (root: Node) => JsonItem | undefined,
  containers: readonly (readonly string[])[],
): string {
  if (text.replace('\uFEFF', '').trim() === '') return text;
  let rest = text;
  for (;;) {
    const item = find(parseJsonText(rest));
    if (!item) break;
    rest = cutItem(rest, item);
  }
  // The deepest first: an object that holds nothing but an empty list is empty then.
  for (const path of containers.toSorted((one, other) => other.length - one.length)) {
    const item = findItem(parseJsonText(rest), path);
    if (item && isEmpty(rest, item)) rest = cutItem(rest, item);
  }
  return rest;
}

function findItem(root: Node, path: readonly string[]): JsonItem | undefined {
  const container = path.slice(0, -1).reduce<Node | undefined>((node, key) => findValue(node, key), root);
  if (container?.type !== 'object') return undefined;
  const index = indexOfKey(container, path.at(-1) ?? '');
  return index < 0 ? undefined : { container, index };
}

/** A container that holds a comment is not empty: somebody wrote it. */
function isEmpty(text: string, { container, index }: JsonItem): boolean {
  const node = container.type === 'array' ? container.children?.[index] : propertyAt(container, index)?.value;
  return node !== undefined && /^[{[]\s*[}\]]$/.test(text.slice(node.offset, endOf(node)));
}

/** jsonc-parser's `modify` would also remove the comments between an item and its neighbour. */
function cutItem(text: string, { container, index }: JsonItem): string {
  const items = container.children ?? [];
  const item = items[index];
  if (!item) return text;
  const cuts: [start: number, end: number][] = [[startOfSpace(text, item.offset), endOf(item)]];
  const previous = items[index - 1];
  const trailingComma = findTrailingComma(text, container);
  if (index < items.length - 1) cuts.push(characterAt(skipTrivia(text, endOf(item)).end));
  else if (trailingComma !== undefined) cuts.push(characterAt(trailingComma));
  else if (previous) cuts.push(characterAt(skipTrivia(text, endOf(previous)).end));
  return cuts
    .toSorted(([one], [other]) => other - one)
    .reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text);
}

/** The white space before an item goes with it, except after a line comment: what follows would become part of it. */
function startOfSpace(text: string, offset: number): number {
  const start = offset - (/[ \t\r\n]*$/.exec(text.slice(0, offset))?.[0].length ?? 0);
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return line.includes('//') ? offset : start;
}

function findTrailingComma(text: string, container: Node): number | undefined {
  const last = container.children?.at(-1);
  if (!last) return undefined;
  const { end } = skipTrivia(text, endOf(last));
  return text[end] === ',' ? end : undefined;
}

const TRIVIA = /[ \t\r\n\uFEFF]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;

/** Skips white space and comments: where they end, and where the last comment among them ends. */
function skipTrivia(text: string, from: number): { readonly end: number; readonly commentEnd?: number } {
  let end = from;
  let commentEnd: number | undefined;
  for (;;) {
    TRIVIA.lastIndex = end;
    const [found] = TRIVIA.exec(text) ?? [];
    if (found === undefined) return commentEnd === undefined ? { end } : { end, commentEnd };
    end += found.length;
    if (found.startsWith('/')) commentEnd = end;
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function characterAt(offset: number): [number, number] {
  return [offset, offset + 1];
}
