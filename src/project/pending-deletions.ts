import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfExists } from '../files/file-access.ts';
import { tryWithLock, withLock, writeFileAtomic } from '../files/index.ts';
import { parseObject, randomHex, reasonOf, YoreError } from '../record/index.ts';
import { type Deletion, describeDeletion } from './forget.ts';

const VERSION = 1;

/** Says what became of a deletion that was interrupted. */
export function describeInterruptedDeletion({ deletion, problem }: InterruptedDeletion): string {
  const what = describeDeletion(deletion);
  if (problem === undefined) return `Finished deleting ${what}, which had been interrupted.`;
  return `Deleting ${what} is not finished: ${problem}`;
}

/** A deletion that was interrupted. */
export interface InterruptedDeletion {
  readonly deletion: Deletion;
  /** Why it is not finished yet; undefined if it is. */
  readonly problem?: string;
}

/**
 * Deletions that have begun, one file each in `deletions/` of yore's home. A deletion is written there before anything
 * is deleted and removed when nothing is left, so that whoever opens the home next finishes one that was interrupted.
 */
export class PendingDeletions {
  readonly #folder: string;

  /** `home` is yore's home folder. */
  constructor(home: string) {
    this.#folder = join(home, 'deletions');
  }

  /** Runs a deletion, which stays pending if it fails. Waits for one of another process, or throws BUSY. */
  run<T>(deletion: Deletion, work: (deletion: Deletion) => T): T {
    return withLock(this.#lock, () => {
      const file = join(this.#folder, `${randomHex(12)}.json`);
      writeFileAtomic(file, JSON.stringify({ v: VERSION, ...deletion }));
      const result = work(deletion);
      rmSync(file, { force: true });
      return result;
    });
  }

  /** Finishes deletions that were interrupted, unless another process is doing so. Never throws. */
  finish(work: (deletion: Deletion) => void): readonly InterruptedDeletion[] {
    if (this.#files().length === 0) return [];
    try {
      return tryWithLock(this.#lock, () => this.#files().flatMap((file) => finishOne(file, work))) ?? [];
    } catch (error) {
      return this.list().map((deletion) => ({ deletion, problem: reasonOf(error) }));
    }
  }

  /** What has begun and is not finished. */
  list(): readonly Deletion[] {
    return this.#files().flatMap((file) => readDeletion(file) ?? []);
  }

  get #lock(): string {
    return `${this.#folder}.lock`;
  }

  #files(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(this.#folder, name));
  }
}

function finishOne(file: string, work: (deletion: Deletion) => void): readonly InterruptedDeletion[] {
  const deletion = readDeletion(file);
  if (deletion === undefined) return [];
  try {
    work(deletion);
    rmSync(file, { force: true });
    return [{ deletion }];
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    return [{ deletion, problem: error.message }];
  }
}

/** Undefined for a file of a newer version, which is left to that version. */
function readDeletion(file: string): Deletion | undefined {
  const { v, ...deletion } = parseObject(readIfExists(file) ?? '') ?? {};
  return v === VERSION ? (deletion as unknown as Deletion) : undefined;
}
