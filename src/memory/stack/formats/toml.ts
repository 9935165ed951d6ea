/** What a TOML file says, as far as it can be read: tables by their dotted name, `''` for the top. */
export interface Toml {
  /** The text of a value; lists and inline tables as they are written. */
  text(table: string, key: string): string | undefined;
  /** The strings of a list, also of one inside of an inline table; empty when there are none. */
  strings(table: string, key: string): readonly string[];
  /** Keys of the table and names of the tables in it, in the order of the file. */
  names(table: string): readonly string[];
  has(table: string): boolean;
}

const HEADER = /^\[\[?\s*([^\]]+?)\s*\]\]?$/;
const ASSIGNMENT = /^((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=\s*(.*)$/;
const KEY_PART = /"([^"]*)"|'([^']*)'|([\w-]+)/g;
const STRING = /"((?:[^"\\]|\\.)*)"|'([^']*)'/g;

/** Bounds that no manifest reaches, so that a hostile file cannot make the expressions slow. */
const LONGEST_LINE = 8_000;
const LONGEST_HEADER = 200;
const MOST_LINES = 1_000;

/**
 * Reads TOML line by line and skips what it does not understand, so that a manifest with a conflict marker in
 * it still tells the rest. Dates, numbers and nested lists are kept as text: nothing here needs them.
 */
export function readToml(text: string): Toml {
  const tables = new Map<string, Map<string, string>>([['', new Map()]]);
  const tableOf = (name: string): Map<string, string> => {
    const known = tables.get(name) ?? new Map<string, string>();
    tables.set(name, known);
    return known;
  };
  const lines = text.split('\n');
  let table = '';
  for (let index = 0; index < lines.length; index++) {
    const line = withoutComment(lines[index] ?? '');
    if (line.length > LONGEST_LINE) continue;
    const header = line.startsWith('[') && line.length <= LONGEST_HEADER ? HEADER.exec(line)?.[1] : undefined;
    if (header !== undefined) {
      table = keyParts(header).join('.');
      tableOf(table);
      continue;
    }
    const assignment = ASSIGNMENT.exec(line);
    if (!assignment) continue;
    const [value, last] = wholeValue(lines, index, assignment[2] ?? '');
    index = last;
    const parts = keyParts(assignment[1] ?? '');
    const key = parts.pop() ?? '';
    tableOf([...(table === '' ? [] : [table]), ...parts].join('.')).set(key, value);
  }
  return {
    text: (name, key) => unquoted(tables.get(name)?.get(key)),
    strings: (name, key) => stringsIn(tables.get(name)?.get(key) ?? ''),
    names: (name) => namesIn(tables, name),
    has: (name) => tables.has(name) || namesIn(tables, name).length > 0,
  };
}

/** The strings in a list or inline table, in order. */
function stringsIn(value: string): string[] {
  return [...value.matchAll(STRING)].map((match) => match[1] ?? match[2] ?? '');
}

function namesIn(tables: ReadonlyMap<string, ReadonlyMap<string, string>>, name: string): string[] {
  const names = new Set(tables.get(name)?.keys());
  const prefix = name === '' ? '' : `${name}.`;
  for (const table of tables.keys()) {
    if (table === '' || !table.startsWith(prefix)) continue;
    const first = table.slice(prefix.length).split('.')[0];
    if (first) names.add(first);
  }
  return [...names];
}

function keyParts(key: string): string[] {
  return [...key.matchAll(KEY_PART)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function unquoted(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const quote = value[0];
  const isQuoted = value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}

/** A list or long string goes on over lines; one that is never closed ends with its first line. */
function wholeValue(lines: readonly string[], start: number, first: string): readonly [string, number] {
  const fence = /^("""|''')/.exec(first)?.[1];
  if (fence) return longString(lines, start, first.slice(3), fence);
  if (!first.startsWith('[')) return [first, start];
  const value = [first];
  let open = opened(first);
  for (let index = start; index < start + MOST_LINES; ) {
    if (open <= 0) return [value.join('\n'), index];
    const line = withoutComment(lines[++index] ?? '');
    if (index >= lines.length || line.length > LONGEST_LINE || ASSIGNMENT.test(line)) break;
    value.push(line);
    open += opened(line);
  }
  return [first, start];
}

function longString(
  lines: readonly string[],
  start: number,
  first: string,
  fence: string,
): readonly [string, number] {
  const value: string[] = [];
  for (let index = start; index < Math.min(lines.length, start + MOST_LINES); index++) {
    const line = index === start ? first : (lines[index] ?? '');
    const end = line.indexOf(fence);
    value.push(end < 0 ? line : line.slice(0, end));
    if (end >= 0) return [value.join('\n').trim(), index];
  }
  return [first, start];
}

/** How many more brackets the line opens than it closes. */
function opened(line: string): number {
  let open = 0;
  for (const character of line.replace(STRING, '')) {
    if (character === '[') open++;
    else if (character === ']') open--;
  }
  return open;
}

function withoutComment(line: string): string {
  if (!line.includes('#')) return line.trim();
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (quote !== '') {
      if (character === '\\' && quote === '"') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '#') return line.slice(0, at).trim();
  }
  return line.trim();
}
