import { YoreError } from '../../record/index.ts';
import { dropOldest } from './drop-oldest.ts';
import type { Turn } from './turn.ts';

/** Most turns that are kept where a session is cut instead of compacted. */
export const DEFAULT_MAX_TURNS = 40;

/** What a sliding window leaves of a session. */
export interface SlidWindow {
  readonly turns: Turn[];
  /** How many turns were dropped from the front. Whoever slides the window shows it. */
  readonly evicted: number;
}

/**
 * The newest turns, at most `maxTurns`: the oldest are dropped in pairs until the rest fits, and on until it begins with a
 * user's turn. Changes nothing itself. Throws at a limit that is negative or no number.
 */
export function slideWindow(turns: readonly Turn[], maxTurns: number = DEFAULT_MAX_TURNS): SlidWindow {
  if (!(maxTurns >= 0)) {
    throw new YoreError('USAGE', `maxTurns is ${maxTurns}. Give the number of turns to keep, 0 or more.`);
  }
  const evicted = dropOldest(turns, (dropped) => turns.length - dropped <= maxTurns);
  return { turns: turns.slice(evicted), evicted };
}
