import type { SessionHits } from './look-up.ts';
import type { Query } from './query.ts';
import type { ActiveFailure } from './recall-memory.ts';
import type { Relevances } from './relevance.ts';
import { strengthsOf } from './strengths-of.ts';

/** A failure that stands in the way of what a prompt asks for. */
export interface StandingMatch {
  readonly failure: ActiveFailure;
  readonly confidence: number;
}

/** Of the newest failures; older ones were passed over many times by then. */
const MOST_FAILURES = 300;

/** The failures whose request is the one of the prompt, the newest last. */
export function standingMatches(
  query: Query,
  failures: readonly ActiveFailure[],
  relevances: Relevances,
  minConfidence: number,
): readonly StandingMatch[] {
  return failures
    .slice(-MOST_FAILURES)
    .filter(({ context }) => context !== undefined && context !== '')
    .map((failure) => ({ failure, confidence: relevances.of(hitsOf(query, failure)).confidence }))
    .filter(({ confidence }) => confidence >= minConfidence);
}

function hitsOf(query: Query, { context, what }: ActiveFailure): SessionHits {
  const strengths = strengthsOf(query, `${context ?? ''}\n${what}`);
  return {
    endedAt: 0,
    passages: [{ place: 0, strengths }],
    whole: strengths,
    counts: new Uint16Array(query.slots.size),
  };
}
