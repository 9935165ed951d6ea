import type {
  DigestRequest,
  DigestStep,
  SessionDigest,
  SessionFailure,
} from '../../../src/memory/digest/session-digest.ts';

/** A step of a digest. */
export function step(kind: string, text: string, at = '2025-11-12T10:05:00.000Z'): DigestStep {
  return { at, kind, text, count: 1 };
}

/** A request of a digest. */
export function request(text: string, rest: Partial<DigestRequest> = {}): DigestRequest {
  return { at: '2025-11-12T10:00:00.000Z', text, tags: [], steps: [], ...rest };
}

/** A failure of a digest. */
export function failure(what: string, error: string, resolution?: string): SessionFailure {
  return {
    at: '2025-11-12T10:03:00.000Z',
    what,
    error,
    count: 1,
    open: resolution === undefined,
    ...(resolution === undefined ? {} : { resolution }),
  };
}

/** A digest of a session with these requests. */
export function digest(
  sessionId: string,
  requests: readonly DigestRequest[],
  rest: Partial<SessionDigest> = {},
): SessionDigest {
  return {
    sessionId,
    startedAt: '2025-11-12T10:00:00.000Z',
    endedAt: '2025-11-12T11:00:00.000Z',
    requests,
    failures: [],
    commands: [],
    files: [],
    commits: [],
    counts: { successes: 10, failures: 0 },
    hours: [],
    ...rest,
  };
}
