/**
 * What connects a name with a value.
 * - `tight`: `name=value`, as in shells, .env files and query strings
 * - `spaced`: `name = value`
 * - `colon`: `name: value`, also the `value` of a name-value pair
 * - `arrow`: `'name' => 'value'`
 * - `argument`: `("name", "value")`, `name("value")`, `name "value"`; only a quoted value counts
 * - `element`: `<name>value</name>`, `<key>name</key><string>value</string>`
 * - `flag`: `--name value`
 * - `cell`: `| name | value |`
 * - `prose`: `name is value`
 * - `prompt`: `name for user: value`
 * - `bare`: `name value`
 */
type OperatorKind =
  | 'tight'
  | 'spaced'
  | 'colon'
  | 'arrow'
  | 'argument'
  | 'element'
  | 'flag'
  | 'cell'
  | 'prose'
  | 'prompt'
  | 'bare';

export interface AssignmentOperator {
  readonly kind: OperatorKind;
  /** Where the value may start, including white space before it. */
  readonly end: number;
}

const [TAB, NEWLINE, RETURN, SPACE] = [9, 10, 13, 32];
const [EXCLAMATION, DOUBLE, SINGLE, PAREN, CLOSE_PAREN, STAR, PLUS, COMMA, DASH, DOT] = [
  33, 34, 39, 40, 41, 42, 43, 44, 45, 46,
];
const [COLON, SEMICOLON, LESS, EQUALS, GREATER, QUESTION, OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET] = [
  58, 59, 60, 61, 62, 63, 91, 92, 93,
];
const [BACKTICK, BRACE, PIPE, TILDE] = [96, 123, 124, 126];
const [EN_DASH, EM_DASH, ARROW, LIGHT_BAR, HEAVY_BAR, DOUBLE_BAR, WIDE_COLON] = [
  0x2013, 0x2014, 0x2192, 0x2502, 0x2503, 0x2551, 0xff1a,
];

export const isQuote = (code: number): boolean => code === DOUBLE || code === SINGLE || code === BACKTICK;
export const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/** Other fields of a name-value pair between the two. */
const BETWEEN =
  '(?:\\s{1,8}[\\w-]{1,20}=["\'][^"\'\\n]{0,60}["\']|,\\s{0,20}\\\\{0,3}"\\w{1,20}\\\\{0,3}"\\s{0,4}:\\s{0,4}\\\\{0,3}"[^"\\n]{0,60}"){0,3}';
const PAIR_VALUE = new RegExp(
  `${BETWEEN}[\\s,;]{0,40}(?:\\/?>\\s{0,20}<)?\\\\{0,3}["']?\\w{0,20}?(?:value|content)\\\\{0,3}["']?[ \\t]{0,8}[:=][ \\t]{0,8}`,
  'iy',
);
const BLOCK_DEFAULT = /\{[^{}]{0,200}?\bdefault[ \t]{0,8}=/y;
/** `password { 'value' }` of test data in Ruby. */
const RUBY_BLOCK = /\{[ \t]{1,4}(?=(["'])[^"'\n]{4,64}\1[ \t]{1,4}\})/y;
/** `kApiKey{"value"}` of C++. */
const INITIALISER = /\{[ \t]{0,4}(?=["'][^"'\n]{6,256}["'][ \t]{0,4}\})/y;
const RUBY_LET = /\)[ \t]{1,2}\{[ \t]{1,4}(?=(["'])[^"'\n]{4,64}\1[ \t]{1,4}\})/y;
const YAML_DEFAULT =
  /:[ \t]{0,4}\n(?:[ \t]{1,12}\w{1,24}:[^\n]{0,60}\n){0,4}[ \t]{1,12}(?:[Dd]efault|[Vv]alue|content|plaintext|literal):(?=[ \t])/y;
const TYPED = /(?:\*?string|String|str|char|text|auto|As[ \t]{1,4}String)[ \t]{0,4}:?=(?!=)/y;
const ANNOTATED =
  /[ \t]{0,4}(?:&'static )?[\w<>[\]|?&*.]{1,40}(?:[ \t]{0,4}\|[ \t]{0,4}\w{1,20})?[ \t]{0,4}=[ \t]{0,4}(?=\\{0,3}["'`])/y;
const DECLARES =
  /(?:#define|\(def[a-z]*|\b(?:ENV|ARG|WITH|ENCRYPTED|LOGIN)|\n[ \t]*(?:setx?|export)|\bOPTIONS \(|',)[ \t]*$/;
/** The body of a function that returns a literal. */
const RETURNS = /\([^()\n]{0,60}\)[^\n"'`;()]{0,40}\s{0,12}return[ \t]{1,4}(?=["'`])/y;
/** A remark between a name and its value: `Secret key (hex): value`. */
const MAX_REMARK = 100;
const REMARK = /^\([^()\n]{1,80}\)[ \t]{0,2}[:=]\s/;
const REMARK_END = /\([^()\n]{1,80}\)[ \t]{0,2}[:=]/y;
/** What replaces a variable that is not set: `getenv('NAME') ?: 'value'`, `NAME ?? "value"`. */
const OTHERWISE = /[\])]?[ \t]{0,4}(?:\|\||\?\?|\?:|or\b)[ \t]{0,4}(?=["'`])/y;
/** `("--name", default="value")` of parsers of arguments. */
const OPTION_DEFAULT = /,[^\n"'()]{0,60}\bdefault(?:_?[Vv]alue)?[ \t]{0,2}[:=][ \t]{0,2}(?=["'`])/y;
/** The default in a tag of a Go field: `env:"NAME" envDefault:"value"`. */
const TAG_DEFAULT = /[ \t]{1,4}(?:env)?[dD]efault:(?=")/y;
const LAST_ARGUMENT = /,[ \t]{0,4}(?:<<)?(?=(["'])[^"'\n]{0,256}\1(?:>>)?[ \t]{0,4}[)\]}])/y;
/** What follows a name in languages that do not separate words. */
const PARTICLE = /[ \t]{0,2}(?:[:：=]|(?:は|是|为|為|는|은|가|이)[:：]?)[ \t]{0,4}/y;
const PROMPT =
  /(?:[ \t]{1,3}[^\s:：=,;(){}<>|]{1,60}){1,9}?[ \t]?(?:(?:\([^()\n]{1,80}\))?[:：](?=\s)|[ \t][—–](?=[ \t])|[ \t](?:is(?: now| currently| still)?|ist|lautet|est|es|é|è|är|er|jest|je|yra|este|là|adalah|это|c'est)(?=[ \t])|[ \t]to(?=[ \t]["'`]))/y;
/** The next call in a chain, which types into the field of that name. */
const TYPED_INTO = /["']?\)\.(?:send_?keys|type|fill|set_?value|enter_?text)\(/iy;
const SERIALISED = /;\\{0,3}s:\d{1,6}:(?=\\{0,3}")/y;
const CLOSING_TAG = /<\/[\w:-]{1,40}>\s{0,40}(?:<[\w:-]{1,40}(?:\s[^<>\n]{0,80})?>\s{0,40}){1,2}/y;
const ATTRIBUTES = /(?:[ \t\n]{1,8}[\w:.-]{1,40}=(?:"[^"\n]{0,120}"|'[^'\n]{0,120}')){1,4}[ \t]{0,4}>/y;
/** The end of the header of a form field, whose body follows after an empty line. */
const FORM_FIELD = /(?:;[^\n]{0,120})?\r?\n(?:[\w-]{1,40}:[^\n]{0,200}\r?\n){0,4}\r?\n/y;

/** Reads the operator behind a name, which starts at `start`. */
export function readOperator(text: string, start: number, nameEnd: number): AssignmentOperator | undefined {
  const name = closeName(text, nameEnd);
  if (name === undefined) return undefined;
  let at = name.end;
  while (isBlank(text.charCodeAt(at)) && at - name.end < 40) at++;
  const isSpaced = at > name.end;
  switch (text.charCodeAt(at)) {
    case EQUALS:
      return readEquals(text, start, at, isSpaced);
    case COLON:
      return match(YAML_DEFAULT, text, at, 'colon') ?? readColon(text, start, at);
    case WIDE_COLON:
    case ARROW:
    case EN_DASH:
    case EM_DASH:
      return { kind: 'colon', end: at + 1 };
    case DASH:
      return readDash(text, at, isSpaced) ?? readWords(text, start, name, at);
    case PIPE:
      return text.charCodeAt(at + 1) === PIPE ? readCompound(text, at) : { kind: 'cell', end: at + 1 };
    case LIGHT_BAR:
    case HEAVY_BAR:
    case DOUBLE_BAR:
      return { kind: 'cell', end: at + 1 };
    case QUESTION:
    case PLUS:
    case DOT:
    case EXCLAMATION:
      return readCompound(text, at);
    case COMMA:
      return readComma(text, start, name, nameEnd, at);
    case SEMICOLON:
      return name.isClosed ? (match(SERIALISED, text, at, 'colon') ?? readFormField(text, start, at)) : undefined;
    case PAREN:
      if (name.isClosed) return undefined;
      return readParenthesis(text, at, isSpaced);
    case OPEN_BRACKET:
      return isSpaced ? { kind: 'bare', end: at + 1 } : undefined;
    case CLOSE_PAREN:
    case SINGLE:
    case DOUBLE:
      if (name.isClosed) return match(TYPED_INTO, text, at, 'argument') ?? match(OTHERWISE, text, at, 'arrow');
      return match(RUBY_LET, text, at, 'spaced') ?? readWords(text, start, name, at);
    case LESS:
      return match(CLOSING_TAG, text, at, 'cell');
    case GREATER:
      return isSpaced ? undefined : { kind: 'element', end: at + 1 };
    case BRACE:
      if (name.isClosed) return match(BLOCK_DEFAULT, text, at, 'spaced');
      return match(RUBY_BLOCK, text, at, 'spaced') ?? match(INITIALISER, text, at, 'spaced');
    case NEWLINE:
    case RETURN:
      return readFormField(text, start, at) ?? readPair(text, name.end);
    default:
      return readWords(text, start, name, at);
  }
}

/** Reads the comma of `"name", "value"`, of `{name, "value"}`, and of Erlang's `-define(NAME, "value")`. */
function readComma(
  text: string,
  start: number,
  name: Name,
  nameEnd: number,
  at: number,
): AssignmentOperator | undefined {
  const isInTuple = text.charCodeAt(start - 1) === BRACE || text.startsWith('define(', start - 7);
  if (isInTuple) return match(LAST_ARGUMENT, text, at, 'arrow');
  if (name.isClosed) return readPair(text, name.end) ?? readArgument(text, start, nameEnd, at);
  const isConstant = /(?:^|\.)[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(text.slice(start, nameEnd));
  return isConstant ? match(LAST_ARGUMENT, text, at, 'arrow') : undefined;
}

/** Reads the parenthesis of a call, of a function that returns a literal, or of a remark: `Secret key (hex): value`. */
function readParenthesis(text: string, at: number, isSpaced: boolean): AssignmentOperator | undefined {
  const near = text.slice(at, at + MAX_REMARK);
  const returned = near.includes('return ') ? match(RETURNS, text, at, 'argument') : undefined;
  if (returned !== undefined) return returned;
  if (isSpaced && REMARK.test(near)) return match(REMARK_END, text, at, 'prompt');
  return { kind: isSpaced ? 'bare' : 'argument', end: at + 1 };
}

interface Name {
  readonly end: number;
  readonly isClosed: boolean;
}

/** Skips the quote, bracket or emphasis that closes a name; a quote may be escaped several times. */
function closeName(text: string, end: number): Name | undefined {
  let at = end;
  if (text.charCodeAt(at) === BACKSLASH) {
    while (text.charCodeAt(at) === BACKSLASH && at - end < 8) at++;
    if (!isQuote(text.charCodeAt(at))) return undefined;
  }
  const isClosed = isQuote(text.charCodeAt(at));
  if (isClosed) at++;
  if (text.charCodeAt(at) === OPEN_BRACKET)
    at += /^\[\d{0,4}\](?=[ \t]{0,4}=)/.exec(text.slice(at, at + 12))?.[0].length ?? 0;
  if (text.charCodeAt(at) === CLOSE_BRACKET) return { end: at + 1, isClosed: true };
  while (text.charCodeAt(at) === STAR && at - end < 2) at++;
  return { end: at, isClosed };
}

function readEquals(text: string, start: number, at: number, isSpaced: boolean): AssignmentOperator | undefined {
  let end = at + 1;
  while (text.charCodeAt(end) === EQUALS && end - at < 3) end++;
  const next = text.charCodeAt(end);
  if (next === TILDE) return undefined;
  // `[name] => value`, as PHP prints arrays.
  if (next === GREATER) return { kind: text.charCodeAt(start - 1) === OPEN_BRACKET ? 'colon' : 'arrow', end: end + 1 };
  return { kind: isSpaced || isBlank(next) ? 'spaced' : 'tight', end };
}

function readColon(text: string, start: number, at: number): AssignmentOperator | undefined {
  let end = at + 1;
  while (text.charCodeAt(end) === COLON && end - at < 3) end++;
  if (text.charCodeAt(end) === EQUALS) return { kind: 'spaced', end: end + 1 };
  // `${NAME:-value}` of shells.
  if (text[start - 1] === '{' && text[start - 2] === '$')
    return /[?+]/.test(text[end] ?? '') ? undefined : { kind: 'spaced', end: text[end] === '-' ? end + 1 : end };
  // `name:: value`, as LDIF writes Base64.
  if ((end - at > 1 && !(end - at === 2 && isBlank(text.charCodeAt(end)))) || text.startsWith('//', end))
    return undefined;
  return match(ANNOTATED, text, end, 'spaced') ?? { kind: 'colon', end };
}

/** Reads `name - value` and `name -> value`. */
function readDash(text: string, at: number, isSpaced: boolean): AssignmentOperator | undefined {
  if (!isSpaced) return undefined;
  const end = text.charCodeAt(at + 1) === GREATER ? at + 2 : at + 1;
  return isBlank(text.charCodeAt(end)) ? { kind: 'bare', end } : undefined;
}

/** Reads `?=`, `+=`, `.=`, `||=`, `??=`, and the `?:` or `!:` of a typed property. */
function readCompound(text: string, at: number): AssignmentOperator | undefined {
  let end = at + 1;
  if (text.charCodeAt(end) === text.charCodeAt(at)) end++;
  const next = text.charCodeAt(end);
  if (next === EQUALS) return { kind: 'spaced', end: end + 1 };
  return (
    (next === COLON ? match(ANNOTATED, text, end + 1, 'spaced') : undefined) ?? match(OTHERWISE, text, at, 'arrow')
  );
}

/** Reads `("name", "value")`. A constant is the name of a variable, whose value is a literal. */
function readArgument(text: string, start: number, nameEnd: number, at: number): AssignmentOperator {
  const isConstant = /^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(text.slice(start, nameEnd));
  const isTuple = /(?:^|[^\w\s)])[[(]\\{0,3}["']$/.test(text.slice(Math.max(0, start - 6), start));
  return (
    match(OPTION_DEFAULT, text, at, 'arrow') ??
    (isConstant || isTuple ? match(LAST_ARGUMENT, text, at, 'arrow') : undefined) ?? { kind: 'argument', end: at + 1 }
  );
}

function readWords(text: string, start: number, name: Name, at: number): AssignmentOperator | undefined {
  if (name.isClosed) {
    const isAttribute = /name=["']$/i.test(text.slice(Math.max(0, start - 6), start));
    const element = isAttribute ? match(ATTRIBUTES, text, name.end, 'element') : undefined;
    return readPair(text, name.end) ?? element ?? match(TAG_DEFAULT, text, name.end, 'arrow');
  }
  if (at === name.end) return match(PARTICLE, text, at, 'colon');
  if (text.charCodeAt(start) === DASH) return { kind: 'flag', end: at };
  if (isQuote(text.charCodeAt(at))) return { kind: isDeclared(text, start) ? 'arrow' : 'argument', end: at };
  if (text.startsWith('ID ', at)) return match(ID, text, at, 'prompt');
  return (
    readNextWord(text, at) ??
    (isTag(text, start) ? match(ATTRIBUTES, text, name.end, 'element') : undefined) ??
    readRest(text, name.end) ?? { kind: readsCells(text, start, name.end, at) ? 'cell' : 'bare', end: at }
  );
}

/** The second word of a name: `Secret ID   = value`. */
const ID = /ID[ \t]{1,12}[=:](?=[ \t])/y;
/** Types behind a name, for which alone {@link TYPED} is tried. */
const TYPES: ReadonlySet<string> = new Set(['*string', 'string', 'String', 'str', 'char', 'text', 'auto', 'As']);
/** Words between a name and its value in a sentence; the last one must be of the first kind. */
const LINKS: ReadonlySet<string> = new Set(
  (
    'is was are be been equals to now currently still with ist lautet war auf est es é è är er var jest je to: это este ' +
    "là adalah yra on as like again c'est"
  ).split(' '),
);
const LINK_PARTS: ReadonlySet<string> = new Set(
  (
    'has have had set reset changed rotated updated wurde will would should must could can may might becomes stays remains ' +
    'actually just only simply probably temporarily temporary old new previous current following here using'
  ).split(' '),
);
/** The type of a value in the registry of Windows: `Name REG_SZ value`, `/v Name /t REG_SZ /d value`. */
const REGISTRY_TYPE = /(?:\/t )?REG_[A-Z_]{2,10}[ \t]{1,8}(?:\/d )?/y;
const MAX_WORD = 10;

/** Reads `string =` of a declaration, or `is`, `has been set to` of a sentence. */
function readNextWord(text: string, at: number): AssignmentOperator | undefined {
  let word = wordAt(text, at);
  if (TYPES.has(word)) return match(TYPED, text, at, 'spaced');
  if (word === '/t' || word.startsWith('REG_')) return match(REGISTRY_TYPE, text, at, 'flag');
  let end = at;
  let isLinked = false;
  while (LINKS.has(word) || LINK_PARTS.has(word)) {
    isLinked = LINKS.has(word);
    end += word.length;
    if (text.charCodeAt(end) === COLON) return { kind: 'prose', end: end + 1 };
    while (isBlank(text.charCodeAt(end))) end++;
    word = wordAt(text, end);
  }
  return isLinked ? { kind: 'prose', end } : undefined;
}

function wordAt(text: string, at: number): string {
  let end = at;
  while (end - at <= MAX_WORD && text.charCodeAt(end) > SPACE && text.charCodeAt(end) !== COLON) end++;
  return text.slice(at, end);
}

function isTag(text: string, start: number): boolean {
  return text[start - 1] === '<' || text[start - 1] === ':';
}

const MAX_REST = 240;
const VALUE_WORDS = ['alue', 'ALUE', 'ontent'];
const ENDS_OF_PROMPTS =
  " — | – |:|：| is | ist | lautet | est | es | é | è | är | er | jest | je | yra | este | là | adalah | это | c'est | to ".split(
    '|',
  );

/** Reads the `value` of a pair, or the words of a prompt, if the rest of the line has one. */
export function readRest(text: string, at: number): AssignmentOperator | undefined {
  const rest = text.slice(at, at + MAX_REST);
  const pair = readPair(text, at);
  if (pair !== undefined) return pair;
  const line = rest.slice(0, rest.indexOf('\n') < 0 ? MAX_REST : rest.indexOf('\n') + 1);
  return ENDS_OF_PROMPTS.some((end) => line.includes(end)) ? match(PROMPT, text, at, 'prompt') : undefined;
}

/** Whether the name is a cell between tabs. */
function readsCells(text: string, start: number, nameEnd: number, at: number): boolean {
  const before = text.charCodeAt(start - 1);
  return text.slice(nameEnd, at).includes('\t') && (start === 0 || before === TAB || before === NEWLINE);
}

/** Whether a keyword declares the name: `#define NAME "value"`, `ENV NAME "value"`, `WITH PASSWORD 'value'`. */
function isDeclared(text: string, start: number): boolean {
  return DECLARES.test(`${start < 12 ? '\n' : ''}${text.slice(Math.max(0, start - 16), start)}`);
}

function readFormField(text: string, start: number, at: number): AssignmentOperator | undefined {
  return text.startsWith('name="', start - 6) ? match(FORM_FIELD, text, at, 'flag') : undefined;
}

function readPair(text: string, at: number): AssignmentOperator | undefined {
  const rest = text.slice(at, at + MAX_REST);
  return VALUE_WORDS.some((word) => rest.includes(word)) ? match(PAIR_VALUE, text, at, 'colon') : undefined;
}

function match(pattern: RegExp, text: string, at: number, kind: OperatorKind): AssignmentOperator | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? { kind, end: pattern.lastIndex } : undefined;
}

const VALUE_BEFORE =
  /(?:value|content)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}(\\{0,3}["'])([^"'\n]{4,200}?)\1[\s,;]{1,20}[^<>{}\n"']{0,40}\\{0,3}["']?(?:name|key|id)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']$/di;
/** `set("…", forKey: "name")`. */
const SET_FOR_KEY = /\((["'])([^"'\n]{4,200}?)\1,\s{0,8}(?:for)?key:\s{0,4}["']$/di;
const MAX_BEFORE = 300;

/** The range of the value before its name: `value="…" name="password"`. */
export function readValueBefore(text: string, start: number): readonly [start: number, end: number] | undefined {
  if (!isQuote(text.charCodeAt(start - 1))) return undefined;
  const from = Math.max(0, start - MAX_BEFORE);
  const before = text.slice(from, start);
  const key = before.slice(-12).toLowerCase();
  if (!key.includes('name') && !key.includes('key') && !key.includes('id')) return undefined;
  const isSetter = key.includes('key:');
  if (!isSetter && !VALUE_WORDS.some((word) => before.includes(word))) return undefined;
  const range = (isSetter ? SET_FOR_KEY : VALUE_BEFORE).exec(before)?.indices?.[2];
  return range === undefined ? undefined : [from + range[0], from + range[1]];
}

/** The operator before a fallback literal, or before the new value in a diff: `env.KEY || "literal"`. */
const FALLBACK = /[^\n"'`;,]{0,60}?(?:\|\||\?\?|\bor\b|\?)[ \t]{0,4}(?=["'`])/y;
/** The separator of the next item of a list. */
const NEXT_ITEM = /["'`]?[ \t]{0,4}(?:,\s{0,60}|\r?\n[ \t]{0,40}-[ \t]{1,4})(?=\S)/y;
const CHANGED_TO = /["']?[ \t]{1,4}->[ \t]{1,4}(?=["'])|-?\]?\{\+/y;

/** What is behind a directive in a format: `"pass=%s\n", "value"`. */
const FORMATTED = /[^\n"'`;,%]{0,20}["'`],[ \t]{0,4}(?=["'`])/y;

/** Reads the operator between a value that is no literal and the literal that stands in for it. */
export function readFallback(text: string, at: number): AssignmentOperator | undefined {
  if (/%[svq]$/.test(text.slice(at - 2, at))) return match(FORMATTED, text, at, 'argument');
  return match(FALLBACK, text, at, 'argument');
}

/** Reads what separates an item of a list from the next one. */
export function readNextItem(text: string, at: number): AssignmentOperator | undefined {
  return match(NEXT_ITEM, text, at, 'colon');
}

/** Reads the operator between the old and the new value in a diff: `"old" -> "new"`, `[-old-]{+new+}`. */
export function readChange(text: string, at: number): AssignmentOperator | undefined {
  return match(CHANGED_TO, text, at, 'colon');
}
