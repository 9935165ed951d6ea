/** A TOML text as lines, each with its line end, and the name of the table that a line opens. */
interface TomlLine {
  readonly text: string;
  /** Set on a line such as `[mcp_servers.yore]`: its key parts. */
  readonly opens?: readonly string[];
  /** Set on an assignment at the top of the file: the first part of its key. */
  readonly assigns?: string;
}

/** Why a TOML text cannot be changed. */
export class TomlTextError extends Error {}

/** The lines of a table without its header, trimmed; undefined when there is no such table. */
export function tomlTable(text: string, name: readonly string[]): readonly string[] | undefined {
  const lines = linesOf(text);
  const from = lines.findIndex(({ opens }) => opens !== undefined && isSame(opens, name));
  if (from < 0) return undefined;
  const length = lines.slice(from + 1).findIndex(({ opens }) => opens !== undefined);
  return lines
    .slice(from + 1, length < 0 ? undefined : from + 1 + length)
    .map((line) => line.text.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Whether a table can be added: the key above it is not a value already. */
export function canHoldTable(text: string, name: readonly string[]): boolean {
  return !linesOf(text).some(({ assigns }) => assigns === name[0]);
}

/** The text that is put at the end of a TOML text to add a table. */
export function tomlTableText(text: string, name: readonly string[], lines: readonly string[]): string {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  const bare = text.replace('\uFEFF', '');
  const gap = bare === '' ? '' : bare.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
  return `${gap}${[`[${name.map(keyText).join('.')}]`, ...lines].join(lineEnd)}${lineEnd}`;
}

/** Takes a table and the tables in it out, with the blank line before; comments that follow stay. */
export function withoutTomlTable(text: string, name: readonly string[]): string {
  const kept: string[] = [];
  let isInside = false;
  for (const line of linesOf(text)) {
    if (line.opens) isInside = isSame(line.opens.slice(0, name.length), name);
    if (isInside && line.opens && kept.at(-1)?.trim() === '') kept.pop();
    const isContent = line.text.trim() !== '' && !line.text.trim().startsWith('#');
    if (!isInside || !isContent) kept.push(line.text);
  }
  return kept.join('');
}

const KEY = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*/y;
const TRIPLE = /"""|'''/g;

function linesOf(text: string): readonly TomlLine[] {
  const lines: TomlLine[] = [];
  let open: string | undefined;
  let isTop = true;
  for (const line of text.replace('\uFEFF', '').match(/[^\n]*\n|[^\n]+/g) ?? []) {
    const wasOpen = open !== undefined;
    for (const [quotes] of line.matchAll(TRIPLE)) {
      if (open === undefined) open = quotes;
      else if (open === quotes) open = undefined;
    }
    if (wasOpen) {
      lines.push({ text: line });
      continue;
    }
    const opens = /^\s*\[/.test(line) ? headerOf(line) : undefined;
    if (opens) isTop = false;
    const assigns = isTop && !opens ? assignedKey(line) : undefined;
    lines.push({ text: line, ...(opens ? { opens } : {}), ...(assigns === undefined ? {} : { assigns }) });
  }
  if (open !== undefined) throw new TomlTextError('a string in triple quotes has no end');
  return lines;
}

/** Undefined for a line inside of a list of lists, which begins with a bracket too. */
function headerOf(line: string): readonly string[] | undefined {
  const inside = /^\s*\[\[?(.*?)\]\]?\s*(?:#.*)?$/.exec(line.trimEnd())?.[1];
  if (inside === undefined) return undefined;
  const parts: string[] = [];
  KEY.lastIndex = 0;
  for (;;) {
    const found = KEY.exec(inside);
    if (!found) return undefined;
    parts.push(found[1] ?? found[2] ?? found[3] ?? '');
    const end = KEY.lastIndex === 0 ? inside.length : KEY.lastIndex;
    if (end >= inside.length) return parts;
    if (inside[end] !== '.') return undefined;
    KEY.lastIndex = end + 1;
  }
}

/** The key of `a = …`; not of `a.b = …`, which leaves room for other tables in `a`. */
function assignedKey(line: string): string | undefined {
  const found = /^\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*=/.exec(line);
  return found ? (found[1] ?? found[2] ?? found[3]) : undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}

function keyText(part: string): string {
  return /^[\w-]+$/.test(part) ? part : JSON.stringify(part);
}
