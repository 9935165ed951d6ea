import { stem } from '../../text/stem.ts';
import { splitWords } from '../../text/words.ts';
import { wordFacts } from './word-facts.ts';

/** Of a stored text: what it can be found by, each with how well it says what the text is about, 0 to 1. */
export type Terms = Map<string, number>;

/** What stands for a word when the word itself is not there. */
export interface RelatedTerm {
  readonly term: string;
  /** How much of the word it is worth, 0 to 1. */
  readonly share: number;
  /** It stands for the same thing, not only for the same subject. */
  readonly isMeaning: boolean;
}

/** A word of a prompt, and the terms it is looked up by. */
export interface PromptWord {
  readonly text: string;
  readonly term: string;
  /** What the word says of a subject in general: 0 to 1, more for a name. */
  readonly weight: number;
  /** Terms of the same meaning or subject, which count less. */
  readonly related: readonly RelatedTerm[];
  /** It names work that ends every task, e.g. commit or review. */
  readonly isChore: boolean;
  /** A name joined of parts (`maxSize`, `src/cache.ts`), which nobody uses by chance; its parts follow it. */
  readonly isName: boolean;
  /** The name that this word is a part of. */
  readonly partOf?: string;
}

/** Two words that stand side by side in a prompt. */
interface PromptPair {
  readonly term: string;
  readonly weight: number;
}

/** What a prompt is looked up by. */
export interface PromptTerms {
  readonly words: readonly PromptWord[];
  readonly pairs: readonly PromptPair[];
}

/** A name as it is typed in the code says more than a word; a part of it says less. */
const NAME_WEIGHT = 1.5;
const PART_WEIGHT = 0.6;
/** A word of the tag table is known to be a subject. */
const SUBJECT_WEIGHT = 1.3;
/** Another word for the same thing, and another word of the same subject. */
const SAME_MEANING = 0.6;
const SAME_SUBJECT = 0.5;
const MOST_WORDS = 60;
const PATH = /(?<![\w/.~-])(?:[\w@.~-]+\/)+[\w@.-]*[\w@]/g;
const ADDRESS = /\b[a-z][a-z+.-]*:\/\/\S+/gi;

/**
 * Adds what `text` can be found by to `terms`; `strength` is how well the text says what it is about. Of prose
 * also the words that stand side by side; in commands and paths these say nothing.
 */
export function addTerms(terms: Terms, text: string, strength: number, isProse = true): void {
  for (const path of pathsIn(text)) raise(terms, path, strength);
  let before = '';
  for (const { parts, isName } of splitWords(text)) {
    if (isName) raise(terms, nameOf(parts), strength);
    for (const each of parts) {
      const { term, weight, tags, meanings } = wordFacts(each);
      if (weight === 0) continue;
      raise(terms, term, strength);
      if (isProse && before !== '') raise(terms, pairOf(before, term), strength);
      for (const tag of tags) raise(terms, tag, strength);
      for (const meaning of meanings) raise(terms, meaning, strength);
      before = term;
    }
  }
}

/** Adds the tags of what was done to `terms`. */
export function addTags(terms: Terms, tags: readonly string[], strength: number): void {
  for (const tag of tags) raise(terms, `#${tag}`, strength);
}

/** What a prompt is looked up by: the words that say something, each once, the first ones of a long text. */
export function promptTerms(prompt: string): PromptTerms {
  const words = new Map<string, PromptWord>();
  const pairs = new Map<string, PromptPair>();
  const text = prompt.replace(ADDRESS, ' ');
  let before: PromptWord | undefined;
  for (const path of pathsIn(text)) addName(words, path, path);
  for (const { text: word, parts, isName } of splitWords(text)) {
    if (words.size >= MOST_WORDS) break;
    if (isName) addName(words, word, nameOf(parts));
    for (const each of parts) {
      if (wordFacts(each).weight === 0) continue;
      const now = addWord(words, each, isName ? nameOf(parts) : undefined);
      if (before !== undefined && before.term !== now.term) {
        const term = pairOf(before.term, now.term);
        pairs.set(term, {
          term,
          weight: Math.sqrt(wordFacts(before.text).weight * wordFacts(now.text).weight),
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
  const { term, weight, isChore, tags, meanings } = wordFacts(text);
  const known = words.get(term);
  if (known !== undefined) return known;
  const factor = (partOf === undefined ? 1 : PART_WEIGHT) * (tags.length === 0 ? 1 : SUBJECT_WEIGHT);
  const related = [
    ...meanings.map((each) => ({ term: each, share: SAME_MEANING, isMeaning: true })),
    ...tags.map((each) => ({ term: each, share: SAME_SUBJECT, isMeaning: false })),
  ];
  const whole = partOf === undefined ? {} : { partOf };
  const word: PromptWord = {
    ...{ text, term, weight: weight * factor, related },
    ...{ isChore, isName: false, ...whole },
  };
  words.set(term, word);
  return word;
}

function raise(terms: Terms, term: string, strength: number): void {
  const known = terms.get(term);
  if (known === undefined || known < strength) terms.set(term, strength);
}

/** The same however it is written: `max_size`, `max-size` and `maxSize` are one name. */
function nameOf(parts: readonly string[]): string {
  return stem(parts.join(''));
}

function pairOf(first: string, second: string): string {
  return `${first} ${second}`;
}

function pathsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(PATH), ([path]) => path.toLowerCase());
}
