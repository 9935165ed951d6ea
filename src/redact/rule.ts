import { entropy, isHex, isScrambled, wordShare } from './secret-value.ts';

/** A format that a regular expression recognises. */
export interface PatternRule {
  /** The kind of secret that the mask names. */
  readonly id: string;
  /** Lower-case literals of at least three characters, one of which every match contains. */
  readonly keywords: readonly string[];
  /**
   * Creates a sticky expression when a keyword is first found. It is tried where the keyword starts, or with `back` where
   * the token around it starts. It must not repeat anything without a limit.
   */
  readonly pattern: () => RegExp;
  /** The group that is the secret; the pattern needs the flag `d` then. Default: the whole match. */
  readonly group?: number;
  /** How many characters of the token may precede the keyword. Default: none, and no letter or digit may. */
  readonly back?: number;
  /** Minimum entropy of the secret, in bits per character. */
  readonly entropy?: number;
  /** Mask only what looks generated, because the format alone is too common. */
  readonly random?: boolean;
  /** Matches that are not secrets. */
  readonly allow?: () => RegExp;
}

/** Declares a {@link PatternRule}. Keywords without spaces may be given as one text, separated by spaces. */
export function rule(
  id: string,
  keywords: string | readonly string[],
  pattern: () => RegExp,
  limits: Omit<PatternRule, 'id' | 'keywords' | 'pattern'> = {},
): PatternRule {
  return { id, keywords: typeof keywords === 'string' ? keywords.split(' ') : keywords, pattern, ...limits };
}

/** A format that needs more than a regular expression. */
interface FindRule {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly find: Find;
}

export type Rule = PatternRule | FindRule;

/** A range of a text to be replaced by a mask. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
  /** Found by the name of a variable: a rule that knows the format has a better mask. */
  readonly isSoft?: boolean;
}

/** Called where a keyword was found (at `at`) to add what must be masked. Its cost must be bounded by a constant. */
export type Find = (text: string, at: number, found: Span[]) => void;

const OPENING = '[redacted:';

/** The mask of a secret. No rule matches a mask. */
export function maskOf(id: string): string {
  return `${OPENING}${id}]`;
}

/** Whether there is a mask at a position. */
export function isMasked(text: string, at: number): boolean {
  return text.startsWith(OPENING, at);
}

const ENDS_WITH_MASK: RegExp = /\[redacted:[\w-]{1,32}\]$/;

const TOKEN_CHARACTER: Uint8Array = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/~.') {
  TOKEN_CHARACTER[character.charCodeAt(0)] = 1;
}

/** Compiles a rule into a function that is called where one of its keywords was found. */
export function compilePattern(rule: PatternRule): Find {
  const { back, group = 0 } = rule;
  const mask = maskOf(rule.id);
  let pattern: RegExp | undefined;
  return (text, at, found) => {
    const start = back === undefined ? at : tokenStart(text, at, back);
    if (back !== 0 && !isTokenStart(text, start)) return;
    pattern ??= rule.pattern();
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match === null) return;
    const secret = match[group] ?? '';
    const from = group === 0 ? start : (match.indices?.[group]?.[0] ?? start);
    if (isMasked(text, from + secret.length) || !isSecret(rule, secret)) return;
    found.push({ start: from, end: from + secret.length, mask });
  };
}

function isSecret(rule: PatternRule, secret: string): boolean {
  if (rule.entropy !== undefined && entropy(secret) < rule.entropy) return false;
  if (rule.random === true && !isGenerated(secret)) return false;
  return rule.allow?.().test(secret) !== true;
}

/** Whether there is more than words behind its prefix. */
function isGenerated(secret: string): boolean {
  const body = secret.replace(/^[A-Za-z]+[_-](?:[a-z]+[_-])?/, '');
  if (isHex(body) || isScrambled(body)) return true;
  return wordShare(body) <= 0.6 && entropy(body) >= 3 && /\d|[a-z][A-Z]/.test(body);
}

function tokenStart(text: string, at: number, maxBack: number): number {
  let start = at;
  while (start > 0 && at - start < maxBack) {
    const code = text.charCodeAt(start - 1);
    if (code >= 128 || TOKEN_CHARACTER[code] === 0) break;
    start--;
  }
  return start > 0 && /\\[nrt]/.test(text.slice(start - 1, start + 1)) ? start + 1 : start;
}

/**
 * Whether no letter, digit or underscore precedes a position, except as part of an escape (`\n`, `%3D`). No token starts
 * behind a mask (`[redacted:…]`, or `/home/*` before a slash): that is the rest of what was masked.
 */
export function isTokenStart(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  if (before === STAR) return text.charCodeAt(start) !== SLASH;
  if (before === CLOSING_BRACKET) return !ENDS_WITH_MASK.test(text.slice(Math.max(0, start - 48), start));
  if (!isWordCharacter(before)) return true;
  if (text.charCodeAt(start - 2) === BACKSLASH) return before === 110 || before === 114 || before === 116;
  return text.charCodeAt(start - 3) === PERCENT && /[0-9A-F]{2}/i.test(text.slice(start - 2, start));
}

const [PERCENT, STAR, SLASH, BACKSLASH, CLOSING_BRACKET] = [37, 42, 47, 92, 93];

function isWordCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}
