import { once } from '../record/once.ts';

/**
 * How strongly a name indicates that its value is a secret.
 * - `weak` (`key`, `auth`): only long random values are secrets.
 * - `vendor` (`SOURCEGRAPH`): also identifiers in the form that vendors use for keys.
 * - `token` (`apiKey`, `access_token`): values that look generated are.
 * - `secret` (`client_secret`): all values but plain words are.
 * - `password`: all literals are.
 */
export type NameLevel = 'none' | 'weak' | 'vendor' | 'token' | 'secret' | 'password';

/** A set of words that is built on first use, because most short processes need none. */
const wordSet = (words: string): Pick<ReadonlySet<string>, 'has'> => {
  const set = once(() => new Set(words.split(' ')));
  return { has: (word) => set().has(word) };
};

const PASSWORD = wordSet(
  'password passwd passphrase passcode passwort pwd pw passw userpwd rootpw bindpw mnemonic psk wpapsk requirepass ' +
    'masterauth authtok kennwort contrasena senha wachtwoord passord salasana heslo parola sifre haslo jelszo losenord ' +
    'adgangskode mdp motdepasse lozinka passordet adgangskoden parool geslo contrasenya pasahitza contrasinal wagwoord cyfrinair pasvorto ' +
    'slaptazodis lykilord parol pasfhocal nenosiri kodeord codeword pswd passwrd psswd pwrd',
);
const SECRET = wordSet(
  'geheimnis passwords pwds secret secrets clientsecret appsecret apisecret secretkey secretaccesskey sharedsecret clave passwordsalt',
);
const TOKEN = wordSet(
  'token apitoken authtoken accesstoken refreshtoken idtoken bearertoken sessiontoken usertoken bottoken deploytoken ' +
    'credential credentials cred creds apikey apikeys accesskey authkey privatekey privkey signingkey encryptionkey ' +
    'masterkey accountkey sharedaccesskey sharedkey licensekey hmackey jwtkey sessionkey servicekey passkey sshkey ' +
    'jeton macaroon samlresponse totp otp storagekey appkey clientkey serverkey jwt sas apipassword authorization keydata skey webhooktoken zugangsdaten identifiants chiave chave pepper wif seed',
);
const WEAK = wordSet(
  'key auth authentication access salt signature sig bearer oauth hmac license licence serial dsn ticket',
);

/** Words before `key` that make it a credential. */
const WORD_BEFORE_KEY = wordSet(
  'api access secret private priv auth encryption encrypt crypto cipher aes hmac rsa jwt signing sign signature master ' +
    'account service license deploy deployment admin root client consumer app application server security session shared ' +
    'storage subscription function host ingest write live prod production webhook ssh tls ssl recovery unlock ' +
    'signer wallet user developer vault sas unseal validation decryption preshared cookie machine network integration crypt fernet ' +
    'wrapping data backup restic borg sealing transit symmetric node join cluster team routing spend workspace project partner',
);
/** Words before `tokens` that make them credentials rather than pieces of text. */
const WORD_BEFORE_TOKENS = wordSet(
  'api access auth bearer refresh session bot deploy service webhook admin device push user static bootstrap csrf',
);
/** Words before `phrase` that make it a secret. */
const WORD_BEFORE_PHRASE = wordSet('pass seed recovery backup mnemonic secret wallet');
/** What single sign-on exchanges for a token. */
const CODES = wordSet('device_code code_verifier saml_response saml_request');
/** Words after `password` that make it a hash, which is a secret if it looks generated. */
const HASHED = wordSet('hash digest hashed');
/** Words before `pat` that make it a personal access token rather than a pattern. */
const WORD_BEFORE_PAT = wordSet(
  'github gitlab gh gl git azure ado devops ext bitbucket jira snowflake personal access api bot release publish',
);
/** Words before `key` or `token` that make it something else. */
const HARMLESS_BEFORE = wordSet(
  'public pub publishable site primary foreign sort partition hash range composite cache map object dict row i18n ' +
    'translation locale message query bucket local react item list node tree group route registry hot shortcut arrow enter ' +
    'idempotency dedupe natural unique index sequence schema config setting property metric event feature flag lookup ' +
    'search shard error label image css style design page next continuation continue sync cancel cancellation ' +
    'abort lexer parser syntax stop start end prev previous current max min total num count input output prompt completion ' +
    'context cached reasoning thinking estimated used remaining first last each every per issuer subject ski aki host_id ' +
    'known trusted authorized request change lock forward backward starting pagination idempotent modifier meta ctrl alt shift escape delete backspace function_call tab home socket',
);
/** Words before `password` that make the name an action, message or state. */
const ACTION_BEFORE = wordSet(
  'reset forgot forgotten change changed update updated show hide toggle is has no not on handle validate check verify ' +
    'require requires enable use uses with without invalid wrong incorrect missing weak empty expired bad ask prompt need ' +
    'needs min max generate get set create remove clear can should must allow disable if when',
);
/** Words after a name that make it a property of a secret. */
const PROPERTY_AFTER = wordSet(
  'id ids name names type types url uri urls uris path paths file files filename dir length len size count counts limit ' +
    'limits ttl expiry expires expire expired expiration expiresin expiresat age lifetime endpoint endpoints field fields ' +
    'label labels placeholder policy policies regex regexp pattern format prefix suffix index ref refs arn version ' +
    'algorithm alg algo provider providers source location enabled required mode usage usages budget param params header ' +
    'headers class error errors message messages hint help text title description desc manager store storage service kind ' +
    'scope scopes issuer audience method methods strategy status state valid validity invalid check checker checks ' +
    'strength rule rules validator validation input output prompt callback handler getter provided exists set present ' +
    'visible visibility hashing rounds cost iterations attempts retries reset changed change update updated ' +
    'created at by in on for is has request requests response responses page link button form view screen dialog modal ' +
    'factory builder helper util utils test tests spec schema list map table column row ring chain board word words code ' +
    'codes press down up event events frame frames pair pairs stroke alias vault group groups server client host port ' +
    'user username email domain realm authority audience per window used left remaining total cap estimate estimator ize ' +
    'izer ized ization s es config configuration namespace stores and hash hashes digest fingerprint checksum idx num no count_ template template_id env var variable',
);
/** Words after a name that do not change its meaning. */
const NEUTRAL_AFTER = wordSet(
  'base value val str string b64 base64 hex raw plain plaintext default dev development prod production test testing staging ' +
    'confirmation confirm again repeat stage sandbox live old new current previous prev main primary secondary backup data content contents literal',
);
/** Vendors whose keys are often assigned to a name without another hint. */
const VENDORS = wordSet(
  'adafruit adobe airtable algolia alibaba aliyun amplitude asana assemblyai atlassian confluence jira auth0 beamer ' +
    'bitbucket bitly bittrex clickhouse cloudflare cloudinary codecov cohere coinbase confluent contentful coveralls ' +
    'datadog deepgram deepseek digitalocean discord disqus dockerhub doppler droneci dropbox dynatrace elevenlabs etsy ' +
    'facebook fastly figma finicity finnhub firebase flickr flutterwave freshbooks gitea gocardless grafana ' +
    'greptile groq gumroad heroku honeycomb hubspot huggingface infomaniak intercom ipinfo jfrog artifactory ' +
    'jumpcloud kagi klaviyo kraken kucoin launchdarkly linkedin mailchimp mailchimpe mailgun mailjet mapbox ' +
    'mattermost maxmind meraki messagebird mistral mixpanel moonshot netlify newrelic ngrok nytimes okta openai openrouter ' +
    'openweather opsgenie pagerduty paypal perplexity pinecone plaid planetscale postmark privateai rapidapi ' +
    'razorpay rollbar salesforce scaleway scw sendbird sendgrid sendinblue sentry shodan shopify snyk sonar sonarqube ' +
    'sourcegraph splunk spotify squarespace statuspage stripe sumologic sumo supabase tavily telegram trello travis ' +
    'travisci twilio twitch twitter typeform upstage vercel virustotal vonage nexmo wakatime yandex zendesk',
);

/** Those whose keys have no format of their own, so that only the name leads to the value. */
const VENDOR_KEYWORDS =
  'adafruit adobe airtable algolia alibaba asana atlassian jira confluence beamer bitbucket bitly codecov cohere coinbase ' +
  'confluent contentful datadog deepgram discord dropbox etsy facebook fastly finicity finnhub flickr freshbooks heroku honeycomb ' +
  'hubspot jfrog artifactory kraken kucoin launchdarkly linkedin mailchimp mattermost meraki messagebird netlify newrelic ' +
  'nytimes okta plaid postmark rapidapi sendbird snyk sonar sourcegraph splunk squarespace sumologic sumo telegram travis ' +
  'trello twilio twitch twitter yandex zendesk scaleway';
/** Words that may be next to the vendor in such a name. */
const VENDOR_REST = wordSet(
  'x art api team io login client access accessid clientid prod production dev test live sdk process env os environ',
);

/** Keywords of the rule for assignments: every name that {@link nameLevel} recognises contains one. */
export const NAME_KEYWORDS: string =
  'device_code code_verifier codeverifier samlresponse jeton macaroon _phrase p12_ _p12 pfx_ _pfx kubeconfig pass pwd _pw totp _otp otp_ otp: otp= vault_ bindpw psswd pswd mnemonic secret token cred key auth access salt jwt signature sig= _pat psk pw: pw= "pw ' +
  'pepper wif= wif: jelszo losenord haslo sifre sandi kennwort contrasena senha wachtwoord salasana heslo parola adgangskode geheimnis mdp clave zugangsdaten identifiants chiave chave _session= cookie= seed= seed: lozinka parool geslo contrasenya pasahitza contrasinal wagwoord cyfrinair pasvorto slaptazodis lykilord pasfhocal nenosiri ' +
  VENDOR_KEYWORDS;

/** Names that are not judged by their words: `pass` may be a verb, and some are files in Base64. */
const FIXED_LEVELS: readonly (readonly [RegExp, NameLevel])[] = [
  [/(?:^|[.]|^--)pass$/i, 'secret'],
  [/(?:^|_)(?:P12|PFX|JKS|KEYSTORE|KUBECONFIG)(?:_(?:DATA|CONTENTS?|BASE64|B64))?$/, 'weak'],
];

const cachedLevels = new Map<string, NameLevel>();
const MAX_CACHED = 2000;

/** The level of a name in any spelling: `DB_PASSWORD`, `dbPassword`, `spring.datasource.password`, `x-api-key`. */
export function nameLevel(name: string): NameLevel {
  const cached = cachedLevels.get(name);
  if (cached !== undefined) return cached;
  if (cachedLevels.size >= MAX_CACHED) cachedLevels.clear();
  const level =
    FIXED_LEVELS.find(([pattern]) => pattern.test(name))?.[1] ?? judgeWords(splitName(name), /^[^a-z]*$/.test(name));
  cachedLevels.set(name, level);
  return level;
}

/** Unlike other identifiers, names are split at every border: `dbPw` is a password. */
function splitName(name: string): readonly string[] {
  const found =
    name
      .replace(/^-D(?=\w)/, '')
      .replace(/message[_-]?bird|new[_-]?relic|linked[_-]?in|private[_-]?ai|sumo[_-]?logic|jfrog/i, joinVendor)
      .match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return found.map((word) => word.toLowerCase()).filter((word) => !/^\d+$/.test(word));
}

function joinVendor(vendor: string): string {
  return `${vendor.replace(/[_-]/, '').toLowerCase()}_`;
}

function judgeWords(parts: readonly string[], isUpperCase: boolean): NameLevel {
  if (isVendorName(parts)) return 'vendor';
  // Half of a pair of credentials.
  if (parts.at(-1) === 'id' && (parts.at(-2) === 'secret' || parts.slice(-3).join() === 'access,key,id'))
    return 'token';
  if (parts[0] === 'vault' && parts.length > 2 && parts.slice(1).every((part) => !PROPERTY_AFTER.has(part)))
    return 'token';
  if (/(?:^|,)pre,?shared,key$/.test(parts.join())) return 'password';
  for (let i = parts.length - 1; i >= 0; i--) {
    const level = wordLevel(parts, i, isUpperCase);
    if (level === 'none') continue;
    const after = parts.slice(i + 1);
    if (level === 'password' && after.length === 1 && HASHED.has(after[0] ?? '')) return 'token';
    if (after.some((word) => PROPERTY_AFTER.has(word) && !NEUTRAL_AFTER.has(word))) return 'none';
    if (after.every((word) => NEUTRAL_AFTER.has(word))) return parts.includes('secret') ? raise(level) : level;
    return isUpperCase ? level : lower(level);
  }
  return 'none';
}

function isVendorName(parts: readonly string[]): boolean {
  if (!parts.some((part) => VENDORS.has(part))) return false;
  return parts.every(
    (part, i) => VENDORS.has(part) || VENDOR_REST.has(part) || (part === 'id' && CLIENTS.includes(parts[i - 1] ?? '')),
  );
}

const CLIENTS = ['client', 'access', 'accessid', 'consumer'];

function wordLevel(parts: readonly string[], at: number, isUpperCase: boolean): NameLevel {
  const word = parts[at] ?? '';
  const before = parts[at - 1];
  const isLast = at === parts.length - 1;
  if (PASSWORD.has(word) || isPasswordCompound(word) || (isLast && isPass(word, before))) {
    return before !== undefined && ACTION_BEFORE.has(before) ? 'none' : 'password';
  }
  if (SECRET.has(word) || word.endsWith('secret') || word.endsWith('secrets')) return 'secret';
  if (TOKEN.has(word) || word.endsWith('token') || isKeyCompound(word)) {
    return (isHarmless(before) && before !== 'config' && !word.startsWith('cred') && parts[0] !== 'x') ||
      parts.includes('public')
      ? 'none'
      : 'token';
  }
  if (word === 'tokens' && !(before !== undefined && WORD_BEFORE_TOKENS.has(before)))
    return isHarmless(before) ? 'none' : 'weak';
  if (word === 'tokens') return 'token';
  if (word === 'phrase') return WORD_BEFORE_PHRASE.has(before ?? '') ? 'password' : 'none';
  if (CODES.has(`${before}_${word}`)) return 'token';
  if (word === 'passe') return before === 'de' ? 'password' : 'none';
  if (word === 'pat' && at === 0) return isLast ? 'weak' : 'none';
  if (word === 'pat') return WORD_BEFORE_PAT.has(before ?? '') || (isUpperCase && isLast) ? 'token' : 'none';
  if (word === 'key' || word === 'keys') return keyLevel(parts, at, isUpperCase);
  if (word === 'salt' && parts.includes('password')) return 'secret';
  if (word === 'signature' && (parts.includes('amz') || parts.includes('goog'))) return 'token';
  if (isUpperCase && isLast && (word === 'session' || word === 'cookie')) return word === 'cookie' ? 'token' : 'weak';
  return WEAK.has(word) ? 'weak' : 'none';
}

/** Words that are written together with `pass`, at the end of a compound: `dbpass`, `srcstorepass`. */
const BEFORE_PASS =
  /(?:db|database|user|my|root|admin|sql|pg|remote|local|app|web|wp|enable|monitor|replica|backup|postgres|mongo|redis|ftp|smtp|imap|pop3?|mail|key|store|trust|https?|proxy|auth|ssh|ldap|bind|login|client|server|account|acct|service|svc|cert|p12|pfx|zip|vault|wallet|sudo|become|rpc|api|mq|rabbit|git|svn|vpn|wifi|wpa|smb|domain|old|new|temp|default|master)pass$/;

function isPass(word: string, before: string | undefined): boolean {
  return word === 'pass' ? before !== undefined : word.endsWith('pass') && BEFORE_PASS.test(word);
}

/** Compounds in lower case that end with a word for secrets: `encryptionkey`, `vaultpassphrase`. */
const PASSWORD_COMPOUND =
  /(?:password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord)$|(?:db|sa|user|root|admin|my|new|old|ftp|ldap|ssh|bind|store)_?(?:pwd|pw)$/;
const KEY_COMPOUND =
  /(?:api|access|secret|private|priv|auth|encryption|encrypt|decryption|signing|session|master|licen[sc]e|account|shared|storage|service|app|client|server|hmac|jwt|aes|deploy|cookie|webhook|admin|integration|subscription|crypto|cipher|wrapping|unseal)keys?$/;

function isPasswordCompound(word: string): boolean {
  const end = word.slice(-3);
  return (
    (end === 'ord' ||
      end === 'pwd' ||
      end === 'swd' ||
      end === 'ase' ||
      end === 'ode' ||
      end === 'ort' ||
      word.endsWith('pw')) &&
    PASSWORD_COMPOUND.test(word)
  );
}

function isKeyCompound(word: string): boolean {
  return word.length > 4 && (word.endsWith('key') || word.endsWith('keys')) && KEY_COMPOUND.test(word);
}

function keyLevel(parts: readonly string[], at: number, isUpperCase: boolean): NameLevel {
  const before = parts[at - 1];
  const isList = parts[at] === 'keys';
  if (isList && !(before !== undefined && (isUpperCase || before === 'api') && WORD_BEFORE_KEY.has(before)))
    return before === undefined ? 'weak' : 'none';
  if (before === undefined) return 'weak';
  if (isHarmless(before)) return 'none';
  if (WORD_BEFORE_KEY.has(before) || isUpperCase || parts.some((part) => VENDORS.has(part))) return 'token';
  return 'weak';
}

/** Whether a word before a name makes it harmless, as in `public key` or `next page token`. */
function isHarmless(word: string | undefined): boolean {
  return word !== undefined && HARMLESS_BEFORE.has(word);
}

/** Raises the level of names with the word secret, such as `secret_key`. */
function raise(level: NameLevel): NameLevel {
  return level === 'weak' || level === 'token' ? 'secret' : level;
}

function lower(level: NameLevel): NameLevel {
  if (level === 'password') return 'secret';
  if (level === 'secret') return 'token';
  return level === 'token' ? 'weak' : 'none';
}

/** What precedes the last word of a phrase that means password. */
const FOREIGN_PHRASE = /(?:mot de|kata) $/i;
const MAX_WORD_BEFORE = 15;

/** The level of a name with the word before it: `public key`, `next page token`, `API key`, `db pass`. */
export function levelInPhrase(text: string, start: number, name: string): NameLevel {
  const level = nameLevel(name);
  if (text[start - 1] !== ' ' || name.startsWith('-')) return level;
  if (/^(?:passe|sandi)$/i.test(name))
    return FOREIGN_PHRASE.test(text.slice(Math.max(0, start - 7), start)) ? 'password' : 'none';
  const word = wordBefore(text, start - 1);
  if (word === '') return level;
  if (level !== 'password' && level !== 'secret' && isHarmless(word.toLowerCase())) return 'none';
  const isOpen = /^(?:keys?|tokens)$/i.test(name) || (/^pass$/i.test(name) && OWNER.test(word));
  return isOpen ? strongerOf(level, nameLevel(`${word.toLowerCase()}_${name}`)) : level;
}

/** The letters right before a position, at most {@link MAX_WORD_BEFORE}. */
function wordBefore(text: string, end: number): string {
  let start = end;
  while (end - start < MAX_WORD_BEFORE && isLetter(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end);
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

/** Words that make `pass` a password and not a verb. */
const OWNER = /^(?:db|database|user|my|root|admin|mysql|pg|postgres|ftp|smtp|mail|redis|ssh|wifi|sudo|login)$/i;

const LEVELS: readonly NameLevel[] = ['none', 'weak', 'vendor', 'token', 'secret', 'password'];

function strongerOf(one: NameLevel, other: NameLevel): NameLevel {
  return LEVELS.indexOf(one) < LEVELS.indexOf(other) ? other : one;
}

const DIRECTIVE = /(?:^|\n)[ \t]*(?:(?:ENV|ARG|SetEnv|setenv|export|set -\w+|fastcgi_param|user \S{1,40})[ \t]+)?$/i;

/** Whether a name is the first word of its line, or the first behind a keyword that declares it. */
export function startsLine(text: string, start: number): boolean {
  const from = Math.max(0, start - 60);
  return DIRECTIVE.test(`${from === 0 ? '\n' : ''}${text.slice(from, start)}`);
}

const LABEL_WORDS = /(?:^|\n)[-*>#\s]{0,8}(?:[A-Za-z\u00c0-\u04ff'’]{1,15} ){0,4}$/;

/** Whether it is a parameter of a URL or form: an ampersand or question mark is before the name or behind the value. */
export function isParameter(text: string, start: number, end: number): boolean {
  return (
    /[?&]$|&amp;$/.test(text.slice(Math.max(0, start - 5), start)) ||
    /^&(?:amp;)?\w{1,40}=/.test(text.slice(end, end + 50))
  );
}

const ACCOUNT_LINE =
  /(?:^|\n)[ \t-]{0,20}(?:user(?:name)?|login|host(?:name)?|server|database|account|e?mail|port)[ \t]{0,4}:[^\n]{1,80}$/;
const ACCOUNT_BELOW =
  /^[^\n]{0,8}\n[ \t]{0,20}(?:user(?:name)?|login|host(?:name)?|server|database|account|e?mail|port)[ \t]{0,4}:[^\n,;{(]{1,80}(?:\n|$)/;

/** Whether the line above or below is the user or server of the same account. Lines of code end with a comma or bracket. */
export function isAmongAccount(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 160), start).replace(/\n[ \t-]{0,20}$/, '');
  if (/[,;{(]$/.test(before) || /^\s{0,40}[})\]]/.test(text.slice(end, end + 48))) return false;
  return ACCOUNT_LINE.test(before) || ACCOUNT_BELOW.test(text.slice(end, end + 120));
}

/** Whether only a few words precede a name on its line: `Clave de acceso: …`. */
export function isLabel(text: string, start: number): boolean {
  const from = Math.max(0, start - 60);
  return LABEL_WORDS.test(`${from === 0 ? '\n' : ''}${text.slice(from, start)}`);
}

/**
 * Whether name and value are a word of a command or log, a text in quotes, or in the braces or brackets of a printed
 * object: `set password=value`, `-var 'password=value'`, `{password=value, user=bob}`. In parentheses they may be code.
 */
export function isPrinted(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  if (!/(?:^|[\s'"{[])[\w.-]{0,40}$/.test(before) || !/^(?:[\s'"}\]]|, [\w.]+=|$)/.test(text.slice(end, end + 40)))
    return false;
  const isListed = /, ?$/.test(before) || text[end] === ',';
  return !isListed || before.lastIndexOf('(') < Math.max(before.lastIndexOf('{'), before.lastIndexOf('['));
}
