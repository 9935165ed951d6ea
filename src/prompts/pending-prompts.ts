import { existsSync, renameSync, rmSync } from 'node:fs';
import { readIfExists } from '../files/file-access.ts';
import { appendLine } from '../log/append.ts';
import { parseObject } from '../record/object.ts';
import { redact } from '../redact/redact.ts';
import { isTypedPrompt } from '../text/is-typed-prompt.ts';

/** A prompt that is not in the prompt file yet. */
interface PendingPrompt {
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

  /** `file` is the prompt file, `prompts.json` in yore's home. */
  constructor(file: string) {
    this.#path = `${file}.pending`;
  }

  /** Queues a prompt, redacted. Returns false if the user did not type it. */
  add(text: string, project: string, usedAt: number): boolean {
    if (!isTypedPrompt(text)) return false;
    const prompt: PendingPrompt = { text: redact(text).trim(), project, usedAt };
    appendLine(this.#path, JSON.stringify(prompt));
    return true;
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
  return (readIfExists(path) ?? '').split('\n').flatMap((line) => parsePrompt(line) ?? []);
}

/** Undefined for an empty or torn line. */
function parsePrompt(line: string): PendingPrompt | undefined {
  const { text, project, usedAt } = parseObject(line) ?? {};
  const isPrompt = typeof text === 'string' && typeof project === 'string' && typeof usedAt === 'number';
  return isPrompt ? { text, project, usedAt } : undefined;
}
