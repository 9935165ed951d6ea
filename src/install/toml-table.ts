/** Why a TOML text cannot be changed. */
export class TomlTextError extends Error {}

/** The lines of a table without its header, trimmed; undefined when there is no such table. */
export function readTomlTable(text: string, name: readonly string[]): readonly string[] | undefined {
  const lines = splitLines(text);
  const from = lines.findIndex(({ header }) => header !== undefined && isSameKey(header, name));
  if (from < 0) return undefined;
  const length = lines.slice(from + 1).findIndex(({ header }) => header !== undefined);
  return lines
    .slice(from + 1, length < 0 ? undefined : from + 1 + length)
    .map((line) => line.text.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Whether a table can be added: the key above it has not been assigned a value. */
export function canAddTomlTable(text: string, name: readonly string[]): boolean {
  return !splitLines(text).some(({ assignedKey }) => assignedKey === name[0]);
}

/** The text to append to a TOML text in order to add a table. */
export function formatTomlTable(text: string, name: readonly string[], lines: readonly string[]): string {
  const lineEnding = /\r?\n/.exec(text)?.[0] ?? '\n';
  const bare = text.replace('\uFEFF', '');
  const gap = bare === '' ? '' : bare.endsWith('\n') ? lineEnding : lineEnding + lineEnding;
  return `${gap}${[`[${name.map(formatKey).join('.')}]`, ...lines].join(lineEnding)}${lineEnding}`;
}

/** Removes a table, its sub-tables and the blank line before it; comments that follow stay. */
export function removeTomlTable(text: string, name: readonly string[]): string {
  const kept: string[] = [];
  let isInside = false;
  for (const line of splitLines(text)) {
    if (line.header) isInside = isSameKey(line.header.slice(0, name.length), name);
    if (isInside && line.header && kept.at(-1)?.trim() === '') kept.pop();
    const isContent = line.text.trim() !== '' && !line.text.trim().startsWith('#');
    if (!isInside || !isContent) kept.push(line.text);
  }
  return kept.join('');
}

/** A line of a TOML text with its line ending. */
interface TomlLine {
  readonly text: string;
  /** The key parts of a table header such as `[mcp_servers.yore]`. */
  readonly header?: readonly string[];
  /** The key of `a = …` before the first table; not of `a.b = …`, which leaves room for other tables in `a`. */
  readonly assignedKey?: string;
}

const KEY_PART = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*/y;
const ASSIGNMENT = /^\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*=/;
const TRIPLE_QUOTES = /"""|'''/g;

/** Lines inside multi-line strings are neither headers nor assignments. Throws {@link TomlTextError}. */
function splitLines(text: string): readonly TomlLine[] {
  const lines: TomlLine[] = [];
  let openQuotes: string | undefined;
  let isBeforeTables = true;
  for (const line of text.replace('\uFEFF', '').match(/[^\n]*\n|[^\n]+/g) ?? []) {
    const wasInString = openQuotes !== undefined;
    for (const [quotes] of line.matchAll(TRIPLE_QUOTES)) {
      if (openQuotes === undefined) openQuotes = quotes;
      else if (openQuotes === quotes) openQuotes = undefined;
    }
    const header = wasInString ? undefined : parseHeader(line);
    if (header) isBeforeTables = false;
    const [, ...keys] = (!wasInString && isBeforeTables && ASSIGNMENT.exec(line)) || [];
    const assignedKey = keys.find((key) => key !== undefined);
    lines.push({ text: line, ...(header && { header }), ...(assignedKey !== undefined && { assignedKey }) });
  }
  if (openQuotes !== undefined) throw new TomlTextError('a multi-line string is not closed');
  return lines;
}

/** Undefined also for a line inside a list of lists, which begins with a bracket too. */
function parseHeader(line: string): readonly string[] | undefined {
  const inside = /^\s*\[\[?(.*?)\]\]?\s*(?:#.*)?$/.exec(line.trimEnd())?.[1];
  if (inside === undefined) return undefined;
  const parts: string[] = [];
  KEY_PART.lastIndex = 0;
  for (;;) {
    const found = KEY_PART.exec(inside);
    if (!found) return undefined;
    parts.push(found[1] ?? found[2] ?? found[3] ?? '');
    const end = KEY_PART.lastIndex === 0 ? inside.length : KEY_PART.lastIndex;
    if (end >= inside.length) return parts;
    if (inside[end] !== '.') return undefined;
    KEY_PART.lastIndex = end + 1;
  }
}

function isSameKey(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

function formatKey(part: string): string {
  return /^[\w-]+$/.test(part) ? part : JSON.stringify(part);
}
