import { getOrAdd } from '../record/once.ts';
import { characterKind, LETTER, SINGLE, SYMBOL } from '../text/characters.ts';
import { foldCase } from '../text/fold-case.ts';
import { identifierParts } from '../text/identifier-parts.ts';
import { isAscii } from '../text/is-ascii.ts';
import { scanWords } from '../text/words.ts';
import type { SearchedText } from './searchable.ts';

/** What FTS5 is given for a record. */
interface IndexTerms {
  /** The words of what was said or done, in order, with whatever separates them. */
  readonly text: string;
  /** The same of what a call returned. */
  readonly output: string;
  /** The parts of its identifiers, in order, and its symbols, separated by spaces. */
  readonly parts: string;
}

/** Longer words (encoded data, minified code) are indexed as overlapping pieces of this length. */
export const MAX_TERM_LENGTH = 64;
/** Any substring of a long word up to this length is whole in one of its pieces. */
export const TERM_OVERLAP = 16;
/** Starts every term that stands for symbols; no word does. */
export const SYMBOL_PREFIX = '¶';

const NON_ASCII_RUN = /[^\x00-\x7f]+/g;

/** The terms that a record is indexed under. */
export function toIndexTerms({ said, output, labels }: SearchedText): IndexTerms {
  const text = labels === '' ? said : `${said}\n${labels}`;
  const folded = foldCase(text);
  const foldedOutput = foldCase(output);
  const symbols = symbolTerms(output === '' ? folded : `${folded}\n${foldedOutput}`);
  return {
    text: toTokenizerInput(folded),
    output: toTokenizerInput(foldedOutput),
    parts: [...findIdentifierParts(text), ...findIdentifierParts(output), ...symbols].join(' '),
  };
}

/** The terms of a folded text in order. */
export function splitTerms(folded: string): readonly string[] {
  return scanWords(folded).flatMap(({ text }) => splitLongWord(text));
}

/** A word as terms: itself, or overlapping pieces when it is long, the last of which ends with the word. */
export function splitLongWord(word: string): readonly string[] {
  return overlappingPieces(word, MAX_TERM_LENGTH, TERM_OVERLAP);
}

/**
 * A folded text in a form that FTS5's `ascii` tokenizer splits into the same terms as {@link splitTerms}: that tokenizer
 * takes letters and digits of ASCII and everything beyond ASCII as parts of a term. Joining the terms would take four
 * times as long.
 */
export function toTokenizerInput(folded: string): string {
  const text = folded.replace(NON_ASCII_RUN, separateRun);
  return hasLongTerm(text) ? splitTerms(folded).join(' ') : text;
}

/** Whether FTS5's `ascii` tokenizer takes a character of a folded text as part of a term. */
export function isPartOfTerm(unit: number): boolean {
  return unit >= 0x80 || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function separateRun(run: string): string {
  let result = '';
  for (const character of run) {
    const kind = characterKind(character.charCodeAt(0));
    result += kind === LETTER ? character : kind === SINGLE ? ` ${character} ` : ' ';
  }
  return result;
}

/** Probes only the positions of which a long term covers at least one. */
function hasLongTerm(text: string): boolean {
  for (let at = MAX_TERM_LENGTH; at < text.length; at += MAX_TERM_LENGTH) {
    let start = at;
    while (start >= 0 && isPartOfTerm(text.charCodeAt(start))) start--;
    let end = at;
    while (end < text.length && isPartOfTerm(text.charCodeAt(end))) end++;
    if (end - start - 1 > MAX_TERM_LENGTH) return true;
  }
  return false;
}

function overlappingPieces(text: string, length: number, overlap: number): readonly string[] {
  if (text.length <= length) return [text];
  const pieces: string[] = [];
  for (let at = 0; at + length < text.length; at += length - overlap) pieces.push(text.slice(at, at + length));
  pieces.push(text.slice(-length));
  return pieces;
}

const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const CODES = 'abcdefghijklmnopqrstuvwxyz012345';
const SYMBOL_CODES: ReadonlyMap<string, string> = new Map(
  Array.from(PUNCTUATION, (symbol, index) => [symbol, CODES.charAt(index)]),
);
/** Nearly every text has these alone, so that they are no help in finding one. */
const COMMON_SYMBOLS = new Set('.,:;\'"()-/_`');
const MAX_RUN_LENGTH = 24;
const RUN_OVERLAP = 16;
/** Several consecutive symbols, or a single uncommon one. */
const SYMBOL_RUN = /[!-/:-@[-`{-~]{2,}|[!#$%&*+<=>?@[\\\]^{|}~]/g;
const MAX_CACHED_RUNS = 10_000;

/** The same few runs occur again and again. */
const termsByRun = new Map<string, readonly string[]>();

/** Terms for the punctuation of a folded text, so that `=>` or `c++` can be found: one for each distinct run of symbols. */
export function symbolTerms(folded: string): readonly string[] {
  const terms = new Set<string>();
  for (const run of findSymbolRuns(folded)) for (const term of runTerms(run)) terms.add(term);
  return [...terms];
}

/**
 * For each run of symbols in a folded query, what some term of every text that contains the query must contain. None for
 * symbols that are not indexed.
 */
export function symbolProbes(folded: string): readonly string[] {
  const runs = new Set(findSymbolRuns(folded));
  return [...runs].filter((run) => !COMMON_SYMBOLS.has(run)).map((run) => encodeSymbols(run.slice(0, RUN_OVERLAP)));
}

function runTerms(run: string): readonly string[] {
  if (termsByRun.size > MAX_CACHED_RUNS) termsByRun.clear();
  return getOrAdd(termsByRun, run, () => {
    const pieces = COMMON_SYMBOLS.has(run) ? [] : overlappingPieces(run, MAX_RUN_LENGTH, RUN_OVERLAP);
    return pieces.map((piece) => SYMBOL_PREFIX + encodeSymbols(piece));
  });
}

function findSymbolRuns(folded: string): readonly string[] {
  if (isAscii(folded)) return folded.match(SYMBOL_RUN) ?? [];
  const runs: string[] = [];
  let start = -1;
  for (let at = 0; at <= folded.length; at++) {
    if (at < folded.length && characterKind(folded.charCodeAt(at)) === SYMBOL) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      runs.push(folded.slice(start, at));
      start = -1;
    }
  }
  return runs;
}

function encodeSymbols(run: string): string {
  return Array.from(run, (symbol) => SYMBOL_CODES.get(symbol) ?? symbol).join('');
}

/** A border between two parts of an identifier, with a character or two on each side. */
const BORDER = /[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/g;
const MAX_IDENTIFIER_LENGTH = 48;

/**
 * The parts of all identifiers in a text, in lower case and in order: `getUserById` has get, user, by, id. Plain words
 * have none.
 */
export function findIdentifierParts(text: string): readonly string[] {
  const found: string[] = [];
  const border = new RegExp(BORDER);
  for (let match = border.exec(text); match; match = border.exec(text)) {
    let start = match.index;
    while (start > 0 && isLetterOrDigit(text.charCodeAt(start - 1))) start--;
    let end = match.index;
    while (end < text.length && isLetterOrDigit(text.charCodeAt(end))) end++;
    border.lastIndex = end;
    if (end - start > MAX_IDENTIFIER_LENGTH) continue;
    const parts = identifierParts(text.slice(start, end), { splitDigits: true });
    if (parts.length > 1) for (const part of parts) found.push(part);
  }
  return found;
}

function isLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
}
