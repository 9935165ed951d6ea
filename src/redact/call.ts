import { isHex, looksRandom } from './generated.ts';
import { isChosenLiteral, isStrong } from './nearby.ts';
import { addMask, capture, isMasked, maskOf, type Span } from './rule.ts';
import { isComplex, isPasswordLiteral, isPlaceholder, isPlainWord, isReference } from './secret-value.ts';

const CREDENTIAL_CALL =
  /(?:networkcredential|usernamepasswordcredential|httpbasicauth|basicauth|passwordauthentication|setbasicauth|auth ?= ?|addap|username_pw_set|getconnection|pdo|mysqli|mysqli_connect|pg_connect|wifi\.begin|login|signin|authenticate)\([ \t]{0,4}(?:(?:["'][^"'\n]{1,200}["']|\$?\w{1,40})[ \t]{0,4},[ \t]{0,4}){0,1}(["'])[^"'\n]{1,128}\1[ \t]{0,4},[ \t]{0,4}(["'])([^"'\n]{3,256})\2/diy;

/** Masks the password in `NetworkCredential("user", "password")`, `new PDO(dsn, 'user', 'password')` and similar calls. */
export function findCredentialCall(text: string, at: number, found: Span[]): void {
  const password = capture(CREDENTIAL_CALL, text, at, 3);
  if (!password) return;
  const { value } = password;
  if (isPlaceholder(value) || isPlainWord(value) || /\s/.test(value)) return;
  const isDefinite = /credential|auth/i.test(text.slice(at, at + 24));
  const isLikely = isDefinite && !(isReference(value) && /[._]/.test(value));
  if (isLikely || isPasswordLiteral(value) || looksRandom(value)) addMask(password, 'password', found);
}

/** Functions with the number of the argument that is a secret: a key of a cipher or signature, a password. */
const SECRET_ARGUMENTS: Readonly<Record<string, number>> = {
  createhmac: 2,
  createcipheriv: 2,
  createdecipheriv: 2,
  'hmac.new': 1,
  hash_hmac: 3,
  'aes.new': 1,
  'aes.encrypt': 2,
  'aes.decrypt': 2,
  fernet: 1,
  signer: 1,
  algoliasearch: 2,
  urlsafeserializer: 1,
  urlsafetimedserializer: 1,
  secretkeyspec: 1,
  hmacshakeyfor: 1,
  generate_password_hash: 1,
  check_password_hash: 2,
  make_password: 1,
  set_password: 1,
  'hash::make': 1,
  password_hash: 1,
  'bcrypt.hash': 1,
  'bcrypt.hashsync': 1,
  'bcrypt.hashpw': 1,
  'bcrypt.compare': 1,
  'bcrypt.comparesync': 1,
  'bcrypt.checkpw': 1,
  password_verify: 1,
  'argon2.hash': 1,
  pbkdf2_hmac: 2,
  pbkdf2sync: 1,
  scryptsync: 1,
  cookieparser: 1,
  simple_bind_s: 2,
  simple_bind: 2,
  '.auth': 2,
};
/** Keywords of {@link findSecretArgument}. */
export const CALL_KEYWORDS: readonly string[] = Object.keys(SECRET_ARGUMENTS).map((name) => `${name}(`);
const CALLED = /[\w.:]{1,40}(?=\()/y;
/** An argument on the line of its call, possibly within a conversion: `Buffer.from('…', 'hex')`. */
const ARGUMENT_ON_LINE =
  /[ \t]{0,4}(?:(?:[\w.]{1,40}\()?[bruf]{0,2}(["'])([^"'\n]{1,256})\1(?:, ?["']\w{1,12}["'])?(?:(?<=\([^()\n]{1,300})\))?|[\w.$()[\]]{1,60}?)(?:\.\w{1,20}\([\w.]{0,30}\))?[ \t]{0,4}([,)])/dy;

/** Masks the key or password that a function is given: `createHmac('sha256', '…')`. */
export function findSecretArgument(text: string, at: number, found: Span[]): void {
  CALLED.lastIndex = at;
  const name = CALLED.exec(text)?.[0].toLowerCase() ?? '';
  const number = Object.hasOwn(SECRET_ARGUMENTS, name) ? (SECRET_ARGUMENTS[name] ?? 1) : 0;
  ARGUMENT_ON_LINE.lastIndex = CALLED.lastIndex + 1;
  for (let i = 1; i <= number; i++) {
    const match = ARGUMENT_ON_LINE.exec(text);
    if (match === null || (i < number && match[3] !== ',')) return;
    const [start, end] = match.indices?.[2] ?? [0, 0];
    const value = text.slice(start, end);
    if (i < number || value.length < 6 || isMasked(text, start) || isPlaceholder(value)) continue;
    if (isPasswordLiteral(value) || looksRandom(value) || isHex(value)) addMask({ value, start, end }, 'secret', found);
  }
}

const USER_AND_PASSWORD =
  /(?:btoa|b64encode|buffer\.from|base64_encode|encodetostring)\([ \t]{0,4}b?(["'])[\w.@-]{1,64}:([^"'\n:]{4,128})\1/diy;

/** Masks the password in `btoa('user:password')`. */
export function findEncodedPair(text: string, at: number, found: Span[]): void {
  const password = capture(USER_AND_PASSWORD, text, at, 2);
  if (password && !isPlaceholder(password.value) && !isPlainWord(password.value)) addMask(password, 'password', found);
}

/** Calls that are given a user and a password. */
const LOGS_IN =
  /login|pdo|mysqli|sequelize|amqp|sign_?in|auth|cred|connect|bind|basic|smtp|imap|ftp|ssh|ldap|dial|open_?session|(?:set|create)_?(?:super)?user|usernamepassword/i;
/** Calls that are given a password or key. */
const TAKES_SECRET =
  /pass(?:word|wd|phrase)?$|pwd|secret|sensitive|crypt|cipher|hmac|(?:hash|sign|verify)_?(?:password|token)|api_?key|private_?key|jwt|sign_?with|key_set/i;
const CALLEE = /[\w.:$>-]{1,80}$/;
/** An argument, which may be on a line of its own: a literal, or code without one. */
const ARGUMENT =
  /\s{0,20}(?:[bruf]{0,2}(["'`])((?:(?!\1)[^\n\\]){0,256})\1(?:\.\w{1,20}\(\))?|[^"'`,()\n]{0,60}(?:\([^()"'`\n]{0,40}\))?[^"'`,()\n]{0,20})\s{0,20}([,)])/dy;
const MAX_ARGUMENTS = 8;

/** Masks the password or key among the arguments of a call by what its name says; `at` is within the name. */
export function findArguments(text: string, at: number, found: Span[]): void {
  const near = text.slice(at, at + 48);
  const open = /^[\w.:]*\(/.exec(near)?.[0].length;
  if (open === undefined) return;
  const callee = CALLEE.exec(text.slice(Math.max(0, at - 40), at + open - 1))?.[0] ?? '';
  const last = callee
    .split(/\.|::|->/)
    .slice(-2)
    .join('.');
  const isLogin = LOGS_IN.test(last);
  const takesSecret = TAKES_SECRET.test(last);
  if (!isLogin && !takesSecret && !/__construct$|client$|session$/i.test(last)) return;
  ARGUMENT.lastIndex = at + open;
  for (let i = 0; i < MAX_ARGUMENTS; i++) {
    const match = ARGUMENT.exec(text);
    if (match === null) return;
    const [start, end] = match.indices?.[2] ?? [0, 0];
    const isOpen = takesSecret || (isLogin && (i > 0 || (match[3] === ')' && /auth$/i.test(last))));
    const value = match[2] ?? '';
    const isLikely = isOpen ? isChosenLiteral(value) || isComplex(value) : isStrong(value);
    if (end > start && isLikely && !isMasked(text, start))
      found.push({ start, end, mask: maskOf(isLogin ? 'password' : 'secret'), isSoft: true });
    if (match[3] === ')') return;
  }
}

/** Keywords of {@link findArguments}. Names of secrets are keywords of assignments. */
export const ARGUMENT_KEYWORDS =
  '__construct( ftp.open( imap_open( hmacsha256( hmacsha1( hmac.hexdigest( client( create_user( create_superuser( createuser( login( signin( sign_in( connect( bind( basic( smtp. sensitive( encrypt( decrypt( dial( ftp( hmac( opensession( getconnection( connection( credentials::new( ->auth( sequelize( signwith( key_set_with_value(';
