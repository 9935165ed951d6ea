import type { NameLevel } from './name.ts';
import {
  isHex,
  isPaddedBase64,
  isPlaceholder,
  isPlainWord,
  isReference,
  isStructured,
  isUuid,
  looksRandom,
  wordShare,
} from './value.ts';

/** How an assignment is written, as far as it decides what its value may look like. */
export interface Written {
  /** The name is written like an environment variable. */
  readonly isUpperCase: boolean;
  /** `name=value`: shell, .env, properties, queries. Code seldom is. */
  readonly isTight: boolean;
  /** An argument or a sentence: weak evidence of an assignment. */
  readonly isProse: boolean;
  readonly isQuoted: boolean;
  /** The value is the rest of its line. */
  readonly endsLine: boolean;
}

/** A literal of a data structure (JSON), where nothing has to be guessed about syntax. */
export const DATA: Written = {
  isUpperCase: false,
  isTight: false,
  isProse: false,
  isQuoted: true,
  endsLine: false,
};

/** Whether a value assigned to a name of that level is a secret, and not a word, a reference or a placeholder. */
export function isSecret(level: NameLevel, value: string, written: Written): boolean {
  if (value.length < 4 || isPlainly(level, value, written) || isPlainWord(value) || isPlaceholder(value))
    return false;
  if (/\s/.test(value)) return level === 'password' && isPassphrase(value);
  if (!written.isQuoted && /^[*&-]|^[A-Za-z_.-]+=$/.test(value)) return false;
  if (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(value)) return false; // the name of a constant or variable
  if (level !== 'password' && level !== 'secret' && /[\\()<>[\]{}^*]|=[^=]/.test(value)) return false;
  if (/^[+,.;)\]}]/.test(value) && !isTokenLike(value)) return false;
  if (isStructured(value) && !(level === 'password' && /^\d{4,}$/.test(value))) return false;
  switch (level) {
    case 'password':
      return isPassword(value, written);
    case 'secret':
      return isLiteralToken(value, written) || isSharedSecret(value, written);
    case 'token':
      return isLiteralToken(value, written);
    case 'vendor':
      return value.length >= 14 && isLiteralToken(value, written);
    case 'weak':
      return looksRandom(value, true) && isLiteralToken(value, written) && !isPublic(value);
    case 'none':
      return false;
  }
}

/** Most values end here: what cannot be a secret of that level by its length and characters alone. */
function isPlainly(level: NameLevel, value: string, { isQuoted, isTight, endsLine }: Written): boolean {
  if (level === 'password') return !isQuoted && !isTight && !endsLine && /^[a-z]+$/.test(value);
  if (level === 'secret') return value.length < 6;
  if (value.length < 8) return true;
  return !/\d/.test(value) && (level === 'weak' || (value.length < 16 && !/[A-Z]/.test(value)));
}

function isTokenLike(value: string): boolean {
  return isUuid(value) || isHex(value) || looksRandom(value) || isPaddedBase64(value);
}

function isLiteralToken(value: string, written: Written): boolean {
  if (!isTokenLike(value)) return false;
  if (written.isProse) return value.length >= 8 && (wordShare(value) <= 0.25 || isPaddedBase64(value));
  return written.isQuoted || !isReference(value);
}

/** Digests, identifiers and public keys, which a weak name may well hold. */
function isPublic(value: string): boolean {
  return isUuid(value) || isHex(value) || /[0-9a-f]{32}/i.test(value) || /^M(?:Fkw|II[BCD]I)/.test(value);
}

/** Four or more lower-case words, as wallets and key files use them. */
function isPassphrase(value: string): boolean {
  return (
    /^[a-z]{3,}(?: [a-z]{3,}){3,}$/.test(value) && !/\b(?:the|your|is|for|must|be|to|enter|of)\b/.test(value)
  );
}

const ABOUT_SECRETS =
  /pass|pwd|secret|token|user|login|auth|cred|field|input|label|key|reset|forgot|config|env/i;

function isPassword(value: string, written: Written): boolean {
  if (isLiteralToken(value, written)) return true;
  if (written.isProse) return !isReference(value) && !isSelector(value) && isUnlikelyWord(value);
  if (/^[A-Za-z]+$/.test(value)) return isWordPassword(value, written);
  if (/^[A-Za-z_$.:-]+$/.test(value)) return isCompoundPassword(value, written);
  if (written.isQuoted) return !isSelector(value);
  if (isReference(value) && (/[_.$]|[a-z][A-Z]/.test(value) || ABOUT_SECRETS.test(value))) return false;
  return /[A-Za-z\d]/.test(value) && !/\\[swdb]|\.\*|\[\^/.test(value);
}

/** Not a word or a name in a sentence or a list of arguments. */
function isUnlikelyWord(value: string): boolean {
  return /\d/.test(value)
    ? wordShare(value) < 0.5 || /[!@#$%^&*]/.test(value)
    : /[A-Za-z][!#$%^&*][A-Za-z]/.test(value);
}

/** Letters only: in code a variable or a label, in a shell or a file of settings a password. */
function isWordPassword(value: string, written: Written): boolean {
  if (written.isQuoted)
    return value.length >= 6 && !/^[A-Z][a-z]+$/.test(value) && !ABOUT_SECRETS.test(value);
  if (/[A-Z]/.test(value) && !/[A-Z].*[a-z].*[A-Z]/.test(value)) return false;
  if (/[a-z][A-Z]/.test(value)) return isUnlikelyName(value) && (written.isTight || written.endsLine);
  return written.isUpperCase ? written.isTight || written.endsLine : written.isTight && written.endsLine;
}

function isUnlikelyName(value: string): boolean {
  return value.length >= 8 && wordShare(value) < 0.4;
}

function isCompoundPassword(value: string, written: Written): boolean {
  if (/^[A-Z_]+$/.test(value) || ABOUT_SECRETS.test(value) || /[.:$]/.test(value)) {
    return written.isQuoted && isUnlikelyName(value);
  }
  if (written.isQuoted) return value.length >= 6;
  return written.isUpperCase && written.isTight;
}

/** `#password`, `.login-form`: names of page elements. */
function isSelector(value: string): boolean {
  return /^[#.][A-Za-z][\w-]*$/.test(value) && wordShare(value) > 0.6;
}

function isSharedSecret(value: string, written: Written): boolean {
  if (value.length < 6 || written.isProse) return false;
  const hasDigit = /\d/.test(value);
  if (written.isUpperCase && (written.isTight || written.isQuoted)) {
    return (hasDigit || !/[-_./:]/.test(value)) && !/^[A-Z_]+$/.test(value) && value.length >= 8;
  }
  if (written.isQuoted)
    return (
      (hasDigit && (wordShare(value) < 0.75 || /^[a-z\d]+$/.test(value))) ||
      /[A-Za-z\d][!@#$%^&*+=?]/.test(value)
    );
  return written.endsLine && hasDigit && wordShare(value) < 0.6 && !isReference(value);
}
