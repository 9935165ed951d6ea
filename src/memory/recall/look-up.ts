import type { Query } from './query.ts';
import { endOf, hashOfEntry, passagesIn, strengthOfEntry } from './recall-block.ts';
import type { RecallIndex } from './recall-index.ts';

/** What of a query is in one passage. */
interface PassageHits {
  /** Which of the session's passages. */
  readonly place: number;
  /** By slot: 0 for a term that is not there. */
  readonly strengths: Float32Array;
}

/** What of a query is in one session. */
export interface SessionHits {
  readonly endedAt: number;
  /** The strongest in any passage, and in how many passages it is, by slot. */
  readonly whole: Float32Array;
  readonly counts: Uint16Array;
  /** Those with a hit. */
  readonly passages: readonly PassageHits[];
}

/** Where a query is in a project. */
export interface Found {
  readonly query: Query;
  readonly sessionCount: number;
  /** All numbers of sessions are below this. */
  readonly places: number;
  /** The sessions that have a term, by slot. */
  readonly sessions: readonly (readonly number[])[];
}

/** Which sessions have which terms of a query. Reads these alone. */
export function lookUp(index: RecallIndex, query: Query): Found {
  const sessions: (readonly number[])[] = [];
  for (const [hash, slot] of query.slots) sessions[slot] = index.sessionsWith(hash);
  return { query, sessionCount: index.sessionCount, places: index.places, sessions };
}

/** What of the query is in a session, passage by passage. */
export function hitsOf(query: Query, block: Uint32Array): SessionHits {
  const whole = new Float32Array(query.slots.size);
  const counts = new Uint16Array(query.slots.size);
  const passages: PassageHits[] = [];
  let place = 0;
  for (const passage of passagesIn(block)) {
    let strengths: Float32Array | undefined;
    for (const entry of passage) {
      const slot = query.slots.get(hashOfEntry(entry));
      if (slot === undefined) continue;
      strengths ??= new Float32Array(query.slots.size);
      strengths[slot] = strengthOfEntry(entry);
      whole[slot] = Math.max(whole[slot] ?? 0, strengthOfEntry(entry));
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    if (strengths !== undefined) passages.push({ place, strengths });
    place++;
  }
  return { endedAt: endOf(block), whole, counts, passages };
}
