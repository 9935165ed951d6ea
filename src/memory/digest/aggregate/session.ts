import { type FailureState, newFailureState } from './failures.ts';
import { type MessageState, newMessageState } from './messages.ts';
import { newSuccessState, type SuccessState } from './successes.ts';

/**
 * The aggregate of a session: one state for each log. Each depends on the order of its own log only, so that logs can be
 * read independently of each other.
 */
export interface SessionState {
  readonly sessionId: string;
  readonly history: MessageState;
  readonly failures: FailureState;
  readonly successes: SuccessState;
}

/** The state of a session before its first record. */
export function newSessionState(sessionId: string): SessionState {
  return {
    sessionId,
    history: newMessageState(),
    failures: newFailureState(),
    successes: newSuccessState(),
  };
}
