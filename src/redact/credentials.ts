import { isHex, isUuid, looksRandom } from './generated.ts';
import { addMask, capture, isMasked, isTokenStart, maskOf, type Span } from './rule.ts';
import { isPasswordLiteral, isPlaceholder, isPlainWord, isReference } from './secret-value.ts';

const BEARER =
  /bearer(?:\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\{\s{0,20}\\{0,3}["'][\w.:-]{1,80}\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}|[ \t]{1,4}|\\{0,3}["'`][ \t]{0,4}[,:+][ \t]{0,4}|[ \t]{0,4}[:=][ \t]{0,4})\\{0,3}(?:\$\{)?["'`]?([\w.~+/=:-]{8,4096})/diy;
const BASIC = /basic[ \t]{1,4}["']?([A-Za-z0-9+/_-]{8,4096}={0,2})/diy;
const AUTHORIZATION =
  /(?<![A-Za-z:])authorization\\{0,3}["'`]?[\])]?[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}\\{0,3}["'`]?(?:[A-Za-z][\w-]{1,30}[ \t]{1,3})?\\{0,3}["'`]?([^\s"'`\\,;<>{}$()]{8,4096})/diy;
const COOKIE = /(?:cookie\\{0,3}["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'`]?|(?:cookie| -b) ["'])/iy;
const COOKIE_PAIR = /[; \t]{0,4}([\w.$!#%-]{1,64})(?:=([^;,\s"'`\\]{0,4096}))?(?=;|[\r\n"'`\\,]|$)/dy;
const SESSION_COOKIE = /sess|sid$|^sid|auth|token|jwt|csrf|xsrf|remember|login|secret|key/i;
/** Attributes, and the cookies that count visitors. */
const COOKIE_ATTRIBUTE = /^_(?:g[acl]|gid|fbp|hj|utm)|^(?:path|expires|max-age|domain|samesite|version|priority)$/i;

/** Masks the credential of an `Authorization` header, with any scheme or none. */
export function findAuthorization(text: string, at: number, found: Span[]): void {
  const credential = capture(AUTHORIZATION, text, at);
  if (credential && isCredential(credential.value)) addMask(credential, 'authorization', found);
}

/** Masks a bearer token wherever it is written. */
export function findBearer(text: string, at: number, found: Span[]): void {
  const token = capture(BEARER, text, at);
  if (token && isCredential(token.value)) addMask(token, 'bearer', found);
}

/** Masks the credential of HTTP basic authentication, which differs from prose by what it decodes to. */
export function findBasic(text: string, at: number, found: Span[]): void {
  const credential = capture(BASIC, text, at);
  if (credential && (isUserAndPassword(credential.value) || isCredential(credential.value)))
    addMask(credential, 'basic', found);
}

const COOKIE_OBJECT = /cookies["']?[ \t]{0,4}[:=][ \t]{0,4}(?:dict\()?\{/iy;
const COOKIE_FIELD = /[\s,]{0,20}["']?([\w.$!#%-]{1,64})["']?[ \t]{0,4}[:=][ \t]{0,4}(["'])([^"'\n]{1,4096})\2/dy;

/** Masks the values of cookies that carry a session or look generated. */
export function findCookie(text: string, at: number, found: Span[]): void {
  COOKIE_OBJECT.lastIndex = at;
  if (COOKIE_OBJECT.test(text)) {
    COOKIE_FIELD.lastIndex = COOKIE_OBJECT.lastIndex;
    for (let field = COOKIE_FIELD.exec(text); field !== null; field = COOKIE_FIELD.exec(text)) {
      const [, name = '', , value = ''] = field;
      const [start, end] = field.indices?.[3] ?? [0, 0];
      if (isSecretCookie(name, value) && !isMasked(text, start)) addMask({ value, start, end }, 'cookie', found);
    }
    return;
  }
  COOKIE.lastIndex = at;
  if (!COOKIE.test(text)) return;
  COOKIE_PAIR.lastIndex = COOKIE.lastIndex;
  for (let pair = COOKIE_PAIR.exec(text); pair !== null; pair = COOKIE_PAIR.exec(text)) {
    const [, name = '', value = ''] = pair;
    const start = pair.indices?.[2]?.[0] ?? 0;
    if (isSecretCookie(name, value)) addMask({ value, start, end: start + value.length }, 'cookie', found);
  }
}

function isSecretCookie(name: string, value: string): boolean {
  if (value.length < 6 || COOKIE_ATTRIBUTE.test(name) || isPlaceholder(value) || isPlainWord(value)) return false;
  return isGenerated(value) || (SESSION_COOKIE.test(name) && /\d/.test(value));
}

function isCredential(value: string): boolean {
  return !isPlaceholder(value) && (isGenerated(value) || isUserAndPassword(value));
}

function isGenerated(value: string): boolean {
  return isUuid(value) || isHex(value) || looksRandom(value);
}

/** Whether a value is Base64 of `user:password`. */
export function isUserAndPassword(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value)) return false;
  try {
    return /^[\x21-\x39\x3b-\x7e]*:[\x20-\x7e]+$/.test(atob(value));
  } catch {
    return false;
  }
}

const MAX_AUTHORITY = 512;
const MIN_URL_TOKEN = 16;
/** Schemes of proxies, whose user is the secret. */
const PROXY_SCHEME = /(?:^|[^a-z])(?:trojan|ss|vless|vmess|tuic|hysteria2?|hy2)$/i;
const PLACEHOLDER_PASSWORD = /^(?:pass(?:word|wd)?|pwd|secret|token|\*+|x+|\.+)$/i;
/** Codes of the characters that end the authority of a URL: quotes, angle brackets, `/`, `?`, `#`, `\`. */
const AUTHORITY_END: ReadonlySet<number> = new Set(Array.from('"\'`<>/?#\\', (sign) => sign.charCodeAt(0)));

/** Masks the password in `scheme://user:password@host`, or a token alone before the `@`. */
export function findUrlCredentials(text: string, at: number, found: Span[]): void {
  const start = at + 3;
  const end = userInfoEnd(text, start);
  if (end === undefined || isMasked(text, start)) return;
  const colon = text.indexOf(':', start);
  const from = colon >= 0 && colon < end ? colon + 1 : start;
  const value = text.slice(from, end);
  if (value === '' || isMasked(text, from) || isPlaceholder(value)) return;
  const isToken =
    (value.length >= MIN_URL_TOKEN && isGenerated(value)) || PROXY_SCHEME.test(text.slice(Math.max(0, at - 10), at));
  if (from === start ? !isToken : PLACEHOLDER_PASSWORD.test(value)) return;
  const user = text.slice(start, from - 1);
  if (from > start && user === value) return; // The public default of many servers.
  if (user.length >= MIN_URL_TOKEN && isGenerated(user) && !isMasked(text, start))
    addMask({ value: user, start, end: from - 1 }, 'url-password', found);
  addMask({ value, start: from, end }, 'url-password', found);
}

/** The position of the last `@` of the authority, because a password may contain one, and a slash. */
function userInfoEnd(text: string, start: number): number | undefined {
  let last: number | undefined;
  let at = start;
  for (; at - start < MAX_AUTHORITY; at++) {
    const code = text.charCodeAt(at);
    if (code === 64) last = at;
    else if (Number.isNaN(code) || code <= 32 || AUTHORITY_END.has(code)) break;
  }
  return last ?? (text[at] === '/' ? slashedUserInfoEnd(text, start, at) : undefined);
}

const SLASHED = /[^\s"'`<>@]{1,200}@(?=[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?\s"'`]|$))/y;

/** The `@` behind a password with a slash: what precedes the slash is a user with a password, and no host with a port. */
function slashedUserInfoEnd(text: string, start: number, slash: number): number | undefined {
  if (!/^[\w.%+-]+:(?!\d*$)[^:]*$/.test(text.slice(start, slash))) return undefined;
  SLASHED.lastIndex = slash;
  return SLASHED.test(text) ? SLASHED.lastIndex - 1 : undefined;
}

/** `user:password@` before a host; `at` is the sign. */
const PAIR = /(?:^|[\s"'`=(,:/])([\w.%+-]{1,64}:)([^\s"'`<>/@:][^\s"'`<>/]{2,127})$/;
const HOST = /@(?:tcp|udp|unix)?(?:\([\w.:/-]{1,128}\)|[A-Za-z\d][\w.-]{1,128}(?::\d{2,5})?(?=[/?"'`\s,;)]|$))/y;
/** Signs of addresses and packages, before which no password is. */
const NO_USER =
  /^(?:git|mailto|npm|file|link|workspace|https?|ssh|at|sip|xmpp|acct|data|docker|ghcr|node|from|to|cc|bcc|user|email|author|node_modules|\d+):$/i;

/** Masks the password in `user:password@tcp(host)` and `user:password@host:port` without a scheme. */
export function findHostCredentials(text: string, found: Span[]): void {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before <= 32 || before === 34 || before === 39 || before === 96) continue;
    HOST.lastIndex = at;
    if (!HOST.test(text)) continue;
    const near = text.slice(Math.max(0, at - 200), at);
    const colon = near.lastIndexOf(':');
    if (colon < 0 || near[colon + 1] === '/') continue;
    const [, user = '', value = ''] = PAIR.exec(near) ?? [];
    if (value === '' || NO_USER.test(user) || user === `${value}:` || isMasked(text, at - value.length)) continue;
    if (isPlaceholder(value) || isPlainWord(value) || /^\d+(?:\.\d+)*$/.test(value) || value.includes('[redacted'))
      continue;
    const isConnection = CONNECTION.test(text.slice(at, at + 80));
    if (isConnection || isPasswordLiteral(value) || looksRandom(value))
      found.push({ start: at - value.length, end: at, mask: maskOf('url-password') });
  }
}

/** A host of a connection, and not of an address of e-mail: in parentheses, or with a port. */
const CONNECTION = /^@(?:(?:tcp|udp|unix)?\(|[\w.-]+:\d{2,5})/;

const NETRC =
  /(?:machine|default)\s{1,20}\S{1,256}(?:\s{1,20}(?:login|account)\s{1,20}\S{1,256}){1,2}\s{1,20}password\s{1,20}["']?([^\s"']{3,256})/diy;

/** Masks the password in a line of .netrc. */
export function findNetrc(text: string, at: number, found: Span[]): void {
  const password = capture(NETRC, text, at);
  if (password && !isPlaceholder(password.value) && !/^[A-Z_-]+$/.test(password.value))
    addMask(password, 'password', found);
}

const MAX_HOST = 128;
const PGPASS = /[\w.*-]{1,128}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s:]{3,256})(?=\s|$)/dy;

/** Masks the password in a line of .pgpass; `at` is the colon before the port. */
export function findPgpass(text: string, at: number, found: Span[]): void {
  const from = Math.max(0, at - MAX_HOST);
  const newline = text.slice(from, at).lastIndexOf('\n');
  if (newline < 0 && from > 0) return;
  const password = capture(PGPASS, text, from + newline + 1);
  if (password && !isPlaceholder(password.value) && !/^\d+$/.test(password.value)) addMask(password, 'password', found);
}

const SQL =
  /identified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,64}[ \t]{1,4})?(?:by|as)[ \t]{1,4}(?:password[ \t]{1,4})?(?:(["'])([^"'\n]{3,256})\1|([^\s"';(),]{6,128})(?=[\s;]|$))/diy;

/** Masks the password in `CREATE USER … IDENTIFIED BY '…'`. */
export function findSqlPassword(text: string, at: number, found: Span[]): void {
  const quoted = capture(SQL, text, at, 2);
  const password = quoted ?? capture(SQL, text, at, 3);
  if (!password || isPlaceholder(password.value)) return;
  const isLikely = isPasswordLiteral(password.value) || looksRandom(password.value);
  if (
    isLikely ||
    (quoted !== undefined && /\b(?:user|grant|role|login)\b/i.test(text.slice(Math.max(0, at - 200), at)))
  )
    addMask(password, 'password', found);
}

const PASSWORD_LIST =
  /chpasswd:[ \t]{0,4}\n(?:[ \t]{1,20}\w{1,20}:[ \t]{1,4}\w{1,10}[ \t]{0,4}\n){0,3}[ \t]{1,20}(?:list|users):[ \t]{0,4}\|?[ \t]{0,4}\n/iy;
const LISTED_USER = /[ \t]{1,20}(?:- )?["']?[\w.-]{1,40}:([^\s"']{4,128})["']?[ \t]{0,4}(?:\n|$)/dy;

/** Masks the passwords of users in a cloud-init file. */
export function findPasswordList(text: string, at: number, found: Span[]): void {
  PASSWORD_LIST.lastIndex = at;
  if (!PASSWORD_LIST.test(text)) return;
  LISTED_USER.lastIndex = PASSWORD_LIST.lastIndex;
  for (let user = LISTED_USER.exec(text); user !== null; user = LISTED_USER.exec(text)) {
    const [start, end] = user.indices?.[1] ?? [0, 0];
    const value = user[1] ?? '';
    if (!isMasked(text, start) && !/^(?:R|RANDOM)$/.test(value)) addMask({ value, start, end }, 'password', found);
  }
}

/** Masks the value in `… is the password`; `at` is the word `is`. */
export function findNamedValue(text: string, at: number, found: Span[]): void {
  NAMED.lastIndex = at;
  if (!NAMED.test(text)) return;
  let start = at;
  while (start > 0 && at - start < 64 && text.charCodeAt(start - 1) > 32) start--;
  const quotes = /^["'`(]*/.exec(text.slice(start, at))?.[0].length ?? 0;
  const value = text.slice(start + quotes, at).replace(/["'`)]+$/, '');
  const from = start + quotes;
  if (value.length < 8 || isMasked(text, from) || isPlaceholder(value)) return;
  if (isReference(value) && !/\d\d$/.test(value)) return;
  if (isPasswordLiteral(value) || looksRandom(value))
    addMask({ value, start: from, end: from + value.length }, 'password', found);
}

const NAMED =
  / (?:is|as) (?:the|my|our|your|its) (?:\w{1,20} ){0,2}?(?:password|passphrase|passcode|api key|access key|secret key|token|secret)\b/iy;

/** The secrets of AWS, Alibaba and Tencent, next to ids with these beginnings. */
const CLOUD_SECRETS: readonly (readonly [RegExp, RegExp])[] = [
  [/^A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/, /(?<![\w+/=.-])[A-Za-z0-9+/]{40}(?![\w+/=.-])/g],
  [/^(?:LTAI[A-Za-z0-9]{12,24}|AKID[A-Za-z0-9]{32})(?![A-Za-z0-9])/, /(?<![\w+/=.-])[A-Za-z0-9]{30,32}(?![\w+/=.-])/g],
];
const MAX_CLOUD_PAIR = 300;

/** Masks the secret next to the id of an access key of a cloud: a word that looks generated. */
export function findCloudSecret(text: string, at: number, found: Span[]): void {
  const near = text.slice(at, at + 40);
  const secrets = CLOUD_SECRETS.find(([id]) => id.test(near))?.[1];
  if (secrets === undefined) return;
  const from = Math.max(0, at - MAX_CLOUD_PAIR);
  for (const { 0: value, index } of text.slice(from, at + MAX_CLOUD_PAIR).matchAll(secrets)) {
    if (isHex(value) || !looksRandom(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) continue;
    addMask({ value, start: from + index, end: from + index + value.length }, 'cloud-secret-key', found);
  }
}

const AIRTABLE = /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}(?![A-Za-z0-9])/y;

/** Masks a token of Airtable, whose prefix is part of so many words that the dot is looked at first. */
export function findAirtableToken(text: string, at: number, found: Span[]): void {
  if (text[at + 17] !== '.' || !isTokenStart(text, at)) return;
  AIRTABLE.lastIndex = at;
  if (AIRTABLE.test(text)) found.push({ start: at, end: AIRTABLE.lastIndex, mask: maskOf('airtable-token') });
}
