import type { SessionSummary } from '../../../src/server/rpc/api.ts';

/** How many rows are fetched at once. */
export const PAGE_SIZE = 200;
/** How many rows are kept; those farthest from the last fetched ones are dropped first. */
const MAX_ROWS = 4_000;

/** Rows to fetch. */
export interface RowGap {
  readonly offset: number;
  readonly limit: number;
}

/** A long list with only some of its rows loaded. */
export class SparseList<T> {
  /** How many rows the list has, loaded or not. */
  readonly total: number;
  readonly #rows: ReadonlyMap<number, T>;

  constructor(total = 0, rows: ReadonlyMap<number, T> = new Map()) {
    this.total = total;
    this.#rows = rows;
  }

  /** How many rows are loaded. */
  get known(): number {
    return this.#rows.size;
  }

  /** The item of a row; undefined when it is not loaded. */
  at(row: number): T | undefined {
    return this.#rows.get(row);
  }

  /** The row of the first loaded item that matches; -1 when there is none. */
  rowOf(matches: (item: T) => boolean): number {
    for (const [row, item] of this.#rows) if (matches(item)) return row;
    return -1;
  }

  /** The first loaded item that matches; undefined when there is none. */
  find(matches: (item: T) => boolean): T | undefined {
    for (const item of this.#rows.values()) if (matches(item)) return item;
    return undefined;
  }

  /** The first gap from row `first` to `last`; undefined when all are loaded. */
  gap(first: number, last: number): RowGap | undefined {
    const end = Math.min(last, this.total - 1);
    for (let row = Math.max(first, 0); row <= end; row += 1) {
      if (!this.#rows.has(row)) return { offset: row, limit: this.#gapLength(row) };
    }
    return undefined;
  }

  /** What to fetch next when `first` to `last` are visible: those, then up to `ahead` rows after and before them. */
  missing(first: number, last: number, ahead: number): RowGap | undefined {
    return this.gap(first, last) ?? this.gap(last, last + ahead) ?? this.gap(first - ahead, first);
  }

  /** A copy with the rows from `offset` on replaced. */
  with(offset: number, items: readonly T[], total: number): SparseList<T> {
    const rows = new Map(this.#rows);
    for (const [index, item] of items.entries()) rows.set(offset + index, item);
    const isFar = (row: number) => row >= total || Math.abs(row - offset) > MAX_ROWS / 2;
    if (rows.size > MAX_ROWS || total < this.total)
      for (const row of [...rows.keys()]) if (isFar(row)) rows.delete(row);
    return new SparseList(total, rows);
  }

  /** The length of the gap at a row. */
  #gapLength(from: number): number {
    let limit = 1;
    while (limit < PAGE_SIZE && from + limit < this.total && !this.#rows.has(from + limit)) limit += 1;
    return limit;
  }
}

/**
 * How many rows the visible sessions have moved down in a list that was fetched again. 0 for a list at its top, where new
 * sessions should appear. Sessions with new activity are ignored, because they have moved to the top.
 */
export function countMovedRows(
  before: SparseList<SessionSummary>,
  after: SparseList<SessionSummary>,
  visible: { readonly first: number; readonly last: number },
): number {
  if (visible.first === 0) return 0;
  for (let row = visible.first; row <= visible.last; row += 1) {
    const session = before.at(row);
    if (session === undefined) continue;
    const now = after.rowOf(
      ({ sessionId, project, lastActivity }) =>
        sessionId === session.sessionId && project === session.project && lastActivity === session.lastActivity,
    );
    if (now >= 0) return now - row;
  }
  return 0;
}
