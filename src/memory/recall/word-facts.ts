import { stem } from '../../text/stem.ts';
import { tagsOfWord } from '../tags/tags-of.ts';
import { generalWeight, isChore } from './ordinary-words.ts';
import { meaningsOf } from './same-meaning.ts';

/** What is known of a word, whatever project it stands in. */
export interface WordFacts {
  readonly term: string;
  /** How much it can say of a subject, 0 to 1. 0 too for single letters and numbers. */
  readonly weight: number;
  /** It names work that ends every task (commit, review), not what a task is about. */
  readonly isChore: boolean;
  /** The terms of its tags. */
  readonly tags: readonly string[];
  /** The terms of meanings that other words have too. */
  readonly meanings: readonly string[];
}

const SHORTEST_WORD = 2;
const DIGITS = /^\d+$/;
/** The same words come again and again; this many are kept at hand. */
const MOST_KEPT = 20_000;
const kept = new Map<string, WordFacts>();

/** What is known of a word in lower case. */
export function wordFacts(word: string): WordFacts {
  const known = kept.get(word);
  if (known !== undefined) return known;
  const weight = word.length < SHORTEST_WORD || DIGITS.test(word) ? 0 : generalWeight(word);
  const term = stem(word);
  const tags = tagsOfWord(word).map((tag) => `#${tag}`);
  const facts = { term, weight, isChore: isChore(term), tags, meanings: meaningsOf(term) };
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(word, facts);
  return facts;
}
