import { classifyCommand } from '../call/action.ts';
import type { ProjectCounts } from '../digest/counts/project-counts.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import type { AntiPattern } from './knowledge-file.ts';

const MOST = 10;
/** This often is sure. */
const SURE_COUNT = 3;
/** How many of the most frequent failures are looked at, and in how many sessions it is looked how they ended. */
const CANDIDATES = 40;
const MOST_LOOKUPS = 15;
/** As long as failures stay out of the archive. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The failures that are worth knowing, the surest first: what the user asked to avoid, then calls that failed
 * repeatedly for a lasting reason and have not worked since. A missing thing counts the first time when it is
 * known what works instead. What has not failed for 30 days before `at` is left out.
 */
export function antiPatternsOf(
  counts: ProjectCounts,
  digestOf: (sessionId: string) => SessionDigest | undefined,
  at: string,
): readonly AntiPattern[] {
  const noted = counts.warnings.toReversed().map(
    (note): AntiPattern => ({
      pattern: note.pattern,
      reason: note.description,
      occurredAt: note.at,
      count: 1,
      confidence: 1,
    }),
  );
  const known = new Set(noted.map(({ pattern }) => pattern));
  const learned: AntiPattern[] = [];
  const since = new Date(Date.parse(at) - RETENTION_MS).toISOString();
  const digests = new Map<string, SessionDigest | undefined>();
  for (const failure of counts.failures.ranked().slice(0, CANDIDATES)) {
    if (learned.length >= MOST || known.has(failure.what) || failure.last < since) continue;
    if (failure.signature !== undefined && counts.succeeded.hasWorkedSince(failure.signature, failure.last))
      continue;
    // A path that is not there is a matter of the day; one that is looked for in session after session is not.
    if (!failure.isCommand && failure.sessions < 2) continue;
    if (failure.count < 2 && failure.kind !== 'missing') continue;
    const { sessionId } = failure;
    if (!digests.has(sessionId) && digests.size < MOST_LOOKUPS) digests.set(sessionId, digestOf(sessionId));
    const ending = endingIn(digests.get(sessionId), failure.what);
    if (ending?.open === false && ending.resolution === undefined) continue;
    const alternative = ending?.resolution;
    if (failure.count < 2 && !isClear(failure.what, alternative)) continue;
    known.add(failure.what);
    learned.push({
      pattern: failure.what,
      reason: failure.error,
      occurredAt: failure.last,
      count: failure.count,
      ...(alternative === undefined ? {} : { alternative }),
      confidence: Math.min(failure.count / SURE_COUNT, 1),
    });
  }
  return [...noted, ...learned].slice(0, MOST);
}

/** Whether one case is enough: another package, or another program for the same end, worked instead. */
function isClear(what: string, alternative: string | undefined): boolean {
  if (alternative === undefined) return false;
  const words = what.split(' ');
  return classifyCommand(words) === 'install' || words[0] !== alternative.split(' ', 1)[0];
}

/** How a failure ended in the session in which it happened last. */
function endingIn(
  digest: SessionDigest | undefined,
  what: string,
): { readonly open: boolean; readonly resolution?: string } | undefined {
  return digest?.failures.find((failure) => failure.what === what);
}
