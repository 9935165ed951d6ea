import type { DigestRequest, DigestStep, SessionDigest, SessionFailure } from '../digest/session-digest.ts';
import { promptTerms } from './terms.ts';

/** A request of a session with all that came of it, up to the next request that asks for something else. */
export interface Episode {
  /** Undefined for a session in which nothing was asked. */
  readonly request: DigestRequest | undefined;
  /** The decisive line: of a commit, else of a reply. */
  readonly decision?: string;
  readonly steps: readonly DigestStep[];
  readonly failures: readonly SessionFailure[];
  /** What the user said of it. */
  readonly outcome?: 'worked' | 'failed';
}

/** A request that says less than this ("yes", "commit this") goes on with the one before it. */
const LEAST_SUBJECT = 0.7;

/**
 * The episode that the request at `place` belongs to; a place behind the last request means the session as a
 * whole. When nothing was decided within the episode, `decisive` picks the line of the session that tells most.
 */
export function episodeAt(
  digest: SessionDigest,
  place: number,
  decisive: (lines: readonly string[]) => string | undefined,
): Episode {
  const first = place < digest.requests.length ? startOf(digest.requests, place) : 0;
  const next =
    place < digest.requests.length
      ? digest.requests.findIndex((each, at) => at > place && asksForSomething(each))
      : -1;
  const requests = digest.requests.slice(first, next === -1 ? undefined : next);
  const from = requests[0]?.at ?? digest.startedAt;
  const until = next === -1 ? undefined : digest.requests[next]?.at;
  const outcome = requests.findLast((each) => each.outcome !== undefined)?.outcome;
  const decision =
    decisive(linesOf(requests)) ??
    decisive(linesOf(digest.requests)) ??
    decisive(commitsOf(digest)) ??
    linesOf(requests)[0];
  return {
    request: requests[0],
    ...(decision === undefined ? {} : { decision }),
    ...(outcome === undefined ? {} : { outcome }),
    steps: requests.flatMap((each) => each.steps),
    failures: digest.failures.filter(({ at }) => at >= from && (until === undefined || at < until)),
  };
}

function startOf(requests: readonly DigestRequest[], place: number): number {
  const start = requests.findLastIndex((each, at) => at <= place && asksForSomething(each));
  return start === -1 ? place : start;
}

function asksForSomething({ text }: DigestRequest): boolean {
  return promptTerms(text).words.reduce((sum, { weight }) => sum + weight, 0) >= LEAST_SUBJECT;
}

function linesOf(requests: readonly DigestRequest[]): readonly string[] {
  return requests.flatMap((each) => (each.decision === undefined ? [] : [each.decision]));
}

function commitsOf({ commits }: SessionDigest): readonly string[] {
  return commits.map(({ message }) => message);
}
