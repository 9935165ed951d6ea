import type { CompactionSettings } from './compaction-settings.ts';
import type { TopicBoundary } from './topic-boundary.ts';
import { type CountedTurns, exchangeStart, exchangesStart, verbatimStart } from './verbatim-window.ts';

/** How sure a detector must be for what lies before its boundary to be let go. */
const SURE = 0.5;

/** Which turns leave the history: those before `start`. */
export type CompactionPlan =
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
  const window = verbatimStart(counted, settings);
  const least = exchangesStart(counted, settings.minVerbatimExchanges);
  const { boundaryIndex, confidence } = boundary;
  if (boundaryIndex !== null && boundaryIndex >= window && confidence >= SURE) {
    const start = Math.min(exchangeStart(counted, boundaryIndex), least);
    if (start > counted.floor) return { case: 'truncate', start };
  }
  if (window > counted.floor) return { case: 'summarise', start: window };
  // Whoever insists wants it shorter, even if all of it fits into the window.
  if (options.force === true && least > counted.floor) return { case: 'summarise', start: least };
  return { case: 'none', problem: nothingToRemove(counted, settings) };
}

/** Why what is left is still above the trigger; undefined when it is not. */
export function stillTooLong(
  counted: CountedTurns,
  start: number,
  tokensAfter: number,
  settings: CompactionSettings,
): string | undefined {
  if (tokensAfter <= settings.triggerTokens) return undefined;
  const least = exchangesStart(counted, settings.minVerbatimExchanges);
  const kept =
    start >= least
      ? `the newest ${settings.minVerbatimExchanges} exchanges, which always stay`
      : `the newest turns, of which ${settings.verbatimWindowTokens} tokens stay with the exchange they begin in`;
  return `The history still has ${tokensAfter} tokens, more than the trigger of ${settings.triggerTokens}: ${kept}, have ${sum(counted, start)}. ${largest(counted, start)}`;
}

function nothingToRemove(counted: CountedTurns, settings: CompactionSettings): string {
  const { triggerTokens, verbatimWindowTokens, minVerbatimExchanges } = settings;
  const total = sum(counted, 0);
  const why = `everything belongs to the newest ${minVerbatimExchanges} exchanges or the newest ${verbatimWindowTokens} tokens, which stay`;
  return `Nothing can be removed from a history of ${total} tokens (trigger: ${triggerTokens}): ${why}. ${largest(counted, counted.floor)}`;
}

function largest({ turns, tokens }: CountedTurns, from: number): string {
  let index = Math.min(from, turns.length - 1);
  for (let at = from; at < turns.length; at++) if ((tokens[at] ?? 0) > (tokens[index] ?? 0)) index = at;
  return `The longest message is number ${index + 1} with ${tokens[index] ?? 0} tokens.`;
}

function sum({ tokens }: CountedTurns, from: number): number {
  return tokens.slice(from).reduce((total, count) => total + count, 0);
}
