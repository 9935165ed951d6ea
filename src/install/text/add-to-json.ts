import { type InsertedText, insertAt } from './inserted-text.ts';
import {
  type ArrayNode,
  type JsonNode,
  memberOf,
  type ObjectNode,
  parseJsonText,
  plainValue,
  skipTrivia,
} from './json-nodes.ts';

/** A value that is put into a JSON text. */
export type JsonValue =
  | string
  | number
  | boolean
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** `member`: the value that the key at the end of `path` gets. `element`: one more in the list at `path`. */
export interface JsonAddition {
  readonly kind: 'member' | 'element';
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** What became of an addition. */
export type Added =
  | {
      readonly kind: 'added';
      readonly document: InsertedText;
      /** Paths of objects and lists that were made for it. */
      readonly containers: readonly (readonly string[])[];
    }
  /** It is there already. */
  | { readonly kind: 'present' }
  /** Something else is in its place: another value under the key, or no object or list where one is needed. */
  | { readonly kind: 'taken'; readonly path: readonly string[] };

/**
 * Adds a value to a JSON text and touches nothing else: comments, order, indentation and line ends stay, and what is new
 * looks like what is there. A blank text becomes an object. Throws `JsonTextError`.
 */
export function addToJson(document: InsertedText, addition: JsonAddition): Added {
  if (document.text.replace('\uFEFF', '').trim() === '') {
    return addToJson(insertAt(document, document.text.length, `{}${lineEndOf(document.text)}`), addition);
  }
  const root = parseJsonText(document.text);
  const { path, kind, value } = addition;
  const style = styleOf(document.text, root);
  let node: JsonNode = root;
  for (const [index, key] of path.entries()) {
    if (node.kind !== 'object') return { kind: 'taken', path: path.slice(0, index) };
    const member = memberOf(node, key);
    if (!member) {
      const rest = path.slice(index + 1);
      const whole = rest.reduceRight<JsonValue>(
        (inner, name) => ({ [name]: inner }),
        kind === 'element' ? [value] : value,
      );
      const made = kind === 'element' ? path.length : path.length - 1;
      return {
        kind: 'added',
        document: insertItem(document, node, { key, value: whole }, style),
        containers: path.slice(index, made).map((_, offset) => path.slice(0, index + offset + 1)),
      };
    }
    node = member.value;
  }
  if (kind === 'member')
    return sameJson(plainValue(node), value) ? { kind: 'present' } : { kind: 'taken', path };
  if (node.kind !== 'array') return { kind: 'taken', path };
  if (node.elements.some((element) => sameJson(plainValue(element), value))) return { kind: 'present' };
  return { kind: 'added', document: insertItem(document, node, { value }, style), containers: [] };
}

/** Whether two values are the same JSON; the order of keys does not count. */
function sameJson(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))
      : part,
  );
}

interface Item {
  readonly key?: string;
  readonly value: JsonValue;
}

/** How a text is laid out. */
interface Style {
  readonly unit: string;
  readonly lineEnd: string;
  /** All on one line. */
  readonly isCompact: boolean;
}

function styleOf(text: string, root: JsonNode): Style {
  const [first] = root.kind === 'object' ? root.members : [];
  const indent = first === undefined ? undefined : indentBefore(text, first.start);
  return {
    unit: indent === undefined || indent === '' ? '  ' : indent,
    lineEnd: lineEndOf(text),
    isCompact: first !== undefined && !text.slice(root.start, root.end).includes('\n'),
  };
}

function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** The white space before what begins a line; undefined when something else stands before it. */
function indentBefore(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return text.lastIndexOf('\n', offset - 1) >= 0 && /^[ \t]*$/.test(before) ? before : undefined;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

function insertItem(
  document: InsertedText,
  container: ObjectNode | ArrayNode,
  item: Item,
  style: Style,
): InsertedText {
  const { text } = document;
  const last = lastItem(container);
  const after =
    container.trailingComma === undefined ? (last?.end ?? container.start + 1) : container.trailingComma + 1;
  const { commentEnd = after, end } = skipTrivia(text, after);
  const rest = text.slice(commentEnd, end);
  const isApart = last
    ? text.slice(container.start, last.start).includes('\n') ||
      /\/\/[^\n]*$/.test(text.slice(after, commentEnd))
    : !style.isCompact;
  const piece = isApart
    ? onLines(text, container, item, style, last, rest)
    : onOneLine(item, style, last !== undefined);
  const grown = insertAt(document, commentEnd, piece);
  // The comma comes right after the last value, before its comment.
  return last && container.trailingComma === undefined ? insertAt(grown, last.end, ',') : grown;
}

function lastItem(
  container: ObjectNode | ArrayNode,
): { readonly start: number; readonly end: number } | undefined {
  if (container.kind === 'array') return container.elements.at(-1);
  const member = container.members.at(-1);
  return member && { start: member.start, end: member.value.end };
}

function onLines(
  text: string,
  container: ObjectNode | ArrayNode,
  item: Item,
  { unit, lineEnd }: Style,
  last: { readonly start: number } | undefined,
  rest: string,
): string {
  const outer = lineIndent(text, container.start);
  const indent = (last && indentBefore(text, last.start)) ?? outer + unit;
  const value = JSON.stringify(item.value, undefined, unit).replaceAll('\n', lineEnd + indent);
  const key = item.key === undefined ? '' : `${JSON.stringify(item.key)}: `;
  const closing = last || rest.includes('\n') ? '' : lineEnd + outer;
  return lineEnd + indent + key + value + closing;
}

function onOneLine(item: Item, { isCompact }: Style, hasOthers: boolean): string {
  const space = isCompact ? '' : ' ';
  const key = item.key === undefined ? '' : `${JSON.stringify(item.key)}:${space}`;
  return (hasOthers ? space : '') + key + JSON.stringify(item.value);
}
