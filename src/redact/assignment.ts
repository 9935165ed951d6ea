import { once } from '../record/once.ts';
import { findArguments } from './call.ts';
import { findBytes } from './encoded.ts';
import { isHex, isTokenLike } from './generated.ts';
import { type Literal, readLiteral } from './literal.ts';
import {
  isAmongAccount,
  isLabel,
  isParameter,
  isPrinted,
  levelInPhrase,
  type NameLevel,
  nameLevel,
  startsLine,
} from './name.ts';
import { findNearby, findNested, hasCandidate } from './nearby.ts';
import {
  type AssignmentOperator,
  readChange,
  readFallback,
  readNextItem,
  readOperator,
  readRest,
  readValueBefore,
} from './operator.ts';
import { isMasked, LETTER_BEYOND_ASCII, maskOf, type Span } from './rule.ts';
import { type AssignmentSyntax, DATA_SYNTAX, isChosen, isComplex, isMadeUp, isSecret } from './secret-value.ts';
import { findSpoken } from './sentence.ts';
import { findColumn } from './table.ts';

const MAX_NAME = 64;
/** Characters of a value that are judged. */
const MAX_JUDGED = 1024;
const NAME_CHARACTER: Uint8Array = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.') {
  NAME_CHARACTER[character.charCodeAt(0)] = 1;
}

const isNameCharacter = (code: number): boolean => code < 128 && NAME_CHARACTER[code] === 1;

/** A name in a text that indicates a secret. */
interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly level: NameLevel;
}

/** Masks the value that is assigned to a name, in any syntax, if name and value together indicate a secret. */
export function findAssignment(text: string, keyword: number, found: Span[]): void {
  const at = isNameCharacter(text.charCodeAt(keyword)) ? keyword : keyword + 1;
  const end = nameEnd(text, at);
  const start = nameStart(text, at);
  if (isMasked(text, start - '[redacted:'.length)) return;
  const name = text.slice(start, end);
  const known = found.length;
  if (isHeader(text, end)) findColumn(text, at, found);
  addValueBefore(text, name, start, found);
  findAssigned(text, start, end, found);
  if (text[end] === '(') findArguments(text, end - 1, found);
  const level = levelInPhrase(text, start, name);
  if (level === 'none') return;
  if (!/^keys$/i.test(name)) findBytes(text, end, found);
  findNested(text, end, level, found);
  if (!hasCandidate(text, start, end)) return;
  if (found.length === known) findNearby(text, start, end, level, found);
  findSpoken(text, start, end, level, found);
}

function findAssigned(text: string, start: number, end: number, found: Span[]): void {
  const operator = readOperator(text, start, end);
  if (operator === undefined) return;
  if (operator.kind !== 'tight' && isPartOfName(text, start, operator)) return;
  if (addValue(text, { start, end }, operator, found) || operator.kind !== 'prose') return;
  // `password is provided for this session: …`
  const rest = readRest(text, end);
  if (rest !== undefined) addValue(text, { start, end }, rest, found);
}

/** Masks the value behind an operator. Returns false if there is nothing that may be a value. */
function addValue(
  text: string,
  { start, end }: Pick<Name, 'start' | 'end'>,
  operator: AssignmentOperator,
  found: Span[],
): boolean {
  const name = text.slice(start, end);
  const first = readLiteral(text, operator);
  const literal = first && withoutUser(text, name, start, operator, first);
  if (literal === undefined || isMasked(text, literal.start) || !isPlausible(text, operator, literal)) return false;
  const hasUser = literal !== first;
  const level =
    operator.kind === 'argument' ? levelOfSetter(name) : hasUser ? 'password' : levelInPhrase(text, start, name);
  if (level !== 'none') judge(text, { text: name, start, end, level }, operator, literal, found);
  return true;
}

/** Whether a value may be more than a word of a sentence, as far as its characters show. */
function isPlausible(text: string, { kind }: AssignmentOperator, { start, end, isQuoted }: Literal): boolean {
  if (isQuoted || (kind !== 'bare' && kind !== 'prose' && kind !== 'prompt' && kind !== 'cell')) return true;
  let [dashes, capitals] = [0, 0];
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 45) dashes++;
    else if (code >= 65 && code <= 90) capitals++;
    else if (code < 97 || code > 122) return true;
  }
  return dashes > 2 || capitals > 1;
}

/** The level of the name in `setPassword("…")`; of other names, their own. */
function levelOfSetter(name: string): NameLevel {
  return nameLevel(/^(?:set|get|with|use|add)(?=[A-Z_])(\w+)$/.exec(name)?.[1] ?? name);
}

function addValueBefore(text: string, name: string, start: number, found: Span[]): void {
  const range = readValueBefore(text, start);
  const level = range === undefined ? 'none' : nameLevel(name);
  if (range === undefined || level === 'none' || isMasked(text, range[0])) return;
  if (!isSecret(level, text.slice(...range), DATA_SYNTAX)) return;
  found.push({ start: range[0], end: range[1], mask: maskOf(level === 'weak' ? 'key' : level), isSoft: true });
}

/** Whether a name may be the header of a column: a delimiter, a line end or two spaces follow. */
function isHeader(text: string, end: number): boolean {
  let at = end;
  while (at - end < MAX_NAME && (text[at] === '"' || text[at] === ' ')) at++;
  return at === text.length ? false : HEADER_END.includes(text[at] ?? '') || at > end + 1;
}

const HEADER_END = ',;\t|│┃║\r\n';

/** Masks the value behind a word for a password in a language other than English; the word ends at `end`. */
function findLabelled(text: string, start: number, end: number, found: Span[]): void {
  const operator = readOperator(text, start, end);
  const literal = operator && readLiteral(text, operator);
  const known = found.length;
  if (operator !== undefined && literal !== undefined && !isMasked(text, literal.start)) {
    const label = text.slice(start, end);
    const level = KEY_LABEL.test(label) ? 'token' : 'password';
    judge(text, { text: label, start, end, level }, operator, literal, found);
  }
  if (found.length === known) findNearby(text, start, end, 'password', found);
  findSpoken(text, start, end, 'password', found);
}

/** Masks a value that is a secret, with what it is changed to and the other items of its list, or what stands in for it. */
function judge(text: string, name: Name, operator: AssignmentOperator, literal: Literal, found: Span[]): void {
  if (addIfSecret(text, name, operator, literal, found)) {
    const change = readChange(text, literal.end);
    const changed = change && readLiteral(text, change);
    if (change && changed) addIfSecret(text, name, change, changed, found);
    addItems(text, name, literal, found);
  } else if (!literal.isQuoted) addFallback(text, name, literal, found);
}

/** Masks the literal behind a value that is none: `password = options.password || '…'`. */
function addFallback(text: string, name: Name, { start, end }: Literal, found: Span[]): void {
  const operator = readFallback(text, end);
  const literal = operator && readLiteral(text, operator);
  if (operator === undefined || literal === undefined) return;
  const isOfEnvironment = name.level === 'secret' && /\benv\b/i.test(text.slice(start, end));
  if (isOfEnvironment)
    addIfSecret(text, { ...name, level: 'password' }, { ...operator, kind: 'spaced' }, literal, found);
  else addIfSecret(text, name, operator, literal, found);
}

const MAX_ITEMS = 50;

/** Masks the other items of a list of secrets: `SESSION_KEYS=a,b`, `tokens: ["a", "b"]`, lines with a dash in YAML. */
function addItems(text: string, name: Name, first: Literal, found: Span[]): void {
  let last = first;
  for (let count = 0; count < MAX_ITEMS; count++) {
    const operator = readNextItem(text, last.end);
    const item = operator && readLiteral(text, operator);
    if (operator === undefined || item === undefined) return;
    const isName = item.isQuoted && /^["'`]\s{0,4}(?:[:=]|=>)/.test(text.slice(item.end, item.end + 8));
    const value = text.slice(item.start, Math.min(item.end, item.start + MAX_JUDGED));
    if (isName || !isUnlikely(name.level, value) || !addIfSecret(text, name, operator, item, found)) return;
    last = item;
  }
}

const CREDENTIALS = /cred(?:ential)?s?$|zugangsdaten$|identifiants$/i;
const USER_BEFORE =
  /[\w.@-]{1,64}(?:[ \t]{1,3}\/[ \t]{1,3}|:(?!\/))|(?:admin\w{0,10}|root|sa|postgres|\w{1,30}@[\w.]{3,40})\/(?=\S{0,60}\d)/y;
const USER_AND_SLASH = /[\w.@-]{1,64}[ \t]{0,3}\/[ \t]{0,3}/y;

/** The password in `credentials: user / password`, `CREDENTIALS=user:password` and `user/password: bob/password`. */
function withoutUser(
  text: string,
  name: string,
  start: number,
  operator: AssignmentOperator,
  literal: Literal,
): Literal {
  const isBehindUser = text[start - 1] === '/';
  if (!isBehindUser && !CREDENTIALS.test(name)) return literal;
  const pattern = isBehindUser ? USER_AND_SLASH : USER_BEFORE;
  pattern.lastIndex = literal.start;
  if (!pattern.test(text)) return literal;
  return readLiteral(text, { ...operator, end: pattern.lastIndex }) ?? literal;
}

/** Whether it is the end of a path (`/etc/passwd`), type (`AWS::IAM::AccessKey`), ARN (`arn:…:secret:…`) or `${NAME:…}`. */
function isPartOfName(text: string, start: number, { kind, end }: AssignmentOperator): boolean {
  const before = text[start - 1];
  if (before === '/') return !/(?:user(?:name)?|login|^|\s)\/$/i.test(text.slice(Math.max(0, start - 9), start));
  // `module::password: 'value'` is a setting of Puppet.
  if (before === ':' && kind === 'colon' && /[a-z\d_]::$/.test(text.slice(Math.max(0, start - 3), start))) return false;
  if (before === ':') return kind === 'colon' ? !/^$|\n/.test(text[start - 2] ?? '') : text[start - 2] === ':';
  return kind === 'colon' && before === '{' && text[start - 2] === '$' && /[?+\d]/.test(text[end] ?? '');
}

function addIfSecret(text: string, name: Name, operator: AssignmentOperator, literal: Literal, found: Span[]): boolean {
  const { start, end } = literal;
  const value = text.slice(start, Math.min(end, start + MAX_JUDGED));
  if (isKeyId(name.text, value)) return false;
  if (isMasked(text, start) || !isSecretAt(text, name, operator, literal, value)) return false;
  found.push({ start, end, mask: maskOf(name.level === 'weak' ? 'key' : name.level), isSoft: true });
  return true;
}

function isSecretAt(text: string, name: Name, operator: AssignmentOperator, literal: Literal, value: string): boolean {
  const { level } = name;
  const { isQuoted, endsLine } = literal;
  if (level === 'weak' && isHex(value) && isDecodedKey(text, name, literal)) return true;
  if (literal.isWrapped === true && !isUnlikely(level, value)) return false;
  const syntax = syntaxOf(text, name, operator, literal);
  switch (operator.kind) {
    case 'prose':
      return (isQuoted || /\d/.test(value) || isUnlikely(level, value, syntax)) && isSecret(level, value, syntax);
    case 'prompt': {
      const isQuotedPhrase = isQuoted && value.includes(' ') && /phrase$/i.test(name.text);
      const isLikely = isUnlikely(level, value, syntax) || isQuotedPhrase;
      return isLikely && isSecret(level, value, { ...syntax, isProse: !endsLine });
    }
    case 'cell': {
      const cell = { ...syntax, isLiteral: true };
      return isSecret(level, value, cell) && isUnlikely(level, value, cell);
    }
    case 'bare':
      return isBareSecret(text, name, literal, value, syntax);
    case 'arrow':
      return isSecret(level, value, syntax) && (isQuoted || isUnlikely(level, value, syntax));
    default:
      return isSecret(level, value, syntax);
  }
}

/** How an assignment is written. What is around it is looked at for passwords only, which may be words. */
function syntaxOf(
  text: string,
  name: Name,
  { kind }: AssignmentOperator,
  { end, isQuoted, endsLine }: Literal,
): AssignmentSyntax {
  const mayBeWord = name.level === 'password' || name.level === 'secret';
  const isTight = kind === 'tight';
  const isHeaderLine = kind === 'colon' && endsLine && HTTP_HEADER.test(name.text);
  return {
    isUpperCase: !/[a-z]/.test(name.text),
    isTight,
    isProse: kind === 'argument',
    isQuoted,
    endsLine,
    isLine:
      mayBeWord &&
      ((isTight && isPrinted(text, name.start, end)) ||
        (endsLine && (startsLine(text, name.start) || (kind === 'colon' && isLabel(text, name.start))))),
    isAccount: mayBeWord && endsLine && kind === 'colon' && isAmongAccount(text, name.start, end),
    isNext: kind === 'bare' || kind === 'prose' || kind === 'prompt',
    isLiteral:
      kind === 'flag' ||
      kind === 'element' ||
      isHeaderLine ||
      (isTight && (name.text.startsWith('--') || (mayBeWord && isParameter(text, name.start, end)))),
  };
}

/** Whether the word right behind a name is a secret: of a directive (`requirepass …`) or in a sentence. */
function isBareSecret(
  text: string,
  name: Name,
  { endsLine }: Literal,
  value: string,
  syntax: AssignmentSyntax,
): boolean {
  const isDirective = endsLine && startsLine(text, name.start);
  const isVerb = /^pass$/i.test(name.text) && name.level !== 'password';
  if (isVerb && !isDirective) return isMadeUp(value, { ...syntax, isProse: true });
  const isPhrase = /-.*-.*-/.test(value);
  const isKnown = isSecret(name.level, value, {
    ...syntax,
    isLiteral: isDirective,
    isProse: !isDirective && !isPhrase,
  });
  return isKnown && isUnlikely(name.level, value, { ...syntax, isProse: !isDirective });
}

/** Whether a hexadecimal number is made the bytes of a key: `key = bytes.fromhex("…")`. */
function isDecodedKey(text: string, name: Name, { start }: Literal): boolean {
  return /key$/i.test(name.text) && DECODES_HEX.test(text.slice(Math.max(0, start - 32), start));
}

const DECODES_HEX =
  /(?:from_?hex|unhex\w{0,4}|hex2bin|hexToBytes|hex\.DecodeString|hex\.decode|Buffer\.from)\(\s{0,4}b?["'`]$/i;

/** Whether it is the id of a key of GPG, by which git names the key that it signs with. */
function isKeyId(name: string, value: string): boolean {
  return /(?:signing_?|^)key$/i.test(name) && /^(?:0x)?(?:[0-9A-F]{8}|[0-9A-F]{16}|[0-9A-F]{40})$/.test(value);
}

const HTTP_HEADER = /^[A-Z]\w{0,20}(?:-[A-Z]\w{1,20}){1,4}$/;

/** Whether a value is no word of a sentence or a type: it has a number or sign, is a phrase, or looks generated. */
function isUnlikely(level: NameLevel, value: string, syntax: AssignmentSyntax = DATA_SYNTAX): boolean {
  if (level === 'password' || level === 'secret') {
    if (isMadeUp(value, syntax) || isComplex(value)) return true;
    return isChosen(value, CHOSEN) || isTokenLike(value) || /^(?:[a-z]{10,}\d|\d{10,})$/.test(value);
  }
  return value.length >= 16 && isTokenLike(value);
}

const CHOSEN = { isQuoted: false, isProse: false };

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

/** Words for passwords and keys that are not written in ASCII, and one that is common where others are not. */
const LABEL = once(
  () =>
    /contraseña|lösenord|hasło|jelszó|parolă|şifre(?:si)?|парол[аьяею]м?|κωδικ[όο]ς|סיסמ[הא]|पासवर्ड|パスワード|暗証番号|비밀번호|비번|秘钥|密匙|패스워드|암호|รหัสผ่าน|clé|schlüssel|mật khẩu|كلمة (?:المرور|السر)|密[码碼钥鑰]|秘密鍵|暗号鍵|비밀키|口令|令牌|權杖|トークン|シークレット|토큰|лозинк[аеу]|slaptažodis|şifrə|رمز عبور|گذرواژه|پاس ورڈ|পাসওয়ার্ড|கடவுச்சொல்|գաղտնաբառ|პაროლი|құпия ?сөз|нууц үг|пасс(?![а-я])|ключ[аеу]?(?![а-я])|токен[аеу]?(?![а-я])|секрет(?![а-я])|κλειδί|מפתח|مفتاح|jeton d'accès|parolas[ıi]|hasłem|hasła|kľúč|klíč|ключ API/gi,
);
const ASCII_LABEL = /llave/gi;
/** Labels of keys, whose values are generated. */
const KEY_LABEL = /^(?:ключ|токен|секрет|κλειδ|מפתח|مفتاح|llave|jeton|kľ|klíč)/i;
/** How far a label extends before and behind a letter beyond ASCII, with the character that follows it. */
const BEFORE_LETTER = 16;
const BEHIND_LETTER = 24;

/** Masks the values of `Contraseña: …`, `пароль для bob: …`, `密码是…` in a text. */
export function findLabels(text: string, found: Span[]): void {
  LETTER_BEYOND_ASCII.lastIndex = 0;
  const first = LETTER_BEYOND_ASCII.exec(text);
  if (first === null) return;
  for (const { 0: word, index } of text.matchAll(ASCII_LABEL)) findLabelled(text, index, index + word.length, found);
  // Only around letters beyond ASCII, because the labels are many.
  for (let letter: RegExpExecArray | null = first; letter !== null; letter = LETTER_BEYOND_ASCII.exec(text)) {
    const from = Math.max(0, letter.index - BEFORE_LETTER);
    let to = letter.index + BEHIND_LETTER;
    for (
      let next = LETTER_BEYOND_ASCII.exec(text);
      next !== null && next.index <= to;
      next = LETTER_BEYOND_ASCII.exec(text)
    ) {
      to = next.index + BEHIND_LETTER;
    }
    for (const { 0: word, index } of text.slice(from, to).matchAll(LABEL())) {
      findLabelled(text, from + index, from + index + word.length, found);
    }
    LETTER_BEYOND_ASCII.lastIndex = to;
  }
}
