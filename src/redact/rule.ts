import { entropy, isHex, isScrambled, wordShare } from './generated.ts';

/** Lower-case literals of at least three characters, one of which every match contains, and what to call where one is found. */
export interface Rule {
  /** The kind of secret that the mask names. */
  readonly id: string;
  /** Those without spaces may be one text, separated by spaces: most processes are short and need few of them. */
  readonly keywords: string | readonly string[];
  readonly find: Find;
}

export function listKeywords({ keywords }: Pick<Rule, 'keywords'>): readonly string[] {
  return typeof keywords === 'string' ? keywords.split(' ') : keywords;
}

/** What else must hold for a match of a {@link PatternRule} to be a secret. */
interface Limits {
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

/** A letter beyond ASCII, as in `пароль`. Most texts have only punctuation, boxes and emoji there. */
export const LETTER_BEYOND_ASCII: RegExp = /[\u00c0-\u1fff\u3005-\ud7ff]/g;

const NO_LIMITS: Limits = {};

/** A format that a regular expression recognises. Short processes see few of them, so each costs little until it is used. */
export class PatternRule implements Rule {
  readonly id: string;
  /**
   * Creates a sticky expression when a keyword is first found. It is tried where the keyword starts, or with `back` where
   * the token around it starts. It must not repeat anything without a limit.
   */
  readonly pattern: () => RegExp;
  readonly limits: Limits;
  readonly keywords: string | readonly string[];
  private compiled: RegExp | undefined = undefined;

  constructor(id: string, keywords: string | readonly string[], pattern: () => RegExp, limits: Limits) {
    this.id = id;
    this.keywords = keywords;
    this.pattern = pattern;
    this.limits = limits;
  }

  find(text: string, at: number, found: Span[]): void {
    const { back, group = 0 } = this.limits;
    const start = back === undefined ? at : tokenStart(text, at, back);
    if (back !== 0 && !isTokenStart(text, start)) return;
    this.compiled ??= this.pattern();
    this.compiled.lastIndex = start;
    const match = this.compiled.exec(text);
    if (match === null) return;
    const secret = match[group] ?? '';
    const from = group === 0 ? start : (match.indices?.[group]?.[0] ?? start);
    if (isMasked(text, from) || isMasked(text, from + secret.length) || !isSecret(this.limits, secret)) return;
    found.push({ start: from, end: from + secret.length, mask: maskOf(this.id) });
  }
}

/** Declares a {@link PatternRule}. */
export function rule(
  id: string,
  keywords: string | readonly string[],
  pattern: () => RegExp,
  limits: Limits = NO_LIMITS,
): PatternRule {
  return new PatternRule(id, keywords, pattern, limits);
}

/** A range of a text to be replaced by a mask. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
  /** Found by the name of a variable: a rule that knows the format has a better mask. */
  readonly isSoft?: boolean;
  /** What the range is an encoded form of. It is a secret only if this contains one. */
  readonly decoded?: string;
}

/** Called where a keyword was found (at `at`) to add what must be masked. Its cost must be bounded by a constant. */
type Find = (text: string, at: number, found: Span[]) => void;

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

/** Signs within tokens: `+`, `-`, `.`, `/`, `~`. */
const TOKEN_SIGNS = [43, 45, 46, 47, 126];

function isSecret(limits: Limits, secret: string): boolean {
  if (limits.entropy !== undefined && entropy(secret) < limits.entropy) return false;
  if (limits.random === true && !isGenerated(secret)) return false;
  return limits.allow?.().test(secret) !== true;
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
    if (!isWordCharacter(code) && !TOKEN_SIGNS.includes(code)) break;
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

/** A group of a match and where it is in the text. */
export interface Capture {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Matches a sticky pattern with the flag `d`. Undefined when it does not match, or a mask is already there. */
export function capture(pattern: RegExp, text: string, at: number, group = 1): Capture | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const value = match?.[group];
  const [start, end] = match?.indices?.[group] ?? [0, 0];
  return value === undefined || value === '' || isMasked(text, start) ? undefined : { value, start, end };
}

/** Adds the mask of a capture. */
export function addMask({ start, end }: Capture, id: string, found: Span[]): void {
  found.push({ start, end, mask: maskOf(id) });
}
