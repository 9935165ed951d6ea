import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { YoreError } from '../../record/index.ts';
import type { ThreadAnswer, ThreadOrder, ThreadQuestion } from './server-worker.ts';
import type { Worked } from './work-lane.ts';

const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 1024 };
const CLOSE_PATIENCE_MS = 2000;

/**
 * What a thread begins with: a file beside this one, in the compiled modules and in the bundled command line. Undefined
 * where there is none: yore's source, or a bundle that somebody else made.
 */
export function workerFile(): string | undefined {
  const here = fileURLToPath(import.meta.url);
  const file = fileURLToPath(new URL(`./server-worker${extname(here)}`, import.meta.url));
  return extname(here) !== '.ts' && existsSync(file) ? file : undefined;
}

/** A thread that does one job at a time. It is started when there is one, and again when it has ended. */
export class WorkerThread implements Worked {
  readonly #file: string;
  readonly #order: ThreadOrder;
  #worker: Worker | undefined;

  constructor(file: string, order: ThreadOrder) {
    this.#file = file;
    this.#order = order;
  }

  do(job: Extract<ThreadQuestion, { readonly params: unknown }>['job'], params: unknown): Promise<string> {
    const worker = this.#started();
    return new Promise((resolve, reject) => {
      const onMessage = (answer: ThreadAnswer): void => {
        stop();
        if ('text' in answer) resolve(answer.text);
        else reject(errorOf(answer.error));
      };
      const onError = (error: unknown): void => {
        stop();
        this.#worker = undefined;
        reject(error);
      };
      const onExit = (): void =>
        onError(new Error('A thread of the server ended in the middle of its work.'));
      const stop = (): void => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.postMessage({ job, params } satisfies ThreadQuestion);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ job: 'close' } satisfies ThreadQuestion);
    const patience = setTimeout(() => void worker.terminate(), CLOSE_PATIENCE_MS);
    await ended;
    clearTimeout(patience);
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#file, { workerData: this.#order, resourceLimits: LIMITS });
    // One that ends while nothing is asked of it is started again for the next job.
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('exit', forget).on('error', forget);
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

function errorOf({ code, message }: Extract<ThreadAnswer, { readonly error: unknown }>['error']): Error {
  return code === undefined ? new Error(message) : new YoreError(code, message);
}
