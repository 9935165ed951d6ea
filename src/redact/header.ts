import { isMasked, maskOf, type Span } from './span.ts';
import { isHex, isPlaceholder, isPlainWord, isUuid, looksRandom } from './value.ts';

const BEARER = /bearer[ \t]{1,4}["']?([\w.~+/=:-]{8,4096})/diy;
const BASIC = /basic[ \t]{1,4}["']?([A-Za-z0-9+/_-]{8,4096}={0,2})/diy;
const AUTHORIZATION =
  /(?<![A-Za-z:])authorization\\{0,3}["'`]?[\])]?[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}\\{0,3}["'`]?(?:[A-Za-z][\w-]{1,30}[ \t]{1,3})?\\{0,3}["'`]?([^\s"'`\\,;<>{}$()]{8,4096})/diy;
const COOKIE = /(?:cookie\\{0,3}["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'`]?|(?:cookie| -b) ["'])/iy;
const COOKIE_PAIR = /[; \t]{0,4}([\w.$!#%-]{1,64})(?:=([^;,\s"'`\\]{0,4096}))?(?=;|[\r\n"'`\\,]|$)/dy;
const SESSION = /sess|sid$|^sid|auth|token|jwt|csrf|xsrf|remember|login|secret|key/i;
const ATTRIBUTE = /^(?:path|expires|max-age|domain|samesite|version|priority)$/i;

/** Masks the credential of `Authorization: Bearer …`, of `Basic …`, of a token behind any other scheme, or bare. */
export function findAuthorization(text: string, at: number, found: Span[]): void {
  const [start, value] = capture(AUTHORIZATION, text, at);
  if (value === undefined || isMasked(text, start) || !isCredential(value)) return;
  found.push({ start, end: start + value.length, mask: maskOf('authorization') });
}

/** Masks a bearer token wherever one is written. */
export function findBearer(text: string, at: number, found: Span[]): void {
  const [start, value] = capture(BEARER, text, at);
  if (value === undefined || isMasked(text, start) || !isCredential(value)) return;
  found.push({ start, end: start + value.length, mask: maskOf('bearer') });
}

/** Masks the credential of HTTP basic authentication, told from prose by what it decodes to. */
export function findBasic(text: string, at: number, found: Span[]): void {
  const [start, value] = capture(BASIC, text, at);
  if (value === undefined || !(isUserAndPassword(value) || isCredential(value))) return;
  found.push({ start, end: start + value.length, mask: maskOf('basic') });
}

/** Masks the values of cookies that carry a session or look generated. */
export function findCookie(text: string, at: number, found: Span[]): void {
  COOKIE.lastIndex = at;
  if (!COOKIE.test(text)) return;
  COOKIE_PAIR.lastIndex = COOKIE.lastIndex;
  for (let pair = COOKIE_PAIR.exec(text); pair !== null; pair = COOKIE_PAIR.exec(text)) {
    const [, name = '', value = ''] = pair;
    const start = pair.indices?.[2]?.[0] ?? 0;
    if (isCookieSecret(name, value)) found.push({ start, end: start + value.length, mask: maskOf('cookie') });
  }
}

function isCookieSecret(name: string, value: string): boolean {
  if (value.length < 6 || ATTRIBUTE.test(name) || isPlaceholder(value) || isPlainWord(value)) return false;
  return isGenerated(value) || (SESSION.test(name) && /\d/.test(value));
}

function capture(pattern: RegExp, text: string, at: number): readonly [number, string | undefined] {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return [match?.indices?.[1]?.[0] ?? 0, match?.[1]];
}

function isCredential(value: string): boolean {
  return !isPlaceholder(value) && (isGenerated(value) || isUserAndPassword(value));
}

function isGenerated(value: string): boolean {
  return isUuid(value) || isHex(value) || looksRandom(value);
}

/** Base64 of `user:password`. */
export function isUserAndPassword(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value)) return false;
  try {
    return /^[\x21-\x39\x3b-\x7e]*:[\x20-\x7e]+$/.test(atob(value));
  } catch {
    return false;
  }
}
