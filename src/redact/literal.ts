import { isBlank, isQuote, type Operator } from './operator.ts';

/** A value in a text: where it is and how it is written. */
export interface Literal {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** Nothing but a comment follows on the line. */
  readonly endsLine: boolean;
}

const [NEWLINE, RETURN, HASH, DOLLAR, PAREN, LESS, EQUALS, BRACKET, BACKSLASH] = [
  10, 13, 35, 36, 40, 60, 61, 91, 92,
];
const MAX_QUOTED = 65_536;
const MAX_BARE = 512;
/** The rest of a value too long for anything but an encoded file. No assignment can begin in it. */
const ENCODED_REST = /[\w+/-]{0,262144}={0,3}/y;
const STRING_PREFIX = /[fbruFBRUL@]{1,2}(?=["'])/y;
const SHELL_DEFAULT = /\$\{\w{1,64}:?[-=](?=[^}$])|[@$]{1,2}(?=["'])/y;
const YAML_BLOCK = /[|>][+-]?\d?[ \t]*\r?\n[ \t]+/y;
const NEXT_LINE = /\r?\n[ \t]{0,40}(?=\\{0,3}["'`])/y;
const BARE_END: Uint8Array = new Uint8Array(128);
for (const character of ' \t\r\n"\'`<>;,|&(){}[]\\') BARE_END[character.charCodeAt(0)] = 1;

/** Reads the value behind an operator; undefined when there is none that could be a literal. */
export function readLiteral(text: string, operator: Operator): Literal | undefined {
  let at = operator.end;
  while (isBlank(text.charCodeAt(at)) && at - operator.end < 80) at++;
  if (operator.kind === 'element') return readElement(text, at);
  at = skip(operator.kind === 'colon' ? YAML_BLOCK : NEXT_LINE, text, at);
  if (operator.kind === 'colon') at = skip(NEXT_LINE, text, at);
  at = skip(text.charCodeAt(at) === DOLLAR ? SHELL_DEFAULT : STRING_PREFIX, text, at);
  let quote = at;
  while (text.charCodeAt(quote) === BACKSLASH && quote - at < 8) quote++;
  if (isQuote(text.charCodeAt(quote))) return readQuoted(text, quote, quote - at);
  if (text.startsWith('&quot;', at)) return readUntil(text, at + 6, '&quot;');
  if (quote > at || operator.kind === 'argument' || operator.kind === 'arrow') return undefined;
  return readBare(text, at);
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The closing quote is escaped as often as the opening one; quotes inside are escaped once more. */
function readQuoted(text: string, quote: number, escapes: number): Literal | undefined {
  const mark = text[quote] ?? '"';
  const start = quote + 1;
  for (
    let at = text.indexOf(mark, start);
    at >= 0 && at - start <= MAX_QUOTED;
    at = text.indexOf(mark, at + 1)
  ) {
    let backslashes = 0;
    while (at - 1 - backslashes >= start && text.charCodeAt(at - 1 - backslashes) === BACKSLASH)
      backslashes++;
    if (escapes === 0 ? backslashes % 2 === 1 : backslashes > escapes) continue;
    const end = at - (escapes === 0 ? 0 : backslashes);
    const value = text.slice(start, end);
    if (value.includes('\n')) return undefined;
    return { start, end, isQuoted: true, endsLine: false };
  }
  return undefined;
}

function readUntil(text: string, start: number, mark: string): Literal | undefined {
  const end = text.slice(start, start + MAX_QUOTED).indexOf(mark);
  return end < 0 ? undefined : { start, end: start + end, isQuoted: true, endsLine: false };
}

function readElement(text: string, at: number): Literal | undefined {
  let start = at;
  while (start - at < 80 && /\s/.test(text[start] ?? 'x')) start++;
  let end = start;
  while (
    end - start < MAX_BARE &&
    !isBlank(text.charCodeAt(end)) &&
    text.charCodeAt(end) > 32 &&
    text.charCodeAt(end) !== LESS
  ) {
    end++;
  }
  const close = skip(/\s{0,80}(?=<\/)/y, text, end);
  return text.startsWith('</', close) ? { start, end, isQuoted: true, endsLine: false } : undefined;
}

function readBare(text: string, start: number): Literal | undefined {
  let end = start;
  let equals = 0;
  for (; end - start < MAX_BARE; end++) {
    const code = text.charCodeAt(end);
    if (Number.isNaN(code) || (code < 128 && BARE_END[code] === 1)) break;
    if (code === EQUALS && ++equals > 3) return undefined; // more than padding: assignments in a row
  }
  if (end - start === MAX_BARE) end = skip(ENCODED_REST, text, end);
  const next = text.charCodeAt(end);
  if (next === PAREN || next === BRACKET) return undefined;
  const last = text[end - 1];
  if (last === '.' || last === ':') end--;
  return end === start || last === ':'
    ? undefined
    : { start, end, isQuoted: false, endsLine: isLineEnd(text, end) };
}

function isLineEnd(text: string, end: number): boolean {
  let at = end;
  while (isBlank(text.charCodeAt(at)) && at - end < 40) at++;
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) return /^\\[nr]/.test(text.slice(at, at + 2));
  return Number.isNaN(code) || code === NEWLINE || code === RETURN || (code === HASH && at > end);
}
