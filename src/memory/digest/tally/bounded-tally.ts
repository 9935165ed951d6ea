import { compareText } from '../../../text/compare-text.ts';
import { shortHash } from '../short-hash.ts';

/** How often something happened, when, and in how many sessions. */
export interface Counted {
  readonly key: string;
  count: number;
  /** Sessions it happened in. Of sessions that take turns, the last {@link RECENT_SESSIONS} are told apart. */
  sessions: number;
  /** Short names of the latest sessions. */
  recent: string[];
  last: string;
}

/** Sessions that run at the same time, at most, for them to be counted right. */
const RECENT_SESSIONS = 3;
/** This often within a session is more than by the way. */
const REPEATED = 4;

/**
 * Counts by key for at most `limit` keys or so. When there are twice as many, those that came up once are
 * dropped, the oldest first, then those of the fewest sessions: what happens again and again stays. Depends only
 * on the order of the calls.
 */
export class BoundedTally<T extends Counted> {
  readonly #entries: Map<string, T>;
  readonly #limit: number;

  constructor(limit: number, entries: readonly T[] = []) {
    this.#limit = limit;
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]));
  }

  /** Counts one more of `key` and returns its entry; `create` makes the first. */
  count(key: string, at: string, sessionId: string, create: (counted: Counted) => T): T {
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = create({ key, count: 0, sessions: 0, recent: [], last: at });
      this.#entries.set(key, entry);
    }
    entry.count++;
    if (at > entry.last) entry.last = at;
    noteSession(entry, sessionId);
    if (this.#entries.size > 2 * this.#limit) this.#prune();
    return entry;
  }

  /** The entries, those of most sessions and most times first. */
  ranked(): readonly T[] {
    return [...this.#entries.values()].sort(byWeight);
  }

  /** The entries as they are stored. */
  toJSON(): readonly T[] {
    return [...this.#entries.values()];
  }

  #prune(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= this.#limit) return;
      if (entry.sessions < 2 && entry.count < REPEATED) this.#entries.delete(key);
    }
    const kept = new Set(this.ranked().slice(0, this.#limit));
    for (const [key, entry] of this.#entries) if (!kept.has(entry)) this.#entries.delete(key);
  }
}

function noteSession(entry: Counted, sessionId: string): void {
  const name = sessionName(sessionId);
  const { recent } = entry;
  if (recent.at(-1) === name) return;
  const known = recent.indexOf(name);
  if (known >= 0) recent.splice(known, 1);
  else entry.sessions++;
  recent.push(name);
  if (recent.length > RECENT_SESSIONS) recent.shift();
}

/** Records of a session come one after the other. */
let lastSession: { readonly id: string; readonly name: string } | undefined;

/** A short name of a session. */
export function sessionName(id: string): string {
  if (lastSession?.id !== id) lastSession = { id, name: shortHash(id) };
  return lastSession.name;
}

function byWeight(a: Counted, b: Counted): number {
  return (
    b.sessions - a.sessions || b.count - a.count || compareText(b.last, a.last) || compareText(a.key, b.key)
  );
}
