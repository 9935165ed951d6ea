import type { Connection } from './connection.ts';
import { setState, stateOf } from './state.ts';

/** Ids per second. More records than this in one second go on into the ids of the next. */
const PER_SECOND = 64;
/** Later times than this (the year 6325) share the last ids, so that ids stay exact numbers. */
const LAST_SECOND = Math.floor(Number.MAX_SAFE_INTEGER / PER_SECOND / 1024);

/**
 * Gives documents ids that grow with their time, so that the index yields the newest first and a span of time is a
 * span of ids, whatever the order in which logs are read. Seconds, not milliseconds: FTS5 stores differences of
 * ids, and larger ones make the index a third larger.
 */
export class DocumentIds {
  readonly #connection: Connection;
  /** For a second, the id to try next. */
  readonly #next = new Map<number, number>();
  readonly #taken = new Set<number>();
  #overflow = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** An unused id for a document of that time. */
  take(time: number): number {
    const second = secondOf(time);
    let id = this.#next.get(second) ?? this.#freeFrom(second * PER_SECOND);
    while (this.#taken.has(id)) id = this.#after(id);
    this.#taken.add(id);
    this.#next.set(second, this.#after(id));
    this.#overflow = Math.max(this.#overflow, Math.floor(id / PER_SECOND) - second);
    return id;
  }

  /** Remembers by how much ids went beyond their second, which {@link idRange} must allow for. */
  save(): void {
    if (this.#overflow <= overflowOf(this.#connection)) return;
    setState(this.#connection, 'overflow', this.#overflow);
  }

  /** The next id that the database has not. */
  #after(id: number): number {
    const next = id + 1;
    return next % PER_SECOND === 0 ? this.#freeFrom(next) : next;
  }

  /** The first id after those that the database has of a second, or of the first one later that has any left. */
  #freeFrom(firstOfSecond: number): number {
    for (let first = firstOfSecond; ; first += PER_SECOND) {
      const row = this.#connection.get<{ readonly last: number | null }>(
        'SELECT max(id) AS last FROM document WHERE id BETWEEN ? AND ?',
        first,
        first + PER_SECOND - 1,
      );
      const free = row?.last == null ? first : row.last + 1;
      if (free < first + PER_SECOND) return free;
    }
  }
}

/** The ids that documents between two times, ends included, may have. Some of them may be of other times. */
export function idRange(
  connection: Connection,
  since: number | undefined,
  until: number | undefined,
): { readonly first: number; readonly last: number } {
  return {
    first: since === undefined ? 0 : secondOf(since) * PER_SECOND,
    last:
      until === undefined
        ? Number.MAX_SAFE_INTEGER
        : (secondOf(until) + 1 + overflowOf(connection)) * PER_SECOND - 1,
  };
}

function overflowOf(connection: Connection): number {
  return stateOf(connection, 'overflow');
}

function secondOf(time: number): number {
  return Math.min(Math.max(0, Math.floor(time / 1000)), LAST_SECOND);
}
