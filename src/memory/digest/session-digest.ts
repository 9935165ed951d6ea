/** What a session was about: the base of recap, briefing and recall. Derived from the logs, bounded in size. */
export interface SessionDigest {
  readonly sessionId: string;
  readonly agent?: string;
  /** The last branch that was seen. */
  readonly branch?: string;
  /** Times of the first and the last record; ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** What the user asked, in order of time: the first ones and the latest. */
  readonly requests: readonly DigestRequest[];
  /** Failures that are worth knowing, in order of time. */
  readonly failures: readonly SessionFailure[];
  /** Commands that worked, the latest last. */
  readonly commands: readonly DigestStep[];
  /** Files changed, relative to the project, the latest first. */
  readonly files: readonly string[];
  readonly commits: readonly DigestCommit[];
  readonly counts: { readonly attempts: number; readonly failures: number };
  /** What happened in each hour with activity, in order of time. */
  readonly hours: readonly DigestHour[];
}

/** One thing the user asked for and what served it. */
export interface DigestRequest {
  readonly at: string;
  /** On one line, at most 300 characters. Empty for work that no recorded request explains. */
  readonly text: string;
  readonly tags: readonly string[];
  /** The decisive successes that served it, in order of time. */
  readonly steps: readonly DigestStep[];
  /** What the user said of it. */
  readonly outcome?: 'worked' | 'failed';
  /** One decisive line: of a commit message, else of the assistant's reply. */
  readonly decision?: string;
}

/** Something that worked. */
export interface DigestStep {
  /** Of the last time. */
  readonly at: string;
  /** install, create, edit, test, build, lint, format, commit, run. */
  readonly kind: string;
  /** Command, path, or the message of a commit; on one line. */
  readonly text: string;
  readonly count: number;
}

/** Something that failed. */
export interface SessionFailure {
  /** Of the last time. */
  readonly at: string;
  /** Command or path, on one line. */
  readonly what: string;
  /** The telling line of the error. */
  readonly error: string;
  readonly count: number;
  /** The class of the failure. */
  readonly kind?: string;
  readonly signature?: string;
  /** What worked instead. */
  readonly resolution?: string;
  /** Nothing in the session solved it: neither the same call nor another one. */
  readonly open: boolean;
}

/** A commit made in the session. */
export interface DigestCommit {
  readonly at: string;
  /** First line of its message. */
  readonly message: string;
}

/** What happened within an hour. */
export interface DigestHour {
  /** Its beginning; ISO 8601, UTC. */
  readonly at: string;
  readonly successes: number;
  readonly failures: number;
}
