import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '../../agents/agent-name.ts';
import type { ReadPosition } from '../../agents/transcript/transcript-source.ts';
import {
  errorCode,
  releaseOwnLock,
  storageError,
  tryWithLock,
  tryWithLockAsync,
  writeFileAtomic,
} from '../../files/index.ts';
import { textHash } from '../../record/index.ts';
import { parseSessionStates, type SessionState } from './session-state.ts';

/** How far a source was taken in. */
export interface StoredPosition {
  readonly agent: AgentName;
  readonly path: string;
  /** Of the source when it was read to its end; empty when it was not. */
  readonly stamp: string;
  readonly position: ReadPosition;
  /** What the sessions need to go on from there. */
  readonly sessions: readonly SessionState[];
  /** ISO 8601. */
  readonly lastRead: string;
}

const VERSION = 1;

/**
 * Remembers how far each source was taken in: one small file for each, `imports/<hash>.json` of yore's home. What is
 * lost or damaged costs a reading from the beginning, which takes in nothing twice.
 */
export class PositionStore {
  readonly #folder: string;

  /** `home` is yore's home folder. */
  constructor(home: string) {
    this.#folder = join(home, 'imports');
  }

  /** What is stored of a source. */
  read(path: string): StoredPosition | undefined {
    const file = this.#file(path, 'json');
    let text: string;
    try {
      // Of the sources of a first import nothing is stored, and an error takes longer than a look.
      if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw storageError('read', file, error);
    }
    return parsePosition(text, path);
  }

  write(stored: StoredPosition): void {
    const text = JSON.stringify({ v: VERSION, ...stored });
    writeFileAtomic(this.#file(stored.path, 'json'), text, { durable: false });
  }

  /** Runs `work` while no other process reads the source; undefined when one does. */
  tryWithLock<T>(path: string, work: () => T): T | undefined {
    return tryWithLock(this.#file(path, 'lock'), work);
  }

  /** The same for work that gives way to other work in between. */
  async tryWithLockAsync<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    return await tryWithLockAsync(this.#file(path, 'lock'), work);
  }

  /** Lets go of a source that a thread of this process was reading when it died. */
  release(path: string): void {
    releaseOwnLock(this.#file(path, 'lock'));
  }

  #file(path: string, extension: string): string {
    return join(this.#folder, `${textHash(path).toString(36)}.${extension}`);
  }
}

function parsePosition(text: string, path: string): StoredPosition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const stored = value as Partial<StoredPosition> & { readonly v?: unknown };
    if (stored.v !== VERSION || stored.path !== path || typeof stored.stamp !== 'string') return undefined;
    if (typeof stored.position !== 'object' || stored.position === null) return undefined;
    const sessions = parseSessionStates(stored.sessions);
    return sessions === undefined ? undefined : { ...(stored as StoredPosition), sessions };
  } catch {
    return undefined;
  }
}
