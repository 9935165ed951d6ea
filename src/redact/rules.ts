import { findAssignment } from './assignment.ts';
import { findKeyBlock, findKeyBlockEnd, findKubernetesSecret, findPuttyKey } from './block.ts';
import { CLOUD_RULES } from './cloud-rules.ts';
import {
  findCredentialCall,
  findNetrc,
  findPasswordOption,
  findPgpass,
  findSqlPassword,
  findUserOption,
} from './command.ts';
import { DEVELOPER_RULES } from './developer-rules.ts';
import { findAuthorization, findBasic, findBearer, findCookie } from './header.ts';
import { findUnixHome, findWindowsHome } from './home.ts';
import { NAME_KEYWORDS } from './name.ts';
import type { Rule } from './rule.ts';
import { SERVICE_RULES } from './service-rules.ts';
import { findUrlCredentials } from './url.ts';

/** Everything that is masked: one table, by vendor and by syntax. */
export const RULES: readonly Rule[] = [
  ...CLOUD_RULES,
  ...DEVELOPER_RULES,
  ...SERVICE_RULES,
  { id: 'assignment', keywords: NAME_KEYWORDS, find: findAssignment },
  { id: 'authorization', keywords: ['authorization'], find: findAuthorization },
  { id: 'bearer', keywords: ['bearer '], find: findBearer },
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
    ],
    find: findCookie,
  },
  { id: 'url-password', keywords: ['://'], find: findUrlCredentials },
  { id: 'user-option', keywords: [' -u', ' -a ', ' --user', ' --proxy-user'], find: findUserOption },
  { id: 'password-option', keywords: [' -p', ' -a ', ' -w '], find: findPasswordOption },
  { id: 'netrc', keywords: ['machine ', 'default login'], find: findNetrc },
  { id: 'pgpass', keywords: [':5432:', ':*:*:', ':6432:'], find: findPgpass },
  { id: 'sql-password', keywords: ['identified '], find: findSqlPassword },
  {
    id: 'credential-call',
    keywords: [
      'networkcredential(',
      'usernamepasswordcredential(',
      'basicauth(',
      'passwordauthentication(',
      'auth=(',
    ],
    find: findCredentialCall,
  },
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
