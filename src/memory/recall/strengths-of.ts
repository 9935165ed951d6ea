import type { Query } from './query.ts';
import { termHash } from './term-hash.ts';
import { addTerms, type Terms } from './terms.ts';

/** What of a query is in a text, by slot: 1 for a term that is there. */
export function strengthsOf(query: Query, text: string): Float32Array {
  const terms: Terms = new Map();
  addTerms(terms, text, 1);
  const strengths = new Float32Array(query.slots.size);
  for (const term of terms.keys()) {
    const slot = query.slots.get(termHash(term));
    if (slot !== undefined) strengths[slot] = 1;
  }
  return strengths;
}
