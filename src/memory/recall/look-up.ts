import type { Query } from './query.ts';
import { blockAt, hashOfEntry, type RecallIndex, strengthOfEntry } from './recall-index.ts';

/** What of a query is in one passage. */
interface PassageHits {
  /** Which of the session's passages. */
  readonly place: number;
  /** By slot: 0 for a term that is not there. */
  readonly strengths: Float32Array;
}

/** What of a query is in one session. */
export interface SessionHits {
  /** Where its block begins. */
  readonly start: number;
  readonly endedAt: number;
  /** The strongest in any passage, and in how many passages it is, by slot. */
  readonly whole: Float32Array;
  readonly counts: Uint16Array;
  /** Those with a hit. */
  readonly passages: readonly PassageHits[];
}

/** A session with a hit: which of all places are its own. */
export interface SessionPlaces {
  readonly start: number;
  readonly first: number;
  readonly end: number;
}

/** Where a query is in a project. */
export interface Found {
  readonly index: RecallIndex;
  readonly query: Query;
  /** In how many sessions a term is, by slot. */
  readonly frequencies: Uint32Array;
  /** The slot at each place where the index has a term of the query. */
  readonly slots: readonly number[];
  readonly sessions: readonly SessionPlaces[];
}

/** Most hashes are of no term of the query; a table by their last bits tells at once. */
const TABLE_BITS = 13;
const NONE = -1;
const SEVERAL = -2;

/**
 * Goes through the whole index once. The numbers that are no entries (lengths, ids) are not told apart: that one
 * of them is taken for a term is as unlikely as that two terms share a hash.
 */
export function lookUp(index: RecallIndex, query: Query): Found {
  const { places, slots } = placesOf(index.numbers, query);
  const frequencies = new Uint32Array(query.slots.size);
  const seenIn = new Int32Array(query.slots.size);
  const sessions: SessionPlaces[] = [];
  let next = 0;
  for (const start of index.blocks) {
    const { from, to } = blockAt(index, start);
    while (next < places.length && (places[next] ?? 0) < from) next++;
    const first = next;
    for (; next < places.length && (places[next] ?? 0) < to; next++) {
      const slot = slots[next] ?? 0;
      if (seenIn[slot] === start) continue;
      seenIn[slot] = start;
      frequencies[slot] = (frequencies[slot] ?? 0) + 1;
    }
    if (next > first) sessions.push({ start, first, end: next });
  }
  return { index, query, frequencies, slots, sessions };
}

/** What of the query is in a session, passage by passage. */
export function hitsOf({ index, query }: Found, start: number): SessionHits {
  const { numbers } = index;
  const { from, to, endedAt } = blockAt(index, start);
  const whole = new Float32Array(query.slots.size);
  const counts = new Uint16Array(query.slots.size);
  const passages: PassageHits[] = [];
  let place = 0;
  for (let at = from; at < to; place++) {
    const end = Math.min(to, at + 1 + (numbers[at] ?? 0));
    let strengths: Float32Array | undefined;
    for (const entry of numbers.subarray(at + 1, end)) {
      const slot = query.slots.get(hashOfEntry(entry));
      if (slot === undefined) continue;
      strengths ??= new Float32Array(query.slots.size);
      strengths[slot] = strengthOfEntry(entry);
      whole[slot] = Math.max(whole[slot] ?? 0, strengthOfEntry(entry));
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    if (strengths !== undefined) passages.push({ place, strengths });
    at = end;
  }
  return { start, endedAt, whole, counts, passages };
}

function placesOf(
  numbers: Uint32Array,
  { slots: slotOf }: Query,
): { readonly places: readonly number[]; readonly slots: readonly number[] } {
  const table = new Int32Array(1 << TABLE_BITS).fill(NONE);
  const hashes = new Uint32Array(1 << TABLE_BITS);
  const mask = table.length - 1;
  for (const [hash, slot] of slotOf) {
    table[hash & mask] = table[hash & mask] === NONE ? slot : SEVERAL;
    hashes[hash & mask] = hash;
  }
  const places: number[] = [];
  const slots: number[] = [];
  for (let at = 0; at < numbers.length; at++) {
    const hash = hashOfEntry(numbers[at] ?? 0);
    const known = table[hash & mask] ?? NONE;
    if (known === NONE || (known !== SEVERAL && hashes[hash & mask] !== hash)) continue;
    const slot = known === SEVERAL ? slotOf.get(hash) : known;
    if (slot === undefined) continue;
    places.push(at);
    slots.push(slot);
  }
  return { places, slots };
}
