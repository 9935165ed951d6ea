import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, storageError } from '../files/index.ts';

/** A prompt that was typed and is not yet in the prompt file. */
export interface PendingPrompt {
  readonly text: string;
  readonly project: string;
  /** Epoch milliseconds. */
  readonly usedAt: number;
}

/**
 * Prompts that wait to be taken into the prompt file: noting one appends a line, while the file itself is written as a
 * whole, under a lock. For processes that somebody waits for.
 */
export class PendingPrompts {
  readonly #path: string;

  /** `file` is the prompt file that they belong to. */
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

  /** All that wait, oldest first. */
  list(): readonly PendingPrompt[] {
    return [this.#taken, this.#path].flatMap(readPrompts);
  }

  /**
   * Hands over all that wait to `work`, and drops them when that went well. Hold the lock of the prompt file. What is
   * added meanwhile waits for the next time; what a crash left behind comes first.
   */
  take(work: (prompts: readonly PendingPrompt[]) => void): void {
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
  if (!existsSync(path)) return [];
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw storageError('read', path, error);
  }
  return text.split('\n').flatMap((line) => {
    const prompt = line === '' ? undefined : parsePrompt(line);
    return prompt === undefined ? [] : [prompt];
  });
}

/** Undefined for a line that a crash tore. */
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
