import type { SessionList } from './postings.ts';
import type { RecallIndex } from './recall-index.ts';
import { blockEndTime, blockPassages, entryHash, entryStrength, termHash } from './session-block.ts';
import { listStarts, type PromptWord, parsePromptTerms, type RelatedTerm, TermFinder } from './terms.ts';

/** A word of a prompt with the slots of its terms. */
export interface QueryWord extends Pick<PromptWord, 'text' | 'term' | 'weight' | 'isChore' | 'isName' | 'partOf'> {
  readonly slot: number;
  /** Slots of terms with the same meaning or subject, and the share of the word that each is worth. */
  readonly related: readonly (Omit<RelatedTerm, 'term'> & { readonly slot: number })[];
}

/** A prompt as a query: each distinct term has a slot. */
export interface Query {
  readonly words: readonly QueryWord[];
  readonly pairs: readonly { readonly slot: number; readonly weight: number }[];
  /** Slots by the hash of the term. */
  readonly slots: ReadonlyMap<number, number>;
  /** The same terms, to be found in texts. */
  readonly terms: TermFinder;
  /** What a text contains that may contain the term of a slot: see {@link listStarts}. */
  readonly starts: (slot: number) => readonly string[];
}

/** The request is at the beginning of a prompt; the rest is mostly pasted. */
const MAX_PROMPT_READ = 1200;

/** A prompt of less weight, without chores, has no subject: "commit and push please". */
const MIN_SUBJECT_WEIGHT = 0.5;

/** Whether a prompt has a subject. */
export function hasSubject({ words }: Query): boolean {
  return words.reduce((sum, { weight, isChore }) => (isChore ? sum : sum + weight), 0) >= MIN_SUBJECT_WEIGHT;
}

/** A cache of one prompt, which is matched against the memories of several projects. */
let last: { readonly prompt: string; readonly query: Query } | undefined;

/** Parses a prompt into a query. */
export function parseQuery(prompt: string): Query {
  if (last?.prompt !== prompt) last = { prompt, query: parse(prompt) };
  return last.query;
}

function parse(prompt: string): Query {
  const slots = new Map<number, number>();
  const terms = new Map<string, number>();
  const slotOf = (term: string): number => {
    const hash = termHash(term);
    const slot = slots.get(hash) ?? slots.size;
    slots.set(hash, slot);
    terms.set(term, slot);
    return slot;
  };
  const { words, pairs } = parsePromptTerms(prompt.slice(0, MAX_PROMPT_READ));
  return {
    words: words.map((word) => ({
      ...word,
      slot: slotOf(word.term),
      related: word.related.map(({ term, ...rest }) => ({ ...rest, slot: slotOf(term) })),
    })),
    pairs: pairs.map(({ term, weight }) => ({ slot: slotOf(term), weight })),
    slots,
    terms: new TermFinder(terms),
    // Terms with the same hash share a slot.
    starts: (slot) => [...terms].filter((each) => each[1] === slot).flatMap(([term]) => listStarts(term)),
  };
}

/** Matches a query against a text: 1 for each slot whose term is in the text. */
export function matchText(query: Query, text: string): Float32Array {
  const strengths = new Float32Array(query.slots.size);
  query.terms.find(text, (slot) => {
    strengths[slot] = 1;
  });
  return strengths;
}

/** The matches of a query in one passage. */
interface PassageHits {
  /** Index of the passage in the session. */
  readonly index: number;
  /** By slot; 0 for a term that does not occur. */
  readonly strengths: Float32Array;
}

/** The matches of a query in one session. */
export interface SessionHits {
  readonly endedAt: number;
  /** The maximum strength in any passage, and the number of passages, by slot. */
  readonly whole: Float32Array;
  readonly counts: Uint16Array;
  /** The passages with matches. */
  readonly passages: readonly PassageHits[];
}

/** The sessions of a project that contain the terms of a query. */
export interface QueryMatches {
  readonly query: Query;
  readonly sessionCount: number;
  /** Upper bound of the session numbers. */
  readonly capacity: number;
  /** The sessions that contain a term, by slot. */
  readonly sessions: readonly SessionList[];
}

/** Looks up the terms of a query in an index, which reads nothing else. */
export function findMatches(index: RecallIndex, query: Query): QueryMatches {
  const sessions: SessionList[] = [];
  for (const [hash, slot] of query.slots) sessions[slot] = index.sessionsWith(hash);
  return { query, sessionCount: index.sessionCount, capacity: index.capacity, sessions };
}

/** Matches a query against the block of a session, passage by passage. */
export function matchSession(query: Query, block: Uint32Array): SessionHits {
  const whole = new Float32Array(query.slots.size);
  const counts = new Uint16Array(query.slots.size);
  const passages: PassageHits[] = [];
  for (const [index, passage] of [...blockPassages(block)].entries()) {
    let strengths: Float32Array | undefined;
    for (const entry of passage) {
      const slot = query.slots.get(entryHash(entry));
      if (slot === undefined) continue;
      strengths ??= new Float32Array(query.slots.size);
      strengths[slot] = entryStrength(entry);
      whole[slot] = Math.max(whole[slot] ?? 0, entryStrength(entry));
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    if (strengths !== undefined) passages.push({ index, strengths });
  }
  return { endedAt: blockEndTime(block), whole, counts, passages };
}
