import type { Home } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import type { Workers } from './workers.ts';

interface IndexUpdaterOptions {
  /** Opened with `indexing: 'elsewhere'`. */
  readonly home: Home;
  readonly workers: Workers;
  /** Called with the progress, in bytes, once a client was answered from an incomplete index. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
  readonly onError: (error: unknown) => void;
}

/** Logs that grow faster than they are indexed are not waited for any longer. */
const MAX_ROUNDS = 3;

/** Keeps the search index up to date, by a worker. */
export class IndexUpdater {
  readonly #options: IndexUpdaterOptions;
  #running: Promise<void> | undefined;
  #embedding: Promise<void> | undefined;
  /** A client was answered from an incomplete index. */
  #isAwaited = false;

  constructor(options: IndexUpdaterOptions) {
    this.#options = options;
  }

  /** Brings the index up to date. Waits at most `maxWaitMs`; resolves to whether the index is complete. */
  async catchUp(maxWaitMs: number): Promise<boolean> {
    if (this.#options.home.isIndexed()) return true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const isComplete = await Promise.race([
      this.#running.then(() => true),
      new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), maxWaitMs);
      }),
    ]);
    clearTimeout(timer);
    if (!isComplete) this.#isAwaited = true;
    return isComplete;
  }

  /** Lets messages without vectors get them, in the background, if an embedder is set. */
  embedInBackground(): void {
    if (!this.#options.home.embeddings.isOn) return;
    this.#embedding ??= this.#embed().finally(() => {
      this.#embedding = undefined;
    });
  }

  async #embed(): Promise<void> {
    try {
      for (;;) {
        const { complete, problem } = await this.#options.workers.ask('embed', {});
        // After a problem it is tried again when there are new records.
        if (complete || problem !== undefined) return;
      }
    } catch (error) {
      if (!(error instanceof YoreError && error.code === 'BUSY')) this.#options.onError(error);
    }
  }

  /** Never rejects: without an index the logs are read. */
  async #run(): Promise<void> {
    const { home, workers, onError } = this.#options;
    let total = 0;
    let rounds = 0;
    try {
      do {
        const { left, complete } = await workers.ask('catchUp', {});
        total = Math.max(total, left);
        if (left > 0) this.#report(total - left, total);
        // Another process holds the index, or it cannot be used.
        else if (!complete) break;
        else rounds += 1;
      } while (rounds < MAX_ROUNDS && !home.isIndexed());
    } catch (error) {
      onError(error);
    }
    this.#report(total, total);
    this.#isAwaited = false;
    this.embedInBackground();
  }

  #report(done: number, total: number): void {
    if (this.#isAwaited) this.#options.onProgress({ done, total });
  }
}
