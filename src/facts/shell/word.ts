import { Cursor } from './cursor.ts';
import type { ShellWord } from './tree.ts';

const PLAIN = /[^ \t\r\n\\'"`$&|;<>()*?[\]{}]+/y;
const QUOTED_PLAIN = /[^"\\$`]+/y;
const BRACED_PLAIN = /[^}\\'"$`]+/y;
const PARAMETER = /[A-Za-z_]\w*|[0-9?@$!#*-]/y;
const EMPTY_PARENTHESES = /\([ \t]*\)/y;
const ANSI_C = /\$'(?:[^'\\]|\\[\s\S])*'/y;
const ARITHMETIC_PLAIN = /[^()\\'"]+/y;

/** A word while it is being read. */
interface Draft {
  text: string;
  quoted: boolean;
  expands: boolean;
  /** A `[` was read, so a `]` completes a glob. */
  bracket: boolean;
  /** Position of the last unquoted `{`, or -1. */
  brace: number;
}

/** Reads the word at the cursor; undefined when none starts here. */
export function readWord(cursor: Cursor): ShellWord | undefined {
  const start = cursor.position;
  const draft: Draft = { text: '', quoted: false, expands: false, bracket: false, brace: -1 };
  for (;;) {
    const from = cursor.position;
    if (cursor.skip(PLAIN)) draft.text += cursor.text.slice(from, cursor.position);
    if (cursor.ended || !readSpecial(cursor, draft, start)) break;
  }
  if (cursor.position === start) return undefined;
  const { text, quoted, expands } = draft;
  return { text, quoted, expands, source: cursor.text.slice(start, cursor.position) };
}

/** Reads a quote, an expansion or a glob character; false when the word ends here. */
function readSpecial(cursor: Cursor, draft: Draft, start: number): boolean {
  const character = cursor.peek();
  switch (character) {
    case "'":
      readSingleQuoted(cursor, draft);
      return true;
    case '"':
      readDoubleQuoted(cursor, draft);
      return true;
    case '\\':
      readEscape(cursor, draft);
      return true;
    case '$':
      readDollar(cursor, draft);
      return true;
    case '`':
      readBackticks(cursor, draft);
      return true;
    case '<':
    case '>':
      if (cursor.peek(1) !== '(') return false;
      readSubstitution(cursor, draft);
      return true;
    case '(':
      if (cursor.position === start || definesFunction(cursor)) return false;
      readPattern(cursor, draft);
      return true;
    case '*':
    case '?':
    case '[':
    case ']':
    case '{':
    case '}':
      readGlob(cursor, draft, character);
      return true;
    default:
      return false;
  }
}

function definesFunction(cursor: Cursor): boolean {
  return cursor.text[cursor.position - 1] !== '=' && cursor.match(EMPTY_PARENTHESES) !== null;
}

function readGlob(cursor: Cursor, draft: Draft, character: string): void {
  if (character === '*' || character === '?') draft.expands = true;
  if (character === '[') draft.bracket = true;
  if (character === ']' && draft.bracket) draft.expands = true;
  if (character === '{') draft.brace = cursor.position;
  if (character === '}' && draft.brace !== -1) {
    if (/,|\.\./.test(cursor.text.slice(draft.brace, cursor.position))) draft.expands = true;
    draft.brace = -1;
  }
  draft.text += character;
  cursor.position += 1;
}

function readSingleQuoted(cursor: Cursor, draft: Draft): void {
  const end = cursor.text.indexOf("'", cursor.position + 1);
  draft.quoted = true;
  draft.text += cursor.text.slice(cursor.position + 1, end === -1 ? undefined : end);
  if (end === -1) cursor.giveUp();
  else cursor.position = end + 1;
}

function readDoubleQuoted(cursor: Cursor, draft: Draft): void {
  draft.quoted = true;
  cursor.position += 1;
  while (!cursor.ended) {
    const from = cursor.position;
    if (cursor.skip(QUOTED_PLAIN)) draft.text += cursor.text.slice(from, cursor.position);
    const character = cursor.peek();
    if (character === '"') {
      cursor.position += 1;
      return;
    }
    if (character === '$') readDollar(cursor, draft, true);
    else if (character === '`') readBackticks(cursor, draft);
    else if (character === '\\') readQuotedEscape(cursor, draft);
  }
  cursor.complete = false;
}

/** Between double quotes a backslash escapes only `"`, `\`, `$`, a backtick and a newline. */
function readQuotedEscape(cursor: Cursor, draft: Draft): void {
  const next = cursor.peek(1);
  if (next === '"' || next === '\\' || next === '$' || next === '`') draft.text += next;
  else if (next !== '\n') draft.text += `\\${next}`;
  cursor.position += 2;
}

function readEscape(cursor: Cursor, draft: Draft): void {
  const next = cursor.peek(1);
  if (next === '') cursor.complete = false;
  if (next === '\r' && cursor.peek(2) === '\n') {
    cursor.position += 3;
    return;
  }
  if (next !== '\n') {
    draft.text += next;
    draft.quoted = true;
  }
  cursor.position += 2;
}

function readDollar(cursor: Cursor, draft: Draft, insideQuotes = false): void {
  const next = cursor.peek(1);
  if (next === '(') readSubstitution(cursor, draft);
  else if (next === '{') readBraced(cursor, draft);
  else if (next === "'" && !insideQuotes) readAnsiC(cursor, draft);
  else if (next === '"' && !insideQuotes) cursor.position += 1;
  else readParameter(cursor, draft);
}

function readParameter(cursor: Cursor, draft: Draft): void {
  const start = cursor.position;
  cursor.position += 1;
  if (cursor.skip(PARAMETER)) draft.expands = true;
  draft.text += cursor.text.slice(start, cursor.position);
}

function readAnsiC(cursor: Cursor, draft: Draft): void {
  const start = cursor.position + 2;
  draft.quoted = true;
  if (cursor.skip(ANSI_C)) {
    draft.text += decodeAnsiC(cursor.text.slice(start, cursor.position - 1));
    return;
  }
  draft.text += cursor.text.slice(start);
  cursor.giveUp();
}

/** Reads `$( )`, `$(( ))`, `<( )` or `>( )`: the text is kept as written, and the commands are collected. */
function readSubstitution(cursor: Cursor, draft: Draft): void {
  const start = cursor.position;
  draft.expands = true;
  cursor.position += 1;
  if (!skipArithmetic(cursor)) {
    cursor.position += 1;
    cursor.substitutions.push(cursor.readParenthesized());
  }
  draft.text += cursor.text.slice(start, cursor.position);
}

/** Skips `(( ))`, but not `((a); b)`, which is a subshell in a subshell. Returns whether it did. */
export function skipArithmetic(cursor: Cursor): boolean {
  if (!cursor.startsWith('((') || cursor.arithmeticUnclosed) return false;
  const start = cursor.position;
  let open = 2;
  cursor.position += 2;
  while (!cursor.ended) {
    if (cursor.skip(ARITHMETIC_PLAIN)) continue;
    const character = cursor.peek();
    if (character === '(') open += 1;
    if (character === ')') {
      open -= 1;
      if (open === 1 && cursor.peek(1) !== ')') break;
    }
    if (character === "'" || character === '"') {
      const end = cursor.text.indexOf(character, cursor.position + 1);
      cursor.position = end === -1 ? cursor.text.length : end;
    }
    cursor.position += character === '\\' ? 2 : 1;
    if (open === 0) return true;
  }
  if (cursor.ended) cursor.arithmeticUnclosed = true;
  cursor.position = start;
  return false;
}

/** Reads `${ }`, kept as written. */
function readBraced(cursor: Cursor, draft: Draft): void {
  const start = cursor.position;
  const inner: Draft = { text: '', quoted: false, expands: true, bracket: false, brace: -1 };
  draft.expands = true;
  cursor.position += 2;
  cursor.nest(() => {
    while (!cursor.ended && cursor.peek() !== '}') {
      if (cursor.skip(BRACED_PLAIN)) continue;
      const character = cursor.peek();
      if (character === '$') readDollar(cursor, inner, true);
      else if (character === '`') readBackticks(cursor, inner);
      else if (character === '"') readDoubleQuoted(cursor, inner);
      else cursor.position += character === '\\' ? 2 : 1;
    }
    if (cursor.ended) cursor.complete = false;
  });
  cursor.position += 1;
  draft.text += cursor.text.slice(start, cursor.position);
}

/** Commands between backticks are parsed from a copy without the backslashes that the nesting requires. */
function readBackticks(cursor: Cursor, draft: Draft): void {
  const start = cursor.position;
  let end = start + 1;
  while (end < cursor.text.length && cursor.text[end] !== '`') end += cursor.text[end] === '\\' ? 2 : 1;
  const closed = end < cursor.text.length;
  const script = cursor.text.slice(start + 1, end).replace(/\\([\\`$])/g, '$1');
  cursor.position = closed ? end + 1 : cursor.text.length;
  draft.expands = true;
  draft.text += cursor.text.slice(start, cursor.position);
  if (!closed) cursor.complete = false;
  cursor.nest(() => {
    const inner = new Cursor(script, cursor.readList, cursor.depth);
    cursor.substitutions.push(inner.readList(inner, new Set()));
    if (!inner.complete) cursor.complete = false;
  });
}

/** Reads the parentheses of an array or of an extended glob inside a word: `a=(x y)`, `@(a|b)`. */
function readPattern(cursor: Cursor, draft: Draft): void {
  const start = cursor.position;
  let open = 0;
  cursor.nest(() => {
    do {
      cursor.skipLineBreaks();
      const character = cursor.peek();
      if (character === '(') open += 1;
      else if (character === ')') open -= 1;
      else if (readWord(cursor)) continue;
      cursor.position += 1;
    } while (open > 0 && !cursor.ended);
  });
  if (open > 0) cursor.complete = false;
  if (cursor.text[start - 1] !== '=') draft.expands = true;
  draft.text += cursor.text.slice(start, cursor.position);
}

const ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|([\s\S]))/g;

const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

/** Decodes the escapes of `$'…'`; an unknown escape stays as written. */
function decodeAnsiC(text: string): string {
  return text.replace(ESCAPE, (whole, byte, short, long, octal, named: string | undefined) => {
    if (named !== undefined) return NAMED[named] ?? (/[\\'"?]/.test(named) ? named : whole);
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long, 16) : Number.parseInt(octal, 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
