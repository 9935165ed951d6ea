import { decode, isStrong } from './nearby.ts';
import { isTokenStart, maskOf, type Rule, type Span } from './rule.ts';

/** Words whose Base64 form leads to encoded settings, documents and headers. */
const WORDS = 'password PASSWORD secret SECRET token TOKEN api_key API_KEY _PASS='.split(' ');
const MAX_BLOB = 8192;
const MIN_BLOB = 16;

/** The part of the Base64 form of a word that does not depend on what is around it, at each of the three alignments. */
function encodings(word: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = btoa('\0'.repeat(offset) + word);
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + word.length) * 8) / 6)).toLowerCase();
  });
}

let keywords: readonly string[] | undefined;

/** Finds Base64 of texts with secrets. Its spans have to be confirmed by redacting what is decoded. */
export const ENCODED_RULE: Rule = {
  id: 'encoded',
  get keywords(): readonly string[] {
    keywords ??= [...new Set(WORDS.flatMap(encodings))];
    return keywords;
  },
  find: findEncoded,
};

function findEncoded(text: string, at: number, found: Span[]): void {
  let start = at;
  while (start > 0 && at - start < MAX_BLOB && isBase64(text.charCodeAt(start - 1))) start--;
  let end = at;
  while (end - start < MAX_BLOB && isBase64(text.charCodeAt(end))) end++;
  if (end - start < MIN_BLOB || end - start >= MAX_BLOB || found.at(-1)?.start === start) return;
  const decoded = decode(text.slice(start, end));
  if (decoded === undefined) return;
  while (text[end] === '=') end++;
  found.push({ start, end, mask: maskOf('encoded'), decoded });
}

function isBase64(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 43 ||
    code === 45 ||
    code === 47 ||
    code === 95
  );
}

function hasStrongLiteral(decoded: string): boolean {
  return [...decoded.matchAll(/["']([^"'\s]{8,128})["']/g)].some(([, literal = '']) => isStrong(literal));
}

const COMMAND = /-e(?:nc(?:odedcommand)?)?[ \t]{1,4}["']?([A-Za-z0-9+/]{24,8192}={0,2})/diy;

/** Masks the encoded command of PowerShell if it contains what looks like a secret. */
export function findEncodedCommand(text: string, at: number, found: Span[]): void {
  COMMAND.lastIndex = at;
  const match = COMMAND.exec(text);
  const [start, end] = match?.indices?.[1] ?? [0, 0];
  const decoded = match === null ? undefined : decode(text.slice(start, end));
  if (decoded === undefined) return;
  const hasSecret = hasStrongLiteral(decoded);
  found.push({ start, end, mask: maskOf('encoded'), ...(hasSecret ? {} : { decoded }) });
}

const JSON_BLOB = /eyJ[\w+/-]{24,4096}={0,2}(?![\w.])/y;

/** Masks Base64 of JSON that contains what looks like a secret. */
export function findEncodedJson(text: string, at: number, found: Span[]): void {
  if (!isTokenStart(text, at)) return;
  JSON_BLOB.lastIndex = at;
  const value = JSON_BLOB.exec(text)?.[0];
  const decoded = value === undefined ? undefined : decode(value);
  if (value === undefined || decoded === undefined) return;
  found.push({
    start: at,
    end: at + value.length,
    mask: maskOf('encoded'),
    ...(hasStrongLiteral(decoded) ? {} : { decoded }),
  });
}

/** Numbers or characters of a key: `KEY = {114, 79, …}`, `secret: new Uint8Array([0x41, …])`, `{'a', 'b', …}`. */
const BYTES =
  /(?:\[\d{0,4}\])?["'`]?\s{0,4}(?::=|=>|[:=])\s{0,4}[\w.:[\] ]{0,30}[[{(]{1,2}\s{0,20}((?:(?:0x[0-9a-f]{1,2}|\d{1,3}|'[^'\\]'),\s{0,20}){7,255}(?:0x[0-9a-f]{1,2}|\d{1,3}|'[^'\\]'))/diy;

/** Masks the bytes that are assigned to a name, which ends at `end`. */
export function findBytes(text: string, end: number, found: Span[]): void {
  if (/signature$/i.test(text.slice(end - 9, end))) return;
  const rest = text.slice(end, end + 60);
  if (!/^[[\]"'`\s:=]/.test(rest) || !/[[{(]\s{0,20}(?:\d|0x|')/.test(rest)) return;
  BYTES.lastIndex = end;
  const [from, to] = BYTES.exec(text)?.indices?.[1] ?? [0, 0];
  if (to > from) found.push({ start: from, end: to, mask: maskOf('key') });
}
