import { findAssignment } from './assignment.ts';
import {
  ARGUMENT_KEYWORDS,
  CALL_KEYWORDS,
  findArguments,
  findCredentialCall,
  findEncodedPair,
  findSecretArgument,
} from './call.ts';
import { ARRAY_KEYWORDS, COMMAND_KEYWORDS, findCommandSecret, findPasswordOption } from './command.ts';
import {
  findAirtableToken,
  findAuthorization,
  findBasic,
  findBearer,
  findCloudSecret,
  findCookie,
  findNamedValue,
  findNetrc,
  findPasswordList,
  findPgpass,
  findSqlPassword,
  findUrlCredentials,
} from './credentials.ts';
import { ENCODED_RULE, findEncodedCommand, findEncodedJson } from './encoded.ts';
import { findKeyBlock, findKeyBlockEnd, findKubernetesSecret, findPuttyKey } from './key-block.ts';
import { KEY_RULES } from './key-rules.ts';
import { NAME_KEYWORDS } from './name.ts';
import { findHereString, findPipedSecret } from './piped.ts';
import { findPrinted, PROMPT_KEYWORDS } from './printed.ts';
import { PROGRAM_RULES } from './program-rules.ts';
import type { Rule, Span } from './rule.ts';
import { CODE_KEYWORDS, findCode, findLogin, LOGIN_KEYWORDS } from './sentence.ts';
import { findCopy, findInsert } from './table.ts';
import { CLOUD_RULES, DEVELOPER_RULES, SERVICE_RULES } from './vendor-rules.ts';

/** All rules: formats by vendor, then credentials by syntax, then home folders. */
export const RULES: readonly Rule[] = [
  ...CLOUD_RULES,
  ...DEVELOPER_RULES,
  ...SERVICE_RULES,
  ...KEY_RULES,
  ...PROGRAM_RULES,
  { id: 'airtable-token', keywords: ['pat'], find: findAirtableToken },
  { id: 'assignment', keywords: NAME_KEYWORDS, find: findAssignment },
  { id: 'assignment', keywords: [' pw ', 'pw =', 'seed =', 'pw is', 'pw lautet', 'pw f'], find: findAssignment },
  { id: 'insert', keywords: ['insert into', 'replace into', 'insert ignore into'], find: findInsert },
  { id: 'copy', keywords: ['\ncopy ', 'copy public.'], find: findCopy },
  { id: 'code', keywords: CODE_KEYWORDS, find: findCode },
  { id: 'authorization', keywords: ['authorization'], find: findAuthorization },
  { id: 'bearer', keywords: ['bearer ', 'bearer"', "bearer'", 'bearer:', 'bearer='], find: findBearer },
  { id: 'basic', keywords: ['basic '], find: findBasic },
  {
    id: 'cookie',
    keywords: [
      'cookie:',
      'cookie"',
      "cookie'",
      'cookie\\',
      'cookie =',
      'cookie "',
      "cookie '",
      ' -b "',
      " -b '",
      'cookies=',
      'cookies:',
      'cookies =',
      'cookies"',
    ],
    find: findCookie,
  },
  { id: 'url-password', keywords: ['://'], find: findUrlCredentials },
  { id: 'command', keywords: COMMAND_KEYWORDS, find: findCommandSecret },
  { id: 'command', keywords: ARRAY_KEYWORDS, find: findCommandSecret },
  { id: 'piped', keywords: ['echo ', 'printf '], find: findPipedSecret },
  { id: 'printed', keywords: PROMPT_KEYWORDS, find: findPrinted },
  { id: 'here-string', keywords: ['<<<'], find: findHereString },
  { id: 'netrc', keywords: ['machine ', 'default login'], find: findNetrc },
  { id: 'pgpass', keywords: [':5432:', ':*:*:', ':6432:'], find: findPgpass },
  { id: 'sql-password', keywords: ['identified '], find: findSqlPassword },
  {
    id: 'credential-call',
    keywords:
      'networkcredential( usernamepasswordcredential( basicauth( passwordauthentication( auth=( addap( username_pw_set( getconnection( pdo( mysqli( ' +
      'mysqli_connect( pg_connect( wifi.begin( login( signin( authenticate(',
    find: findCredentialCall,
  },
  { id: 'credential-call', keywords: ['auth = ('], find: findCredentialCall },
  { id: 'argument', keywords: ARGUMENT_KEYWORDS, find: findArguments },
  { id: 'secret-argument', keywords: CALL_KEYWORDS, find: findSecretArgument },
  {
    id: 'encoded-pair',
    keywords: ['btoa(', 'b64encode(', 'buffer.from(', 'base64_encode(', 'encodetostring('],
    find: findEncodedPair,
  },
  { id: 'password-list', keywords: ['chpasswd:'], find: findPasswordList },
  {
    id: 'named-value',
    keywords: [' is the ', ' is my ', ' is our ', ' is your ', ' as the ', ' as my ', ' as your '],
    find: findNamedValue,
  },
  ENCODED_RULE,
  { id: 'encoded', keywords: ['eyj'], find: findEncodedJson },
  { id: 'encoded', keywords: ['-enc ', '-encodedcommand ', ' -e ja'], find: findEncodedCommand },
  { id: 'cloud-secret-key', keywords: ['akia', 'asia', 'ltai', 'akid'], find: findCloudSecret },
  { id: 'login', keywords: LOGIN_KEYWORDS, find: findLogin },
  { id: 'password-option', keywords: [' -p ', ' -pw ', ' -pass '], find: findPasswordOption },
  { id: 'private-key', keywords: ['-----begin'], find: findKeyBlock },
  { id: 'private-key', keywords: ['-----end'], find: findKeyBlockEnd },
  { id: 'private-key', keywords: ['private-lines:'], find: findPuttyKey },
  {
    id: 'kubernetes-secret',
    keywords: ['kind: secret', 'kind":"secret', 'kind": "secret', 'kind\\":\\"secret'],
    find: findKubernetesSecret,
  },
  { id: 'home', keywords: ['/users/', '/home/'], find: findUnixHome },
  { id: 'home', keywords: ['\\users\\'], find: findWindowsHome },
];

const NAME = /[^/\\\s"'`<>|*?:;,(){}[\]$&#=!@%^+~]{1,64}(?=[/\\\s"'`<>|*?:;,(){}[\]$&#=!]|$)/y;
const SPACED_NAME = /[^\x00-,/:-@[-^`{-\x7f]{1,32}(?: [^\x00-,/:-@[-^`{-\x7f]{1,32}){1,3}(?=\\)/y;
/** What may precede `/home/` or `/Users/` for it to be the folder of users' homes. */
const ROOT =
  /(?:^|[^\w./*~-]|file:\/\/|\/mnt\/[a-z]|\/cygdrive\/[a-z]|\b[A-Za-z]:|(?:^|[^\w.~-])\/(?:[a-z]|var|usr|private|export|mnt|host|rootfs|System\/Volumes\/Data))$/;

/** Masks the name in `/home/<name>` and `/Users/<name>`; `at` is the first slash. */
function findUnixHome(text: string, at: number, found: Span[]): void {
  const start = text.indexOf('/', at + 1) + 1;
  // Homes are in `/Users` (macOS) or `/home`; other spellings are routes of web applications.
  const isHomesFolder = text.startsWith('/Users/', at) || text.startsWith('/home/', at);
  if (text[start] !== '*' && isHomesFolder && isRoot(text, at)) maskName(text, start, found);
}

/** Masks the name in `C:\Users\<name>`, also where the backslashes are escaped; `at` is the first backslash. */
function findWindowsHome(text: string, at: number, found: Span[]): void {
  let start = at + '\\users\\'.length;
  while (text.charCodeAt(start) === 92 && start - at < 16) start++;
  if (!/[A-Za-z]:\\*$|^\\*$/.test(text.slice(Math.max(0, at - 8), at))) return;
  SPACED_NAME.lastIndex = start;
  if (SPACED_NAME.test(text)) found.push({ start, end: SPACED_NAME.lastIndex, mask: '*' });
  else maskName(text, start, found);
}

function isRoot(text: string, at: number): boolean {
  return at === 0 || ' "\'`\n=(:'.includes(text[at - 1] ?? '') || ROOT.test(text.slice(Math.max(0, at - 24), at));
}

function maskName(text: string, start: number, found: Span[]): void {
  NAME.lastIndex = start;
  if (!NAME.test(text)) return;
  const end = NAME.lastIndex;
  if (/^\.+$/.test(text.slice(start, end))) return;
  found.push({ start, end, mask: '*' });
}
