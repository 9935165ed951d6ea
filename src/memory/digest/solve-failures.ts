import { RESOLUTION_WINDOW_MS, resolves } from '../failure/resolves.ts';
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

/** The last time there is a date for. */
const LAST_TIME = 8.64e15;

/**
 * Which success of the same session solved a failure: the same call that worked later, or the first other command
 * for the same request that is another way to the same end. That is the guard's rule for calls that failed as a
 * whole. Its rules for what an error blames are not used here: they need each call taken apart and in the order of
 * time, and a digest has only groups of calls, from one log at a time.
 */
export function endingOf(failure: FailureGroup, successes: readonly SuccessGroup[]): Ending {
  if (successes.some((success) => success.last > failure.last && isSameCall(failure, success)))
    return { open: false };
  if (!failure.isCommand) return { open: true };
  const until = new Date(Math.min(Date.parse(failure.last) + RESOLUTION_WINDOW_MS, LAST_TIME)).toISOString();
  let best: { readonly at: string; readonly text: string } | undefined;
  for (const success of successes) {
    const at = success.first > failure.first ? success.first : success.last;
    if (at <= failure.first || at > until || (best && at >= best.at)) continue;
    if (isAlternative(failure, success)) best = { at, text: success.text };
  }
  return best ? { open: false, resolution: best.text } : { open: true };
}

function isSameCall(failure: FailureGroup, success: SuccessGroup): boolean {
  return success.text === failure.what || (failure.hash !== undefined && success.signature === failure.hash);
}

function isAlternative(failure: FailureGroup, success: SuccessGroup): boolean {
  if (success.kind === 'edit' || success.kind === 'create' || success.kind === 'commit') return false;
  if (failure.request !== undefined && success.request !== failure.request) return false;
  return resolves(failure.what, success.text);
}
