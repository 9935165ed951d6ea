import { YoreError } from '../../record/index.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { dropOldest } from '../turns/drop-oldest.ts';
import type { Turn } from '../turns/turn.ts';

/** A history above this many times the trigger is cut when compaction failed. */
export const EMERGENCY_FACTOR = 2;

/** What is left of a history that was cut. */
export interface TruncatedHistory {
  readonly turns: Turn[];
  /** How many of the oldest turns are gone; 0 when nothing had to be done. */
  readonly dropped: number;
  readonly tokens: number;
}

/**
 * The last resort when compaction failed: a history above twice the trigger loses its oldest turns, in pairs, until it is
 * at the trigger or below. What stays begins with a user's turn. Changes nothing itself. Throws at a negative trigger.
 */
export function emergencyTruncate(
  turns: readonly Turn[],
  counter: TokenCounter,
  triggerTokens: number,
): TruncatedHistory {
  const counts = turns.map((turn) => counter.countMessage(turn));
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  if (!(triggerTokens >= 0)) {
    throw new YoreError('USAGE', `triggerTokens is ${triggerTokens}. Give a number of tokens, 0 or more.`);
  }
  if (tokens <= EMERGENCY_FACTOR * triggerTokens) return { turns: [...turns], dropped: 0, tokens };
  return truncateTo(turns, counts, triggerTokens);
}

/** Drops the oldest turns, in pairs, until the rest takes at most `maxTokens`. `counts` holds the tokens of each turn. */
export function truncateTo(
  turns: readonly Turn[],
  counts: readonly number[],
  maxTokens: number,
): TruncatedHistory {
  const tokensFrom = tokensFromEach(counts);
  const dropped = dropOldest(turns, (count) => (tokensFrom[count] ?? 0) <= maxTokens);
  return { turns: turns.slice(dropped), dropped, tokens: tokensFrom[dropped] ?? 0 };
}

/** For each index, the tokens from there to the end. */
function tokensFromEach(counts: readonly number[]): number[] {
  const sums = new Array<number>(counts.length + 1).fill(0);
  for (let index = counts.length - 1; index >= 0; index--) {
    sums[index] = (sums[index + 1] ?? 0) + (counts[index] ?? 0);
  }
  return sums;
}
