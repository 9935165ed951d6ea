import { textHash } from '../../record/id.ts';

/** Hashes are this many bits wide; the rest of 32 holds the strength of an entry. */
export const HASH_BITS = 29;
const HASHES = 2 ** HASH_BITS;

/**
 * The number a term has in the index. Two of the few thousand terms of a project hardly ever share one, and then
 * a word counts that should not.
 */
export function termHash(term: string): number {
  return textHash(term) % HASHES;
}
