import { server } from '../rpc/server.ts';
import { ofProject } from './of-project.ts';

const MOST = 100;

/** Steps through earlier prompts, the last one first, and back to what was being typed. */
class RecalledPrompts {
  #prompts: readonly string[] = [];
  #typed = '';
  #at = -1;

  /** The prompt before the shown one; undefined when there is none. */
  async older(typed: string): Promise<string | undefined> {
    if (this.#at < 0) {
      this.#typed = typed;
      this.#prompts = (await server.call('prompts.recall', { ...ofProject(), limit: MOST })).prompts;
    }
    const prompt = this.#prompts[this.#at + 1];
    if (prompt !== undefined) this.#at += 1;
    return prompt;
  }

  /** The prompt after the shown one, at last what was typed; undefined when that is shown. */
  newer(): string | undefined {
    if (this.#at < 0) return undefined;
    this.#at -= 1;
    return this.#at < 0 ? this.#typed : this.#prompts[this.#at];
  }

  get isRecalling(): boolean {
    return this.#at >= 0;
  }

  /** What is shown is the user's own again. */
  leave(): void {
    this.#at = -1;
  }
}

/** Those of the prompt on this page. */
export const recalled: RecalledPrompts = new RecalledPrompts();
