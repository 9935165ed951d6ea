import { termHash } from './term-hash.ts';
import { type PromptWord, promptTerms, type RelatedTerm } from './terms.ts';

/** A word of the prompt with the slots its terms have in the counts. */
export interface QueryWord
  extends Pick<PromptWord, 'text' | 'term' | 'weight' | 'isChore' | 'isName' | 'partOf'> {
  readonly slot: number;
  /** Slots of terms of the same meaning or subject, and how much of the word each is worth. */
  readonly related: readonly (Omit<RelatedTerm, 'term'> & { readonly slot: number })[];
}

/** A prompt made ready to be looked up: each distinct term has a slot. */
export interface Query {
  readonly words: readonly QueryWord[];
  readonly pairs: readonly { readonly slot: number; readonly weight: number }[];
  /** Slot by the hash of the term. */
  readonly slots: ReadonlyMap<number, number>;
}

/** Pasted logs and files say little about what is asked; the request itself stands at the beginning. */
const READ = 1200;

/** A prompt whose words weigh less than this, chores not counted, is about nothing: "commit and push please". */
const LEAST_SUBJECT = 0.5;

/** Whether a prompt says what it is about, and not only what is to be done with it. */
export function hasSubject({ words }: Query): boolean {
  return words.reduce((sum, { weight, isChore }) => (isChore ? sum : sum + weight), 0) >= LEAST_SUBJECT;
}

/** Makes a prompt ready to be looked up. */
export function queryOf(prompt: string): Query {
  const slots = new Map<number, number>();
  const slotOf = (term: string): number => {
    const hash = termHash(term);
    const known = slots.get(hash);
    if (known !== undefined) return known;
    slots.set(hash, slots.size);
    return slots.size - 1;
  };
  const { words, pairs } = promptTerms(prompt.slice(0, READ));
  return {
    words: words.map((word) => ({
      ...word,
      slot: slotOf(word.term),
      related: word.related.map(({ term, ...rest }) => ({ ...rest, slot: slotOf(term) })),
    })),
    pairs: pairs.map(({ term, weight }) => ({ slot: slotOf(term), weight })),
    slots,
  };
}
