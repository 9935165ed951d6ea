import type { Query } from './query.ts';
import { blockAt, hashOfEntry, type RecallIndex, strengthOfEntry } from './recall-index.ts';

/** What of a query is in one passage. */
export interface PassageHits {
  /** Which of the session's passages. */
  readonly place: number;
  /** By slot: 0 for a term that is not there. */
  readonly strengths: Float32Array;
}

/** What of a query is in one session; passages without a hit are left out. */
export interface SessionHits {
  /** Where its block begins. */
  readonly start: number;
  readonly endedAt: number;
  readonly passages: readonly PassageHits[];
  /** The strongest in any passage, and in how many passages it is, by slot. */
  readonly whole: Float32Array;
  readonly counts: Uint16Array;
}

/** What of a query is in a project. */
export interface Found {
  readonly sessionCount: number;
  /** In how many sessions a term is, by slot. */
  readonly frequencies: Uint32Array;
  readonly sessions: readonly SessionHits[];
}

/** Most hashes are of no term of the query; a small table of bits tells at once. */
const FILTER_BITS = 13;

/** Goes through the whole index once. */
export function lookUp(index: RecallIndex, query: Query): Found {
  const slotCount = query.slots.size;
  const filter = new Uint8Array(1 << FILTER_BITS);
  const mask = filter.length - 1;
  for (const hash of query.slots.keys()) filter[hash & mask] = 1;
  const frequencies = new Uint32Array(slotCount);
  const sessions: SessionHits[] = [];
  for (const start of index.blocks) {
    const hits = hitsIn(index, start, query, filter, mask);
    if (hits === undefined) continue;
    for (let slot = 0; slot < slotCount; slot++)
      if ((hits.counts[slot] ?? 0) > 0) frequencies[slot] = (frequencies[slot] ?? 0) + 1;
    sessions.push(hits);
  }
  return { sessionCount: index.blocks.length, frequencies, sessions };
}

function hitsIn(
  index: RecallIndex,
  start: number,
  query: Query,
  filter: Uint8Array,
  mask: number,
): SessionHits | undefined {
  const { numbers } = index;
  const { endedAt, from, to } = blockAt(index, start);
  const passages: PassageHits[] = [];
  let place = 0;
  let whole: Float32Array | undefined;
  let counts: Uint16Array | undefined;
  for (let at = from; at < to; ) {
    const end = Math.min(to, at + 1 + (numbers[at] ?? 0));
    let passage: Float32Array | undefined;
    for (let entry = at + 1; entry < end; entry++) {
      const number = numbers[entry] ?? 0;
      const hash = hashOfEntry(number);
      if (filter[hash & mask] === 0) continue;
      const slot = query.slots.get(hash);
      if (slot === undefined) continue;
      passage ??= new Float32Array(query.slots.size);
      whole ??= new Float32Array(query.slots.size);
      counts ??= new Uint16Array(query.slots.size);
      const strength = strengthOfEntry(number);
      passage[slot] = strength;
      whole[slot] = Math.max(whole[slot] ?? 0, strength);
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    if (passage !== undefined) passages.push({ place, strengths: passage });
    place++;
    at = end;
  }
  if (whole === undefined || counts === undefined) return undefined;
  return { start, endedAt, passages, whole, counts };
}
