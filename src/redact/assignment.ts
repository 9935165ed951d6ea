import { isHarmlessWord, type NameLevel, nameLevel } from './name.ts';
import { isMasked, maskOf, type Span } from './rule.ts';
import { isSecret } from './secret-value.ts';

const MAX_NAME = 64;
/** Characters of a value that are judged. */
const MAX_JUDGED = 1024;
const NAME_CHARACTER: Uint8Array = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.') {
  NAME_CHARACTER[character.charCodeAt(0)] = 1;
}

const isNameCharacter = (code: number): boolean => code < 128 && NAME_CHARACTER[code] === 1;

/** Masks the value that is assigned to a name, in any syntax, if name and value together indicate a secret. */
export function findAssignment(text: string, at: number, found: Span[]): void {
  const end = nameEnd(text, at);
  const start = nameStart(text, at);
  const operator = readOperator(text, start, end);
  if (operator === undefined) return;
  if (operator.kind !== 'tight' && isPartOfName(text, start, operator)) return;
  const literal = readLiteral(text, operator);
  if (literal === undefined || isMasked(text, literal.start)) return;
  const name = text.slice(start, end);
  const level = nameLevel(name);
  if (level === 'none' || (level !== 'password' && isHarmlessPhrase(text, start))) return;
  if (addIfSecret(text, name, level, operator, literal, found) || literal.isQuoted) return;
  const fallback = match(FALLBACK, text, literal.end, 'argument');
  const other = fallback && readLiteral(text, fallback);
  if (fallback && other) addIfSecret(text, name, level, fallback, other, found);
}

/** Whether it is the end of a path (`/etc/passwd`), type (`AWS::IAM::AccessKey`), ARN (`arn:…:secret:…`) or `${NAME:…}`. */
function isPartOfName(text: string, start: number, { kind }: Operator): boolean {
  const before = text[start - 1];
  if (before === '/') return true;
  if (before === ':') return kind === 'colon' || text[start - 2] === ':';
  return kind === 'colon' && before === '{' && text[start - 2] === '$';
}

/** Whether the word before the name makes it harmless: `public key: …`, `next page token: …`. */
function isHarmlessPhrase(text: string, start: number): boolean {
  const word =
    text[start - 1] === ' ' ? /([A-Za-z]+) $/.exec(text.slice(Math.max(0, start - 16), start))?.[1] : undefined;
  return word !== undefined && isHarmlessWord(word);
}

function addIfSecret(
  text: string,
  name: string,
  level: NameLevel,
  operator: Operator,
  literal: Literal,
  found: Span[],
): boolean {
  const syntax = {
    isUpperCase: !/[a-z]/.test(name),
    isTight: operator.kind === 'tight',
    isProse: operator.kind === 'argument',
    isQuoted: literal.isQuoted,
    endsLine: literal.endsLine,
  };
  const { start, end } = literal;
  const value = text.slice(start, Math.min(end, start + MAX_JUDGED));
  if (operator.kind === 'prose' && !literal.isQuoted && !/\d/.test(value)) return false;
  if (isMasked(text, start) || !isSecret(level, value, syntax)) return false;
  found.push({ start, end, mask: maskOf(level === 'weak' ? 'key' : level), isSoft: true });
  return true;
}

function nameEnd(text: string, at: number): number {
  let end = at + 1;
  while (end - at < MAX_NAME && isNameCharacter(text.charCodeAt(end))) end++;
  while (text[end - 1] === '.' || text[end - 1] === '-') end--;
  return end;
}

function nameStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_NAME && isNameCharacter(text.charCodeAt(start - 1))) start--;
  return start;
}

/**
 * What connects a name with a value.
 * - `tight`: `name=value`, as in shells, .env files and query strings
 * - `spaced`: `name = value`
 * - `colon`: `name: value`, also the `value` of a name-value pair
 * - `arrow`: `'name' => 'value'`; only a quoted value counts
 * - `argument`: `("name", "value")`, `name("value")`, `name "value"`; only a quoted value counts
 * - `element`: `<name>value</name>`
 * - `flag`: `--name value`
 * - `prose`: `name is value`
 */
type OperatorKind = 'tight' | 'spaced' | 'colon' | 'arrow' | 'argument' | 'element' | 'flag' | 'prose';

interface Operator {
  readonly kind: OperatorKind;
  /** Where the value may start, including white space before it. */
  readonly end: number;
}

const [TAB, NEWLINE, RETURN, SPACE] = [9, 10, 13, 32];
const [EXCLAMATION, DOUBLE, AMPERSAND, SINGLE, PAREN, PLUS, COMMA, DASH, DOT] = [33, 34, 38, 39, 40, 43, 44, 45, 46];
const [COLON, EQUALS, GREATER, QUESTION, BACKSLASH, CLOSE_BRACKET, BACKTICK, BRACE, PIPE, TILDE] = [
  58, 61, 62, 63, 92, 93, 96, 123, 124, 126,
];

const isQuote = (code: number): boolean => code === DOUBLE || code === SINGLE || code === BACKTICK;
const isBlank = (code: number): boolean => code === SPACE || code === TAB;

const PAIR_VALUE = /[\s,;]{0,40}(?:\/?>\s{0,20}<)?\\{0,3}["']?value\\{0,3}["']?[ \t]{0,8}[:=][ \t]{0,8}/iy;
const BLOCK_DEFAULT = /\{[^{}]{0,200}?\bdefault[ \t]{0,8}=/y;
const TYPED = /(?:\*?string|String|str|char|text|auto)[ \t]{0,4}:?=(?!=)/y;
const ANNOTATED =
  /[ \t]{0,4}[\w<>[\]|?&*.]{1,40}(?:[ \t]{0,4}\|[ \t]{0,4}\w{1,20})?[ \t]{0,4}=[ \t]{0,4}(?=\\{0,3}["'`])/y;
const DECLARES = /(?:#define|\b(?:ENV|ARG|WITH|ENCRYPTED|LOGIN)|\n[ \t]*(?:setx?|export))[ \t]+$/;
const PROSE = /(?:is|was|are|equals|to)[ \t]{1,3}:?/y;

/** The operator before a fallback literal: `env.KEY || "literal"`. */
const FALLBACK = /[^\n"'`;,]{0,60}?(?:\|\||\?\?|\bor\b|\?)[ \t]{0,4}(?=["'`])/y;

/** Reads the operator behind a name, which starts at `start`. */
function readOperator(text: string, start: number, nameEnd: number): Operator | undefined {
  const name = closeName(text, nameEnd);
  if (name === undefined) return undefined;
  let at = name.end;
  while (isBlank(text.charCodeAt(at)) && at - name.end < 40) at++;
  const isSpaced = at > name.end;
  switch (text.charCodeAt(at)) {
    case EQUALS:
      return readEquals(text, at, isSpaced);
    case COLON:
      return readColon(text, at);
    case QUESTION:
    case PIPE:
    case PLUS:
    case DOT:
    case EXCLAMATION:
      return readCompound(text, at);
    case COMMA:
      return name.isClosed ? (readPair(text, name.end) ?? { kind: 'argument', end: at + 1 }) : undefined;
    case PAREN:
      return isSpaced || name.isClosed ? undefined : { kind: 'argument', end: at + 1 };
    case GREATER:
      return isSpaced ? undefined : { kind: 'element', end: at + 1 };
    case BRACE:
      return name.isClosed ? match(BLOCK_DEFAULT, text, at, 'spaced') : undefined;
    case NEWLINE:
    case RETURN:
      return readPair(text, name.end);
    default:
      return readWords(text, start, name, at);
  }
}

interface Name {
  readonly end: number;
  readonly isClosed: boolean;
}

/** Skips the quote or bracket that closes a name, which may be escaped several times. */
function closeName(text: string, end: number): Name | undefined {
  let at = end;
  let code = text.charCodeAt(at);
  if (code === BACKSLASH) {
    while (text.charCodeAt(at) === BACKSLASH && at - end < 8) at++;
    if (!isQuote(text.charCodeAt(at))) return undefined;
    code = text.charCodeAt(at);
  } else if (code === AMPERSAND && text.startsWith('&quot;', at)) {
    return { end: at + 6, isClosed: true };
  }
  const isClosed = isQuote(code);
  if (isClosed) at++;
  if (text.charCodeAt(at) === CLOSE_BRACKET) return { end: at + 1, isClosed: true };
  return { end: at, isClosed };
}

function readEquals(text: string, at: number, isSpaced: boolean): Operator | undefined {
  let end = at + 1;
  while (text.charCodeAt(end) === EQUALS && end - at < 3) end++;
  const next = text.charCodeAt(end);
  if (next === TILDE) return undefined;
  if (next === GREATER) return { kind: 'arrow', end: end + 1 };
  return { kind: isSpaced || isBlank(next) ? 'spaced' : 'tight', end };
}

function readColon(text: string, at: number): Operator | undefined {
  let end = at + 1;
  while (text.charCodeAt(end) === COLON && end - at < 3) end++;
  if (text.charCodeAt(end) === EQUALS) return { kind: 'spaced', end: end + 1 };
  if (end - at > 1 || text.startsWith('//', end)) return undefined;
  return match(ANNOTATED, text, end, 'spaced') ?? { kind: 'colon', end };
}

/** Reads `?=`, `+=`, `.=`, `||=`, `??=`, and the `?:` or `!:` of a typed property. */
function readCompound(text: string, at: number): Operator | undefined {
  let end = at + 1;
  if (text.charCodeAt(end) === text.charCodeAt(at)) end++;
  const next = text.charCodeAt(end);
  if (next === EQUALS) return { kind: 'spaced', end: end + 1 };
  return next === COLON ? match(ANNOTATED, text, end + 1, 'spaced') : undefined;
}

function readWords(text: string, start: number, name: Name, at: number): Operator | undefined {
  if (name.isClosed) return readPair(text, name.end);
  if (at === name.end) return undefined;
  if (text.charCodeAt(start) === DASH) return { kind: 'flag', end: at };
  if (isQuote(text.charCodeAt(at))) return { kind: isDeclared(text, start) ? 'arrow' : 'argument', end: at };
  return match(TYPED, text, at, 'spaced') ?? match(PROSE, text, at, 'prose') ?? readPair(text, name.end);
}

/** Whether a keyword declares the name: `#define NAME "value"`, `ENV NAME "value"`, `WITH PASSWORD 'value'`. */
function isDeclared(text: string, start: number): boolean {
  return DECLARES.test(`${start < 12 ? '\n' : ''}${text.slice(Math.max(0, start - 12), start)}`);
}

function readPair(text: string, at: number): Operator | undefined {
  return match(PAIR_VALUE, text, at, 'colon');
}

function match(pattern: RegExp, text: string, at: number, kind: OperatorKind): Operator | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? { kind, end: pattern.lastIndex } : undefined;
}

/** A value in a text and how it is written. */
interface Literal {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** At most a comment follows on the line. */
  readonly endsLine: boolean;
}

const [HASH, DOLLAR, LESS, OPEN_BRACKET] = [35, 36, 60, 91];
const MAX_QUOTED = 65_536;
const MAX_BARE = 512;
/** The rest of a value that is too long for anything but an encoded file. No assignment starts in it. */
const ENCODED_REST = /[\w+/-]{0,262144}={0,3}/y;
const STRING_PREFIX = /[fbruFBRUL@]{1,2}(?=["'])/y;
const SHELL_DEFAULT = /\$\{\w{1,64}:?[-=](?=[^}$])|[@$]{1,2}(?=["'])/y;
const YAML_BLOCK = /[|>][+-]?\d?[ \t]*\r?\n[ \t]+/y;
const NEXT_LINE = /\r?\n[ \t]{0,40}(?=\\{0,3}["'`])/y;
const BARE_END: Uint8Array = new Uint8Array(128);
for (const character of ' \t\r\n"\'`<>;,|&(){}[]\\') BARE_END[character.charCodeAt(0)] = 1;

/** Reads the literal behind an operator; undefined when there is none. */
function readLiteral(text: string, operator: Operator): Literal | undefined {
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

/** The closing quote has as many escapes as the opening one; quotes within have more. */
function readQuoted(text: string, quote: number, escapes: number): Literal | undefined {
  const mark = text[quote] ?? '"';
  const start = quote + 1;
  let at = text.indexOf(mark, start);
  for (; at >= 0 && at - start <= MAX_QUOTED; at = text.indexOf(mark, at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes >= start && text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (escapes === 0 ? backslashes % 2 === 1 : backslashes > escapes) continue;
    const end = at - (escapes === 0 ? 0 : backslashes);
    if (text.slice(start, end).includes('\n')) return undefined;
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
  while (end - start < MAX_BARE && text.charCodeAt(end) > SPACE && text.charCodeAt(end) !== LESS) end++;
  const close = skip(/\s{0,80}(?=<\/)/y, text, end);
  return text.startsWith('</', close) ? { start, end, isQuoted: true, endsLine: false } : undefined;
}

function readBare(text: string, start: number): Literal | undefined {
  let end = start;
  let equals = 0;
  for (; end - start < MAX_BARE; end++) {
    const code = text.charCodeAt(end);
    if (Number.isNaN(code) || (code < 128 && BARE_END[code] === 1)) break;
    if (code === EQUALS && ++equals > 3) return undefined; // More than padding: a sequence of assignments.
  }
  if (end - start === MAX_BARE) end = skip(ENCODED_REST, text, end);
  const next = text.charCodeAt(end);
  if (next === PAREN || next === OPEN_BRACKET) return undefined;
  const last = text[end - 1];
  if (last === '.' || last === ':') end--;
  return end === start || last === ':' ? undefined : { start, end, isQuoted: false, endsLine: isLineEnd(text, end) };
}

function isLineEnd(text: string, end: number): boolean {
  let at = end;
  while (isBlank(text.charCodeAt(at)) && at - end < 40) at++;
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) return /^\\[nr]/.test(text.slice(at, at + 2));
  return Number.isNaN(code) || code === NEWLINE || code === RETURN || (code === HASH && at > end);
}
