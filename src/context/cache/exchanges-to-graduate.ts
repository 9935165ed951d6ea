import type { ItemState } from './item-state.ts';
import { ENTRY_N } from './tier.ts';

/**
 * The messages that may leave the active part: the oldest whole exchanges that have lasted, but not the newest `keep`
 * tokens.
 */
export function exchangesToGraduate(active: readonly ItemState[], keep: number): ItemState[] {
  const messages = active.filter(({ kind }) => kind === 'history').sort((a, b) => a.index - b.index);
  let end = messages.length;
  let kept = 0;
  while (end > 0 && kept < keep) kept += messages[--end]?.tokens ?? 0;
  const unstable = messages.findIndex(({ n }) => n < ENTRY_N.L3);
  if (unstable !== -1) end = Math.min(end, unstable);
  return messages.slice(0, wholeExchanges(messages, end));
}

/** How many of the first `end` messages are whole exchanges. A question without a reply is none. */
export function wholeExchanges(messages: readonly ItemState[], end: number): number {
  let whole = end;
  if (whole > 0 && whole === messages.length && messages[whole - 1]?.startsExchange) whole--;
  while (whole > 0 && whole < messages.length && !messages[whole]?.startsExchange) whole--;
  return whole;
}
