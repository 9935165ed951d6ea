import { entropy, isHex, wordShare } from './secret-value.ts';

/** A format that can be told by its look. */
export interface PatternRule {
  /** Names the rule in the mask. */
  readonly id: string;
  /** Lower-case literals of at least three characters; one of them is in every match. */
  readonly keywords: readonly string[];
  /** Sticky, made when a keyword is met. Tried where the keyword begins, or where the token around it begins (see `back`). */
  readonly pattern: () => RegExp;
  /** The group that is the secret; the whole match when left out. The pattern then has the flag `d`. */
  readonly group?: number;
  /** How many token characters may stand before the keyword; without it, no letter or digit may. */
  readonly back?: number;
  /** Least entropy of the secret, in bits per character. */
  readonly entropy?: number;
  /** Only what looks generated is a secret: the format alone is too common. */
  readonly random?: boolean;
  /** A secret that matches is none. */
  readonly allow?: () => RegExp;
}

/** A format that takes more than an expression. */
interface FindRule {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly find: Find;
}

export type Rule = PatternRule | FindRule;

/** A piece of a text that is to be replaced, and by what. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
  /** Found by its name: a rule that knows the format names it better. */
  readonly isSoft?: boolean;
}

/** Looks at a text where a keyword was found (at `at`) and adds what is to be masked. Cost bounded by a constant. */
export type Find = (text: string, at: number, found: Span[]) => void;

const OPENING = '[redacted:';

/** What stands in place of a secret. It is no secret itself: no rule changes it again. */
export function maskOf(id: string): string {
  return `${OPENING}${id}]`;
}

/** Whether a mask stands at this place. */
export function isMasked(text: string, at: number): boolean {
  return text.startsWith(OPENING, at);
}

/** A mask at the end of a text. */
const ENDS_MASKED: RegExp = /\[redacted:[\w-]{1,32}\]$/;

const TOKEN_CHARACTER: Uint8Array = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/~.') {
  TOKEN_CHARACTER[character.charCodeAt(0)] = 1;
}

/** Turns a row of the table into a function that is called where one of its keywords was found. */
export function compilePattern(rule: PatternRule): Find {
  const { back, group = 0 } = rule;
  const mask = maskOf(rule.id);
  let pattern: RegExp | undefined;
  return (text, at, found) => {
    const start = back === undefined ? at : walkBack(text, at, back);
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

/** Behind its prefix it holds more than words. */
function isGenerated(secret: string): boolean {
  const body = secret.replace(/^[A-Za-z]+[_-](?:[a-z]+[_-])?/, '');
  return isHex(body) || (wordShare(body) <= 0.6 && entropy(body) >= 3 && /\d|[a-z][A-Z]/.test(body));
}

function walkBack(text: string, at: number, most: number): number {
  let start = at;
  while (start > 0 && at - start < most) {
    const code = text.charCodeAt(start - 1);
    if (code >= 128 || TOKEN_CHARACTER[code] === 0) break;
    start--;
  }
  return start > 0 && /\\[nrt]/.test(text.slice(start - 1, start + 1)) ? start + 1 : start;
}

/**
 * No letter, digit or underscore stands before, or it belongs to an escape (`\n`, `%3D`). Behind a mask nothing starts:
 * it is the rest of what was masked (`[redacted:…]`, `/home/*` before a slash).
 */
function isTokenStart(text: string, start: number): boolean {
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  if (before === STAR) return text.charCodeAt(start) !== SLASH;
  if (before === CLOSING) return !ENDS_MASKED.test(text.slice(Math.max(0, start - 48), start));
  if (!isWordCharacter(before)) return true;
  if (text.charCodeAt(start - 2) === BACKSLASH) return before === 110 || before === 114 || before === 116;
  return text.charCodeAt(start - 3) === PERCENT && /[0-9A-F]{2}/i.test(text.slice(start - 2, start));
}

const [PERCENT, STAR, SLASH, BACKSLASH, CLOSING] = [37, 42, 47, 92, 93];

function isWordCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}
