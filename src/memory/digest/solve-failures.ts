import { actionOf } from '../call/action.ts';
import type { FailureGroup } from './failure-fold.ts';
import type { SuccessGroup } from './success-fold.ts';

/** How a failure ended within its session. */
export type Ending =
  | { readonly open: true }
  | {
      readonly open: false;
      /** What worked instead; nothing when the same call worked later. */
      readonly resolution?: string;
    };

/** What is done much later has other reasons. */
const SOLVED_WITHIN_MS = 2 * 60 * 60 * 1000;
/** The last time there is a date for. */
const LAST_TIME = 8.64e15;
/** Share of words that two commands must have in common to be two ways to the same end. */
const ALIKE = 0.5;

/**
 * Which success of the same session solved a failure: the same call that worked later, or the first other
 * command after it that does the same (same program and subcommand, another install for the same request, or
 * mostly the same words).
 */
export function endingOf(failure: FailureGroup, successes: readonly SuccessGroup[]): Ending {
  if (successes.some((success) => success.last > failure.last && isSameCall(failure, success)))
    return { open: false };
  if (!failure.isCommand) return { open: true };
  const words = wordsOf(failure.what);
  const until = new Date(Math.min(Date.parse(failure.last) + SOLVED_WITHIN_MS, LAST_TIME)).toISOString();
  let best: { readonly at: string; readonly text: string } | undefined;
  for (const success of successes) {
    const at = success.first > failure.first ? success.first : success.last;
    if (at <= failure.first || at > until || (best && at >= best.at)) continue;
    if (isAlternative(failure, words, success)) best = { at, text: success.text };
  }
  return best ? { open: false, resolution: best.text } : { open: true };
}

function isSameCall(failure: FailureGroup, success: SuccessGroup): boolean {
  return success.text === failure.what || (failure.hash !== undefined && success.signature === failure.hash);
}

function isAlternative(failure: FailureGroup, words: readonly string[], success: SuccessGroup): boolean {
  if (success.kind === 'edit' || success.kind === 'create' || success.kind === 'commit') return false;
  if (success.text === failure.what) return false;
  const isRelated = failure.request === undefined || success.request === failure.request;
  const others = wordsOf(success.text);
  if (success.kind === 'install' && isRelated && actionOf(words) === 'install') return true;
  if (!isRelated) return false;
  const [program = '', sub = ''] = words;
  const hasSub = /^[a-z][\w:.-]*$/i.test(sub);
  if (hasSub && program === others[0] && sub === others[1]) return true;
  return shareOf(words, others) >= ALIKE;
}

function shareOf(words: readonly string[], others: readonly string[]): number {
  const own = new Set(words);
  const other = new Set(others);
  let common = 0;
  for (const word of own) if (other.has(word)) common++;
  return common / Math.max(own.size, other.size, 1);
}

function wordsOf(command: string): readonly string[] {
  return command.split(' ').filter((word) => word !== '');
}
