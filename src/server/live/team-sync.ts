import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { YoreError } from '../../record/index.ts';

interface TeamSyncOptions {
  /** yore's home. */
  readonly home: string;
  /** Syncs the home once. */
  readonly sync: () => Promise<unknown>;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/** Syncs with the team's server now and then, if the home belongs to a team. */
export class TeamSync {
  readonly #options: TeamSyncOptions;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(options: TeamSyncOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#sync(), this.#options.intervalMs).unref();
    void this.#sync();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #sync(): Promise<void> {
    const { home, sync, onError } = this.#options;
    if (this.#isRunning || !existsSync(join(home, 'team.json'))) return;
    this.#isRunning = true;
    try {
      await sync();
    } catch (error) {
      // A server that cannot be reached is tried again; `yore team status` says what is wrong.
      if (!(error instanceof YoreError)) onError(error);
    } finally {
      this.#isRunning = false;
    }
  }
}
