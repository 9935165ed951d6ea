import { once } from '../record/once.ts';
import {
  entropy,
  isBase32,
  isCamelCase,
  isEscapedBytes,
  isHex,
  isInterleaved,
  isPaddedBase64,
  isProductKey,
  isScrambled,
  isTokenLike,
  isUuid,
  looksRandom,
  wordShare,
} from './generated.ts';
import type { NameLevel } from './name.ts';

/** How an assignment is written, as far as it matters for judging its value. */
export interface AssignmentSyntax {
  /** The name is written like an environment variable. */
  readonly isUpperCase: boolean;
  /** `name=value`, as in shells, .env files and query strings, seldom in code. */
  readonly isTight: boolean;
  /** An argument or a sentence, which is weak evidence of an assignment. */
  readonly isProse: boolean;
  readonly isQuoted: boolean;
  /** The value is the rest of its line. */
  readonly endsLine: boolean;
  /** Name and value are a whole line, as in settings files. */
  readonly isLine?: boolean;
  /** The settings around it are those of an account or server. */
  readonly isAccount?: boolean;
  /** In a sentence or a list of arguments, the value is the word right behind its name. */
  readonly isNext?: boolean;
  /** Where no code can be: options of a command, parameters of a URL, cells, elements. */
  readonly isLiteral: boolean;
}

/** The syntax of a value in a data structure such as JSON. */
export const DATA_SYNTAX: AssignmentSyntax = {
  isUpperCase: false,
  isTight: false,
  isProse: false,
  isQuoted: true,
  endsLine: false,
  isLiteral: false,
};

/** Whether a value that is assigned to a name of a level is a secret, and not a word, reference or placeholder. */
export function isSecret(level: NameLevel, value: string, syntax: AssignmentSyntax): boolean {
  if (level !== 'none' && level !== 'weak' && isEscapedBytes(value)) return true;
  if (value.length < 4 || isRuledOut(level, value, syntax) || isPlainWord(value) || isPlaceholder(value)) return false;
  if (syntax.isQuoted && isGibberish(value)) return true;
  if (isGrouped(value)) return level !== 'weak' && level !== 'none';
  if (/\s/.test(value)) return (level === 'password' || level === 'secret') && isPassphrase(value, level, syntax);
  if (!syntax.isQuoted && /^[*&-]|^[A-Za-z_.-]+=$/.test(value)) return false;
  if (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(value)) return false; // The name of a constant or variable.
  if (/^(?:[a-z_]+(?::[\w,]+)?\|)+[a-z_]+(?::[\w,]+)?$/.test(value)) return false; // The rules of a form field.
  if (level !== 'password' && level !== 'secret' && /[\\()<>[\]{}^*]|=[^=]/.test(value) && !isComplex(value))
    return false;
  if (/^[+,.;)\]}]/.test(value) && !isTokenLike(value)) return false;
  if (isStructured(value) && !(level === 'password' && /^\d{4,}$/.test(value))) return false;
  switch (level) {
    case 'password':
      return isPassword(value, syntax);
    case 'secret':
      return (
        isLiteralToken(value, syntax) ||
        isSharedSecret(value, syntax) ||
        isChosen(value, syntax) ||
        isComplex(value) ||
        (!syntax.isProse && isMadeUp(value, syntax) && !RESOURCE.test(value))
      );
    case 'token':
      return (
        isLiteralToken(value, syntax) || (isChosen(value, syntax) && (isAssigned(syntax) || isSetting(value, syntax)))
      );
    case 'vendor':
      return value.length >= 14 && isLiteralToken(value, syntax);
    case 'weak':
      return (
        (looksRandom(value, true) || isBase32(value) || isProductKey(value)) &&
        isLiteralToken(value, syntax) &&
        !isPublic(value)
      );
    case 'none':
      return false;
  }
}

/** Whether length and characters alone rule out a secret, as for most values. */
function isRuledOut(level: NameLevel, value: string, { isQuoted, isTight, endsLine }: AssignmentSyntax): boolean {
  if (level === 'password') return !isQuoted && !isTight && !endsLine && /^[a-z]+$/.test(value);
  if (level === 'secret') return value.length < 6;
  if (value.length < 8) return true;
  return !/\d/.test(value) && (level === 'weak' || (value.length < 16 && !/[A-Z]/.test(value)));
}

function isLiteralToken(value: string, syntax: AssignmentSyntax): boolean {
  if (!isTokenLike(value)) return false;
  if (syntax.isProse) return value.length >= 8 && (wordShare(value) <= 0.25 || isPaddedBase64(value));
  return syntax.isQuoted || !isReference(value);
}

/** Whether it may be a digest, identifier or public key, which weak names often have. */
function isPublic(value: string): boolean {
  return isUuid(value) || isHex(value) || /[0-9a-f]{32}/i.test(value) || /^M(?:Fkw|II[BCD]I)/.test(value);
}

/** A long text of all kinds of characters, as generators of salts and keys write it. */
function isGibberish(value: string): boolean {
  if (value.length < 32 || value.length > 128 || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const signs = value.match(/[^\w\s./:-]/g)?.length ?? 0;
  return (
    signs >= 4 &&
    /\d/.test(value) &&
    entropy(value) >= 4.3 &&
    wordShare(value) <= (signs < 8 ? 0.2 : 0.5) &&
    !/[a-z]{3,}\(|=>|\$\{/.test(value)
  );
}

/** A key in groups of four, as it is shown for copying by hand: `EsT6 qPF7 qamn …`. */
function isGrouped(value: string): boolean {
  return /^[A-Za-z\d]{4}(?: [A-Za-z\d]{4}){3,15}$/.test(value) && looksRandom(value.replaceAll(' ', ''));
}

/** Several words that make no sentence or label, as in the passphrases of wallets and key files. */
function isPassphrase(value: string, level: NameLevel, { isQuoted, isTight }: AssignmentSyntax): boolean {
  if (isQuoted && isTight && /^[a-z]*\d[a-z\d]*(?: [a-z\d]+){1,6}$/.test(value)) return true;
  if (/\b(?:the|your|is|for|must|be|to|enter|of|not|and|or|a|an|in|on|with|no)\b/i.test(value)) return false;
  if (ABOUT_SECRETS.test(value)) return false;
  if (level === 'secret') return /^[a-z]{3,8}(?: [a-z]{3,8}){2,7}$/.test(value);
  if (!/^\p{Ll}[\p{L}\d]{2,}(?: [\p{L}\d]+){1,23}$/u.test(value)) return false;
  const words = value.split(' ').length;
  return words >= 4 || (isQuoted && (words === 3 || (isTight && /\d$/.test(value))));
}

/** Whether the value is written as in a settings file, shell or call, and not as in a sentence. */
function isAssigned({ isUpperCase, isTight, isQuoted, isLiteral }: AssignmentSyntax): boolean {
  return isLiteral || isQuoted || (isUpperCase && isTight);
}

/** Whether the rest of a line is no variable: it has a sign that code would not have there. */
function isSetting(value: string, { endsLine, isProse }: AssignmentSyntax): boolean {
  return endsLine && !isProse && !/^[\w$.]+$/.test(value);
}

const ALGORITHM =
  /^(?:hmac|pbkdf|(?:non-)?pkcs|rfc|argon|scrypt|bcrypt|sha|hs|rs|es|ps|md|aes|rsa|ed|ecdsa|utf|iso|base|[px](?=\d{3})|tls|ssl|http|oauth|ipv|win|cp)[-#]?\d(?!\w{0,8}[!#$%^&*~@])/i;

/** Whether a value is the name of an algorithm, protocol or encoding with a number. */
export function isAlgorithm(value: string): boolean {
  return ALGORITHM.test(value);
}

/**
 * Whether a value looks like a password that somebody chose: words with a number (`topsecret42`, `Castle_Purple_68`) or a
 * sign, or a phrase of hyphenated words.
 */
export function isChosen(
  value: string,
  { isQuoted, isProse }: Pick<AssignmentSyntax, 'isQuoted' | 'isProse'>,
): boolean {
  if (value.length < 6 || ALGORITHM.test(value) || isSelector(value)) return false;
  if (/^[a-z]{3,}(?:-[a-z]{3,}){3,}$/.test(value)) return (isQuoted || !isProse) && !ABOUT_SECRETS.test(value);
  if (value.length >= 10 && isScrambled(value)) return true;
  if (!/[A-Za-z]{3}|[a-z]\d{1,2}[a-z]/.test(value)) return false;
  if (/\d[!?*#$%^&+=~@]{1,3}$|\d[A-Za-z]{0,12}[!#$%^*~]$|[A-Za-z\d][!#$%^*~][A-Za-z\d]|[a-z]{3}&[a-z]{3}/.test(value))
    return true;
  if (!/(?:^|\D)\d{2,6}[!?*#$%^&+=~]?$/.test(value)) return false;
  // Names of variables end with one digit, or are written in one case with separators: `user_id_12`, `test-host-01`.
  return (
    !/[-_]/.test(value) || /^[A-Z][a-z]+(?:_[A-Z][a-z]+)*_\d+$/.test(value) || (isQuoted && !ABOUT_SECRETS.test(value))
  );
}

/** Words with a number that are no passwords. */
const NUMBERED_WORDS =
  'python node java php ruby perl rust windows win ubuntu debian fedora centos macos ios android version rfc ' +
  'iso issue ticket step line port chapter page section figure table cve pr build release sprint phase level ' +
  'part test user host server worker item log iphone web jan feb mar apr may jun jul aug sep oct nov dec ' +
  'january february march april june july august september october november december spring angular vue react ' +
  'bootstrap postgres mysql redis gpt claude gemini llama opus sonnet room floor error code status case option ' +
  'example column row field varchar char text string int uint float param arg value result group cluster ' +
  'instance replica shard pod zone env volume disk';
const NUMBERED = new RegExp(`^(?:${NUMBERED_WORDS.replaceAll(' ', '|')})[-_]?\\d`, 'i');
const REGION = /^(?:us|eu|ap|sa|ca|me|af|il)-[a-z]+-\d/;
/** Endings of the names of resources that hold secrets: `web-tls-1`. */
const RESOURCE = /-(?:tls|certs?|conf|config|store|ref|registry|app|db|svc|service|prod|dev|staging|v)(?:-|\d|$)/;

/** Whether a word with a number is a version, product or item rather than a password: `ubuntu22`, `step-3`. */
export function isNumbered(value: string): boolean {
  return NUMBERED.test(value) || REGION.test(value);
}

/**
 * Whether a value is made of words and a number, with a hyphen: `pelican-lamp-4`. No variable is called that. Where a
 * value must be a literal, the hyphen is not needed: `pelicanLamp4`, `pelican_lamp4`.
 */
export function isMadeUp(
  value: string,
  { isQuoted, isProse, isTight, isUpperCase, isLine = false, isNext = false, isLiteral }: AssignmentSyntax,
): boolean {
  if (value.length < 8 || !/^[A-Za-z\d\u00c0-\u04ff]+(?:[-_.+&!][A-Za-z\d\u00c0-\u04ff]+)*$/.test(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z\u00c0-\u04ff]{3}/.test(value) || ALGORITHM.test(value) || isNumbered(value))
    return false;
  const isCamel = /[a-z][A-Z]/.test(value);
  if (ABOUT_SECRETS.test(value) && !(isQuoted && !isProse && isCamel)) return false;
  if (value.includes('-')) return true;
  if (isNext && (isCamel || /\d[a-z]{2}/.test(value))) return true;
  if (isProse || !/[_+&!]|[a-z][A-Z]|\d\p{L}/u.test(value)) return false;
  return isQuoted || isLine || isLiteral || (isUpperCase && isTight);
}

/** Whether a literal is a password that somebody made up or a generator wrote. */
export function isPasswordLiteral(value: string): boolean {
  return isChosen(value, DATA_SYNTAX) || isMadeUp(value, DATA_SYNTAX) || isComplex(value);
}

/** Operators, calls and quotes, which code has and the passwords that generators write seldom do. */
const CODE_SIGNS = /["'`\\(){}[\]<>,;|/]|[=!+*%-]=|&&|\+\+|^(?:[a-z_]{3,}|[A-Z_]{3,})=|%[sd]|@\d+\.\d/;

/** Whether a value has letters, digits and signs without an order, as generated passwords: `xK9#mQ2v$p`, `p-_fx*HgB`. */
export function isComplex(value: string): boolean {
  if (value.length < 8 || value.length > 64 || !/^[\x21-\x7e]+$/.test(value) || CODE_SIGNS.test(value)) return false;
  const signs = value.match(/[!#$%^&*~@+=?]/g)?.length ?? 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  if (signs + kinds < 4 || kinds < 2 || signs === 0 || (signs < 3 && /^[#$@&*+=?]/.test(value))) return false;
  return (
    wordShare(value) <= (signs < 3 ? 0.35 : 0.6) &&
    !ALGORITHM.test(value) &&
    !/^[A-Za-z]{1,5}(?:\W[A-Za-z]{1,5})+$/.test(value)
  );
}

/** Words in names of variables that refer to secrets. */
const ABOUT_SECRETS =
  /pass|pwd|secret|token|user|login|auth|cred|field|input|label|(?<![a-z])key|reset|forgot|config|(?<![a-z])env/i;

/** Whether a value contains a word for secrets, as names of variables and fields do. */
export function isAboutSecrets(value: string): boolean {
  return ABOUT_SECRETS.test(value);
}

function isPassword(value: string, syntax: AssignmentSyntax): boolean {
  if (isLiteralToken(value, syntax) || isChosen(value, syntax) || isMadeUp(value, syntax) || isComplex(value))
    return true;
  if (syntax.isProse && /^[a-z]{10,}\d$/.test(value)) return true;
  if (syntax.isProse) return !isReference(value) && !isSelector(value) && isUnlikelyWord(value);
  if (/^[A-Za-z]+$/.test(value)) return isWordPassword(value, syntax);
  if (/^[A-Za-z_$.:-]+$/.test(value)) return isCompoundPassword(value, syntax);
  if (syntax.isQuoted) return !isSelector(value) && /[\x21-\x7e]/.test(value);
  if (isReference(value) && (/[_.$]|[a-z][A-Z]/.test(value) || ABOUT_SECRETS.test(value))) return false;
  return /[A-Za-z\d]/.test(value) && !/\\[swdb]|\.\*|\[\^/.test(value);
}

/** Whether it is not just a word or name in a sentence or a list of arguments. */
function isUnlikelyWord(value: string): boolean {
  return /\d/.test(value)
    ? wordShare(value) < 0.5 || /[!@#$%^&*]/.test(value)
    : /[A-Za-z][!#$%^&*][A-Za-z]/.test(value);
}

/** Only letters: in code a variable or label, in a shell or a settings file a password. */
function isWordPassword(value: string, syntax: AssignmentSyntax): boolean {
  if (syntax.isQuoted) return value.length >= 6 && !/^[A-Z][a-z]+$/.test(value) && !ABOUT_SECRETS.test(value);
  if (syntax.isTight && syntax.isLiteral) return value.length >= 5 && !ABOUT_SECRETS.test(value);
  if (/[A-Z]/.test(value) && !/[A-Z].*[a-z].*[A-Z]/.test(value)) return false;
  if (/[a-z][A-Z]/.test(value)) return isUnlikelyName(value) && (syntax.isTight || syntax.endsLine);
  if (syntax.isAccount === true) return value.length >= 5;
  return syntax.isUpperCase ? syntax.isTight || syntax.endsLine : syntax.isTight && syntax.endsLine;
}

function isUnlikelyName(value: string): boolean {
  return value.length >= 8 && wordShare(value) < 0.4;
}

function isCompoundPassword(value: string, syntax: AssignmentSyntax): boolean {
  if (/^[A-Z_]+$/.test(value) || ABOUT_SECRETS.test(value) || /[.:$]/.test(value)) {
    return syntax.isQuoted && isUnlikelyName(value);
  }
  if (syntax.isQuoted) return value.length >= 6;
  return syntax.isLiteral || (syntax.isTight && (syntax.isUpperCase || /^[a-z]{3,}(?:-[a-z]{3,})+$/.test(value)));
}

/** A CSS selector: `#password`, `.login-form`. */
function isSelector(value: string): boolean {
  return /^[#.][A-Za-z][\w-]*$/.test(value) && wordShare(value) > 0.6;
}

function isSharedSecret(value: string, syntax: AssignmentSyntax): boolean {
  if (value.length < 6 || syntax.isProse) return false;
  const hasDigit = /\d/.test(value);
  if (syntax.isUpperCase && (syntax.isTight || syntax.isQuoted)) {
    return (hasDigit || !/[-_./:]/.test(value)) && !/^[A-Z_]+$/.test(value) && value.length >= 8;
  }
  if (syntax.isQuoted)
    return (hasDigit && (wordShare(value) < 0.75 || /^[a-z\d]+$/.test(value))) || /[A-Za-z\d][!@#$%^&*+=?]/.test(value);
  return syntax.endsLine && hasDigit && wordShare(value) < 0.6 && !isReference(value);
}

const PLACEHOLDER = [
  '^(.)\\1*$',
  '^\\\\?\\$(?:[\\w.:-]*$|[A-Z_]{2}|\\{|\\()',
  '^(?:\\{\\{?|<|\\[|#\\{|@\\{|%\\(|\\(|&lt;)',
  '^%[\\w-]*%?$|(?:^|[^a-z\\d])%[sdifrqvx](?:\\W|$)',
  '^[-*.xX_#=?•…]+$',
  'x{5}|%7[bd]|\\*{3}|\\.{3}|…|\\$\\{|\\{\\{|<[\\w-]+>',
  '(?:^|[-_. ])(?:foo|bar|baz|fake|mock|todo|tbd|fixme|some|none|null|here|demo|stub)(?:[-_. \\d]|$)',
  'example|placeholder|dummy|sample|change.?(?:me|it|this)|redacted|masked|insert.?your|replace|lorem|undefined',
  '(?:^|[-_. ])(?:your|my|the|this|super|not|new|old|same|invalid|wrong|bad|missing|valid|correct(?=.(?:pass|pw|token|key|secret)))[-_ .]',
  'your(?:[_-]|api|token|key|secret|pass)|^your|^my(?:secret|password|token|key|api)',
  '[/\\\\](?:users|home)[/\\\\]|abcdefghijkl|^\\\\x[0-9a-f]{2}',
].join('|');
const placeholder = once(() => new RegExp(PLACEHOLDER, 'i'));

/** Whether a value stands for a secret: a variable, a template, stars, `changeme`, `your-token`. */
export function isPlaceholder(value: string): boolean {
  return placeholder().test(value);
}

const PLAIN_WORDS =
  'string str number int integer float bool boolean bytes byte buffer char text any unknown object void null nil none ' +
  'undefined function array symbol bigint true false yes no on off required optional password passwd passphrase pass pwd secret secrets token tokens ' +
  'key apikey api_key auth bearer basic user username value data default env environment file stdin prompt hidden plain ' +
  'plaintext encrypted hashed sensitive enabled disabled auto manual random generated empty blank unset missing invalid ' +
  'valid expired revoked always never input output read write public private access refresh credential credentials ' +
  'login email name test tests testing jwt oauth oauth2 saml oidc ldap kerberos sha1 sha256 sha512 hs256 rs256 md5 hmac ' +
  'base64 base32 utf8 utf-8 argon2 argon2id bcrypt scrypt pbkdf2 x509 pkcs8 pkcs12 ed25519 http2 scram-sha-256 aes256';
const plainWords = once(() => new Set(PLAIN_WORDS.split(' ')));

/** Whether a value is a word that describes a secret or its type. */
export function isPlainWord(value: string): boolean {
  return plainWords().has(value.toLowerCase());
}

const STRUCTURED = [
  '^[a-z][a-z0-9+.-]*://',
  '^(?:\\.{1,2}/|~/|[a-z]:[\\\\/]|\\\\\\\\)',
  '^(?:arn|urn|mailto|data|file|sha\\d{1,3}|md5|env|vault|op|ref|secretref|keyring|projects|resourceid)[:/]',
  '^sha\\d{3}-',
  '^\\d{4}-\\d\\d-\\d\\d(?:[T ]|$)',
  '^v?\\d+(?:\\.\\d+)+(?:[-+][\\w.-]+)?$',
  '^[\\w.+-]{1,30}@[\\w-]+(?:\\.[\\w-]+)+$',
  '^(?:[a-z0-9-]+\\.)+(?:com|org|net|io|dev|local|internal|svc|app|co|ai|cloud|gov|edu|html?)(?::\\d+)?$',
  '\\.(?:pem|key|pub|crt|cer|p12|pfx|jks|json|ya?ml|toml|txt|env|tsx?|jsx?|mjs|py|go|rs|java|css|md|png|svg|sh|log|xml|ini|conf|cfg|sql|db)$',
  '^(?:application|text|image|audio|video|multipart)/',
  '^[+-]?\\d+(?:[.,_]\\d+)*(?:[a-z]{1,3}|%)?$|^0x[0-9a-f]{1,15}u?l{0,2}$',
].join('|');
const structured = once(() => new RegExp(STRUCTURED, 'i'));

/** Whether a value is recognisable as a URL, path, version, date, address, file name, digest or number. */
export function isStructured(value: string): boolean {
  return structured().test(value) || isPath(value);
}

function isPath(value: string): boolean {
  if (!value.includes('/')) return false;
  if (/^\/[a-z][a-z0-9._-]*(?:\/[\w.@-]*)*$/.test(value)) return true;
  return /^(?:\/[\w.@-]*|\/?[\w.@-]+(?:\/[\w.@*-]+)+\/?)$/.test(value) && wordShare(value) > 0.5;
}

const REFERENCE = /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*$/;

/** Whether a value reads like code: an identifier or several joined ones (`config.password`, `DB_PASSWORD`, `getToken`). */
export function isReference(value: string): boolean {
  if (!REFERENCE.test(value)) return false;
  if (isCamelCase(value)) return true;
  if (/^[a-z]+\d*(?:_[a-z\d]{1,10})+$/.test(value)) return true;
  if (wordShare(value) > (/\d/.test(value) ? 0.6 : 0.4)) return !isInterleaved(value);
  return /[.:>]/.test(value) && value.split(/\W+/).some((part) => wordShare(part) > 0.4);
}
