import type { Home } from '../../project/index.ts';
import type { Work } from './work.ts';

/** What an {@link IndexKeeper} needs from the server. */
export interface IndexKeeperOptions {
  /** Leaves indexing to others. */
  readonly home: Home;
  readonly work: Work;
  /** Told how far it has got, in bytes, when somebody was answered without what is missing. */
  readonly tell: (progress: { readonly done: number; readonly total: number }) => void;
  readonly onError: (error: unknown) => void;
}

/** Logs that grow faster than they are taken in are not waited for. */
const MOST_ROUNDS = 3;

/** Keeps the search index up to date, in another thread. */
export class IndexKeeper {
  readonly #options: IndexKeeperOptions;
  #running: Promise<void> | undefined;
  /** Somebody was answered without what is missing. */
  #isMissed = false;

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
  }

  /** Brings the index up to date, and waits for that, but not longer than `patienceMs`. False when it is still behind. */
  async settle(patienceMs: number): Promise<boolean> {
    if (this.#options.home.isIndexed()) return true;
    this.#running ??= this.#catchUp().finally(() => {
      this.#running = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const isDone = await Promise.race([
      this.#running.then(() => true),
      new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), patienceMs);
      }),
    ]);
    clearTimeout(timer);
    if (!isDone) this.#isMissed = true;
    return isDone;
  }

  /** Never rejects: without an index the logs are read. */
  async #catchUp(): Promise<void> {
    const { home, work, onError } = this.#options;
    let total = 0;
    let rounds = 0;
    try {
      do {
        const { left, complete } = await work.ask('catchUp', {});
        total = Math.max(total, left);
        if (left > 0) this.#tell(total - left, total);
        // Another process holds the index, or it cannot be used.
        else if (!complete) break;
        else rounds += 1;
      } while (rounds < MOST_ROUNDS && !home.isIndexed());
    } catch (error) {
      onError(error);
    }
    this.#tell(total, total);
    this.#isMissed = false;
  }

  #tell(done: number, total: number): void {
    if (this.#isMissed) this.#options.tell({ done, total });
  }
}
