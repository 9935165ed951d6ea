import { parse, TomlError } from 'smol-toml';
import { isObject, type JsonObject, parseObject } from '../record/object.ts';

/** The parsed content of a JSON or TOML file, whose fields have to be checked one by one. */
export type Manifest = JsonObject;

const EMPTY: Manifest = Object.freeze({});

/** Parses a JSON object; comments and trailing commas are allowed. Undefined if the text is anything else. */
export function readJson(text: string | undefined): Manifest | undefined {
  if (text === undefined) return undefined;
  return parseObject(text) ?? parseObject(stripComments(text));
}

/** Parses TOML; of a file with errors (a merge conflict, say) as much as can be read. */
export function readToml(text: string | undefined): Manifest {
  if (text === undefined) return EMPTY;
  try {
    return parse(text);
  } catch {
    const tables = text.split(/^(?=\[)/m, MAX_TABLES);
    return tables.map(readDamagedTable).reduce(mergeObjects, EMPTY);
  }
}

/** Limits for files with errors, which are parsed once for each of them. */
const MAX_TABLES = 1_000;
const MAX_ERRORS = 6;

/** Parses one table of a TOML file without the lines that have errors. */
function readDamagedTable(text: string): Manifest {
  const lines = text.split('\n');
  for (let errors = 0; errors < MAX_ERRORS; errors++) {
    try {
      return parse(lines.join('\n'));
    } catch (error) {
      const line = error instanceof TomlError ? error.line - 1 : -1;
      if (lines[line] === undefined || lines[line] === '') break;
      lines[line] = '';
    }
  }
  return EMPTY;
}

function mergeObjects(a: Manifest, b: Manifest): Manifest {
  const merged: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const known = merged[key];
    merged[key] = isObject(known) && isObject(value) ? mergeObjects(known, value) : value;
  }
  return merged;
}

/** The object at a path of keys, or an empty one. */
export function objectAt(value: Manifest, ...path: readonly string[]): Manifest {
  const found = valueAt(value, path);
  return isObject(found) ? found : EMPTY;
}

/** The string at a path of keys. */
export function stringAt(value: Manifest, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** All strings in the value at a path of keys, nested ones included. */
export function stringsAt(value: Manifest, ...path: readonly string[]): readonly string[] {
  return collectStrings(valueAt(value, path));
}

/** Whether there is a value at a path of keys. */
export function hasPath(value: Manifest, ...path: readonly string[]): boolean {
  return valueAt(value, path) !== undefined;
}

function valueAt(value: Manifest, path: readonly string[]): unknown {
  let found: unknown = value;
  for (const key of path) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

function collectStrings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectStrings) : [];
}

/** Removes comments and trailing commas in a single pass, so that no file takes more than linear time. */
function stripComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at);
    const isComment = text[at] === '/' && end > at + 1;
    const isTrailingComma = text[at] === ',' && /^[}\]]/.test(nextToken(text, end));
    if (!isComment && !isTrailingComma) kept.push(text.slice(at, end));
    at = end;
  }
  return kept.join('');
}

/** The end of the string, comment or single character at `at`. */
function tokenEnd(text: string, at: number): number {
  if (text[at] === '"') {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    return Math.min(end + 1, text.length);
  }
  if (text.startsWith('//', at)) return endOf(text, '\n', at);
  if (text.startsWith('/*', at)) return endOf(text, '*/', at + 2);
  return at + 1;
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

/** The first character after blanks and comments. */
function nextToken(text: string, from: number): string {
  let at = from;
  while (at < text.length && (/\s/.test(text[at] ?? '') || (text[at] === '/' && tokenEnd(text, at) > at + 1))) {
    at = tokenEnd(text, at);
  }
  return text.slice(at, at + 1);
}
