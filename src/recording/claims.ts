import { closeSync, existsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  CREATE,
  errorCode,
  makeFolder,
  openFile,
  readBytes,
  removeOldFiles,
  storageError,
} from '../files/file-access.ts';
import { textHash } from '../record/id.ts';

/** What a warning is given for: one call of one agent in one session, however it is repeated. */
export interface ClaimKey {
  readonly sessionId: string;
  readonly agent?: string | undefined;
  readonly signature: string;
}

/** The warning that a claim stands for. */
export interface Claim {
  readonly warningId: string;
  /** The key of the failure. */
  readonly key: string;
}

const MAX_AGE_MS = 7 * 86_400_000;

/**
 * One file for each warning that was given. Creating a file succeeds once, whichever processes try, so that no call is
 * denied twice.
 */
export class Claims {
  readonly #folder: string;

  constructor(directory: string) {
    this.#folder = join(directory, 'claims');
  }

  /** Claims a warning; false when it was claimed before. */
  take(key: ClaimKey, claim: Claim): boolean {
    return this.#create(fileName(key), JSON.stringify(claim));
  }

  /** Marks a claim as settled and returns it; undefined when there is none, or it was settled before. */
  settle(key: ClaimKey): Claim | undefined {
    const claim = this.#read(key);
    return claim !== undefined && this.#create(`${fileName(key)}.settled`, '') ? claim : undefined;
  }

  /** The claim for a key, if it is settled. */
  findSettled(key: ClaimKey): Claim | undefined {
    return existsSync(join(this.#folder, `${fileName(key)}.settled`)) ? this.#read(key) : undefined;
  }

  /** Removes the claims of sessions that ended long ago. */
  tidy(now: number): void {
    removeOldFiles(this.#folder, now - MAX_AGE_MS);
  }

  #read(key: ClaimKey): Claim | undefined {
    const path = join(this.#folder, fileName(key));
    // There is rarely a claim, and a failed read takes much longer than this check.
    if (!existsSync(path)) return undefined;
    try {
      return JSON.parse(readBytes(path).toString('utf8')) as Claim;
    } catch {
      return undefined; // empty after a crash: the warning was not given
    }
  }

  #create(name: string, content: string): boolean {
    const path = join(this.#folder, name);
    try {
      makeFolder(this.#folder);
      const descriptor = openFile(path, CREATE);
      writeSync(descriptor, content);
      closeSync(descriptor);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw storageError('write', path, error);
    }
  }
}

function fileName({ sessionId, agent, signature }: ClaimKey): string {
  return textHash(JSON.stringify([sessionId, agent ?? '', signature])).toString(36);
}
