import { YoreError } from '../../record/index.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Turn } from './turn-list.ts';

/** Most turns that are kept where a session is cut instead of compacted. */
export const DEFAULT_MAX_TURNS = 40;

/** What a sliding window leaves of a session. */
export interface WindowResult {
  readonly turns: Turn[];
  /** How many turns were dropped from the front. Whoever slides the window shows it. */
  readonly evicted: number;
}

/**
 * The newest turns, at most `maxTurns`: the oldest are dropped in pairs until the rest fits, and on until it begins with a
 * user's turn. Changes nothing itself. Throws at a limit that is negative or no number.
 */
export function slideWindow(turns: readonly Turn[], maxTurns: number = DEFAULT_MAX_TURNS): WindowResult {
  if (!(maxTurns >= 0)) {
    throw new YoreError('USAGE', `maxTurns is ${maxTurns}. Give the number of turns to keep, 0 or more.`);
  }
  const evicted = dropOldest(turns, (dropped) => turns.length - dropped <= maxTurns);
  return { turns: turns.slice(evicted), evicted };
}

/** A history above this many times the trigger is cut when compaction failed. */
export const EMERGENCY_FACTOR = 2;

/** What is left of a history that was cut. */
export interface TruncationResult {
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
): TruncationResult {
  const counts = turns.map((turn) => counter.countMessage(turn));
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  if (!(triggerTokens >= 0)) {
    throw new YoreError('USAGE', `triggerTokens is ${triggerTokens}. Give a number of tokens, 0 or more.`);
  }
  if (tokens <= EMERGENCY_FACTOR * triggerTokens) return { turns: [...turns], dropped: 0, tokens };
  return truncateToTokens(turns, counts, triggerTokens);
}

/** Drops the oldest turns, in pairs, until the rest takes at most `maxTokens`. `counts` holds the tokens of each turn. */
export function truncateToTokens(
  turns: readonly Turn[],
  counts: readonly number[],
  maxTokens: number,
): TruncationResult {
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

/**
 * How many turns to drop from the front so that the rest fits: none when all fit, else pairs of two until they fit, and on
 * until the rest begins with a user's turn, so that no answer stays without its question. `fits` is asked with the number
 * of turns dropped so far.
 */
function dropOldest(turns: readonly Turn[], fits: (dropped: number) => boolean): number {
  if (fits(0)) return 0;
  let dropped = 0;
  while (dropped < turns.length && !fits(dropped)) dropped = Math.min(dropped + 2, turns.length);
  while (dropped < turns.length && turns[dropped]?.role !== 'user') dropped++;
  return dropped;
}
