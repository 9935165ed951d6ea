import type { TextCounter } from './summariser.ts';

const LONGEST_TOKEN = 128;

/** The beginning of a text that fits into a budget, up to the end of a line, a word or at least a character. */
export function cutToBudget(text: string, budgetTokens: number, counter: TextCounter): string {
  // No token is longer: what lies beyond need not be counted.
  const start = text.slice(0, budgetTokens * LONGEST_TOKEN);
  if (start.length === text.length && counter.count(text) <= budgetTokens) return text;
  let fits = 0;
  for (let low = 0, high = start.length; low <= high; ) {
    const middle = (low + high) >> 1;
    if (counter.count(start.slice(0, middle)) <= budgetTokens) {
      fits = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  const cut = start.slice(0, fits);
  const end = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf(' '));
  return (end > cut.length / 2 ? cut.slice(0, end) : withoutHalf(cut)).trimEnd();
}

function withoutHalf(text: string): string {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff ? text.slice(0, -1) : text;
}
