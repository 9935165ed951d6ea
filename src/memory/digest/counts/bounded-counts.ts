import { shortHash } from '../../../record/id.ts';
import { compareText } from '../../../text/compare-text.ts';

/** How often something happened, when, and in how many sessions. */
export interface Counted {
  readonly key: string;
  count: number;
  /** Number of sessions it happened in, correct for up to {@link RECENT_SESSIONS} concurrent sessions. */
  sessions: number;
  /** Short names of the latest sessions. */
  recent: string[];
  last: string;
}

/** Number of concurrent sessions that are counted correctly. */
const RECENT_SESSIONS = 3;
/** From this count on, something in a single session is kept. */
const REPEATED = 4;

/**
 * Counts by key, for about `limit` keys. At twice as many, keys of a single session are dropped, the oldest first, then
 * those of the fewest sessions: what recurs stays. The result depends only on the order of the calls.
 */
export class BoundedCounts<T extends Counted> {
  readonly #entries: Map<string, T>;
  readonly #limit: number;

  constructor(limit: number, entries: readonly T[] = []) {
    this.#limit = limit;
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]));
  }

  /** Counts an occurrence of `key` and returns its entry, which `create` completes at the first one. */
  count(key: string, at: string, sessionId: string, create: (counted: Counted) => T): T {
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = create({ key, count: 0, sessions: 0, recent: [], last: at });
      this.#entries.set(key, entry);
    }
    entry.count++;
    if (at > entry.last) entry.last = at;
    addSession(entry, sessionId);
    if (this.#entries.size > 2 * this.#limit) this.#prune();
    return entry;
  }

  /** The entries by number of sessions and occurrences, the highest first. */
  ranked(): readonly T[] {
    return [...this.#entries.values()].sort(compareWeight);
  }

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

function addSession(entry: Counted, sessionId: string): void {
  const name = shortSessionName(sessionId);
  const { recent } = entry;
  if (recent.at(-1) === name) return;
  const known = recent.indexOf(name);
  if (known >= 0) recent.splice(known, 1);
  else entry.sessions++;
  recent.push(name);
  if (recent.length > RECENT_SESSIONS) recent.shift();
}

/** A cache of one session: its records follow each other. */
let lastSession: { readonly id: string; readonly name: string } | undefined;

/** A short hash of a session id. */
export function shortSessionName(id: string): string {
  if (lastSession?.id !== id) lastSession = { id, name: shortHash(id) };
  return lastSession.name;
}

function compareWeight(a: Counted, b: Counted): number {
  return b.sessions - a.sessions || b.count - a.count || compareText(b.last, a.last) || compareText(a.key, b.key);
}
