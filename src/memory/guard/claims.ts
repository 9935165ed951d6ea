import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, removeOldFiles, storageError } from '../../files/index.ts';
import { textHash } from '../../record/index.ts';

/** What a warning was given for: one call of one agent in one session, however it is repeated. */
export interface ClaimKey {
  readonly sessionId: string;
  readonly agent?: string | undefined;
  readonly signature: string;
}

/** The warning that a claim stands for. */
export interface Claim {
  readonly warningId: string;
  readonly key: string;
}

const KEPT_MS = 7 * 86_400_000;

/**
 * Marks, as files, of warnings that were given: creating a file succeeds once, whoever tries and however many at a
 * time. That is what makes it impossible to deny the same call twice.
 */
export class Claims {
  readonly #folder: string;

  constructor(directory: string) {
    this.#folder = join(directory, 'claims');
  }

  /** False when it was taken before. */
  take(key: ClaimKey, claim: Claim): boolean {
    return this.#create(nameOf(key), JSON.stringify(claim));
  }

  /** The claim on a call, the first time that its outcome is told; undefined when there is none or it was told. */
  settle(key: ClaimKey): Claim | undefined {
    const claim = this.#read(key);
    return claim !== undefined && this.#create(`${nameOf(key)}.settled`, '') ? claim : undefined;
  }

  /** The claim on a call whose outcome was told, or was about to be. */
  settled(key: ClaimKey): Claim | undefined {
    return existsSync(join(this.#folder, `${nameOf(key)}.settled`)) ? this.#read(key) : undefined;
  }

  #read(key: ClaimKey): Claim | undefined {
    const path = join(this.#folder, nameOf(key));
    // Most calls were not warned about: a failed read costs far more than looking.
    if (!existsSync(path)) return undefined;
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Claim;
    } catch {
      return undefined; // a crash left it empty: nobody was warned
    }
  }

  /** Removes marks of sessions that are long over. */
  tidy(now: number): void {
    removeOldFiles(this.#folder, now - KEPT_MS);
  }

  #create(name: string, content: string): boolean {
    const path = join(this.#folder, name);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const descriptor = openSync(path, 'wx', 0o600);
      writeSync(descriptor, content);
      closeSync(descriptor);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw storageError('write', path, error);
    }
  }
}

function nameOf({ sessionId, agent, signature }: ClaimKey): string {
  return textHash(JSON.stringify([sessionId, agent ?? '', signature])).toString(36);
}
