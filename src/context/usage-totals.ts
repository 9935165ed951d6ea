import type { Usage } from '../record/index.ts';

/** Adds up what providers report of their prompt cache. */
export class UsageTotals {
  #read = 0;
  #all = 0;

  /** Takes what one reply cost. Values that are missing or no amount count as 0. */
  record(usage: Usage): void {
    const read = amount(usage.cacheReadTokens);
    this.#read += read;
    this.#all += read + amount(usage.cacheWriteTokens) + amount(usage.inputTokens);
  }

  /** The part of all input that was read from the cache, 0 to 1; undefined before any input was reported. */
  hitRate(): number | undefined {
    return this.#all === 0 ? undefined : this.#read / this.#all;
  }

  clear(): void {
    this.#read = 0;
    this.#all = 0;
  }
}

function amount(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}
