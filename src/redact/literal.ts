import { wordShare } from './generated.ts';
import { type AssignmentOperator, isBlank, isQuote } from './operator.ts';

/** A value in a text and how it is written. */
export interface Literal {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** At most a comment follows on the line. */
  readonly endsLine: boolean;
  /** It is the argument of a call, which may mean something else. */
  readonly isWrapped?: boolean;
}

const [NEWLINE, RETURN, SPACE, HASH, DOLLAR, AMPERSAND, PAREN, LESS, EQUALS] = [10, 13, 32, 35, 36, 38, 40, 60, 61];
const [EXCLAMATION, STAR, GREATER, OPEN_BRACKET, BACKSLASH, OPEN_BRACE, PIPE] = [33, 42, 62, 91, 92, 123, 124];
const CJK = 0x3000;
const MAX_QUOTED = 65_536;
const MAX_BARE = 512;
/** The rest of a value that is too long for anything but an encoded file. No assignment starts in it. */
const ENCODED_REST = /[\w+/-]{0,262144}={0,3}/y;
/** The number of an algorithm before a hash: `password 7 …`. */
const ALGORITHM = /\d[ \t]{1,3}(?=\S{8})/y;
const STRING_PREFIX = /[fbruNFBRUL@]{1,2}(?=["'])/y;
/** What wraps a literal: `Some("…")`, `[]byte("…")`, `string(12) "…"`. */
const WRAPPER =
  /(?:(?:Some|Just|Secret|SecretStr|String::from|bytes|str|\[\]byte|Buffer\.from|new \w{1,30})\(|string\(\d{1,5}\)[ \t]{0,4})(?=["'`])/y;
/** Any other call with a literal, but for calls that look something up. */
const CALL =
  /(?!(?:[\w.:$]{0,40}[.:>$])?(?:\w{0,20}(?:env|get|config|require|find|query|select|lookup|load|open|join|path|resolve|fetch|import|include|prompt|input|question|ask|label|translate|gettext|field|column|locator|test|match|exec|replace|split|exp|describe|log|print|error|exception|param|var|variable|file|option|argument|prop|header)|_|__|t|it|by|key|name)\()(?:new[ \t])?[A-Za-z_$][\w.:$]{0,38}(?:<\w{1,20}>)?\([ \t]{0,4}(?=[bruf]{0,2}["'`])/iy;
/** An optional value of Haskell and F#. */
const MAYBE = /(?:Just|Some)[ \t](?=["'])/y;
/** Longer than any {@link WRAPPER}. */
const MAX_WRAPPER = 40;
const SHELL_DEFAULT = /\$\{\w{1,64}:?[-=](?=[^}$])|[@$]{1,2}(?=["'])/y;
const YAML_BLOCK = /[|>][+-]?\d?[ \t]*\r?\n[ \t]+/y;
/** An anchor or emphasis before a value: `&name value`, `**Name:** value`. */
const DECORATION = /&\w{1,40}[ \t]+|\*{1,2}[ \t]*/y;
const TYPE_TAG = /!!\w{1,20}[ \t]{1,4}|[[{(]\s{0,60}(?=\\{0,3}["'])/y;
const REFERENCE_TAG = /![A-Za-z][\w:!-]*[ \t]/y;
const NEXT_LINE =
  /\r?\n[ \t]{0,40}-[ \t]{1,4}(?=[^\s:]{8,512}[ \t]*(?:\r?\n|$))|\r?\n[ \t]{0,40}(?=\\{0,3}["'`]|string\(\d)/y;
const NEXT_PARAGRAPH = /(?:[ \t]*\r?\n){1,3}[ \t]{0,20}(?=[\w+/=.~!@#$%^&*-]{8,256}[ \t]*(?:\r?\n|$))/y;
const CDATA = /<!\[CDATA\[/y;
const INNER_TAG = /\s{0,40}<(?:value|string|plaintext)>\s{0,40}/iy;
/** One value in brackets, as Java prints parameters: `password=[value]`. */
const BRACKETED = /\[(?=[^\s\]"'[]{4,128}\])/y;
/** A password in braces, as ODBC writes it: `Pwd={value};`. */
const BRACED = /\{(?=[^\s{}"']{4,128}\}(?:[;"'\n]|$))/y;
/** Emphasis in HTML. */
const MARKUP = /<(?:b|i|em|strong|code|tt|kbd|span|pre)(?:\s[^<>\n]{0,80})?>[ \t]{0,4}/iy;
const REMOVED = /\[-/y;
/** An ampersand that is part of a value and not between two parameters or commands. */
const PLAIN_AMPERSAND = /&(?![\w.%-]{0,64}=|&|[\s"'`]|$|quot;|amp;|lt;|gt;)/y;
/** A bar within a value, as in the tokens of applications: `1234|secret`. */
const PLAIN_BAR = /\|(?=[\w-]{16})/y;
/** Words that are a value together: the rest of a line, or four groups of four letters. */
const PHRASE = /[a-z]{3,9}(?: [a-z]{3,9}){3,23}(?=[.,]?[ \t]*(?:\r?\n|$))/y;
const GROUPS =
  /[a-z]{4}(?: [a-z]{4}){3}(?![ \t]?[A-Za-z])|(?=[\w ]{0,80}\d)[A-Za-z\d]{4}(?: [A-Za-z\d]{4}){3,15}(?![ \t]?[A-Za-z\d])/y;
const BARE_END: Uint8Array = new Uint8Array(128);
for (const character of ' \t\r\n"\'`<>;,|&(){}[]\\') BARE_END[character.charCodeAt(0)] = 1;

/** Reads the literal behind an operator; undefined when there is none. */
export function readLiteral(text: string, operator: AssignmentOperator): Literal | undefined {
  const { kind } = operator;
  let at = operator.end;
  while (isBlank(text.charCodeAt(at)) && at - operator.end < 80) at++;
  if (kind === 'element') return readElement(text, at);
  if (isLineBreak(text.charCodeAt(at)) && (kind === 'prompt' || kind === 'prose' || kind === 'colon')) {
    const paragraph = skip(NEXT_PARAGRAPH, text, at);
    if (paragraph > at) return kind === 'prose' ? undefined : withOwnLine(readBare(text, paragraph));
  }
  const decorated = skipDecoration(text, at, kind);
  if (decorated === undefined) return undefined;
  const isCall = kind !== 'argument' && text.slice(decorated, decorated + MAX_WRAPPER).includes('(');
  const start = isCall ? skip(STRING_PREFIX, text, skip(CALL, text, decorated)) : decorated;
  let quote = start;
  while (text.charCodeAt(quote) === BACKSLASH && quote - start < 8) quote++;
  if (isQuote(text.charCodeAt(quote))) {
    const quoted = readQuoted(text, quote, quote - start);
    return quoted !== undefined && start > decorated ? { ...quoted, isWrapped: true } : quoted;
  }
  const wide = CLOSING_QUOTES[text[start] ?? ''];
  if (wide !== undefined) return readUntil(text, start + 1, wide);
  if (quote > start || kind === 'argument') return undefined;
  const literal = readBare(text, start);
  if (kind === 'tight' && text[start - 1] === '[') return literal && { ...literal, isQuoted: true };
  return readSigned(text, start, literal) ?? (literal && readPhrase(text, literal, kind)) ?? literal;
}

/** Where a value starts behind what may precede it; undefined if that says it is a reference. Tried by first character. */
function skipDecoration(text: string, from: number, kind: AssignmentOperator['kind']): number | undefined {
  let at = from;
  if (isLineBreak(text.charCodeAt(at))) at = skip(NEXT_LINE, text, at);
  switch (text.charCodeAt(at)) {
    case PIPE:
    case GREATER:
      if (kind === 'colon' || kind === 'spaced') at = skip(NEXT_LINE, text, skip(YAML_BLOCK, text, at));
      break;
    case EXCLAMATION:
      if (skip(REFERENCE_TAG, text, at) > at) return undefined;
      at = skip(TYPE_TAG, text, at);
      break;
    case AMPERSAND:
    case STAR:
      if (kind === 'colon' || kind === 'tight') at = skip(DECORATION, text, at);
      break;
    case OPEN_BRACKET:
      if (kind !== 'argument') at = skip(TYPE_TAG, text, skip(REMOVED, text, at));
      if (kind === 'tight') at = skip(BRACKETED, text, at);
      break;
    case PAREN:
      if (kind === 'spaced') at = skip(TYPE_TAG, text, at);
      break;
    case LESS:
      if (kind === 'colon') at = skip(MARKUP, text, at);
      break;
    case OPEN_BRACE:
      if (kind === 'tight') return skip(BRACED, text, at);
      break;
    case DOLLAR:
      return skip(SHELL_DEFAULT, text, at);
    default:
      if (kind === 'bare' && isBlank(text.charCodeAt(at + 1))) at = skip(ALGORITHM, text, at);
  }
  if (text.slice(at, at + MAX_WRAPPER).includes('(')) at = skip(WRAPPER, text, at);
  if (text.charCodeAt(at) === 74 || text.charCodeAt(at) === 83) at = skip(MAYBE, text, at);
  const isPrefixed = isQuote(text.charCodeAt(at + 1)) || isQuote(text.charCodeAt(at + 2));
  return isPrefixed ? skip(STRING_PREFIX, text, at) : at;
}

/** The words that a bare word begins, if they are a value together. */
function readPhrase(text: string, { start, end }: Literal, kind: AssignmentOperator['kind']): Literal | undefined {
  const code = text.charCodeAt(start);
  if (text.charCodeAt(end) !== SPACE) return undefined;
  if ((code < 97 || code > 122) && end - start !== 4) return undefined;
  const isPhrase = kind === 'tight' || kind === 'spaced' || /phrase\b[^\n]{0,30}$/i.test(text.slice(start - 40, start));
  const phrase = skip(isPhrase ? PHRASE : GROUPS, text, start);
  return phrase > start ? { start, end: phrase, isQuoted: true, endsLine: true } : undefined;
}

/** The rest of a line as one word that is no code, although it has signs that end other values: `q;Vk2pL)xW9r`. */
function readSigned(text: string, start: number, literal: Literal | undefined): Literal | undefined {
  if (literal !== undefined && !SIGNS_WITHIN.includes(text[literal.end] ?? ' ')) return undefined;
  SIGNED.lastIndex = start;
  const value = SIGNED.exec(text)?.[0];
  if (value === undefined || value.length <= (literal?.end ?? start) - start + 1) return undefined;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value) || wordShare(value) > 0.3) return undefined;
  if (/^[A-Z]+_|[\w$]\(|[\w\])]\[|=|:\/\/|<\/|\$\{|&&|\|\||\w:\w|["']/.test(value) || /[,;)\]}]$/.test(value))
    return undefined;
  return { start, end: start + value.length, isQuoted: true, endsLine: true };
}

/** Quotation marks of other languages. */
const CLOSING_QUOTES: Readonly<Record<string, string>> = {
  '「': '」',
  '『': '』',
  '“': '”',
  '„': '“',
  '«': '»',
  '《': '》',
};

const SIGNS_WITHIN = ';,|&(){}[]<>';
const SIGNED = /[^\s"'`\\]{8,64}(?=[ \t]{0,8}(?:\r?\n|$))/y;

function isLineBreak(code: number): boolean {
  return code === NEWLINE || code === RETURN;
}

function withOwnLine(literal: Literal | undefined): Literal | undefined {
  return literal?.endsLine === true ? literal : undefined;
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The closing quote has as many escapes as the opening one; quotes within have more. */
function readQuoted(text: string, quote: number, escapes: number): Literal | undefined {
  const mark = text[quote] ?? '"';
  if (text.startsWith(mark.repeat(3), quote)) return readUntil(text, quote + 3, mark.repeat(3));
  if (mark === "'" && DOUBLY_QUOTED.test(text.slice(quote, quote + 80))) return readQuoted(text, quote + 1, 0);
  const start = quote + 1;
  let at = text.indexOf(mark, start);
  for (; at >= 0 && at - start <= MAX_QUOTED; at = text.indexOf(mark, at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes >= start && text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (escapes === 0 ? backslashes % 2 === 1 : backslashes > escapes) continue;
    const end = at - (escapes === 0 ? 0 : backslashes);
    if (text.slice(start, end).includes('\n')) return undefined;
    const variable = DEFAULTED.exec(text.slice(start, Math.min(end, start + 200)))?.[0].length ?? 0;
    return { start: start + variable, end: variable > 0 ? end - 1 : end, isQuoted: true, endsLine: false };
  }
  return undefined;
}

/** The default of a variable that is the whole text: `"${NAME:value}"`. */
const DEFAULTED = /^\$\{[\w.]{1,64}:-?(?=[^}$?+][^}$]{3,127}\}$)/;

/** A value with quotes of its own for the shell and for the program. */
const DOUBLY_QUOTED = /^'"[^"'\n]{4,64}"'/;

function readUntil(text: string, start: number, mark: string): Literal | undefined {
  const end = text.slice(start, start + MAX_QUOTED).indexOf(mark);
  return end < 0 ? undefined : { start, end: start + end, isQuoted: true, endsLine: false };
}

function readElement(text: string, at: number): Literal | undefined {
  let start = skip(INNER_TAG, text, at);
  const data = skip(CDATA, text, start);
  if (data > start) return readUntil(text, data, ']]>');
  const from = start;
  while (start - from < 80 && /\s/.test(text[start] ?? 'x')) start++;
  let end = start;
  while (end - start < MAX_BARE && text.charCodeAt(end) >= SPACE && text.charCodeAt(end) !== LESS) end++;
  while (end > start && text.charCodeAt(end - 1) === SPACE) end--;
  const close = skip(/\s{0,80}(?=<\/)/y, text, end);
  return text.startsWith('</', close) ? { start, end, isQuoted: true, endsLine: false } : undefined;
}

function readBare(text: string, start: number): Literal | undefined {
  let end = start;
  let equals = 0;
  for (; end - start < MAX_BARE; end++) {
    const code = text.charCodeAt(end);
    if (Number.isNaN(code) || code >= CJK) break;
    if (code === AMPERSAND && end > start && skip(PLAIN_AMPERSAND, text, end) > end) continue;
    if (code === PIPE && end > start && skip(PLAIN_BAR, text, end) > end) continue;
    if (code < 128 && BARE_END[code] === 1) break;
    if (code === EQUALS && ++equals > 3) return undefined; // More than padding: a sequence of assignments.
  }
  if (end - start === MAX_BARE) end = skip(ENCODED_REST, text, end);
  const next = text.charCodeAt(end);
  if (next === PAREN || next === OPEN_BRACKET) return undefined;
  if (text.startsWith('-]', end - 1)) end--;
  const last = text[end - 1];
  if (last === '.' || last === ':' || last === '?') end--;
  return end === start || last === ':' ? undefined : { start, end, isQuoted: false, endsLine: isLineEnd(text, end) };
}

function isLineEnd(text: string, end: number): boolean {
  let at = end;
  while (isBlank(text.charCodeAt(at)) && at - end < 40) at++;
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) return /^\\[nr]/.test(text.slice(at, at + 2));
  return Number.isNaN(code) || code === NEWLINE || code === RETURN || (code === HASH && at > end);
}
