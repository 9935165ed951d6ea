/** Rows that are asked for at once. */
export const CHUNK = 200;
/** Rows that are kept; those farthest from what came last go first. */
const MOST_ROWS = 4_000;

/** What to ask for. */
export interface Gap {
  readonly offset: number;
  readonly limit: number;
}

/** A long list of which only some rows are known. */
export class SparseList<T> {
  /** How many rows the list has, known or not. */
  readonly total: number;
  readonly #rows: ReadonlyMap<number, T>;

  constructor(total = 0, rows: ReadonlyMap<number, T> = new Map()) {
    this.total = total;
    this.#rows = rows;
  }

  /** How many rows are known. */
  get known(): number {
    return this.#rows.size;
  }

  /** The item of a row; undefined where it is not known. */
  at(row: number): T | undefined {
    return this.#rows.get(row);
  }

  /** The row of the first known item that fits; -1 when there is none. */
  rowOf(fits: (item: T) => boolean): number {
    for (const [row, item] of this.#rows) if (fits(item)) return row;
    return -1;
  }

  /** The first rows of `first` to `last` that are not known; undefined when all are. */
  gap(first: number, last: number): Gap | undefined {
    const end = Math.min(last, this.total - 1);
    for (let row = Math.max(first, 0); row <= end; row += 1) {
      if (!this.#rows.has(row)) return { offset: row, limit: this.#length(row) };
    }
    return undefined;
  }

  /** What to ask for next when `first` to `last` are in view: those first, then up to `ahead` rows after and before. */
  missing(first: number, last: number, ahead: number): Gap | undefined {
    return this.gap(first, last) ?? this.gap(last, last + ahead) ?? this.gap(first - ahead, first);
  }

  /** With the rows from `offset` on as they are now. */
  with(offset: number, items: readonly T[], total: number): SparseList<T> {
    const rows = new Map(this.#rows);
    for (const [index, item] of items.entries()) rows.set(offset + index, item);
    const isFar = (row: number) => row >= total || Math.abs(row - offset) > MOST_ROWS / 2;
    if (rows.size > MOST_ROWS || total < this.total)
      for (const row of [...rows.keys()]) if (isFar(row)) rows.delete(row);
    return new SparseList(total, rows);
  }

  /** Up to the next known row. */
  #length(from: number): number {
    let limit = 1;
    while (limit < CHUNK && from + limit < this.total && !this.#rows.has(from + limit)) limit += 1;
    return limit;
  }
}
