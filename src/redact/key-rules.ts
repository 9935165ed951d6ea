import { isMasked, maskOf, type PatternRule, rule, type Span } from './rule.ts';

/** Hashes of passwords, key files, and fields of programs that hold a secret. */
export const KEY_RULES: readonly PatternRule[] = [
  // Vendors mark keys with a word between the prefix and the random part: `acme_live_…`.
  rule(
    'token',
    '_live_ _prod_ _api_ _pat_ _oat_ _key_ _tok_ _token_ _secret_ _sk_ -live- -prod-',
    () => /[a-z0-9]{2,16}[_-](?:live|prod|api|pat|oat|key|tok|token|secret|sk)[_-][A-Za-z0-9]{20,512}/y,
    { back: 16, random: true, entropy: 3.3 },
  ),
  rule('password-hash', '$2a$ $2b$ $2y$ $2x$', () => /\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}/y, { back: 0 }),
  rule(
    'password-hash',
    '$apr1$ $argon2 $scrypt$ $pbkdf2 $sha1$ $md5',
    () => /\$(?:apr1|argon2[id]{0,2}|scrypt|pbkdf2[\w-]{0,12}|sha1|md5)[$,][^\s:"']{20,512}/y,
    {
      back: 0,
    },
  ),
  rule(
    'password-hash',
    '$1$ $5$ $6$ $7$ $y$ $gy$ $8$ $9$',
    () => /\$(?:1|5|6|7|8|9|y|gy)\$(?:rounds=\d{1,9}\$|j\w{1,4}\$)?[./A-Za-z0-9]{1,40}\$[./A-Za-z0-9]{22,128}/y,
    {
      back: 0,
    },
  ),
  rule(
    'password-hash',
    'pbkdf2_sha pbkdf2:sha bcrypt_sha argon2$ scrypt:',
    () => /(?:pbkdf2[_:]sha\d{1,3}|bcrypt_sha256|argon2|scrypt)[:$][\w:.$,=]{1,80}?\$[\w./+=$-]{20,256}/y,
  ),
  rule(
    'password-hash',
    'scram-sha-',
    () => /SCRAM-SHA-(?:1|256|512)\$\d{3,7}:[A-Za-z0-9+/]{8,64}={0,2}\$[A-Za-z0-9+/:=]{40,256}/y,
  ),
  rule(
    'password-hash',
    '{ssha {sha} {pbkdf2 {smd5}',
    () => /\{(?:SSHA\d{0,3}|SHA|SMD5|PBKDF2[\w-]{0,10})\}[A-Za-z0-9+/$.]{20,256}={0,2}/iy,
    { back: 0 },
  ),
  rule('password-hash', 'aad3b435b51404ee', () => /[a-f0-9]{32}:[a-f0-9]{32}(?![a-f0-9])/iy),
  rule('password-hash', ['| *', " '*", "('*"], () => /[|\t '(]{1,2}\*([0-9A-F]{40})(?![\w])/dy, {
    group: 1,
    back: 0,
  }),
  rule('password-hash', ["password '*"], () => /password '\*([0-9A-F]{40})'/diy, { group: 1, back: 0 }),
  rule(
    'ansible-vault',
    '$ansible_vault;',
    () => /\$ANSIBLE_VAULT;[\w.;-]{3,80}(?:\\n|\s){1,20}((?:[0-9a-f]{20,80}(?:\\n|\s){0,20}){1,400})/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule(
    'openvpn-key',
    ['openvpn static key'],
    () => /OpenVPN static key[^\n]{0,20}(?:\s|#|-){1,20}((?:[0-9a-f]{32}\s{0,4}){1,16})/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule(
    'private-key',
    'ls0tls1crudjti',
    () =>
      /LS0tLS1CRUdJTi(?:B(?:[A-Za-z0-9+/]{0,24})(?:UFJJVkFUR|QUklWQVRF|BSSVZBVE)|BQUklWQVRFI)[A-Za-z0-9+/=]{20,65000}/y,
  ),
  rule(
    'private-key',
    'miiev miieo miicw miicxa mhccaq miie miij mc4caqa',
    () =>
      /(?:MII(?:E[opvwz]|JK|JQ|CX|CW|CeA)[A-Za-z0-9+/\\]{1,4}(?:IBAA|IBAD)[A-Za-z0-9+/\\]{80,16000}={0,2}|MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{40,60}={0,2})/y,
  ),
  rule('signature', 'aws4-hmac-sha256', () => /AWS4-HMAC-SHA256[^\n]{0,400}?Signature=([0-9a-f]{64})/diy, {
    group: 1,
    back: 0,
  }),
  rule('password', ['key content'], () => /Key Content[ \t]{0,20}:[ \t]{0,4}(\S{8,63})/diy, { group: 1 }),
  rule('password', ['> auth ', '\nauth '], () => /[>\n][ ]?AUTH (?:[\w.-]{1,40} )?"?([^\s"]{6,256})/dy, {
    group: 1,
    back: 0,
  }),
  rule(
    'password',
    ['> pass ', '\npass '],
    () => /(?<=\bUSER \S{1,64}\r?\n(?:[^\n]{0,200}\n){0,4}[^\n]{0,8})[>\n] ?PASS (\S{4,128})(?=\r?\n|$)/dy,
    { group: 1, back: 0 },
  ),
  rule('password', 'nickserv', () => /NickServ[ :]{1,3}IDENTIFY (?:\S{1,40} )?(\S{4,128})/diy, { group: 1 }),
  rule(
    'password',
    ['snmp-server community ', 'rocommunity ', 'rwcommunity '],
    () => /(?:snmp-server community|r[ow]community) (?!public|private)(\S{4,64})/diy,
    { group: 1 },
  ),
  rule('url-password', 'jdbc:oracle:', () => /jdbc:oracle:\w{2,6}:[\w.-]{1,64}\/([^\s"'@]{3,128})@/diy, { group: 1 }),
  rule(
    'azure-function-key',
    '.azurewebsites.net',
    () => /\.azurewebsites\.net\/[^\s"'<>]{0,200}[?&]code=([\w%=-]{20,128})/diy,
    { group: 1, back: 0 },
  ),
  rule(
    'password',
    'securestring',
    () => /SecureString\\{0,3}",\s{0,40}\\{0,3}"Value\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([^"\\\n]{3,4096})/diy,
    { group: 1 },
  ),
  rule(
    'password',
    '.vault.azure.net/secrets/',
    () => /\.vault\.azure\.net\/secrets\/[^}]{0,600}?"value": ?"([^"\n]{3,4096})"/diy,
    { group: 1, back: 0 },
  ),
  rule('password', 'assword', () => /assword[^\n]{0,40}?["'][;}\s]{1,20}send(?: --)? ["']([^"'\\\n]{3,128})/diy, {
    group: 1,
    back: 0,
  }),
  rule('password', 'pgp_sym_', () => /pgp_sym_(?:en|de)crypt\([^()\n]{0,200}?,\s{0,4}'([^'\n]{3,256})'/diy, {
    group: 1,
  }),
  rule(
    'password',
    'jwt.sign( jwt.verify( jwt.encode( jwt.decode(',
    () => /jwt\.(?:sign|verify|encode|decode)\([^\n]{1,200}?, ?["']([^"'\n]{6,256})["']/diy,
    {
      group: 1,
      back: 0,
      allow: () => /^(?:[hre]s(?:256|384|512)|secret|shhhhh|utf-?8)$/i,
    },
  ),
  rule(
    'password',
    [': psk ', ': eap ', ': xauth ', ': ntlm '],
    () => /: (?:PSK|EAP|XAUTH|NTLM) ["']([^"'\n]{4,256})["']/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule('password', 'wifi:', () => /WIFI:(?:[TSH]:[^;\n]{0,64};){0,3}P:([^;\n]{4,128});/diy, { group: 1 }),
  rule('password', ['setuser '], () => /SETUSER \S{1,64}[^\n]{0,80}? >(\S{4,256})/diy, { group: 1 }),
  rule(
    'password',
    ['set password for '],
    () => /SET PASSWORD FOR \S{1,128} = (?:PASSWORD\()?["']([^"'\n]{3,256})["']/diy,
    {
      group: 1,
    },
  ),
  rule('password', ['connect '], () => /CONNECT \w{1,64}\/([^\s@/]{3,128})@\w/dy, { group: 1 }),
  rule(
    'password',
    ['"requirepass"', '"masterauth"'],
    () => /"(?:requirepass|masterauth)"\s{1,8}2\) "([^"\n]{3,256})"/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule('password', [' login '], () => / LOGIN "?[\w.@+-]{1,128}"? "?([^\s"]{4,128})"?(?=\r?\n|$)/dy, {
    group: 1,
    back: 0,
  }),
  rule('password', ['auth plain ', 'auth login '], () => /AUTH (?:PLAIN|LOGIN) ([A-Za-z0-9+/]{8,512}={0,2})/dy, {
    group: 1,
    back: 0,
  }),
  rule('password', ['\nuser '], () => /(?<=\bs?ftp\b[\s\S]{0,200})\nuser \S{1,64} (\S{4,128})(?=\r?\n|$)/dy, {
    group: 1,
    back: 0,
  }),
  rule(
    'password',
    [' pass '],
    () => /(?<=\b(?:user|username|login|account)[ :=]{1,3}[\w.@-]{1,64},?) pass (\S{5,128}?)(?=[,.;]?(?:\s|$))/diy,
    {
      group: 1,
      back: 0,
      allow: () => /^[a-z]+$/,
    },
  ),
  rule(
    'password',
    ['assword, '],
    () => /assword, (?:then |just )?(?:type|enter|use|give|put)(?: in)? ["'`]?(\S{5,128}?)["'`]?(?=[,.;]?(?:\s|$))/diy,
    { group: 1, back: 0, allow: () => /^[A-Za-z]+$|[()]/ },
  ),
  rule(
    'token',
    ['token you ', 'key you ', 'secret you ', 'token we ', 'key we '],
    () => /(?:token|key|secret)(?: [a-z]{1,12}){1,5} \(([\w+/=.~-]{20,256})\)/diy,
    { group: 1, random: true },
  ),
  rule('password', 'p/w:', () => /p\/w:[ \t]{0,4}(\S{4,128})/diy, { group: 1 }),
  rule('password', 'basic-auth basic_auth', () => /basic[-_]auth[ =]["']?[\w.@-]{1,64}:([^\s"']{4,128})/diy, {
    group: 1,
    back: 0,
  }),
  rule(
    'private-key',
    'accounts',
    () => /accounts["']?[ \t]{0,4}[:=][ \t]{0,4}\[\s{0,20}["']((?:0x)?[0-9a-f]{64})["']/diy,
    { group: 1 },
  ),
  rule(
    'key',
    '"username"',
    () => /"username"\s{0,4}:\s{0,4}"[^"\n]{1,64}"\s{0,8},\s{0,8}"key"\s{0,4}:\s{0,4}"([0-9a-f]{32,64})"/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule('jenkins-secret', '{aqaaabaaaa', () => /\{AQAAABAAAA[A-Za-z0-9+/]{16,512}={0,2}\}/y, { back: 0 }),
  rule('token', 'rtmp:// rtmps://', () => /rtmps?:\/\/[\w.:-]{3,120}\/(?:[\w.-]{1,40}\/){1,2}([\w-]{16,128})/diy, {
    group: 1,
  }),
  // Links that let in whoever has them: `/reset-password/…`, `/hooks/…`, `/v3/…`.
  rule(
    'link',
    '/reset /invite /key/ /verify /confirm /activate /magic /unsubscribe /password /webhook /hooks/ /token/',
    () =>
      /\/(?:with\/)?(?:reset|invite|key|verify|confirm|activate|magic|unsubscribe|password|webhook|hooks|token)[\w-]{0,20}\/(?:[\w=-]{1,12}\/){0,2}([\w-]{20,256})(?![\w.-])/diy,
    { group: 1, back: 0, random: true, entropy: 3.2 },
  ),
  rule(
    'link',
    '/receiver/ /collect /ingest /rpc/ /services/ /integration',
    () =>
      /\/(?:receiver|collect|ingest|rpc|services|integration)[\w-]{0,12}\/(?:[\w-]{1,12}\/){0,3}([\w+/-]{32,256}={0,2})(?=["'`\s),;?]|$)/dy,
    {
      group: 1,
      back: 0,
      random: true,
      entropy: 4,
    },
  ),
  rule('link', '/v1/ /v2/ /v3/', () => /\/v[123]\/([\w-]{32,64})(?=["'`\s),;]|$)/dy, {
    group: 1,
    back: 0,
    random: true,
    entropy: 3,
  }),
  rule('password', 'jenkins-cli', () => /jenkins-cli\.jar[^\n]{0,200}?-auth[ \t]{1,3}[^\s:]{1,64}:(\S{4,128})/diy, {
    group: 1,
    back: 0,
  }),
  rule(
    'password',
    ['bundle config '],
    () => /bundle config (?:set )?(?:--\w{4,8} )?[\w.-]{3,80} [^\s:]{1,64}:(\S{4,128})/diy,
    { group: 1, back: 0 },
  ),
  rule('password', ['http-basic.'], () => /http-basic\.[\w.-]{1,80} \S{1,64} ["']?([^\s"']{4,128})/diy, {
    group: 1,
    back: 0,
  }),
  rule(
    'authorization',
    ['digest username'],
    () => /digest username[^\n]{0,600}?response=\\{0,3}"([0-9a-f]{32,128})/diy,
    { group: 1 },
  ),
  rule(
    'mnemonic',
    ['seed phrase', 'recovery phrase', 'backup phrase', 'mnemonic', 'seed words'],
    () =>
      /(?:(?:seed|recovery|backup)(?: phrase| words)|mnemonic(?: phrase)?)["']?[ \t]{0,4}(?:is|[:=])\s{0,4}["']?((?:[a-z]{3,9}[ ,]{1,2}){11,23}[a-z]{3,9})/diy,
    { group: 1 },
  ),
  rule('password', '51:b:', () => /51:b:([0-9A-F]{40,2000})/diy, { group: 1, back: 0 }),
];

const MAX_BLOCK = 64_000;
const BEGIN = /-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----/y;
/** A line of a key block, possibly with what editors, diffs and code put around it. */
const KEY_LINE =
  /^[\s\d"'+>|#*/:→-]{0,40}(?:[A-Za-z0-9+/=]{1,128}|[A-Za-z-]{1,40}: [\w,.-]{1,80})?(?:\\[nr])*["'+,;\\\s]*$/;
const MAX_KEY_LINE = 256;
/** A block on one line, with escaped line breaks. */
const ONE_LINE = /(?:\\[nr]|[A-Za-z0-9+/=]){40,64000}/y;

/** Masks the body of a private key, also when its end is missing or its line breaks are escaped. */
export function findKeyBlock(text: string, at: number, found: Span[]): void {
  BEGIN.lastIndex = at;
  if (!BEGIN.test(text)) return;
  const start = BEGIN.lastIndex;
  const next = text.indexOf('-----', start);
  const isClosed = next >= 0 && next - start <= MAX_BLOCK && text.startsWith('-----END', next);
  const end = isClosed ? next : unclosedEnd(text, start, next < 0 ? text.length : next);
  addBody(text, start, end, found);
}

/** Masks what precedes the end of a private key whose beginning is missing. */
export function findKeyBlockEnd(text: string, at: number, found: Span[]): void {
  END.lastIndex = at;
  if (!END.test(text)) return;
  const from = Math.max(0, at - MAX_BLOCK);
  const before = text.slice(from, at);
  const dashes = before.lastIndexOf('-----');
  if (dashes >= 0 && BEGIN_BEFORE.test(before.slice(Math.max(0, dashes - 80), dashes + 5))) return;
  const first = dashes < 0 ? 0 : dashes + 5;
  let start = before.length;
  while (start > first) {
    const lineStart = Math.max(first, before.slice(first, start - 1).lastIndexOf('\n') + 1 + first);
    if (!isKeyLine(before.slice(lineStart, start).trimEnd())) break;
    start = lineStart === start ? first : lineStart;
  }
  addBody(text, from + start, at, found);
}

const BEGIN_BEFORE = /-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----$/;

function isKeyLine(line: string): boolean {
  return line.length <= MAX_KEY_LINE && KEY_LINE.test(line);
}

/** The end of a block whose last line is missing. */
function unclosedEnd(text: string, start: number, limit: number): number {
  ONE_LINE.lastIndex = start;
  if (ONE_LINE.test(text)) return Math.min(ONE_LINE.lastIndex, limit);
  let end = start;
  while (end < limit && end - start < MAX_BLOCK) {
    const newline = text.indexOf('\n', end);
    const lineEnd = newline < 0 || newline > limit ? limit : newline;
    if (!isKeyLine(text.slice(end, lineEnd))) break;
    end = lineEnd + 1;
  }
  return Math.min(end, limit);
}

/** Adds the body if it contains key material; a mask, dots or code between the two lines are left. */
function addBody(text: string, start: number, end: number, found: Span[]): void {
  let from = start;
  while (from < end && /\s/.test(text[from] ?? '')) from++;
  if (text.startsWith('\\n', from)) from += 2;
  let to = end;
  while (to > from && /\s/.test(text[to - 1] ?? '')) to--;
  if (text.startsWith('\\n', to - 2)) to -= 2;
  const body = text.slice(from, to);
  if (isMasked(text, from) || !/[A-Za-z0-9+/=]{16}/.test(body) || body.replace(/[^A-Za-z0-9+/=]/g, '').length < 32)
    return;
  found.push({ start: from, end: to, mask: maskOf('private-key') });
}

/** Lines of Base64. The next line of the file is a name with a dash. */
const PUTTY = /private-lines: \d{1,4}\s+((?:[A-Za-z0-9+/=]{1,4096}(?:\s+|(?![\w+/=-]))){1,400})/diy;
const MIN_PUTTY_LENGTH = 40;

/** Masks the private lines of a PuTTY key. */
export function findPuttyKey(text: string, at: number, found: Span[]): void {
  PUTTY.lastIndex = at;
  const match = PUTTY.exec(text);
  const start = match?.indices?.[1]?.[0] ?? 0;
  const body = (match?.[1] ?? '').trimEnd();
  if (body.length < MIN_PUTTY_LENGTH) return;
  found.push({ start, end: start + body.length, mask: maskOf('private-key') });
}

const MAX_DOCUMENT = 8000;
const DATA_LINE =
  /(["']?[\w.-]{1,128}["']?[ \t]{0,8}:[ \t]{0,8}["']?)([^\s"',{}[\]$|>&*]{4,8000})(?=["']?[ \t]*(?:,|\r?\n|\}|$))/g;
const SECTION = /(?:^|[\n{,])([ \t]*)["']?(?:data|stringData)["']?[ \t]*:[ \t]*(?:\{|\r?\n)/g;

/** Masks the values under `data` and `stringData` of a Kubernetes secret, before or after its `kind`. */
export function findKubernetesSecret(text: string, at: number, found: Span[]): void {
  if (!/^kind\\?["']?[ \t]*:[ \t]*\\?["']?Secret\b/.test(text.slice(at, at + 32))) return;
  const before = text.slice(Math.max(0, at - MAX_DOCUMENT), at);
  const offset = at - before.length + Math.max(0, before.lastIndexOf('\n---'), before.lastIndexOf('kind'));
  const rest = text.slice(at, at + MAX_DOCUMENT);
  const close = /\n---|.kind["']?:/s.exec(rest)?.index ?? rest.length;
  const document = text.slice(offset, at + close);
  for (const section of document.matchAll(SECTION)) {
    const body = section.index + section[0].length;
    const end = sectionEnd(document, body, (section[1] ?? '').length, section[0].endsWith('{'));
    for (const line of document.slice(body, end).matchAll(DATA_LINE)) {
      const start = offset + body + line.index + (line[1] ?? '').length;
      found.push({ start, end: start + (line[2] ?? '').length, mask: maskOf('kubernetes-secret') });
    }
  }
}

function sectionEnd(document: string, body: number, indent: number, isJson: boolean): number {
  if (isJson) {
    const brace = document.indexOf('}', body);
    return brace < 0 ? document.length : brace;
  }
  const outside = new RegExp(`\\n[ \\t]{0,${indent}}\\S`, 'g');
  outside.lastIndex = body - 1;
  return outside.exec(document)?.index ?? document.length;
}
