import { isMasked, maskOf, type Span } from './span.ts';
import { isPlaceholder, isPlainWord, isReference } from './value.ts';

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
