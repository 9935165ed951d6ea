import type { Turn } from './turn.ts';

/**
 * How many turns to drop from the front so that the rest fits: none when all fit, else pairs of two until they fit, and on
 * until the rest begins with a user's turn, so that no answer stays without its question. `fits` is asked with the number
 * of turns dropped so far.
 */
export function dropOldest(turns: readonly Turn[], fits: (dropped: number) => boolean): number {
  if (fits(0)) return 0;
  let dropped = 0;
  while (dropped < turns.length && !fits(dropped)) dropped = Math.min(dropped + 2, turns.length);
  while (dropped < turns.length && turns[dropped]?.role !== 'user') dropped++;
  return dropped;
}
