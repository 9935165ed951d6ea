import type { SessionDigest } from '../../memory/index.ts';
import type { FailureSummary } from '../../project/index.ts';
import type { Asked, MemorySource } from './memory-source.ts';
import { code, day, error as errorText, when } from './memory-text.ts';
import { recentWork } from './recent-work.ts';
import { isAbout, wordsIn } from './subject.ts';

/** Something that failed, and what became of it. */
export interface KnownFailure {
  /** Of the last time. */
  readonly at: string;
  readonly what: string;
  readonly error: string;
  readonly count: number;
  readonly sessionId: string | undefined;
  /** What worked instead. */
  readonly instead: string | undefined;
  /** It may fail again: nothing shows that it has worked since. */
  readonly isOpen: boolean;
  /** When it worked again, where that is known. */
  readonly endedAt: string | undefined;
}

/** All failures that the user has not dismissed, the newest first: those the guard holds, then those of digests. */
export function knownFailures(asked: Asked, source: MemorySource): readonly KnownFailure[] {
  const remembered = source.project.memory.failures({ all: true });
  const found = new Map(remembered.toReversed().map((failure) => [failure.what, fromGuard(failure)]));
  for (const digest of recentWork(asked, source)) {
    for (const failure of digest.failures) {
      if (!found.has(failure.what)) found.set(failure.what, fromDigest(failure, digest.sessionId));
    }
  }
  for (const { what, choice } of remembered) if (choice === 'dismiss') found.delete(what);
  return [...found.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The failures that are about some words: those with most of them first, of equal ones the newest. */
export function failuresAbout(
  words: readonly string[],
  known: readonly KnownFailure[],
): readonly KnownFailure[] {
  const text = ({ what, error }: KnownFailure): string => `${what} ${error}`;
  return known
    .filter((failure) => isAbout(text(failure), words))
    .sort((a, b) => wordsIn(text(b), words) - wordsIn(text(a), words));
}

/** What failed, when, why, and what worked instead or since. */
export function failureText({ at, what, error, count, instead, endedAt, sessionId }: KnownFailure): string {
  const often = count > 1 ? `failed ${count} times, last` : 'failed';
  const why = error === '' ? '.' : `: ${errorText(error)}`;
  const worked = instead === undefined ? '' : ` ${code(instead)} worked instead.`;
  const since = endedAt === undefined ? '' : ` It worked again on ${day(endedAt)}.`;
  return `${code(what)} ${often} ${when(at, sessionId)}${why}${worked}${since}`;
}

function fromGuard(failure: FailureSummary): KnownFailure {
  const { at, what, error, count, sessions, resolution, endedAt } = failure;
  const isOpen = endedAt === undefined;
  return { at, what, error, count, sessionId: sessions.at(-1), instead: resolution, isOpen, endedAt };
}

function fromDigest(failure: SessionDigest['failures'][number], sessionId: string): KnownFailure {
  const { at, what, error, count, resolution } = failure;
  // What was solved by another call is open still: the same would fail again.
  const isOpen = failure.open || resolution !== undefined;
  return { at, what, error, count, sessionId, instead: resolution, isOpen, endedAt: undefined };
}
