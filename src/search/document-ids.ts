import type { Connection } from './connection.ts';
import { setState, stateOf } from './state.ts';

/** Ids per second. More records than this in one second go on into the ids of the next. */
const PER_SECOND = 64;
/** Later times than this (the year 2514) share ids. */
const LAST_SECOND = 2 ** 34 - 1;
/** Larger than any id. */
const TOP = 2 ** 41;

/**
 * Gives documents ids that fall with their time, so that the index yields the newest first and a span of time is a
 * span of ids, whatever the order in which logs are read. Falling and not rising, because FTS5 reads twice as fast
 * upwards as downwards. Seconds and not milliseconds, because it stores differences of ids, and larger ones make the
 * index a third larger.
 */
export class DocumentIds {
  readonly #connection: Connection;
  /** For a second, the place to try next. Places rise with time: an id is what is left of {@link TOP}. */
  readonly #next = new Map<number, number>();
  readonly #taken = new Set<number>();
  #overflow = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** An unused id for a document of that time. Of equal times, those that come later are newer. */
  take(time: number): number {
    const second = secondOf(time);
    let place = this.#next.get(second) ?? this.#freeFrom(second * PER_SECOND);
    while (this.#taken.has(place)) place = this.#after(place);
    this.#taken.add(place);
    this.#next.set(second, this.#after(place));
    this.#overflow = Math.max(this.#overflow, Math.floor(place / PER_SECOND) - second);
    return TOP - place;
  }

  /** Remembers by how much ids went beyond their second, which {@link idRange} must allow for. */
  save(): void {
    if (this.#overflow <= overflowOf(this.#connection)) return;
    setState(this.#connection, 'overflow', this.#overflow);
  }

  /** The next place that the database has not. */
  #after(place: number): number {
    const next = place + 1;
    return next % PER_SECOND === 0 ? this.#freeFrom(next) : next;
  }

  /** The first place after those that the database has of a second, or of the first one later that has any left. */
  #freeFrom(firstOfSecond: number): number {
    for (let first = firstOfSecond; ; first += PER_SECOND) {
      const row = this.#connection.get<{ readonly id: number | null }>(
        'SELECT min(id) AS id FROM document WHERE id BETWEEN ? AND ?',
        TOP - first - PER_SECOND + 1,
        TOP - first,
      );
      const free = row?.id == null ? first : TOP - row.id + 1;
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
  const end = until === undefined ? undefined : secondOf(until) + 1 + overflowOf(connection);
  return {
    first: end === undefined ? 0 : TOP - end * PER_SECOND + 1,
    last: since === undefined ? TOP : TOP - secondOf(since) * PER_SECOND,
  };
}

function overflowOf(connection: Connection): number {
  return stateOf(connection, 'overflow');
}

function secondOf(time: number): number {
  return Math.min(Math.max(0, Math.floor(time / 1000)), LAST_SECOND);
}
