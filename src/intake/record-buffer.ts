import { appendRecords, type LogName, openSegment } from '../log/index.ts';
import type { Attempt, Message } from '../record/index.ts';

/** Records that wait for being written, at most: few enough for any memory, enough to write in large pieces. */
const MOST_RECORDS = 1000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Gathers records and writes them to a project's logs in few writes. */
export class RecordBuffer {
  readonly #directory: string;
  readonly #waiting: Record<'history' | 'failures' | 'successes', (Message | Attempt)[]> = {
    history: [],
    failures: [],
    successes: [],
  };
  #records = 0;
  #characters = 0;

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Whether it is time to write. */
  get isFull(): boolean {
    return this.#records >= MOST_RECORDS || this.#characters >= MOST_CHARACTERS;
  }

  addMessage(message: Message): void {
    this.#add('history', message, message.content.length);
  }

  addAttempt(attempt: Attempt): void {
    this.#add(attempt.outcome === 'success' ? 'successes' : 'failures', attempt, 2000);
  }

  /** Writes what waits, in the order it came, log by log. */
  flush(): void {
    if (this.#records === 0) return;
    for (const log of ['history', 'failures', 'successes'] as const) {
      const records = this.#waiting[log];
      if (records.length === 0) continue;
      appendRecords(openSegment(this.#directory, log satisfies LogName), records);
      this.#waiting[log] = [];
    }
    this.#records = 0;
    this.#characters = 0;
  }

  #add(log: 'history' | 'failures' | 'successes', record: Message | Attempt, length: number): void {
    this.#waiting[log].push(record);
    this.#records++;
    this.#characters += length;
  }
}
