import { getOrAdd } from '../record/once.ts';
import type { Database, SqlValue, Statement } from '../sqlite/database.ts';

/** What only reads uses of a {@link Connection}. */
export type ReadConnection = Pick<Connection, 'get' | 'all' | 'arrays' | 'numbers' | 'cached'>;

/** A database with a cache of prepared statements and of values computed from its current content. */
export class Connection {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly #cache = new Map<string, unknown>();
  #dataVersion: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** The first row. `T` names its columns. */
  get<T>(sql: string, ...values: SqlValue[]): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined;
  }

  all<T>(sql: string, ...values: SqlValue[]): readonly T[] {
    return this.#prepare(sql).all(...values) as readonly T[];
  }

  /** Rows of numeric columns as arrays, which is faster than {@link all} for many rows. */
  numbers(sql: string, ...values: SqlValue[]): readonly (readonly number[])[] {
    return this.arrays<readonly number[]>(sql, ...values);
  }

  /** Rows as arrays. `Row` has the types of the columns. */
  arrays<Row extends readonly unknown[]>(sql: string, ...values: SqlValue[]): readonly Row[] {
    const cached = this.#statements.get(sql);
    const statement = cached ?? this.#prepare(sql);
    if (!cached) statement.setReturnArrays?.(true);
    const rows = statement.all(...values);
    return (statement.setReturnArrays ? rows : rows.map((row) => Object.values(row as object))) as unknown as Row[];
  }

  /** Runs `work` in a transaction that holds the write lock from the start. */
  transaction<T>(work: () => T): T {
    this.#cache.clear();
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /**
   * Runs `work`, which only reads, on one consistent state of the database. Also much faster than many single reads,
   * each of which acquires and releases a lock.
   */
  snapshot<T>(work: () => T): T {
    return this.#within('BEGIN', () => {
      const { data_version: version } = this.get<{ readonly data_version: number }>('PRAGMA data_version') ?? {};
      if (version !== this.#dataVersion) this.#cache.clear();
      this.#dataVersion = version;
      return work();
    });
  }

  /** A value that is computed once until the database changes. Call inside a snapshot. */
  cached<T>(key: string, compute: () => T): T {
    if (!this.#cache.has(key)) this.#cache.set(key, compute());
    return this.#cache.get(key) as T;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #within<T>(begin: string, work: () => T): T {
    this.exec(begin);
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.exec('ROLLBACK');
      } catch {} // After some errors SQLite has rolled back already, and rolling back again fails.
      throw error;
    }
  }

  #prepare(sql: string): Statement {
    return getOrAdd(this.#statements, sql, () => this.#database.prepare(sql));
  }
}
