import type { Connection, ReadConnection } from './connection.ts';
import { readState, writeState } from './schema.ts';

/** Ids per second. When a second has more records, they use ids of the following seconds. */
const IDS_PER_SECOND = 64;
/** Later times (from the year 2514 on) share ids. */
const MAX_SECOND = 2 ** 34 - 1;
/** Larger than any id. */
const TOP = 2 ** 41;

/**
 * Assigns ids that decrease with time, so that the index returns the newest documents first and a time range is an id
 * range, in whatever order the logs are read. Decreasing, because FTS5 reads twice as fast in ascending order. Seconds
 * instead of milliseconds, because FTS5 stores differences between ids, and larger ones made the index a third larger.
 */
export class DocumentIds {
  readonly #connection: Connection;
  /** By second, the slot to try next. Slots increase with time; an id is {@link TOP} minus its slot. */
  readonly #nextSlot = new Map<number, number>();
  readonly #usedSlots = new Set<number>();
  #overflow = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** An unused id for a document of that time. Of equal times, later calls get newer ids. */
  take(time: number): number {
    const second = secondOf(time);
    let slot = this.#nextSlot.get(second) ?? this.#firstFreeSlot(second * IDS_PER_SECOND);
    while (this.#usedSlots.has(slot)) slot = this.#slotAfter(slot);
    this.#usedSlots.add(slot);
    this.#nextSlot.set(second, this.#slotAfter(slot));
    this.#overflow = Math.max(this.#overflow, Math.floor(slot / IDS_PER_SECOND) - second);
    return TOP - slot;
  }

  /** Stores by how many seconds ids overflowed, which {@link idRange} allows for. */
  save(): void {
    if (this.#overflow <= readOverflow(this.#connection)) return;
    writeState(this.#connection, 'overflow', this.#overflow);
  }

  /** The next slot that the database does not use. */
  #slotAfter(slot: number): number {
    const next = slot + 1;
    return next % IDS_PER_SECOND === 0 ? this.#firstFreeSlot(next) : next;
  }

  /** The first slot behind those that the database uses of a second, or of the next second with a free one. */
  #firstFreeSlot(firstOfSecond: number): number {
    for (let first = firstOfSecond; ; first += IDS_PER_SECOND) {
      const row = this.#connection.get<{ readonly id: number | null }>(
        'SELECT min(id) AS id FROM document WHERE id BETWEEN ? AND ?',
        TOP - first - IDS_PER_SECOND + 1,
        TOP - first,
      );
      const free = row?.id == null ? first : TOP - row.id + 1;
      if (free < first + IDS_PER_SECOND) return free;
    }
  }
}

/** The range of ids for documents between two times, both inclusive. It may include some of other times. */
export function idRange(
  connection: ReadConnection,
  since: number | undefined,
  until: number | undefined,
): { readonly first: number; readonly last: number } {
  const end = until === undefined ? undefined : secondOf(until) + 1 + readOverflow(connection);
  return {
    first: end === undefined ? 0 : TOP - end * IDS_PER_SECOND + 1,
    last: since === undefined ? TOP : TOP - secondOf(since) * IDS_PER_SECOND,
  };
}

/** Whether two ids were assigned for the same second: which one is newer depends on the order in which they were. */
export function areOfOneSecond(a: number, b: number): boolean {
  return Math.floor((TOP - a) / IDS_PER_SECOND) === Math.floor((TOP - b) / IDS_PER_SECOND);
}

function readOverflow(connection: ReadConnection): number {
  return readState(connection, 'overflow');
}

function secondOf(time: number): number {
  return Math.min(Math.max(0, Math.floor(time / 1000)), MAX_SECOND);
}
