import type { FailureOccurrence } from './hazard.ts';

/** What two calls are compared by. */
export interface Comparable {
  /** Canonical command or path. */
  readonly text: string;
  readonly family: string;
  /** The request that the call serves. */
  readonly context?: string | undefined;
  readonly tags: readonly string[];
}

/** Below this two calls are different attempts. */
export const LEAST_SIMILARITY = 0.85;

const LONGEST = 240;

/**
 * How alike a call is to one that failed, from 0 to 1: 0.3 same tool, 0.4 like command or path, 0.3 like context and
 * tags. Texts are compared only where the rest leaves a chance of {@link LEAST_SIMILARITY}.
 */
export function similarity(
  call: Comparable,
  failed: FailureOccurrence & { readonly family: string },
): number {
  const rest = 0.3 * (call.family === failed.family ? 1 : 0) + 0.3 * contextLikeness(call, failed);
  const needed = (LEAST_SIMILARITY - rest) / 0.4;
  return rest + 0.4 * likeness(call.text.slice(0, LONGEST), failed.signature.slice(0, LONGEST), needed);
}

/** Shared share of the words of two requests, or of the tags, whichever is more. */
function contextLikeness(call: Comparable, failed: FailureOccurrence): number {
  const words = overlap(wordsOf(call.context), wordsOf(failed.context));
  return Math.max(words, overlap(new Set(call.tags), new Set(failed.tags)));
}

function wordsOf(text: string | undefined): ReadonlySet<string> {
  return new Set(text?.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const item of a) if (b.has(item)) shared++;
  return shared / (a.size + b.size - shared);
}

/** 1 minus the edits between two texts, as a share of the longer one; 0 when it is surely less than `needed`. */
function likeness(a: string, b: string, needed: number): number {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  // As many edits as the lengths differ are needed at least.
  if (needed >= 1 || Math.abs(a.length - b.length) > longest * (1 - needed)) return 0;
  return 1 - editDistance(a, b) / longest;
}

function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let at = 1; at <= b.length; at++) {
      const replaced = (before[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      now.push(Math.min(replaced, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}
