import { type PatternRule, rule } from './rule.ts';

/** Passwords in the syntax of one program, protocol or file. */
export const PROGRAM_RULES: readonly PatternRule[] = [
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
    'password',
    'securestring',
    () => /SecureString(?:\\{0,3}",\s{0,40}\\{0,3}"Value\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"|\t)([^"\\\s]{3,4096})/diy,
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
  rule('password', "crypt('", () => /crypt\('([^'\n]{3,256})',\s{0,4}gen_salt/diy, { group: 1, back: 0 }),
  rule('password', ['pragma key', 'pragma rekey'], () => /PRAGMA (?:re)?key[ ]?=[ ]?["']([^"'\n]{4,256})["']/diy, {
    group: 1,
  }),
  rule(
    'password',
    'sp_add',
    () => /sp_add(?:linkedsrv)?login [^\n]{1,200}?,[ ]?N?'([^'\n]{4,128})'[ ]?;?(?=\r?\n|$)/diy,
    {
      group: 1,
    },
  ),
  rule('password', ['.open "'], () => /\.Open "[^"\n]{1,200}", ?"[^"\n]{1,64}", ?"([^"\n]{4,128})"/diy, {
    group: 1,
    back: 0,
  }),
  rule('password', ['stats auth '], () => /stats auth [\w.@-]{1,64}:(\S{4,128})/diy, { group: 1 }),
  rule('password', ['<auth-user-pass>'], () => /<auth-user-pass>\s{1,4}\S{1,64}\s{1,4}([^\s<]{4,128})/diy, {
    group: 1,
    back: 0,
  }),
  rule('password', [']:587 ', ']:465 ', ']:25 ', ']:2525 '], () => /\]:\d{2,4}[ \t]{1,8}[\w.@+-]{1,64}:(\S{4,128})/dy, {
    group: 1,
    back: 0,
  }),
  rule(
    'password',
    ['send "', 'send -- "'],
    () => /send (?:-- )?"(?=[^"\s]{0,64}\d)(?=[^"\s]{0,64}[A-Za-z])([^"\s\\/.$[]{6,64})\\[rn]"/diy,
    { group: 1, random: true },
  ),
  rule(
    'password',
    '"params" "args"',
    () =>
      /(?<="[\w./:]{0,20}(?:auth|login|sign_?in)\w{0,10}",\s{0,8})"(?:params|args)":\s{0,4}\["[^"\n]{1,64}",\s{0,4}"([^"\n]{4,128})"/diy,
    { group: 1, back: 0 },
  ),
  rule('token', '--token', () => /--token[ =]([a-z\d]{6}\.[a-z\d]{16})(?![\w.])/dy, { group: 1, back: 0 }),
  // What a script types for a person, and keys that are made bytes.
  rule(
    'password',
    'sendline( .write(b',
    () => /(?:sendline\(b?|\.write\(b)["'](?=[^"']{0,64}\d)([^"'\s\\/]{8,64})(?:\\[rn]){0,2}["']\)/diy,
    { group: 1, back: 0, random: true },
  ),
  rule(
    'secret',
    'getbytes(" signedstring(',
    () => /(?:GetBytes\(|SignedString\(\[\]byte\()["']([\w+/=.~-]{16,256})["']\)/diy,
    {
      group: 1,
      back: 0,
      random: true,
      entropy: 3.3,
      allow: () => /0123|123456789|abcdef/i,
    },
  ),
  rule('token', ['-setcookie '], () => /-setcookie ["']?([\w-]{12,128})/diy, { group: 1, back: 0, random: true }),
  rule('token', 'x-session-id', () => /x-session-id\\{0,3}["']?: ?\\{0,3}["']?([\w+/=.~-]{24,512})/diy, {
    group: 1,
    random: true,
  }),
  // A URL that is put together: `Sprintf("postgres://%s:%s@db", "user", "…")`.
  rule(
    'password',
    ':%s@ :{}@',
    () =>
      /:(?:%s|\{\})@[^"'\n]{0,80}["'](?:,|\.format\()\s{0,20}["'][^"'\n]{1,64}["'],\s{0,20}["']([^"'\n]{4,128})["']/dy,
    { group: 1, back: 0 },
  ),
  rule(
    'password',
    '".tochararray()',
    () => /(?<="(?=[^"\n]{0,64}\d)(?=[^"\n]{0,64}[A-Za-z])([^"\s]{6,64}))"\.toCharArray\(\)/dy,
    { group: 1, back: 0, allow: () => /0123|123456789|abcdef/i },
  ),
  rule(
    'password',
    ['sed -i', "sed 's", 'sed "s'],
    () =>
      /sed[^\n]{1,40}?\bs([/|#,])[^\n]{0,60}?(?:pass|pwd|secret|token|key)[^\n]{0,20}?\1(?=\S{0,128}\d)(?:\w{1,40}[:=] ?)?([^\s"'$\\/|#,&]{6,128})\1/diy,
    { group: 2 },
  ),
  rule('password', ['.logon '], () => /\.logon [\w.-]{1,64}\/[\w.-]{1,64},([^\s;]{4,128})/diy, { group: 1, back: 0 }),
  rule(
    'password',
    'sqlconnectinfo',
    () => /SQLConnectInfo[ \t]{1,8}\S{1,128}[ \t]{1,8}\S{1,64}[ \t]{1,8}(\S{4,128})/diy,
    { group: 1 },
  ),
  rule('password-hash', '"md5', () => /"md5([0-9a-f]{32})"/dy, { group: 1, back: 0 }),
  rule('password', 'user_super= user_admin=', () => /user_(?:super|admin)=\\?"([^"\\\n]{4,128})/diy, {
    group: 1,
    back: 0,
  }),
  rule('password', [' p: '], () => /(?<=\bu(?:ser)?: ?\S{1,64}) p: (\S{6,64})(?=\s|$)/diy, { group: 1, back: 0 }),
  rule(
    'secret',
    ['omniauth :', 'provider :'],
    () => /(?:omniauth|provider) :\w{2,40},\s{0,20}["'][^"'\n]{4,256}["'],\s{0,20}["']([^"'\n]{12,256})["']/diy,
    { group: 1, random: true },
  ),
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
  rule('password', [' on >'], () => /(?<=\buser \S{1,64}) on >([^\s=]{4,256})/dy, { group: 1, back: 0 }),
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
    ['"requirepass"', '"masterauth"', '"auth"'],
    () => /"(?:requirepass|masterauth|auth)"\s{1,12}2\) "([^"\n]{3,256})"/diy,
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
  rule('password', 'p/w:', () => /p\/w:[ \t]{0,4}(\S{4,128})/diy, { group: 1 }),
  rule(
    'password',
    'basic-auth basic_auth raw_auth',
    () => /(?:basic|raw)[-_]auth(?:[ =]|\\?"[ ]?:[ ]?\\?)["']?[\w.@-]{1,64}:([^\s"'\\]{4,128})/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule(
    'password',
    'random_password random_string bcrypt_hash',
    () => /(?:random_(?:password|string)"|bcrypt_hash)[^}]{0,600}?\bresult"?[ ]{0,12}[:=][ ]{0,4}"([^"\n]{6,256})"/dy,
    { group: 1 },
  ),
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
  rule('password', ['"auth" '], () => /"AUTH" (?:"[^"\n]{1,64}" )?"([^"\n]{4,256})"(?! ")/diy, { group: 1, back: 0 }),
  rule(
    'password',
    'ugfzc3dvcmq6',
    () => /UGFzc3dvcmQ6\r?\n(?:[\w>-]{1,4}:? )?([A-Za-z0-9+/]{4,256}={0,2})(?=\r?\n|$)/dy,
    {
      group: 1,
    },
  ),
  rule(
    'password',
    'wifi wlan wi-fi',
    () =>
      /(?:wi-?fi|wlan)(?![\w -]{0,20}ssid)[ _-]?[\w -]{0,20}?[ \t]{0,2}[:=][ \t]{0,3}["']?(?=\S{0,62}\d)([A-Za-z\d][^\s"'/,]{7,62})(?=["']?(?:[\s,.;]|$))/diy,
    { group: 1, back: 6, allow: () => /^[\d.:]+$|^\d/ },
  ),
  // A user with a password in one variable: `ETCDCTL_USER=root:…`.
  rule(
    'password',
    '_user= _auth= _login= userpwd=',
    () => /(?:_USER|_AUTH|_LOGIN|USERPWD)=["']?[\w.@-]{1,40}:([^\s"':]{6,128})/dy,
    {
      group: 1,
      back: 0,
      random: true,
    },
  ),
  rule('password', 'vmess://', () => /vmess:\/\/([\w+/-]{40,4096}={0,2})/dy, { group: 1, back: 0 }),
  rule(
    'password',
    ['basic_auth ', 'basic_auth(', 'basic_auth,'],
    () => /basic_auth[ (,]{1,2}["'][^"'\n]{1,64}["'],[ ]{0,2}(?:Some\()?["']([^"'\n]{4,128})["']/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule(
    'password',
    '{plain} {noop} {cleartext} {clear}',
    () => /\{(?:PLAIN|NOOP|CLEARTEXT|CLEAR)\}([^\s:"']{4,128})/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule(
    'password',
    ['option key ', 'wireless.'],
    () => /(?:option key |wireless\.[^\s=]{1,60}\.key=)["']?([^\s"']{8,63})/diy,
    { group: 1, back: 0 },
  ),
  rule('password', '51:b:', () => /51:b:([0-9A-F]{40,2000})/diy, { group: 1, back: 0 }),
  rule(
    'password',
    ["auth' =>", 'auth" =>', "auth': [", 'auth": [', 'auth: [', "auth': (", 'auth": ('],
    () => /auth["']?[ ]?(?:=>|:)[ ]?[[(][ ]?["'][^"'\n]{1,64}["'],[ ]?["']([^"'\n]{4,128})["']/dy,
    { group: 1, back: 0 },
  ),
  rule('secret', '::add-mask::', () => /::add-mask::([^\s$]{6,512})/dy, { group: 1, back: 0 }),
  rule('authorization', ['hawk id'], () => /hawk id[^\n]{0,300}?mac=\\{0,3}"([\w+/=]{16,128})/diy, { group: 1 }),
  rule('password', '<master>{', () => /<master>\{([A-Za-z0-9+/=]{24,256})\}/dy, { group: 1, back: 0 }),
  rule(
    'cookie',
    'cookies.set( cookie.set( setcookie( set_cookie(',
    () => /(?:cookies?\.set|set_?cookie)\(["'][\w.-]{1,64}["'], ?["']([^"'\n]{16,4096})["']/diy,
    { group: 1, back: 0, random: true },
  ),
  rule('cookie', ['\ttrue\t', '\tfalse\t'], () => /\t(?:TRUE|FALSE)\t\d{1,12}\t[\w.!%-]{1,60}\t([^\s;]{16,4096})/dy, {
    group: 1,
    back: 0,
    random: true,
  }),
];
