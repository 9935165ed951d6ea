import type { Turn } from '../message.ts';
import type { CompactionSettings } from './compaction-settings.ts';
import type { TopicBoundary } from './topic-boundary.ts';

/** How confident a detector must be for everything before its boundary to be dropped. */
const MIN_CONFIDENCE = 0.5;

/** Turns with the tokens of each. */
export interface CountedTurns {
  readonly turns: readonly Turn[];
  readonly tokens: readonly number[];
  /** The first turn after the summary of an earlier compaction, which is never kept as it is. */
  readonly firstRemovable: number;
}

/** What a compaction will do; `start` is the first turn that stays. */
type CompactionPlan =
  | { readonly case: 'none'; readonly problem: string }
  | { readonly case: 'truncate' | 'summarise'; readonly start: number };

/**
 * Decides what to remove. A confident boundary inside the verbatim window: everything before it. Otherwise: everything
 * before the window, replaced by a summary. The newest `minVerbatimExchanges` user messages and their replies always stay.
 */
export function planCompaction(
  counted: CountedTurns,
  boundary: TopicBoundary,
  settings: CompactionSettings,
  options: { readonly force?: boolean } = {},
): CompactionPlan {
  const { firstRemovable } = counted;
  const windowStart = findVerbatimStart(counted, settings);
  const requiredStart = findNthLastExchange(counted, settings.minVerbatimExchanges);
  const { boundaryIndex, confidence } = boundary;
  if (boundaryIndex !== null && boundaryIndex >= windowStart && confidence >= MIN_CONFIDENCE) {
    const start = Math.min(findExchangeStart(counted, boundaryIndex), requiredStart);
    if (start > firstRemovable) return { case: 'truncate', start };
  }
  if (windowStart > firstRemovable) return { case: 'summarise', start: windowStart };
  // A forced compaction shortens the history even if all of it fits into the window.
  if (options.force === true && requiredStart > firstRemovable) return { case: 'summarise', start: requiredStart };
  return { case: 'none', problem: explainNothingToRemove(counted, settings) };
}

/** Explains why the rest of the history is still above the trigger; undefined when it is not. */
export function explainStillTooLong(
  counted: CountedTurns,
  start: number,
  tokensAfter: number,
  settings: CompactionSettings,
): string | undefined {
  const { triggerTokens, verbatimWindowTokens, minVerbatimExchanges } = settings;
  if (tokensAfter <= triggerTokens) return undefined;
  const kept =
    start >= findNthLastExchange(counted, minVerbatimExchanges)
      ? `the newest ${minVerbatimExchanges} exchanges, which are always kept`
      : `the exchanges of the newest ${verbatimWindowTokens} tokens, which are kept verbatim`;
  return `The history still has ${tokensAfter} tokens, above the trigger of ${triggerTokens}: ${kept}, have ${sumFrom(counted, start)}. ${describeLongest(counted, start)}`;
}

function explainNothingToRemove(counted: CountedTurns, settings: CompactionSettings): string {
  const { triggerTokens, verbatimWindowTokens, minVerbatimExchanges } = settings;
  const total = sumFrom(counted, 0);
  return `Nothing can be removed from a history of ${total} tokens (trigger: ${triggerTokens}): all of it belongs to the newest ${minVerbatimExchanges} exchanges or the newest ${verbatimWindowTokens} tokens, which are kept verbatim. ${describeLongest(counted, counted.firstRemovable)}`;
}

function describeLongest({ turns, tokens }: CountedTurns, from: number): string {
  let index = Math.min(from, turns.length - 1);
  for (let at = from; at < turns.length; at++) if ((tokens[at] ?? 0) > (tokens[index] ?? 0)) index = at;
  return `The longest message is number ${index + 1} with ${tokens[index] ?? 0} tokens.`;
}

function sumFrom({ tokens }: CountedTurns, from: number): number {
  return tokens.slice(from).reduce((total, count) => total + count, 0);
}

/**
 * Finds the first turn that stays verbatim: where `verbatimWindowTokens` are collected from the end, or the
 * `minVerbatimExchanges`-th last user message if that is earlier; moved back to the start of its exchange.
 */
export function findVerbatimStart(counted: CountedTurns, settings: CompactionSettings): number {
  const { turns, tokens, firstRemovable } = counted;
  let start = turns.length;
  for (let collected = 0; start > firstRemovable && collected < settings.verbatimWindowTokens; ) {
    start--;
    collected += tokens[start] ?? 0;
  }
  const requiredStart = findNthLastExchange(counted, settings.minVerbatimExchanges);
  return Math.min(findExchangeStart(counted, start), requiredStart);
}

/** Index of the `count`-th last user message; `firstRemovable` when there are fewer. */
function findNthLastExchange({ turns, firstRemovable }: CountedTurns, count: number): number {
  let found = 0;
  for (let index = turns.length - 1; index >= firstRemovable; index--) {
    if (turns[index]?.role === 'user' && ++found === count) return index;
  }
  return firstRemovable;
}

/** Index of the user message whose exchange a turn belongs to: a message and its replies are never separated. */
export function findExchangeStart({ turns, firstRemovable }: CountedTurns, index: number): number {
  if (index >= turns.length) return turns.length;
  let start = Math.max(index, firstRemovable);
  while (start > firstRemovable && turns[start]?.role !== 'user') start--;
  return start;
}
