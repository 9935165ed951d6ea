import { characterKind, LETTER, SINGLE, SYMBOL } from '../../text/characters.ts';
import { foldCase } from '../../text/fold-case.ts';
import { identifierParts } from '../../text/identifier-parts.ts';
import { scanWords } from '../../text/words.ts';

/** What is handed to FTS5 of a text. */
interface IndexedTerms {
  /** Its words, in order, with whatever stands between them. */
  readonly text: string;
  /** Parts of its identifiers, in order, and its symbols, separated by spaces. */
  readonly parts: string;
}

/** What a text is indexed under. */
export function indexedTerms(text: string): IndexedTerms {
  const folded = foldCase(text);
  return {
    text: indexableText(folded),
    parts: [...findIdentifierParts(text), ...symbolTerms(folded)].join(' '),
  };
}

/** Longer words (encoded data, minified code) are indexed as pieces of this length that overlap. */
export const LONGEST_TERM = 64;
/** Any piece of a long word of up to this length is whole in one of its terms. */
export const TERM_OVERLAP = 16;

const NON_ASCII_RUN = /[^\x00-\x7f]+/g;

/** The terms under which a folded text is found, in order. */
export function termsOf(folded: string): readonly string[] {
  return scanWords(folded).flatMap(({ text }) => piecesOf(text));
}

/**
 * A folded text in a form from which FTS5's `ascii` tokenizer makes the same terms as {@link termsOf}: letters and
 * digits of ASCII and everything beyond it are parts of a term, the rest separates. Making a string of each term
 * and joining them takes four times as long.
 */
export function indexableText(folded: string): string {
  const text = folded.replace(NON_ASCII_RUN, separateRun);
  return hasLongTerm(text) ? termsOf(folded).join(' ') : text;
}

/** Looks only at every place that a long term would cover, and around it. */
function hasLongTerm(text: string): boolean {
  for (let at = LONGEST_TERM; at < text.length; at += LONGEST_TERM) {
    let start = at;
    while (start >= 0 && isPartOfTerm(text.charCodeAt(start))) start--;
    let end = at;
    while (end < text.length && isPartOfTerm(text.charCodeAt(end))) end++;
    if (end - start - 1 > LONGEST_TERM) return true;
  }
  return false;
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

/**
 * A word as terms: itself, or overlapping pieces when it is long. The first piece begins and the last one ends
 * with the word.
 */
export function piecesOf(word: string): readonly string[] {
  if (word.length <= LONGEST_TERM) return [word];
  const pieces: string[] = [];
  const step = LONGEST_TERM - TERM_OVERLAP;
  for (let at = 0; at + LONGEST_TERM < word.length; at += step)
    pieces.push(word.slice(at, at + LONGEST_TERM));
  pieces.push(word.slice(-LONGEST_TERM));
  return pieces;
}

/** Begins every term that stands for symbols; no word does. */
export const SYMBOL_MARK = '¶';

const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const CODES = 'abcdefghijklmnopqrstuvwxyz012345';
const CODE_OF: ReadonlyMap<string, string> = new Map(
  Array.from(PUNCTUATION, (symbol, index) => [symbol, CODES.charAt(index)]),
);
/** Symbols that nearly every text has alone: no help in finding one. */
const EVERYWHERE = new Set('.,:;\'"()-/_`');
const LONGEST_RUN = 24;
const RUN_OVERLAP = 16;
/** Several symbols together, or one that is not everywhere. */
const RUN = /[!-/:-@[-`{-~]{2,}|[!#$%&*+<=>?@[\\\]^{|}~]/g;
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Terms for the punctuation of a folded text, so that `=>` or `c++` can be found: each different run of
 * symbols is one term. Long runs are cut into overlapping pieces.
 */
export function symbolTerms(folded: string): readonly string[] {
  const terms = new Set<string>();
  for (const run of runsOf(folded)) for (const term of termsOfRun(run)) terms.add(term);
  return [...terms];
}

/** The same few runs come again and again. */
const known = new Map<string, readonly string[]>();
const MOST_KNOWN = 10_000;

function termsOfRun(run: string): readonly string[] {
  const before = known.get(run);
  if (before) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const terms = EVERYWHERE.has(run) ? [] : piecesOfRun(run).map((piece) => SYMBOL_MARK + encode(piece));
  known.set(run, terms);
  return terms;
}

/**
 * For each run of symbols in a folded query, what a term of every text that contains the query must contain.
 * Symbols that are not indexed alone have none.
 */
export function symbolProbes(folded: string): readonly string[] {
  const runs = new Set(runsOf(folded));
  return [...runs].filter((run) => !EVERYWHERE.has(run)).map((run) => encode(run.slice(0, RUN_OVERLAP)));
}

function runsOf(folded: string): readonly string[] {
  if (ASCII.test(folded)) return folded.match(RUN) ?? [];
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

function piecesOfRun(run: string): readonly string[] {
  if (run.length <= LONGEST_RUN) return [run];
  const pieces: string[] = [];
  const step = LONGEST_RUN - RUN_OVERLAP;
  for (let at = 0; at + LONGEST_RUN < run.length; at += step) pieces.push(run.slice(at, at + LONGEST_RUN));
  return [...pieces, run.slice(-LONGEST_RUN)];
}

function encode(run: string): string {
  return Array.from(run, (symbol) => CODE_OF.get(symbol) ?? symbol).join('');
}

/** Where one part of an identifier ends and the next begins, with a character or two on each side. */
const BORDER = /[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/g;
const MAX_IDENTIFIER = 48;

/**
 * The parts of all identifiers in a text, in lower case and in order: `getUserById` has get, user, by, id. Plain words
 * have none; what is not a letter or digit separates words anyway.
 */
export function findIdentifierParts(text: string): readonly string[] {
  const found: string[] = [];
  const border = new RegExp(BORDER);
  for (let match = border.exec(text); match; match = border.exec(text)) {
    const start = startOfWord(text, match.index);
    const end = endOfWord(text, match.index);
    border.lastIndex = end;
    if (end - start > MAX_IDENTIFIER) continue;
    const parts = identifierParts(text.slice(start, end), { splitDigits: true });
    if (parts.length > 1) found.push(...parts);
  }
  return found;
}

function startOfWord(text: string, inside: number): number {
  let at = inside;
  while (at > 0 && isLetterOrDigit(text.charCodeAt(at - 1))) at--;
  return at;
}

function endOfWord(text: string, inside: number): number {
  let at = inside;
  while (at < text.length && isLetterOrDigit(text.charCodeAt(at))) at++;
  return at;
}

function isLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
}
