import type { Turn } from '../turns/turn-list.ts';
import type { CompactionSettings } from './compaction-settings.ts';
import type { TopicBoundary } from './topic-boundary.ts';

/** How sure a detector must be for what lies before its boundary to be let go. */
const MIN_CONFIDENCE = 0.5;

/** Which turns leave the history: those before `start`. */
type CompactionPlan =
  | { readonly case: 'none'; readonly problem: string }
  | { readonly case: 'truncate' | 'summarise'; readonly start: number };

/**
 * Decides what is removed. A sure boundary in or after the verbatim window: everything before it. Else: everything before
 * the window, with a summary in its place. The newest `minVerbatimExchanges` user messages and their replies always stay.
 */
export function planCompaction(
  counted: CountedTurns,
  boundary: TopicBoundary,
  settings: CompactionSettings,
  options: { readonly force?: boolean } = {},
): CompactionPlan {
  const window = findVerbatimStart(counted, settings);
  const least = findNthLastExchange(counted, settings.minVerbatimExchanges);
  const { boundaryIndex, confidence } = boundary;
  if (boundaryIndex !== null && boundaryIndex >= window && confidence >= MIN_CONFIDENCE) {
    const start = Math.min(findExchangeStart(counted, boundaryIndex), least);
    if (start > counted.firstRemovable) return { case: 'truncate', start };
  }
  if (window > counted.firstRemovable) return { case: 'summarise', start: window };
  // Whoever insists wants it shorter, even if all of it fits into the window.
  if (options.force === true && least > counted.firstRemovable) return { case: 'summarise', start: least };
  return { case: 'none', problem: explainNothingToRemove(counted, settings) };
}

/** Why what is left is still above the trigger; undefined when it is not. */
export function explainStillTooLong(
  counted: CountedTurns,
  start: number,
  tokensAfter: number,
  settings: CompactionSettings,
): string | undefined {
  if (tokensAfter <= settings.triggerTokens) return undefined;
  const least = findNthLastExchange(counted, settings.minVerbatimExchanges);
  const kept =
    start >= least
      ? `the newest ${settings.minVerbatimExchanges} exchanges, which always stay`
      : `the newest turns, of which ${settings.verbatimWindowTokens} tokens stay with the exchange they begin in`;
  return `The history still has ${tokensAfter} tokens, more than the trigger of ${settings.triggerTokens}: ${kept}, have ${sumFrom(counted, start)}. ${describeLongest(counted, start)}`;
}

function explainNothingToRemove(counted: CountedTurns, settings: CompactionSettings): string {
  const { triggerTokens, verbatimWindowTokens, minVerbatimExchanges } = settings;
  const total = sumFrom(counted, 0);
  const why = `everything belongs to the newest ${minVerbatimExchanges} exchanges or the newest ${verbatimWindowTokens} tokens, which stay`;
  return `Nothing can be removed from a history of ${total} tokens (trigger: ${triggerTokens}): ${why}. ${describeLongest(counted, counted.firstRemovable)}`;
}

function describeLongest({ turns, tokens }: CountedTurns, from: number): string {
  let index = Math.min(from, turns.length - 1);
  for (let at = from; at < turns.length; at++) if ((tokens[at] ?? 0) > (tokens[index] ?? 0)) index = at;
  return `The longest message is number ${index + 1} with ${tokens[index] ?? 0} tokens.`;
}

function sumFrom({ tokens }: CountedTurns, from: number): number {
  return tokens.slice(from).reduce((total, count) => total + count, 0);
}

/** Turns with what each costs. */
export interface CountedTurns {
  readonly turns: readonly Turn[];
  readonly tokens: readonly number[];
  /** The first turn that may be removed or kept by itself: after the summary of an earlier compaction. */
  readonly firstRemovable: number;
}

/**
 * Index of the first turn that stays word for word: the earlier of where `verbatimWindowTokens` are collected from the
 * end, and the `minVerbatimExchanges`-th last user message; moved back to the beginning of its exchange.
 */
export function findVerbatimStart(counted: CountedTurns, settings: CompactionSettings): number {
  const { turns, tokens, firstRemovable: floor } = counted;
  let start = turns.length;
  for (let collected = 0; start > floor && collected < settings.verbatimWindowTokens; ) {
    start--;
    collected += tokens[start] ?? 0;
  }
  return Math.min(
    findExchangeStart(counted, start),
    findNthLastExchange(counted, settings.minVerbatimExchanges),
  );
}

/** Index of the `count`-th last user message; the floor when there are fewer. */
function findNthLastExchange({ turns, firstRemovable: floor }: CountedTurns, count: number): number {
  let found = 0;
  for (let index = turns.length - 1; index >= floor; index--) {
    if (turns[index]?.role === 'user' && ++found === count) return index;
  }
  return floor;
}

/** Index of the user message whose exchange the turn belongs to: a message and its replies are never parted. */
export function findExchangeStart({ turns, firstRemovable: floor }: CountedTurns, index: number): number {
  if (index >= turns.length) return turns.length;
  let start = Math.max(index, floor);
  while (start > floor && turns[start]?.role !== 'user') start--;
  return start;
}
