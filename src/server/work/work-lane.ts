import { YoreError } from '../../record/index.ts';
import type { Jobs } from './jobs.ts';

/** Does one job at a time, and answers with its result as JSON. */
export interface Worked {
  readonly do: (job: keyof Jobs, params: unknown) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly job: keyof Jobs;
  readonly params: unknown;
  readonly caller: object | undefined;
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
}

/** Jobs one after the other. One that waits is dropped when its caller asks for another of the same name. */
export class WorkLane {
  readonly #worked: Worked;
  #waiting: Waiting[] = [];
  #isBusy = false;
  #isClosed = false;

  constructor(worked: Worked) {
    this.#worked = worked;
  }

  /** Resolves to the result as JSON. BUSY when the same caller asked again before it was begun, or at the end. */
  do(job: keyof Jobs, params: unknown, caller?: object): Promise<string> {
    if (this.#isClosed) return Promise.reject(ending());
    if (caller !== undefined) this.#drop((other) => other.caller === caller && other.job === job, replaced);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, params, caller, resolve, reject });
      void this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#drop(() => true, ending);
    await this.#worked.close();
  }

  async #next(): Promise<void> {
    const first = this.#isBusy ? undefined : this.#waiting.shift();
    if (first === undefined) return;
    this.#isBusy = true;
    await this.#worked.do(first.job, first.params).then(first.resolve, first.reject);
    this.#isBusy = false;
    void this.#next();
  }

  #drop(isMeant: (other: Waiting) => boolean, reason: () => YoreError): void {
    const dropped = this.#waiting.filter(isMeant);
    this.#waiting = this.#waiting.filter((other) => !dropped.includes(other));
    for (const { reject } of dropped) reject(reason());
  }
}

function replaced(): YoreError {
  return new YoreError('BUSY', 'You asked for something else before this was begun, so it was dropped.');
}

function ending(): YoreError {
  return new YoreError('BUSY', 'The server ends. Try again when it runs.');
}
