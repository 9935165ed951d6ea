import { isMasked, maskOf, type Span } from './rule.ts';
import { isHex, isPlaceholder, isPlainWord, isReference, isUuid, looksRandom } from './secret-value.ts';

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

const MAX_AUTHORITY = 512;
const PLACEHOLDER_PASSWORD = /^(?:pass(?:word|wd)?|pwd|secret|token|\*+|x+|\.+)$/i;

/** Masks the password in `scheme://user:password@host`, and a token that stands alone before the `@`. */
export function findUrlCredentials(text: string, at: number, found: Span[]): void {
  const start = at + 3;
  const end = userInfoEnd(text, start);
  if (end === undefined || isMasked(text, start)) return;
  const colon = text.indexOf(':', start);
  const from = colon >= 0 && colon < end ? colon + 1 : start;
  const value = text.slice(from, end);
  if (value === '' || isMasked(text, from) || isPlaceholder(value)) return;
  if (from === start ? !isToken(value) : PLACEHOLDER_PASSWORD.test(value)) return;
  found.push({ start: from, end, mask: maskOf('url-password') });
}

/** Where the last `@` of the authority is: a password may hold one, and may hold a `/` when it was not encoded. */
function userInfoEnd(text: string, start: number): number | undefined {
  let last: number | undefined;
  for (let at = start; at - start < MAX_AUTHORITY; at++) {
    const code = text.charCodeAt(at);
    if (code === 64) last = at;
    else if (Number.isNaN(code) || code <= 32 || isDelimiter(code)) break;
  }
  return last;
}

/** Quotes, angle brackets, `/`, `?`, `#`, `\`: they end the authority. */
function isDelimiter(code: number): boolean {
  return (
    code === 34 ||
    code === 39 ||
    code === 96 ||
    code === 60 ||
    code === 62 ||
    code === 47 ||
    code === 63 ||
    code === 35 ||
    code === 92
  );
}

function isToken(value: string): boolean {
  return value.length >= 16 && (isUuid(value) || isHex(value) || looksRandom(value));
}

const MAX_LOOK_BACK = 600;
const USER =
  /[ \t](?:-u|--user|--proxy-user|-a|--auth)(?:=|[ \t]{0,5})(?:(["'])([^"'\n:]{0,128}):([^"'\n]{3,256})\1|(?:["'][^"'\n]{1,128}["']|[^\s"':]{1,128}):(["']?)([^\s"']{3,256})\4(?=\s|$|["'\\]))/dy;
const HTTP_COMMAND =
  /(?:^|[\s"'`$(|;&\\])(?:curl|wget|httpie?|https?|xh|ldapsearch|ab|siege|aria2c)(?:\.exe)?\s/;

/** Masks the password of `curl -u user:password`. */
export function findUserOption(text: string, at: number, found: Span[]): void {
  USER.lastIndex = at;
  const match = USER.exec(text);
  if (match === null) return;
  const group = match[3] === undefined ? 5 : 3;
  const [start, end] = match.indices?.[group] ?? [0, 0];
  const value = match[group] ?? '';
  const inner = /^\{([\w-]+)\}$/.exec(value)?.[1] ?? value;
  if (
    isMasked(text, start) ||
    isPlaceholder(inner) ||
    isPlainWord(inner) ||
    /^[A-Z_]+$/.test(inner) ||
    !HTTP_COMMAND.test(command(text, at))
  )
    return;
  found.push({ start, end, mask: maskOf('password') });
}

const PASSWORD_OPTION =
  /[ \t](?:-p|-pw|-a|-w|-P)(?:[ \t]{1,4}|(?=\S))(["']?)([^\s"']{3,256})\1(?=\s|$|["'`;|&\\])/dy;
const ATTACHED = /(?:^|[\s"'`$(|;&/\\])(?:mysql\w*|mariadb[\w-]*|sshpass|7z\w?|percona-\w+)(?:\.exe)?\s/;
const SEPARATE =
  /(?:^|[\s"'`$(|;&/\\])(?:sshpass|(?:docker|podman|helm|oc|nerdctl|buildah|skopeo|az|heroku|vault|snow)\s+(?:registry\s+)?login|mongo\w*|redis-cli|plink|pscp|unzip|zip|ldap\w+|htpasswd|smbclient)(?:\.exe)?\s/;

/** Masks the password of `mysql -pXXX`, `sshpass -p XXX`, `docker login -p XXX` and their kin. */
export function findPasswordOption(text: string, at: number, found: Span[]): void {
  PASSWORD_OPTION.lastIndex = at;
  const match = PASSWORD_OPTION.exec(text);
  if (match === null) return;
  const [start, end] = match.indices?.[2] ?? [0, 0];
  const value = match[2] ?? '';
  if (isMasked(text, start) || value.startsWith('-') || isPlaceholder(value) || isPlainWord(value)) return;
  const isAttached = !/\s/.test(text.slice(at + 1, start));
  if (!(isAttached ? ATTACHED : SEPARATE).test(command(text, at))) return;
  found.push({ start, end, mask: maskOf('password') });
}

/** The command up to here: the line, and the lines before it that end in a backslash. */
function command(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_LOOK_BACK), at + 1);
  const lines = before.split('\n');
  let first = lines.length - 1;
  while (first > 0 && /\\\s*$/.test(lines[first - 1] ?? '')) first--;
  return ` ${lines.slice(first).join(' ')}`;
}

const NETRC =
  /(?:machine|default)\s{1,20}\S{1,256}(?:\s{1,20}(?:login|account)\s{1,20}\S{1,256}){1,2}\s{1,20}password\s{1,20}["']?([^\s"']{3,256})/diy;

/** Masks the password in a line of .netrc. */
export function findNetrc(text: string, at: number, found: Span[]): void {
  NETRC.lastIndex = at;
  const match = NETRC.exec(text);
  const [start, end] = match?.indices?.[1] ?? [0, 0];
  const value = match?.[1] ?? '';
  if (value === '' || isMasked(text, start) || isPlaceholder(value) || /^[A-Z_-]+$/.test(value)) return;
  found.push({ start, end, mask: maskOf('password') });
}

const PGPASS = /[\w.*-]{1,128}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s:]{3,256})(?=\s|$)/dy;

/** Masks the password in a line of .pgpass; `at` is the colon before the port. */
export function findPgpass(text: string, at: number, found: Span[]): void {
  const from = Math.max(0, at - 128);
  const newline = text.slice(from, at).lastIndexOf('\n');
  if (newline < 0 && from > 0) return;
  PGPASS.lastIndex = from + newline + 1;
  const match = PGPASS.exec(text);
  const [start, end] = match?.indices?.[1] ?? [0, 0];
  const value = match?.[1] ?? '';
  if (value === '' || isMasked(text, start) || isPlaceholder(value) || /^\d+$/.test(value)) return;
  found.push({ start, end, mask: maskOf('password') });
}

const SQL =
  /identified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,64}[ \t]{1,4})?(?:by|as)[ \t]{1,4}(?:password[ \t]{1,4})?(["'])([^"'\n]{3,256})\1/diy;

/** Masks the password in `CREATE USER … IDENTIFIED BY '…'`. */
export function findSqlPassword(text: string, at: number, found: Span[]): void {
  SQL.lastIndex = at;
  const match = SQL.exec(text);
  const [start, end] = match?.indices?.[2] ?? [0, 0];
  const value = match?.[2] ?? '';
  if (value === '' || isMasked(text, start) || isPlaceholder(value)) return;
  if (!/\b(?:user|grant|role|login)\b/i.test(text.slice(Math.max(0, at - 200), at))) return;
  found.push({ start, end, mask: maskOf('password') });
}

const CREDENTIAL_CALL =
  /(?:networkcredential|usernamepasswordcredential|httpbasicauth|basicauth|passwordauthentication|setbasicauth|auth=)\([ \t]{0,4}(["'])[^"'\n]{1,128}\1[ \t]{0,4},[ \t]{0,4}(["'])([^"'\n]{3,256})\2/diy;

/** Masks the second argument of `NetworkCredential("user", "password")` and its kin. */
export function findCredentialCall(text: string, at: number, found: Span[]): void {
  CREDENTIAL_CALL.lastIndex = at;
  const match = CREDENTIAL_CALL.exec(text);
  const [start, end] = match?.indices?.[3] ?? [0, 0];
  const value = match?.[3] ?? '';
  if (value === '' || isMasked(text, start) || isPlaceholder(value) || isPlainWord(value) || /\s/.test(value))
    return;
  if (isReference(value) && /[._]/.test(value)) return;
  found.push({ start, end, mask: maskOf('password') });
}
