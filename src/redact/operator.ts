/**
 * What connects a name with a value.
 * - `tight`: `name=value`, as shells, .env files and queries write it
 * - `spaced`: `name = value`
 * - `colon`: `name: value`, also the `value` of a name-value pair
 * - `arrow`: `'name' => 'value'`: only a quoted value counts
 * - `argument`: `("name", "value")`, `name("value")`, `name "value"`: only a quoted value counts
 * - `element`: `<name>value</name>`
 * - `flag`: `--name value`
 * - `prose`: `name is value`
 */
type OperatorKind = 'tight' | 'spaced' | 'colon' | 'arrow' | 'argument' | 'element' | 'flag' | 'prose';

export interface Operator {
  readonly kind: OperatorKind;
  /** Where the value may begin, white space before it included. */
  readonly end: number;
}

const [TAB, NEWLINE, RETURN, SPACE] = [9, 10, 13, 32];
const [EXCLAMATION, DOUBLE, AMPERSAND, SINGLE, PAREN, PLUS, COMMA, DASH, DOT] = [
  33, 34, 38, 39, 40, 43, 44, 45, 46,
];
const [COLON, EQUALS, GREATER, QUESTION, BACKSLASH, BRACKET, BACKTICK, BRACE, PIPE, TILDE] = [
  58, 61, 62, 63, 92, 93, 96, 123, 124, 126,
];

export const isQuote = (code: number): boolean => code === DOUBLE || code === SINGLE || code === BACKTICK;
export const isBlank = (code: number): boolean => code === SPACE || code === TAB;

const PAIR_VALUE = /[\s,;]{0,40}(?:\/?>\s{0,20}<)?\\{0,3}["']?value\\{0,3}["']?[ \t]{0,8}[:=][ \t]{0,8}/iy;
const BLOCK_DEFAULT = /\{[^{}]{0,200}?\bdefault[ \t]{0,8}=/y;
const TYPED = /(?:\*?string|String|str|char|text|auto)[ \t]{0,4}:?=(?!=)/y;
const ANNOTATED =
  /[ \t]{0,4}[\w<>[\]|?&*.]{1,40}(?:[ \t]{0,4}\|[ \t]{0,4}\w{1,20})?[ \t]{0,4}=[ \t]{0,4}(?=\\{0,3}["'`])/y;
const DECLARES = /(?:#define|\b(?:ENV|ARG|WITH|ENCRYPTED|LOGIN)|\n[ \t]*(?:setx?|export))[ \t]+$/;
const PROSE = /(?:is|was|are|equals|to)[ \t]{1,3}:?/y;

const FALLBACK = /[^\n"'`;,]{0,60}?(?:\|\||\?\?|\bor\b|\?)[ \t]{0,4}(?=["'`])/y;

/** The operator before the literal that is used when the value at `at` is empty: `env.KEY || "literal"`. */
export function readFallback(text: string, at: number): Operator | undefined {
  return match(FALLBACK, text, at, 'argument');
}

/** Reads what stands behind a name, up to its value. `start` is where the name begins. */
export function readOperator(text: string, start: number, nameEnd: number): Operator | undefined {
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
      return readWords(text, start, name, at, isSpaced);
  }
}

interface Name {
  readonly end: number;
  readonly isClosed: boolean;
}

/** Steps over the quote or bracket that closes a name; it may be escaped any number of times. */
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
  if (text.charCodeAt(at) === BRACKET) return { end: at + 1, isClosed: true };
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

/** `?=`, `+=`, `.=`, `||=`, `??=`, and the `?:` or `!:` of a typed property. */
function readCompound(text: string, at: number): Operator | undefined {
  let end = at + 1;
  if (text.charCodeAt(end) === text.charCodeAt(at)) end++;
  const next = text.charCodeAt(end);
  if (next === EQUALS) return { kind: 'spaced', end: end + 1 };
  return next === COLON ? match(ANNOTATED, text, end + 1, 'spaced') : undefined;
}

function readWords(
  text: string,
  start: number,
  name: Name,
  at: number,
  isSpaced: boolean,
): Operator | undefined {
  if (name.isClosed) return readPair(text, name.end);
  if (!isSpaced) return undefined;
  if (text.charCodeAt(start) === DASH) return { kind: 'flag', end: at };
  if (isQuote(text.charCodeAt(at))) return { kind: isDeclared(text, start) ? 'arrow' : 'argument', end: at };
  return match(TYPED, text, at, 'spaced') ?? match(PROSE, text, at, 'prose') ?? readPair(text, name.end);
}

/** `#define NAME "value"`, `ENV NAME "value"`, `WITH PASSWORD 'value'`. */
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
