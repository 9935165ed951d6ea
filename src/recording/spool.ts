import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, statIfExists, storageError, writeFileAtomic } from '../files/index.ts';
import { appendLine } from '../log/index.ts';
import { YoreError } from '../record/index.ts';
import { redactValue } from '../redact/index.ts';
import { isOfNewerVersion, type PendingCall, parsePending } from './pending-call.ts';

/** As often as a line may be taken away from a writer before that gives up. */
const MOST_TRIES = 5;

/**
 * Calls of a project that have ended and wait to be analysed, in a file beside the logs. Any number of processes may add
 * to it at once, without a lock; one at a time takes what is there, under the lock of `drainSpool`.
 */
export class Spool {
  readonly #path: string;
  readonly #takenPath: string;
  /** What only a newer yore can read; it takes them in when it drains. */
  readonly #newerPath: string;

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    this.#path = join(directory, 'spool.jsonl');
    this.#takenPath = join(directory, 'spool.taken');
    this.#newerPath = join(directory, 'spool.newer');
  }

  /** Whether nothing waits. */
  isEmpty(): boolean {
    return !existsSync(this.#path) && !this.hasTaken();
  }

  /** Whether somebody is at what was taken, or has died over it. */
  hasTaken(): boolean {
    return existsSync(this.#takenPath);
  }

  /**
   * Adds a call: redacted once more, as one line in one `write()`. Creates the file (0600) when missing; a line that was
   * torn by a crash is closed first. Returns the size of the file. Throws YoreError.
   */
  add(pending: PendingCall): number {
    const line = (isAgain: boolean): string =>
      JSON.stringify(redactValue(isAgain ? { ...pending, isAgain } : pending));
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const size = this.#write(line(tries > 0));
      if (size !== undefined) return size;
    }
    throw new YoreError('BUSY', `${this.#path} was taken away ${MOST_TRIES} times while it was written to.`);
  }

  /** All that waits, oldest first; also what is being taken in just now. */
  pending(): readonly PendingCall[] {
    return [this.#takenPath, this.#path].flatMap((path) =>
      linesIn(path).flatMap((line) => parsePending(line) ?? []),
    );
  }

  /** Takes what waits away from those who add. False when there is nothing. Not while something is taken. */
  take(): boolean {
    try {
      renameSync(this.#path, this.#takenPath);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw storageError('rename', this.#path, error);
    }
  }

  /** What was taken, and what an older yore could not read. Lines that are torn or make no sense are left out. */
  taken(): readonly PendingCall[] {
    const older = linesIn(this.#newerPath).flatMap((line) => parsePending(line) ?? []);
    const taken = linesIn(this.#takenPath).flatMap((line) => parsePending(line) ?? []);
    return [...older.map((call) => ({ ...call, isAgain: true as const })), ...taken];
  }

  /** Forgets what was taken, but for what only a newer yore can read. */
  drop(): void {
    const lines = [this.#newerPath, this.#takenPath].flatMap(linesIn).filter(isOfNewerVersion);
    if (lines.length > 0) writeFileAtomic(this.#newerPath, `${[...new Set(lines)].join('\n')}\n`);
    else rmSync(this.#newerPath, { force: true });
    rmSync(this.#takenPath, { force: true });
  }

  /** Undefined when the file was taken before the line was surely in it: it may be lost, or not. */
  #write(line: string): number | undefined {
    let size: number | undefined;
    appendLine(this.#path, line, (appended) => {
      const isStillThere = statIfExists(this.#path)?.ino === appended.ino;
      if (isStillThere) size = appended.size;
    });
    return size;
  }
}

function linesIn(path: string): readonly string[] {
  // A failed read costs far more than looking.
  if (!existsSync(path)) return [];
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storageError('read', path, error);
  }
}
