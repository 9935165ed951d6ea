import { KnownSession } from './known-session.ts';

/** What a project's logs hold already, so that nothing is taken in twice. */
export interface KnownRecords {
  /** What is known of a session. Always the same object for the same session: what is taken in is noted there. */
  session(sessionId: string): KnownSession;
}

/** Asks for each session once and remembers the answer. */
export class RememberedSessions implements KnownRecords {
  readonly #sessions = new Map<string, KnownSession>();
  readonly #fill: (sessionId: string, session: KnownSession) => void;

  /** `fill` adds what is recorded of a session. Default: nothing is. */
  constructor(fill: (sessionId: string, session: KnownSession) => void = () => undefined) {
    this.#fill = fill;
  }

  session(sessionId: string): KnownSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const session = new KnownSession();
    this.#sessions.set(sessionId, session);
    this.#fill(sessionId, session);
    return session;
  }
}

/** The longest line of forks of forks that is followed. */
const MOST_ANCESTORS = 20;

/** A session, or one that it was forked from, and what is known of it. */
export interface Ancestor {
  readonly id: string;
  readonly records: KnownSession;
}

/** A session and those it was forked from: a fork begins with copies of what they hold. */
export function lineage(
  known: KnownRecords,
  sessionId: string,
  parent: string | undefined,
  isFork: boolean,
): readonly Ancestor[] {
  const own = known.session(sessionId);
  const ancestors: Ancestor[] = [{ id: sessionId, records: own }];
  if (!isFork) return ancestors;
  const seen = new Set([sessionId]);
  let next = parent ?? own.parent;
  while (next !== undefined && !seen.has(next) && seen.size < MOST_ANCESTORS) {
    const records = known.session(next);
    ancestors.push({ id: next, records });
    seen.add(next);
    next = records.parent;
  }
  return ancestors;
}
