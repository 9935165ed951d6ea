import type { Database, SqlValue, Statement } from '../../sqlite/database.ts';

/** A database whose statements are prepared when they are first used, and kept. */
export class Connection {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();
  readonly #remembered = new Map<string, unknown>();
  #version: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

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

  /** Rows as arrays of their columns, which are numbers: for many rows, faster than {@link all}. */
  numbers(sql: string, ...values: SqlValue[]): readonly (readonly number[])[] {
    const known = this.#statements.get(sql);
    const statement = known ?? this.#prepare(sql);
    if (!known) statement.setReturnArrays?.(true);
    const rows = statement.all(...values);
    return (statement.setReturnArrays ? rows : rows.map((row) => Object.values(row as object))) as number[][];
  }

  /** Rows one by one, as far as they are asked for. Do not use the same statement inside the loop. */
  iterate<T>(sql: string, ...values: SqlValue[]): IterableIterator<T> {
    return this.#prepare(sql).iterate(...values) as IterableIterator<T>;
  }

  /** Runs `work` as one transaction that holds the write lock from its beginning. */
  transaction<T>(work: () => T): T {
    this.#remembered.clear();
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /**
   * Runs `work`, which only reads, on the database as it is now, whatever others write meanwhile. Also much faster
   * than many single reads, each of which takes and releases a lock.
   */
  snapshot<T>(work: () => T): T {
    return this.#within('BEGIN', () => {
      const { data_version: version } =
        this.get<{ readonly data_version: number }>('PRAGMA data_version') ?? {};
      if (version !== this.#version) this.#remembered.clear();
      this.#version = version;
      return work();
    });
  }

  /** Something that is computed once for as long as nobody changes the database. Use it inside a snapshot. */
  remembered<T>(key: string, compute: () => T): T {
    if (!this.#remembered.has(key)) this.#remembered.set(key, compute());
    return this.#remembered.get(key) as T;
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
      this.#rollBack();
      throw error;
    }
  }

  /** After some errors SQLite has rolled back by itself, and then says that there is nothing to roll back. */
  #rollBack(): void {
    try {
      this.exec('ROLLBACK');
    } catch {}
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
