import { characterKind, SYMBOL } from '../text/characters.ts';

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
