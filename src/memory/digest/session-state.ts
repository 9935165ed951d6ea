import { type FailureState, newFailureState } from './failure-fold.ts';
import { type HistoryState, newHistoryState } from './history-fold.ts';
import { newSuccessState, type SuccessState } from './success-fold.ts';

/**
 * What is kept of a session to go on digesting it: one state for each log. Each is folded in the order of its
 * own log and never looks at another, so that it does not matter when which log is read.
 */
export interface SessionState {
  readonly sessionId: string;
  readonly history: HistoryState;
  readonly failures: FailureState;
  readonly successes: SuccessState;
}

/** The state of a session before its first record. */
export function newSessionState(sessionId: string): SessionState {
  return {
    sessionId,
    history: newHistoryState(),
    failures: newFailureState(),
    successes: newSuccessState(),
  };
}
