/** What a session was about, for recap, briefing and recall. Derived from the logs, bounded in size. */
export interface SessionDigest {
  readonly sessionId: string;
  /** As in lists of sessions. Left out for a session without a request. */
  readonly title?: string;
  readonly agent?: string;
  /** The last branch. */
  readonly branch?: string;
  /** Another session started it, as a sub-agent. */
  readonly isSubAgent?: true;
  /** Times of the first and the last record; ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** The user's requests in order of time; of many, the first and the latest. */
  readonly requests: readonly DigestRequest[];
  /** The most informative failures, in order of time. */
  readonly failures: readonly SessionFailure[];
  /** Commands that worked, the latest last. */
  readonly commands: readonly DigestStep[];
  /** Files changed, relative to the project, the latest first. */
  readonly files: readonly string[];
  readonly commits: readonly DigestCommit[];
  /** Tool calls that worked and that failed. */
  readonly counts: { readonly successes: number; readonly failures: number };
  /** Activity by hour, in order of time. */
  readonly hours: readonly DigestHour[];
}

/** A request and the steps that served it. */
export interface DigestRequest {
  readonly at: string;
  /** On one line, at most 300 characters. Empty for work without a recorded request. */
  readonly text: string;
  readonly tags: readonly string[];
  /** The decisive steps that served it, in order of time. */
  readonly steps: readonly DigestStep[];
  /** The user's feedback. */
  readonly outcome?: 'worked' | 'failed';
  /** The decisive line of a commit message or else of the assistant's reply. */
  readonly decision?: string;
}

/** A step that worked. */
export interface DigestStep {
  /** When it last happened. */
  readonly at: string;
  /** install, create, edit, test, build, lint, format, commit, run. */
  readonly kind: string;
  /** Command, path, or the message of a commit; on one line. */
  readonly text: string;
  readonly count: number;
}

/** A failure within a session. */
export interface SessionFailure {
  /** When it last happened. */
  readonly at: string;
  /** Command or path, on one line. */
  readonly what: string;
  /** The line of the output that explains the failure. */
  readonly error: string;
  readonly count: number;
  /** The class of the failure. */
  readonly kind?: string;
  readonly signature?: string;
  /** What worked instead. */
  readonly resolution?: string;
  /** It was not resolved in the session, by the same call or another one. */
  readonly open: boolean;
}

/** A commit made in the session. */
export interface DigestCommit {
  readonly at: string;
  /** The first line of its message. */
  readonly message: string;
}

/** Activity within an hour. */
export interface DigestHour {
  /** Start of the hour; ISO 8601, UTC. */
  readonly at: string;
  readonly successes: number;
  readonly failures: number;
}
