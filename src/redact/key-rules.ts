import { type PatternRule, rule } from './rule.ts';

/** Hashes of passwords, key files, links and cookies that let in whoever has them. */
export const KEY_RULES: readonly PatternRule[] = [
  // Vendors mark keys with a word between the prefix and the random part: `acme_live_…`.
  rule(
    'token',
    '_live_ _prod_ _api_ _pat_ _oat_ _key_ _tok_ _token_ _secret_ _sk_ -live- -prod-',
    () => /[a-z0-9]{2,16}[_-](?:live|prod|api|pat|oat|key|tok|token|secret|sk)[_-][A-Za-z0-9]{20,512}/y,
    { back: 16, random: true, entropy: 3.3, allow: () => /^pk_/ },
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
  rule('password-hash', '$p$b $p$9 $p$d $h$9 $h$b', () => /\$[PH]\$[./A-Za-z0-9]{31}(?![\w])/y, { back: 0 }),
  rule('password-hash', '$krb5', () => /\$krb5(?:tgs|asrep|pa)\$[^\s"']{30,4096}/y, { back: 0 }),
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
  rule('password-hash', ['| *'], () => /[|\t '(]{1,2}\*([0-9A-F]{40})(?![\w])/dy, {
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
  rule(
    'azure-function-key',
    '.azurewebsites.net',
    () => /\.azurewebsites\.net\/[^\s"'<>]{0,200}[?&]code=([\w%=-]{20,128})/diy,
    { group: 1, back: 0 },
  ),
  rule(
    'token',
    ['token you ', 'key you ', 'secret you ', 'token we ', 'key we '],
    () => /(?:token|key|secret)(?: [a-z]{1,12}){1,5} \(([\w+/=.~-]{20,256})\)/diy,
    { group: 1, random: true },
  ),
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
      /\/(?:with\/)?(?:reset|invite|key|verify|confirm|activate|magic|unsubscribe|password|webhook|hooks|token)[\w-]{0,20}(?:\/|\?(?:\w{1,12}=[\w%.@-]{0,40}&){0,2}\w{1,12}=)(?:[\w=-]{1,12}\/){0,2}([\w-]{20,256})(?![\w.-])/diy,
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
  rule(
    'authorization',
    ['digest username'],
    () => /digest username[^\n]{0,600}?response=\\{0,3}"([0-9a-f]{32,128})/diy,
    { group: 1 },
  ),
  rule(
    'mnemonic',
    ['seed', 'mnemonic', 'phrase', 'recovery words'],
    () =>
      /(?:seed|mnemonic|phrase|words)[\w -]{0,24}["']?[ \t]{0,4}(?:is|are|[:=])\s{0,4}["']?((?:(?:\d{1,2}[.:)]? )?(?!(?:the|and|for|with|you|not|are|that)\b)[a-z]{3,8}[\s,]{1,4}){11,23}(?:\d{1,2}[.:)]? )?[a-z]{3,8})(?![\w]|[ ,]{1,2}[a-z])/diy,
    { group: 1, back: 0 },
  ),
  rule('private-key', 'xprv yprv zprv tprv', () => /[xyzt]prv[A-Za-z0-9]{95,112}/y),
  rule('private-key', 'wallet( keytoaccount(', () => /(?:wallet|keyToAccount)\(["']((?:0x)?[0-9a-f]{64})["']/diy, {
    group: 1,
    back: 0,
  }),
  rule('private-key', [') 0x'], () => /(?<=\(\d{1,2})\) (0x[0-9a-f]{64})(?![\w])/dy, { group: 1, back: 0 }),
  rule('private-key', 'nsec1', () => /nsec1[02-9ac-hj-np-z]{58}(?![a-z0-9])/y),
  rule('private-key', ['nkey seed---'], () => /NKEY SEED-----\s{1,4}(S[A-Z2-7]{57})/dy, { group: 1, back: 0 }),
  rule('private-key', ['private-mac:', 'private-hash:'], () => /Private-(?:MAC|Hash): ([0-9a-f]{40,64})/dy, {
    group: 1,
  }),
  rule(
    'private-key',
    ['id.json', 'keypair', 'solana'],
    () => /(?:id\.json|keypair|solana)[^\n[]{0,60}\n?[^\n[]{0,20}\[((?:\d{1,3},\s?){31,63}\d{1,3})\]/dy,
    { group: 1 },
  ),
  rule('code', 'code=4/0', () => /code=(4\/0[\w-]{40,256})/dy, { group: 1, back: 0 }),
  rule('code', '?code= &code=', () => /[?&]code=([\w.~%/-]{16,512})/dy, {
    group: 1,
    back: 0,
    random: true,
    entropy: 3.2,
  }),
  rule(
    'totp-seed',
    ['manually', 'authenticator', 'setup key', 'totp', '2fa', 'two-factor', "can't scan"],
    () => /[^\n]{1,100}?(?<![\w])(?=[A-Z ]{0,60}[2-7])((?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{1,4})(?![\w])/dy,
    { group: 1, back: 0 },
  ),
  // Cookies that are not in a header.
  rule(
    'cookie',
    'session= sessid= sid= .aspnetcore. _auth=',
    () =>
      /(?:session|SESSID|sid|\.AspNetCore\.[\w.]{3,60}|_auth)=(?=[\w%.+/~-]{0,40}[A-Z])(?=[\w%.+/~-]{0,40}[a-z])([\w%.+/~-]{24,4096})/dy,
    { group: 1, back: 0, random: true, entropy: 3.6 },
  ),
  rule(
    'cookie',
    ['cookies":', 'cookies" :'],
    () =>
      /cookies"[ ]{0,2}:[ ]{0,2}\[[^\]]{0,400}?"name":[ ]?"[\w.-]{0,40}(?:sid|sess|auth|token|jwt)[\w.-]{0,20}",[ ]?"value":[ ]?"([^"\n]{12,4096})"/diy,
    {
      group: 1,
      back: 0,
      random: true,
    },
  ),
  rule('signature', 'hmac=', () => /hmac=([0-9a-f]{32,128})(?![\w])/diy, { group: 1 }),
  rule(
    'password-hash',
    ':500: :501: :502: :1000: :1001: :1103: :1104:',
    () => /:\d{3,5}:([0-9a-f]{32}:[0-9a-f]{32}):/diy,
    {
      group: 1,
      back: 0,
    },
  ),
  rule('password-hash', 'ntlm', () => /NTLM[ \t]{0,10}:[ \t]{0,4}([0-9a-f]{32})(?![\w])/diy, { group: 1 }),
  rule('token', '?key= &key=', () => /[?&]key=([0-9a-f]{32}|(?=\w{0,40}\d)[\w-]{24,64})(?![\w-])/dy, {
    group: 1,
    back: 0,
    random: true,
    entropy: 3,
  }),
];
