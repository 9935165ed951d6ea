import type { Turn } from '../turns/turn.ts';
import type { CompactionSettings } from './compaction-settings.ts';

/** Turns with what each costs. */
export interface CountedTurns {
  readonly turns: readonly Turn[];
  readonly tokens: readonly number[];
  /** The first turn that may be removed or kept by itself: after the summary of an earlier compaction. */
  readonly floor: number;
}

/**
 * Index of the first turn that stays word for word: the earlier of where `verbatimWindowTokens` are collected from the
 * end, and the `minVerbatimExchanges`-th last user message; moved back to the beginning of its exchange.
 */
export function verbatimStart(counted: CountedTurns, settings: CompactionSettings): number {
  const { turns, tokens, floor } = counted;
  let start = turns.length;
  for (let collected = 0; start > floor && collected < settings.verbatimWindowTokens; ) {
    start--;
    collected += tokens[start] ?? 0;
  }
  return Math.min(exchangeStart(counted, start), exchangesStart(counted, settings.minVerbatimExchanges));
}

/** Index of the `count`-th last user message; the floor when there are fewer. */
export function exchangesStart({ turns, floor }: CountedTurns, count: number): number {
  let found = 0;
  for (let index = turns.length - 1; index >= floor; index--) {
    if (turns[index]?.role === 'user' && ++found === count) return index;
  }
  return floor;
}

/** Index of the user message whose exchange the turn belongs to: a message and its replies are never parted. */
export function exchangeStart({ turns, floor }: CountedTurns, index: number): number {
  if (index >= turns.length) return turns.length;
  let start = Math.max(index, floor);
  while (start > floor && turns[start]?.role !== 'user') start--;
  return start;
}
