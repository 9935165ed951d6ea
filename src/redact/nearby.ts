import { isBase32, isHex, isScrambled, isTokenLike, isUuid, looksRandom, wordShare } from './generated.ts';
import { type NameLevel, nameLevel } from './name.ts';
import { isMasked, maskOf, type Span } from './rule.ts';
import {
  DATA_SYNTAX,
  isAboutSecrets,
  isAlgorithm,
  isChosen,
  isMadeUp,
  isPlaceholder,
  isPlainWord,
  isReference,
  isStructured,
} from './secret-value.ts';

/** How far from a name a value may be, on the same line. */
const MAX_BEFORE = 100;
const MAX_BEHIND = 200;
const MAX_VALUE = 256;
/** A word, without the quotes and brackets around it. */
const WORD = /[^\s"'`,;()<>{}[\]|\\]{8,256}/g;
/** A name of its own before a value: `id=…`, `"id": "…"`. */
const OWN_NAME = /([\w.-]{1,40})["'`]?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}["'`]?$/;
/** Names that say nothing about what is assigned to them. */
const NEUTRAL_NAME =
  /^(?:value|result|old|new|data|output|content|text|stdout|string|current|previous|before|after|plaintext|again|now|below|here|following)$/i;
/** Identifiers with a prefix. Those that are secrets have a rule of their own. */
const PREFIXED = /^[A-Za-z]{2,12}[_-](?:[A-Za-z]{1,8}[_-])?[A-Za-z\d]+$/;

const MIN_CANDIDATE = 7;

/** Whether there is a word with letters and digits near a name, on its line or the next one. A quick look at most texts. */
export function hasCandidate(text: string, start: number, end: number): boolean {
  const to = nearbyEnd(text, end);
  let [length, digits, letters] = [0, 0, 0];
  for (let at = lineStart(text, start); at <= to; at++) {
    if (at === start) {
      at = end;
      length = digits = letters = 0;
    }
    const code = at === to ? 32 : text.charCodeAt(at);
    if (code <= 32 || code === 34 || code === 39) {
      if (length >= MIN_CANDIDATE && digits > 0 && letters > 0) return true;
      length = digits = letters = 0;
      continue;
    }
    length++;
    if (code >= 48 && code <= 57) digits++;
    else if (code >= 65) letters++;
  }
  return false;
}

/**
 * Masks what looks generated on the line of a name of secrets that no syntax connects with it: `rotate the secret: old …,
 * new …`, `{"type": "random_password", "result": "…"}`.
 */
export function findNearby(text: string, start: number, end: number, level: NameLevel, found: Span[]): void {
  if (level !== 'password' && level !== 'secret' && level !== 'token') return;
  const from = lineStart(text, start);
  const to = nearbyEnd(text, end);
  if (to - end < 8 && start - from < 8) return;
  addLabelled(text, from, start, end, found);
  addBelow(text, from, start, end, found);
  const line = text.slice(from, to);
  if (!/\d/.test(line)) return;
  for (const { 0: word, index } of line.matchAll(WORD)) {
    if (from + index >= start && from + index < end) continue;
    addWord(text, from + index, word, level, from + index > end, found);
  }
}

const LEADING = /^[ \t]{0,8}["'`]?([\w+/=.:~-]{20,256})["'`]?[ \t]{1,4}(?:[#(–—-]{1,2}[ \t]?)?(?:[\w.-]{1,20} ){0,3}$/d;

/** Masks a value with its label behind it, which are a whole line: `… # Ably key`. Digests are left, as logs of git begin with them. */
function addLabelled(text: string, from: number, start: number, end: number, found: Span[]): void {
  if (!/^\)?[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 4))) return;
  const match = LEADING.exec(text.slice(from, start));
  const [at, to] = match?.indices?.[1] ?? [0, 0];
  const value = match?.[1] ?? '';
  if (!isTokenLike(value) || isStructured(value) || isPlaceholder(value) || /^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(value))
    return;
  if (!isMasked(text, from + at)) found.push({ start: from + at, end: from + to, mask: maskOf('token'), isSoft: true });
}

/** What may precede the name in a heading: a path, or a few words. */
const HEADING = /^[-*>#=\s]{0,8}(?:[\w./~-]{1,60}\/|(?:[A-Za-z]{1,15} ){0,3})$/;
const ALONE_BELOW = /^[ \t]{0,4}(?:<==)?(?:\r?\n){1,2}[ \t]{0,8}([\w+/=.~-]{16,512})[ \t]{0,4}(?:\r?\n|$)/d;

/** Masks a value that is a line of its own below a heading: `# config/master.key`, `Client secret`. */
function addBelow(text: string, from: number, start: number, end: number, found: Span[]): void {
  const code = text.charCodeAt(end);
  if ((code > 32 && code !== 60) || !HEADING.test(text.slice(from, start))) return;
  const match = ALONE_BELOW.exec(text.slice(end, end + 600));
  const [at, to] = match?.indices?.[1] ?? [0, 0];
  const value = match?.[1] ?? '';
  if (
    !isTokenLike(value) ||
    isStructured(value) ||
    isPlaceholder(value) ||
    isReference(value) ||
    /^[0-9a-f]{40}$/.test(value)
  )
    return;
  if (!isMasked(text, end + at)) found.push({ start: end + at, end: end + to, mask: maskOf('secret'), isSoft: true });
}

/** A word near a name of secrets. */
interface NearbyWord {
  readonly value: string;
  readonly isQuoted: boolean;
  /** It comes after the name. */
  readonly isBehind: boolean;
}

/** Masks a word if it is a secret, or what it assigns to a name that says nothing: `old=…`. */
function addWord(text: string, at: number, word: string, level: NameLevel, isBehind: boolean, found: Span[]): void {
  const assigned = /^[\w.-]{1,40}[:=]/.exec(word)?.[0] ?? '';
  if (assigned !== '' && !NEUTRAL_NAME.test(assigned.slice(0, -1))) return;
  const start = at + assigned.length;
  const value = word.slice(assigned.length).replace(/[.:?]+$/, '');
  const isQuoted = /["'`]/.test(text[start - 1] ?? '') && /["'`]/.test(text[start + value.length] ?? '');
  if (!isLikely({ value, isQuoted, isBehind }, level) || isMasked(text, start)) return;
  if (!hasHarmlessName(text, start))
    found.push({ start, end: start + value.length, mask: maskOf(level), isSoft: true });
}

function isLikely({ value, isQuoted, isBehind }: NearbyWord, level: NameLevel): boolean {
  if (isStrong(value) || (isBehind && isBase32(value) && !/^[A-F\d]+$/.test(value))) return true;
  const mayBeChosen = level === 'password' && isQuoted && (isBehind || /[!#$%^*~&]/.test(value));
  return mayBeChosen && isChosenLiteral(value);
}

/** Whether a value is assigned to a name of its own, which is none of secrets. */
function hasHarmlessName(text: string, start: number): boolean {
  const name = OWN_NAME.exec(text.slice(Math.max(0, start - 60), start))?.[1];
  return name !== undefined && !NEUTRAL_NAME.test(name) && nameLevel(name) === 'none';
}

/** What opens an object behind its name: `{`, `= {`, `: map[string]string{`, `=> [`. */
const OPENS =
  /["'`]?[ \t]{0,4}(?::=|=>|[:=])?[ \t]{0,4}(?:map\[\w{1,12}\]\w{1,12}|[A-Za-z]\w{0,20}(?:<[\w, ]{1,30}>)?(?:\(\))?)?[ \t]{0,2}["'`]?[{[]\s{0,60}/y;
const FIELD =
  /\\{0,3}["']?([\w.@:/-]{1,80}?)\\{0,3}["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}\\{0,3}["']([^"'\n\\]{1,512})\\{0,3}["'][,;]?\s{0,60}/dy;
/** The same in YAML, where a field has a line of its own. */
const OPENS_BLOCK = /["']?:[ \t]{0,4}\r?\n(?=[ \t]{1,12}["']?[\w.@/-]{1,80}["']?:[ \t])/y;
const FIELD_OF_BLOCK =
  /[ \t]{1,12}["']?([\w.@/-]{1,80}?)["']?:[ \t]{1,8}["']?([^\s"'#]{16,512})["']?[ \t]{0,4}(?:\r?\n|$)/dy;
const MAX_FIELDS = 20;
/** Names of fields that identify or describe a secret. */
const DESCRIBES =
  /(?:^|[._-])(?:id|name|user|username|email|host|url|uri|path|file|type|kind|version|region|hash|digest|sha\d*|checksum|fingerprint|public|issuer|audience|sub|iss|aud|kid|jti|arn|date|time|at|on|by|in|algorithm|alg)$|[a-z](?:Id|Name|Url|Uri|Path|File|Type|Hash|At|Digest|Version|Key)$/i;

/** Masks the fields of an object with a name of secrets: `tokens { agent = "…" }`, `secrets: {"github": "…"}`. */
export function findNested(text: string, end: number, level: NameLevel, found: Span[]): void {
  const mayOpen = /^["'`]?[ \t]{0,4}[:=>{[m]/.test(text.slice(end, end + 8));
  if (!mayOpen) return;
  if (level !== 'weak') addFields(text, end, OPENS_BLOCK, FIELD_OF_BLOCK, found);
  addFields(text, end, OPENS, FIELD, found);
}

function addFields(text: string, end: number, opens: RegExp, field: RegExp, found: Span[]): void {
  opens.lastIndex = end;
  if (!opens.test(text)) return;
  field.lastIndex = opens.lastIndex;
  for (let i = 0; i < MAX_FIELDS; i++) {
    const match = field.exec(text);
    if (match === null) return;
    const [, name = '', value = ''] = match;
    const [start, to] = match.indices?.[2] ?? [0, 0];
    if (!isMasked(text, start) && isSecretField(name, value))
      found.push({ start, end: to, mask: maskOf('secret'), isSoft: true });
  }
}

function isSecretField(name: string, value: string): boolean {
  if (value.length < 16 || DESCRIBES.test(name) || !/^[\w+/=.~:-]+$/.test(value)) return false;
  return isTokenLike(value) && !isPlaceholder(value) && !isStructured(value) && !isReference(value);
}

/** Whether a value is a secret, a user with a password, or Base64 of either. */
export function isStrongInput(value: string): boolean {
  const decoded = /^[\w+/-]{8,512}={0,2}$/.test(value) ? decode(value) : undefined;
  return [value, decoded ?? ''].some(
    (text) => isStrong(text) || isStrong(/^[\w.@-]{1,64}:(\S+)$/.exec(text)?.[1] ?? ''),
  );
}

/** Whether a value is unlikely to be anything but a secret where secrets are spoken of. */
export function isStrong(value: string): boolean {
  if (value.length < 10 || value.length > MAX_VALUE || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (
    isPlaceholder(value) ||
    isStructured(value) ||
    isUuid(value) ||
    isHex(value) ||
    isReference(value) ||
    isAlgorithm(value)
  )
    return false;
  if (PREFIXED.test(value) || /[\\^]|\.\.|\/\//.test(value)) return false;
  if (/^[A-Za-z\d]{3,40}\d{2}[!?#$%&*@]{1,3}$/.test(value)) return true;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || wordShare(value) > 0.35) return false;
  if (/[A-Za-z\d][!#$%*~@&][A-Za-z\d]/.test(value) && !/[.:/=]/.test(value)) return true;
  return (
    value.length >= 12 &&
    (isScrambled(value.replace(/[._~+/=-]/g, '')) ||
      (value.length >= 16 && /^[\w+/=.~-]+$/.test(value) && looksRandom(value, true)))
  );
}

/** Whether a literal is a password or looks generated, and is no name of a variable or field. */
export function isChosenLiteral(value: string): boolean {
  if (value.length < 6 || isPlaceholder(value) || isPlainWord(value) || isStructured(value)) return false;
  if (isMadeUp(value, DATA_SYNTAX)) return true;
  if (isReference(value) && /[._]/.test(value) && !/\d\d$/.test(value)) return false;
  return (isChosen(value, DATA_SYNTAX) && !isAboutSecrets(value)) || (looksRandom(value) && !isReference(value));
}

/** The text that a value is Base64 of; undefined if that is no text. */
export function decode(value: string): string | undefined {
  const text = Buffer.from(value, 'base64').toString('latin1').replaceAll('\0', '');
  return text.length >= 4 && /^[\t\r\n\x20-\x7e\xa0-\xff]+$/.test(text) && !/[\x80-\xff]{2}/.test(text)
    ? text
    : undefined;
}

function lineStart(text: string, at: number): number {
  const from = Math.max(0, at - MAX_BEFORE);
  return from + text.slice(from, at).lastIndexOf('\n') + 1;
}

/** The end of a name's line, or of the line below if nothing follows the name on its own. */
function nearbyEnd(text: string, end: number): number {
  const to = lineEnd(text, end);
  return to - end <= 3 && text[to] === '\n' ? lineEnd(text, to + 1) : to;
}

function lineEnd(text: string, at: number): number {
  const newline = text.slice(at, at + MAX_BEHIND).indexOf('\n');
  return newline < 0 ? Math.min(text.length, at + MAX_BEHIND) : at + newline;
}
