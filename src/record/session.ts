import type { Role } from './message.ts';

/** What a list of sessions shows of one. */
export interface SessionSummary {
  readonly sessionId: string;
  /** Of the first message. */
  readonly timestamp: string;
  /** Of the last message or attempt. */
  readonly lastActivity: string;
  readonly messageCount: number;
  /** First 100 characters or so of the first message, on one line. */
  readonly preview: string;
  readonly firstRole: Role;
  /** Id of the project (`<hash8>`). */
  readonly project: string;
  readonly agent?: string;
  readonly branch?: string;
  readonly failures: number;
  readonly successes: number;
}
