import { YoreError } from '../../record/index.ts';
import type { Turn } from '../message.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** The default maximum of turns where a session is cut instead of compacted. */
export const DEFAULT_MAX_TURNS = 40;

/** The result of {@link slideWindow}. */
export interface WindowResult {
  readonly turns: Turn[];
  /** How many turns were dropped from the front. Show it to the user. */
  readonly evicted: number;
}

/**
 * Keeps the newest turns, at most `maxTurns`: the oldest are dropped in pairs, then further until the rest begins with
 * a user's turn. Returns new turns. Throws for a negative or invalid limit.
 */
export function slideWindow(turns: readonly Turn[], maxTurns: number = DEFAULT_MAX_TURNS): WindowResult {
  if (!(maxTurns >= 0)) {
    throw new YoreError('USAGE', `maxTurns is ${maxTurns}. Give the number of turns to keep, 0 or more.`);
  }
  const evicted = countToDrop(turns, (dropped) => turns.length - dropped <= maxTurns);
  return { turns: turns.slice(evicted), evicted };
}

/** If compaction failed, a history above this many times the trigger is truncated. */
export const EMERGENCY_FACTOR = 2;

/** The result of {@link emergencyTruncate}. */
export interface TruncationResult {
  readonly turns: Turn[];
  /** How many of the oldest turns were dropped. */
  readonly dropped: number;
  readonly tokens: number;
}

/**
 * The last resort when compaction failed: truncates a history above twice the trigger to the trigger. The oldest turns
 * are dropped as by {@link slideWindow}. Returns new turns. Throws for a negative trigger.
 */
export function emergencyTruncate(
  turns: readonly Turn[],
  counter: TokenCounter,
  triggerTokens: number,
): TruncationResult {
  const counts = turns.map((turn) => counter.countMessage(turn));
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  if (!(triggerTokens >= 0)) {
    throw new YoreError('USAGE', `triggerTokens is ${triggerTokens}. Give a number of tokens, 0 or more.`);
  }
  if (tokens <= EMERGENCY_FACTOR * triggerTokens) return { turns: [...turns], dropped: 0, tokens };
  return truncateToTokens(turns, counts, triggerTokens);
}

/** Drops the oldest turns, in pairs, until the rest has at most `maxTokens`. `counts` holds the tokens of each turn. */
export function truncateToTokens(
  turns: readonly Turn[],
  counts: readonly number[],
  maxTokens: number,
): TruncationResult {
  const tokensFrom = suffixSums(counts);
  const dropped = countToDrop(turns, (count) => (tokensFrom[count] ?? 0) <= maxTokens);
  return { turns: turns.slice(dropped), dropped, tokens: tokensFrom[dropped] ?? 0 };
}

/**
 * How many turns to drop from the front: pairs until the rest fits, then further until it begins with a user's turn, so
 * that no answer stays without its question; none if all fit. `fits` is called with the number of turns dropped so far.
 */
function countToDrop(turns: readonly Turn[], fits: (dropped: number) => boolean): number {
  if (fits(0)) return 0;
  let dropped = 0;
  while (dropped < turns.length && !fits(dropped)) dropped = Math.min(dropped + 2, turns.length);
  while (dropped < turns.length && turns[dropped]?.role !== 'user') dropped++;
  return dropped;
}

/** For each index, the sum from there to the end. */
function suffixSums(counts: readonly number[]): number[] {
  const sums = new Array<number>(counts.length + 1).fill(0);
  for (let index = counts.length - 1; index >= 0; index--) {
    sums[index] = (sums[index + 1] ?? 0) + (counts[index] ?? 0);
  }
  return sums;
}
