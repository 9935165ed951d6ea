import { findAssignment } from './assignment.ts';
import { COMMAND_KEYWORDS, findCommandSecret, findHereString, findPasswordOption, findPipedSecret } from './command.ts';
import {
  CALL_KEYWORDS,
  findAirtableToken,
  findAuthorization,
  findAwsSecret,
  findBasic,
  findBearer,
  findCookie,
  findCredentialCall,
  findEncodedPair,
  findNamedValue,
  findNetrc,
  findPasswordList,
  findPgpass,
  findSecretArgument,
  findSqlPassword,
  findUrlCredentials,
} from './credentials.ts';
import { ENCODED_RULE, findEncodedCommand, findEncodedJson } from './encoded.ts';
import { findKeyBlock, findKeyBlockEnd, findKubernetesSecret, findPuttyKey } from './key-block.ts';
import { KEY_RULES } from './key-rules.ts';
import { NAME_KEYWORDS } from './name.ts';
import { ARGUMENT_KEYWORDS, findArguments } from './nearby.ts';
import { findPrinted, PROMPT_KEYWORDS } from './printed.ts';
import { PROGRAM_RULES } from './program-rules.ts';
import type { Rule } from './rule.ts';
import { CODE_KEYWORDS, findCode, findLogin, LOGIN_KEYWORDS } from './sentence.ts';
import { findCopy, findInsert } from './table.ts';
import { CLOUD_RULES, DEVELOPER_RULES, SERVICE_RULES } from './vendor-rules.ts';

/** The rules for secrets: formats by vendor, then credentials by syntax. */
export const RULES: readonly Rule[] = [
  ...CLOUD_RULES,
  ...DEVELOPER_RULES,
  ...SERVICE_RULES,
  ...KEY_RULES,
  ...PROGRAM_RULES,
  { id: 'airtable-token', keywords: ['pat'], find: findAirtableToken },
  { id: 'assignment', keywords: NAME_KEYWORDS, find: findAssignment },
  { id: 'assignment', keywords: [' pw '], find: findAssignment },
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
  { id: 'piped', keywords: ['echo ', 'printf '], find: findPipedSecret },
  { id: 'printed', keywords: PROMPT_KEYWORDS, find: findPrinted },
  { id: 'here-string', keywords: ['<<<'], find: findHereString },
  { id: 'netrc', keywords: ['machine ', 'default login'], find: findNetrc },
  { id: 'pgpass', keywords: [':5432:', ':*:*:', ':6432:'], find: findPgpass },
  { id: 'sql-password', keywords: ['identified '], find: findSqlPassword },
  {
    id: 'credential-call',
    keywords:
      'networkcredential( usernamepasswordcredential( basicauth( passwordauthentication( auth=( getconnection( pdo( mysqli( ' +
      'mysqli_connect( pg_connect( wifi.begin( login( signin( authenticate(',
    find: findCredentialCall,
  },
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
  { id: 'aws-secret-key', keywords: ['akia', 'asia'], find: findAwsSecret },
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
];
