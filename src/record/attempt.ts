/** All ways in which a tool call may end. */
export const OUTCOMES = [
  'success',
  'failure',
  'rejected',
  'denied',
  'interrupted',
  'cancelled',
  'noMatch',
  'unclear',
] as const;

/**
 * How a tool call ended. Only `failure` counts against it; the others are recorded as what they are. `unclear`:
 * its exit code was hidden by a pipe while its output shows a failure, or nobody saw how it ended.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** One tool call with its outcome, or a pattern noted without one. Optional fields are left out when empty. */
export interface Attempt {
  readonly v: number;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly outcome: Outcome;
  /** The agent's id of the call; with `sessionId` the key that makes recording idempotent. */
  readonly callId?: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly command?: string;
  readonly path?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly result?: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** The user's request that the call served. */
  readonly context?: string;
  readonly tags?: readonly string[];
  readonly branch?: string;
  readonly commit?: string;
  /** Working folder, relative to the project. */
  readonly cwd?: string;
  /** Names of environment assignments, sandbox, worktree, machine. */
  readonly circumstances?: readonly string[];
  readonly signature?: string;
  readonly errorSignature?: string;
  /** The class of a failure, or the kind of event behind a success (test, build, commit). */
  readonly kind?: string;
  /** A practice noted without a tool call. */
  readonly pattern?: string;
  readonly description?: string;
}
