import type { Warning } from '../record/index.ts';
import type { Connection } from './connection.ts';
import { describe, type OpenedIndex, openIndex, recreateIndex } from './index-file.ts';
import { sqliteFailure } from './sqlite-error.ts';

/**
 * The database behind the index: opened when first used, made anew when it is damaged, and given up when it cannot
 * be used at all.
 */
export class IndexStore {
  readonly path: string;
  readonly #refill: (connection: Connection) => void;
  #opened: OpenedIndex | undefined;

  /** `refill` fills an index that had to be made anew while it was in use. */
  constructor(path: string, refill: (connection: Connection) => void) {
    this.path = path;
    this.#refill = refill;
  }

  /** What a person should know about the index as it is. */
  get warnings(): readonly Warning[] {
    const opened = this.#opened;
    if (!opened?.reason) return [];
    if (opened.ok) {
      return [
        {
          code: 'rebuilt',
          message: `The search index was made anew, because ${opened.reason}. Nothing is lost.`,
        },
      ];
    }
    return [
      {
        code: 'scanned',
        message: `The search index ${this.path} cannot be used (${opened.reason}), so the logs were read instead. \`yore reindex\` makes it anew.`,
      },
    ];
  }

  /** Runs `work` on the index. Undefined when there is no index to be had. */
  use<T>(work: (connection: Connection) => T): T | undefined {
    this.#opened ??= openIndex(this.path);
    if (!this.#opened.ok) return undefined;
    try {
      return work(this.#opened.connection);
    } catch (error) {
      const failure = sqliteFailure(error);
      if (failure === undefined) throw error;
      if (failure !== 'corrupt') return this.#giveUp(error);
    }
    this.recreate('it was damaged');
    if (!this.#opened.ok) return undefined;
    try {
      this.#refill(this.#opened.connection);
      return work(this.#opened.connection);
    } catch (error) {
      if (sqliteFailure(error) === undefined) throw error;
      return this.#giveUp(error);
    }
  }

  /** Replaces the index by an empty one. */
  recreate(reason: string): void {
    this.close();
    this.#opened = recreateIndex(this.path, reason);
  }

  close(): void {
    if (this.#opened?.ok) this.#opened.connection.close();
    this.#opened = undefined;
  }

  #giveUp(error: unknown): undefined {
    this.close();
    this.#opened = { ok: false, reason: describe(error) };
    return undefined;
  }
}
