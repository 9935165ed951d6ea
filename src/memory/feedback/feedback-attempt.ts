import type { Attempt } from '../../record/index.ts';
import { feedbackOf } from './feedback-of.ts';

/** A verdict that is about to be recorded as an attempt. */
export type FeedbackDraft = Omit<Attempt, 'v' | 'id'>;

/**
 * The attempt that a prompt makes of the request before, where it says how that went ("that worked", "try again").
 * `last` is the last call that served the request. Undefined when the prompt says nothing of it.
 */
export function feedbackAttempt(
  prompt: Pick<Attempt, 'sessionId' | 'timestamp' | 'agent' | 'branch'> & { readonly text: string },
  request: string,
  last: () => Pick<Attempt, 'command' | 'path' | 'tags'> | undefined,
): FeedbackDraft | undefined {
  const verdict = feedbackOf(prompt.text);
  if (verdict === undefined) return undefined;
  const { command, path, tags } = last() ?? {};
  return {
    timestamp: prompt.timestamp,
    sessionId: prompt.sessionId,
    outcome: verdict.verdict === 'worked' ? 'success' : 'failure',
    kind: 'feedback',
    context: request,
    description: verdict.reason,
    ...(prompt.agent === undefined ? {} : { agent: prompt.agent }),
    ...(prompt.branch === undefined ? {} : { branch: prompt.branch }),
    ...(command === undefined ? {} : { command }),
    ...(path === undefined ? {} : { path }),
    ...(tags === undefined ? {} : { tags }),
  };
}
