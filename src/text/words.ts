import { characterKind, hasUnspacedLetters, LETTER, SINGLE } from './characters.ts';
import { identifierParts } from './identifier-parts.ts';
import { isAscii } from './is-ascii.ts';

/** A word of a text as it is written, and its position. */
export interface WordSpan {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface ScanOptions {
  /**
   * Whether a single `-`, `_` or `.` between letters joins two words into one (`pre-commit`, `next.js`), and letters of
   * a script without spaces stay together. Default: each is a word of its own.
   */
  readonly joined?: boolean;
}

/** A word in lower case, with what it is made of. */
export interface Word {
  readonly text: string;
  /**
   * The parts of a name, the overlapping pairs of letters where a script has no spaces, or else the word itself: never
   * empty.
   */
  readonly parts: readonly string[];
  /** Whether it is an identifier or joined word of several parts. */
  readonly isName: boolean;
}

/** What an apostrophe cuts off says nothing: it's, don't, the user's. */
const CONTRACTION = /['’](?:s|t|d|m|ll|re|ve)\b/gi;
/** Longer words are hashes or encoded data. */
const MAX_TOKEN = 64;
const JOINERS = '-_.';
/** What {@link scanWords} finds with `joined` in a text of ASCII. */
const ASCII_TOKENS = /[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*/g;

/** The words of a text in order: runs of letters and digits. Scripts without spaces have a word per character. */
export function scanWords(text: string, { joined = false }: ScanOptions = {}): readonly WordSpan[] {
  const words: WordSpan[] = [];
  for (let at = 0; at < text.length; ) {
    const kind = characterKind(text.charCodeAt(at));
    if (kind !== LETTER && kind !== SINGLE) {
      at++;
      continue;
    }
    const start = at;
    at = kind === LETTER ? endOfWord(text, at, joined) : endOfSingles(text, at, joined);
    words.push({ text: text.slice(start, at), start, end: at });
  }
  return words;
}

/**
 * The words of a request, command or path as they are written, with joined words whole. Leaves out contractions' ends,
 * emoji and encoded data.
 */
export function tokenize(text: string): readonly string[] {
  const whole = withoutContractions(text);
  // Much faster in a process that has just started, which runs a loop over characters without compiling it.
  if (isAscii(whole)) return whole.match(ASCII_TOKENS)?.filter((token) => token.length <= MAX_TOKEN) ?? [];
  const tokens: string[] = [];
  for (const { text: token } of scanWords(whole, { joined: true })) {
    const isLetters = characterKind(token.charCodeAt(0)) === LETTER;
    if (isLetters ? token.length <= MAX_TOKEN : hasUnspacedLetters(token)) tokens.push(token);
  }
  return tokens;
}

function withoutContractions(text: string): string {
  return text.includes("'") || text.includes('’') ? text.replace(CONTRACTION, '') : text;
}

/** What one of the tokens is made of. */
export function toWord(token: string): Word {
  const text = token.toLowerCase();
  if (characterKind(token.charCodeAt(0)) === SINGLE) return { text, parts: letterPairs(text), isName: false };
  const parts = identifierParts(token);
  return { text, parts, isName: parts.length > 1 };
}

/** The words of a request, command or path in order. */
export function splitWords(text: string): readonly Word[] {
  return tokenize(text).map(toWord);
}

function endOfWord(text: string, start: number, joined: boolean): number {
  let at = start + 1;
  for (;;) {
    while (at < text.length && characterKind(text.charCodeAt(at)) === LETTER) at++;
    const isJoined =
      joined &&
      at + 1 < text.length &&
      JOINERS.includes(text.charAt(at)) &&
      characterKind(text.charCodeAt(at + 1)) === LETTER;
    if (!isJoined) return at;
    at += 2;
  }
}

function endOfSingles(text: string, start: number, joined: boolean): number {
  let at = start;
  do {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  } while (joined && at < text.length && characterKind(text.charCodeAt(at)) === SINGLE);
  return at;
}

function letterPairs(run: string): readonly string[] {
  const letters = Array.from(run);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
