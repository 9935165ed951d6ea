import { omitUndefined } from '../../record/object.ts';
import { classifyCommand } from '../call/action.ts';
import type { ProjectCounts } from '../digest/counts/project-counts.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import type { AntiPattern } from './knowledge-file.ts';

const MAX_ANTI_PATTERNS = 10;
/** A failure that happened this often is certain. */
const CERTAIN_COUNT = 3;
/** The most frequent failures are considered, and the digests of some sessions read to see how they ended. */
const MAX_CANDIDATES = 40;
const MAX_LOOKUPS = 15;
/** The time after which failures are archived. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * What to avoid in the project, the most certain first: notes by the user, then calls that failed repeatedly for a
 * lasting reason and have not worked since. Something missing counts the first time if there is a resolution. Failures
 * older than 30 days before `at` are left out.
 */
export function findAntiPatterns(
  counts: ProjectCounts,
  readDigest: (sessionId: string) => SessionDigest | undefined,
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
  for (const failure of counts.failures.ranked().slice(0, MAX_CANDIDATES)) {
    if (learned.length >= MAX_ANTI_PATTERNS || known.has(failure.what) || failure.last < since) continue;
    if (failure.signature !== undefined && counts.succeeded.hasWorkedSince(failure.signature, failure.last)) continue;
    // A missing path matters only if it is looked for in several sessions.
    if (!failure.isCommand && failure.sessions < 2) continue;
    if (failure.count < 2 && failure.kind !== 'missing') continue;
    const { sessionId } = failure;
    if (!digests.has(sessionId) && digests.size < MAX_LOOKUPS) digests.set(sessionId, readDigest(sessionId));
    const ending = findEnding(digests.get(sessionId), failure.what);
    if (ending?.open === false && ending.resolution === undefined) continue;
    const alternative = ending?.resolution;
    if (failure.count < 2 && !isConclusive(failure.what, alternative)) continue;
    known.add(failure.what);
    learned.push({
      pattern: failure.what,
      reason: failure.error,
      occurredAt: failure.last,
      count: failure.count,
      ...omitUndefined({ alternative }),
      confidence: Math.min(failure.count / CERTAIN_COUNT, 1),
    });
  }
  return [...noted, ...learned].slice(0, MAX_ANTI_PATTERNS);
}

/** Whether one case is enough: another package or another program worked instead. */
function isConclusive(what: string, alternative: string | undefined): boolean {
  if (alternative === undefined) return false;
  const words = what.split(' ');
  return classifyCommand(words) === 'install' || words[0] !== alternative.split(' ', 1)[0];
}

/** How a failure ended in a session. */
function findEnding(
  digest: SessionDigest | undefined,
  what: string,
): { readonly open: boolean; readonly resolution?: string } | undefined {
  return digest?.failures.find((failure) => failure.what === what);
}
