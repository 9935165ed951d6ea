import { AppendBuffer, type LogName, openSegmentPath } from '../log/index.ts';
import type { Attempt, Message } from '../record/index.ts';

/** What waits for being written, at most, in characters: little enough for any memory, enough to write in large pieces. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/** Gathers records and writes them to a project's logs in few writes. */
export class RecordBuffer {
  readonly #history: AppendBuffer;
  readonly #failures: AppendBuffer;
  readonly #successes: AppendBuffer;

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    const bufferOf = (log: LogName): AppendBuffer => new AppendBuffer(openSegmentPath(directory, log));
    this.#history = bufferOf('history');
    this.#failures = bufferOf('failures');
    this.#successes = bufferOf('successes');
  }

  /** Whether it is time to write. */
  get isFull(): boolean {
    return this.#history.length + this.#failures.length + this.#successes.length >= MOST_CHARACTERS;
  }

  addMessage(message: Message): void {
    this.#history.add(message);
  }

  addAttempt(attempt: Attempt): void {
    (attempt.outcome === 'success' ? this.#successes : this.#failures).add(attempt);
  }

  /** Writes what waits, in the order it came, log by log. */
  flush(): void {
    this.#history.flush();
    this.#failures.flush();
    this.#successes.flush();
  }
}
