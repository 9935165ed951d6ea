import type { Home } from '../../project/index.ts';
import type { Attempt } from '../../record/index.ts';
import { isMessage } from '../output/session-text.ts';

/** What the records say about an earlier try at the same request. */
export interface Recall {
  readonly failure: Attempt;
  /** What worked in the same session after it, in order; the first one instead of it. */
  readonly successes: readonly Attempt[];
}

/** Finds the failure that a request ran into before, and what worked after it in the same session. */
export function recall(home: Home, request: string): Recall | undefined {
  for (const hit of home.search({ text: request, outcome: 'failure', limit: 5 }).hits) {
    const { project } = home.findSession(hit.sessionId);
    const attempts = project
      .session(hit.sessionId)
      .entries.filter((entry): entry is Attempt => !isMessage(entry));
    const failure = attempts.find(({ id }) => id === hit.id);
    if (!failure) continue;
    const successes = attempts.filter(
      (attempt) => attempt.outcome === 'success' && attempt.timestamp > failure.timestamp,
    );
    if (successes.length > 0) return { failure, successes };
  }
  return undefined;
}
