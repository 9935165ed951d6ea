import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, readIfExists, storageError } from '../files/file-access.ts';

/** A prompt that is not in the prompt file yet. */
export interface PendingPrompt {
  readonly text: string;
  readonly project: string;
  /** Epoch milliseconds. */
  readonly usedAt: number;
}

/**
 * A queue of prompts for the prompt file, for hooks: adding one appends a line, whereas changing the prompt file means
 * rewriting it under a lock.
 */
export class PendingPrompts {
  readonly #path: string;

  /** `file` is the prompt file. */
  constructor(file: string) {
    this.#path = `${file}.pending`;
  }

  add(prompt: PendingPrompt): void {
    const line = `${JSON.stringify(prompt)}\n`;
    try {
      try {
        appendFileSync(this.#path, line, { mode: 0o600 });
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
        appendFileSync(this.#path, line, { mode: 0o600 });
      }
    } catch (error) {
      throw storageError('write to', this.#path, error);
    }
  }

  /** All pending prompts, oldest first. */
  list(): readonly PendingPrompt[] {
    return [this.#taken, this.#path].flatMap(readPrompts);
  }

  /**
   * Passes all pending prompts to `work` and removes them when it succeeds. Prompts added meanwhile stay pending. If an
   * earlier call crashed, its prompts come first. The caller must hold the lock of the prompt file.
   */
  consume(work: (prompts: readonly PendingPrompt[]) => void): void {
    if (!existsSync(this.#taken)) {
      if (!existsSync(this.#path)) {
        work([]);
        return;
      }
      renameSync(this.#path, this.#taken);
    }
    work(readPrompts(this.#taken));
    rmSync(this.#taken, { force: true });
  }

  get isEmpty(): boolean {
    return !existsSync(this.#path) && !existsSync(this.#taken);
  }

  get #taken(): string {
    return `${this.#path}.taken`;
  }
}

function readPrompts(path: string): readonly PendingPrompt[] {
  return (readIfExists(path) ?? '').split('\n').flatMap((line) => {
    const prompt = line === '' ? undefined : parsePrompt(line);
    return prompt === undefined ? [] : [prompt];
  });
}

/** Undefined for a torn line. */
function parsePrompt(line: string): PendingPrompt | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    const { text, project, usedAt } = value as Partial<PendingPrompt>;
    const isPrompt = typeof text === 'string' && typeof project === 'string' && typeof usedAt === 'number';
    return isPrompt ? { text, project, usedAt } : undefined;
  } catch {
    return undefined;
  }
}
