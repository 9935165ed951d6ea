/** A JSON object whose fields are looked at one by one. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = Object.freeze({});

/** The object in a JSON file; comments and trailing commas are allowed. Undefined when it is no object. */
export function readJson(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  return parsed(text) ?? parsed(withoutComments(text));
}

/** The object under `key`, or an empty one. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const field = own(value, key);
  return isObject(field) ? field : NOTHING;
}

/** The text under `key`. */
export function stringAt(value: JsonObject, key: string): string | undefined {
  const field = own(value, key);
  return typeof field === 'string' ? field : undefined;
}

function own(value: JsonObject, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One pass, so that a hostile file costs no more than its length. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = pieceEnd(text, at);
    const isComment = text[at] === '/' && end > at + 1;
    const isTrailingComma = text[at] === ',' && /^[}\]]/.test(nextPiece(text, end));
    if (!isComment && !isTrailingComma) kept.push(text.slice(at, end));
    at = end;
  }
  return kept.join('');
}

/** The end of the string, comment or single character at `at`. */
function pieceEnd(text: string, at: number): number {
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

/** What follows after blanks and comments. */
function nextPiece(text: string, from: number): string {
  let at = from;
  while (
    at < text.length &&
    (/\s/.test(text[at] ?? '') || (text[at] === '/' && pieceEnd(text, at) > at + 1))
  ) {
    at = pieceEnd(text, at);
  }
  return text.slice(at, at + 1);
}
