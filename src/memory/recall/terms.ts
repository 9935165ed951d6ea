import { omitUndefined } from '../../record/object.ts';
import { stem } from '../../text/stem.ts';
import { splitWords } from '../../text/words.ts';
import { getWordInfo } from './word-weights.ts';

/** The terms of a text with their strength, 0 to 1: how well they say what the text is about. */
export type Terms = Map<string, number>;

/** A term that stands for a word that does not occur itself. */
export interface RelatedTerm {
  readonly term: string;
  /** The share of the word that it is worth, 0 to 1. */
  readonly share: number;
  /** It has the same meaning, not only the same subject. */
  readonly isMeaning: boolean;
}

/** A word of a prompt and its terms. */
export interface PromptWord {
  readonly text: string;
  readonly term: string;
  /** How much the word says about a subject in general: 0 to 1, more for a name. */
  readonly weight: number;
  /** Terms with the same meaning or subject, which count less. */
  readonly related: readonly RelatedTerm[];
  /** It names a chore that ends every task, e.g. commit or review. */
  readonly isChore: boolean;
  /** A compound name (`maxSize`, `src/cache.ts`), which nobody uses by chance. Its parts follow it. */
  readonly isName: boolean;
  /** The name that this word is a part of. */
  readonly partOf?: string;
}

/** Two adjacent words of a prompt. */
interface PromptPair {
  readonly term: string;
  readonly weight: number;
}

/** The terms of a prompt. */
export interface PromptTerms {
  readonly words: readonly PromptWord[];
  readonly pairs: readonly PromptPair[];
}

/** A name says more than a word, a part of it less. */
const NAME_WEIGHT = 1.5;
const PART_WEIGHT = 0.6;
/** A word of the tag table is certainly a subject. */
const SUBJECT_WEIGHT = 1.3;
/** The shares of a synonym and of another word of the same subject. */
const SAME_MEANING = 0.6;
const SAME_SUBJECT = 0.5;
const MAX_WORDS = 60;
const PATH = /(?<![\w/.~-])(?:[\w@.~-]+\/)+[\w@.-]*[\w@]/g;
const URL_PATTERN = /\b[a-z][a-z+.-]*:\/\/\S+/gi;

/**
 * Adds the terms of a text; `strength` is how well the text says what it is about. Prose also has pairs of adjacent
 * words, which mean nothing in commands and paths.
 */
export function addTerms(terms: Terms, text: string, strength: number, isProse = true): void {
  for (const path of findPaths(text)) addTerm(terms, path, strength);
  let before = '';
  for (const { parts, isName } of splitWords(text)) {
    if (isName) addTerm(terms, nameTerm(parts), strength);
    for (const each of parts) {
      const { term, weight, tags, meanings } = getWordInfo(each);
      if (weight === 0) continue;
      addTerm(terms, term, strength);
      if (isProse && before !== '') addTerm(terms, pairTerm(before, term), strength);
      for (const tag of tags) addTerm(terms, tag, strength);
      for (const meaning of meanings) addTerm(terms, meaning, strength);
      before = term;
    }
  }
}

/** Adds tags as terms. */
export function addTags(terms: Terms, tags: readonly string[], strength: number): void {
  for (const tag of tags) addTerm(terms, `#${tag}`, strength);
}

/** The terms of a prompt: its meaningful words without duplicates; of a long prompt, the first ones. */
export function parsePromptTerms(prompt: string): PromptTerms {
  const words = new Map<string, PromptWord>();
  const pairs = new Map<string, PromptPair>();
  const text = prompt.replace(URL_PATTERN, ' ');
  let before: PromptWord | undefined;
  for (const path of findPaths(text)) addName(words, path, path);
  for (const { text: word, parts, isName } of splitWords(text)) {
    if (words.size >= MAX_WORDS) break;
    if (isName) addName(words, word, nameTerm(parts));
    for (const each of parts) {
      if (getWordInfo(each).weight === 0) continue;
      const now = addWord(words, each, isName ? nameTerm(parts) : undefined);
      if (before !== undefined && before.term !== now.term) {
        const term = pairTerm(before.term, now.term);
        pairs.set(term, {
          term,
          weight: Math.sqrt(getWordInfo(before.text).weight * getWordInfo(now.text).weight),
        });
      }
      before = now;
    }
  }
  return { words: Array.from(words.values()), pairs: Array.from(pairs.values()) };
}

function addName(words: Map<string, PromptWord>, text: string, term: string): void {
  if (words.has(term)) return;
  words.set(term, { text, term, weight: NAME_WEIGHT, related: [], isChore: false, isName: true });
}

function addWord(words: Map<string, PromptWord>, text: string, partOf: string | undefined): PromptWord {
  const { term, weight, isChore, tags, meanings } = getWordInfo(text);
  const known = words.get(term);
  if (known !== undefined) return known;
  const factor = (partOf === undefined ? 1 : PART_WEIGHT) * (tags.length === 0 ? 1 : SUBJECT_WEIGHT);
  const related = [
    ...meanings.map((each) => ({ term: each, share: SAME_MEANING, isMeaning: true })),
    ...tags.map((each) => ({ term: each, share: SAME_SUBJECT, isMeaning: false })),
  ];
  const fields = { text, term, weight: weight * factor, related, isChore, isName: false };
  const word: PromptWord = { ...fields, ...omitUndefined({ partOf }) };
  words.set(term, word);
  return word;
}

function addTerm(terms: Terms, term: string, strength: number): void {
  const known = terms.get(term);
  if (known === undefined || known < strength) terms.set(term, strength);
}

/** The term of a name, however it is written: `max_size`, `max-size` and `maxSize` are the same. */
function nameTerm(parts: readonly string[]): string {
  return stem(parts.join(''));
}

function pairTerm(first: string, second: string): string {
  return `${first} ${second}`;
}

function findPaths(text: string): readonly string[] {
  return Array.from(text.matchAll(PATH), ([path]) => path.toLowerCase());
}
