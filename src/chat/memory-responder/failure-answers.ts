import type { PastFailure, SessionDigest, TimeSpan } from '../../memory/index.ts';
import type { FailureSummary } from '../../project/index.ts';
import { omitUndefined } from '../../record/object.ts';
import { compareText } from '../../text/compare-text.ts';
import { formatCount } from '../../text/format-count.ts';
import { listRecentWork } from './history-facts.ts';
import {
  explainNothingRecorded,
  formatCode,
  formatDay,
  formatError,
  formatSection,
  formatWhen,
  shortSessionId,
} from './memory-text.ts';
import { countMatches, isAbout, type MemorySource } from './question.ts';

const MAX_OPEN = 6;
const MAX_SOLVED = 3;
const MAX_REASONS = 3;
const MAX_FREQUENT = 8;

/** Lists what failed: first what may fail again, then what has worked since. */
export function answerFailures(span: TimeSpan, source: MemorySource): string {
  const failures = listFailures(source).filter(({ at }) => isWithin(at, span));
  if (failures.length === 0) return explainNoFailures(span, source);
  const open = failures.filter(({ isOpen }) => isOpen).slice(0, MAX_OPEN);
  const solved = failures.filter(({ isOpen }) => !isOpen).slice(0, MAX_SOLVED);
  const more = failures.length - open.length - solved.length;
  return [
    ...formatSection('Failed and has not worked since:', open.map(formatItem)),
    ...formatSection('Failed, but worked later:', solved.map(formatItem)),
    ...(more > 0 ? [`${more} more: \`yore failures --all\` and \`yore recap\`.`] : []),
  ]
    .join('\n')
    .trim();
}

/** Lists what failed most often in the whole history, with what worked instead or since. */
export function answerFrequentFailures({ project }: MemorySource): string {
  const { total, calls, failures } = project.memory.pastFailures({ limit: MAX_FREQUENT });
  if (calls === 0) return 'No failures are recorded. `yore recap` shows what was worked on.';
  return [
    ...formatSection('Failed most often:', failures.map(formatPastFailure)),
    `${formatCount(calls, 'failure')} of ${formatCount(total, 'different call')} in all: \`yore failures\`.`,
  ].join('\n');
}

function formatPastFailure({ what, count, firstAt, lastAt, causes, ...ending }: PastFailure): string {
  const [cause] = causes;
  const [first, last] = [formatDay(firstAt), formatDay(lastAt)];
  const period = first === last ? `on ${last}` : `from ${first} to ${last}`;
  const where = cause === undefined ? '' : `, last in session ${shortSessionId(cause.sessionId)}`;
  const reason = cause === undefined || cause.error === '' ? '.' : `: ${formatError(cause.error)}`;
  const others = causes.length > 1 ? ` ${formatCount(causes.length - 1, 'other cause')}.` : '';
  const instead = ending.resolution === undefined ? '' : ` ${formatCode(ending.resolution)} worked instead.`;
  const since = ending.hasWorkedSince ? ' It has worked since.' : '';
  return `- ${formatCode(what)} failed ${formatCount(count, 'time')} ${period}${where}${reason}${others}${instead}${since}`;
}

/** Explains why something failed; the last failure if nothing is named. Undefined if no known failure matches. */
export function answerWhy(words: readonly string[], source: MemorySource): string | undefined {
  const failures = listFailures(source);
  const matching = words.length === 0 ? failures.slice(0, 1) : findFailures(words, failures).slice(0, MAX_REASONS);
  if (matching.length === 0) return undefined;
  return matching.map(formatItem).join('\n');
}

function formatItem(failure: FailureFact): string {
  return `- ${formatFailure(failure)}`;
}

function explainNoFailures(span: TimeSpan, source: MemorySource): string {
  if (listRecentWork(source).length === 0) return explainNothingRecorded(source.project.info.displayName);
  const when = span.since === undefined ? '' : ' for that time';
  return `No failures are recorded${when}. \`yore recap\` shows what was worked on.`;
}

function isWithin(at: string, { since = 0, until = Number.POSITIVE_INFINITY }: TimeSpan): boolean {
  const time = Date.parse(at);
  return time >= since && time < until;
}

/** Something that failed, with what is known about it. */
interface FailureFact {
  /** The last time it failed. */
  readonly at: string;
  readonly what: string;
  readonly error: string;
  readonly count: number;
  readonly sessionId: string | undefined;
  /** What worked instead. */
  readonly resolution: string | undefined;
  /** Whether it may fail again: nothing shows that it has worked since. */
  readonly isOpen: boolean;
  /** When it worked again, if that is known. */
  readonly endedAt: string | undefined;
}

/** All failures that the user has not dismissed, newest first: those of the guard, then those of digests. */
export function listFailures(source: MemorySource): readonly FailureFact[] {
  const known = source.project.memory.failures({ all: true });
  const found = new Map(known.toReversed().map((failure) => [failure.what, fromGuard(failure)]));
  const { resolutions } = source.project.memory.synthesise().store.counts;
  for (const digest of listRecentWork(source)) {
    for (const failure of digest.failures) {
      if (found.has(failure.what)) continue;
      const resolution = failure.resolution ?? resolutions.find(failure.signature, failure.what);
      found.set(failure.what, fromDigest({ ...failure, ...omitUndefined({ resolution }) }, digest.sessionId));
    }
  }
  for (const { what, choice } of known) if (choice === 'dismiss') found.delete(what);
  return [...found.values()].sort((a, b) => compareText(a.at, b.at)).reverse();
}

/** The failures that are about some words, those that match most first. */
export function findFailures(words: readonly string[], failures: readonly FailureFact[]): readonly FailureFact[] {
  const text = ({ what, error }: FailureFact): string => `${what} ${error}`;
  return failures
    .filter((failure) => isAbout(text(failure), words))
    .sort((a, b) => countMatches(text(b), words) - countMatches(text(a), words));
}

/** What failed, when, why, and what worked instead or since. */
export function formatFailure(failure: FailureFact): string {
  const { at, what, error, count, resolution, endedAt, sessionId } = failure;
  const times = count > 1 ? `failed ${count} times, last` : 'failed';
  const reason = error === '' ? '.' : `: ${formatError(error)}`;
  const instead = resolution === undefined ? '' : ` ${formatCode(resolution)} worked instead.`;
  const since = endedAt === undefined ? '' : ` It worked again on ${formatDay(endedAt)}.`;
  return `${formatCode(what)} ${times} ${formatWhen(at, sessionId)}${reason}${instead}${since}`;
}

function fromGuard(failure: FailureSummary): FailureFact {
  const { at, what, error, count, sessions, resolution, endedAt } = failure;
  const isOpen = endedAt === undefined;
  return { at, what, error, count, sessionId: sessions.at(-1), resolution, isOpen, endedAt };
}

function fromDigest(failure: SessionDigest['failures'][number], sessionId: string): FailureFact {
  const { at, what, error, count, resolution } = failure;
  // A failure that was solved by another call is still open: the same call would fail again.
  const isOpen = failure.open || resolution !== undefined;
  return { at, what, error, count, sessionId, resolution, isOpen, endedAt: undefined };
}
