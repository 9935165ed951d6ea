import { type ResourceLimits, Worker } from 'node:worker_threads';
import { type ErrorCode, YoreError } from '../../record/index.ts';

/** Runs one task at a time and resolves to its result as JSON. */
export interface TaskRunner {
  readonly run: (name: string, params: unknown) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** What a worker thread is started with. */
export interface WorkerSettings {
  /** yore's home folder, and the environment it was opened with. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How far the server's clock is ahead of the machine's, in milliseconds. */
  readonly clockOffset: number;
}

/** A message to a worker thread. */
export type WorkerRequest =
  | { readonly type: 'run'; readonly name: string; readonly params: unknown }
  | { readonly type: 'close' };

/** Its reply. The result is JSON already: the main thread only passes it on. */
export type WorkerReply =
  | { readonly text: string }
  /** Without a code for an unexpected error. */
  | { readonly error: { readonly code?: ErrorCode; readonly message: string } };

const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 1024 };
const CLOSE_TIMEOUT_MS = 2000;

/** A thread that runs one task at a time. It starts with the first task, and again when it has died. */
export class WorkerThread implements TaskRunner {
  readonly #file: string;
  readonly #settings: WorkerSettings;
  #worker: Worker | undefined;

  constructor(file: string, settings: WorkerSettings) {
    this.#file = file;
    this.#settings = settings;
  }

  run(name: string, params: unknown): Promise<string> {
    const worker = this.#started();
    return new Promise((resolve, reject) => {
      const onMessage = (reply: WorkerReply): void => {
        stop();
        if ('text' in reply) resolve(reply.text);
        else reject(toError(reply.error));
      };
      const onError = (error: unknown): void => {
        stop();
        this.#worker = undefined;
        reject(error);
      };
      const onExit = (): void => onError(new Error('A worker thread of the server died during the call.'));
      const stop = (): void => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.postMessage({ type: 'run', name, params } satisfies WorkerRequest);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ type: 'close' } satisfies WorkerRequest);
    const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#file, { workerData: this.#settings, resourceLimits: LIMITS });
    // A thread that dies while it is idle is started again for the next task.
    const forget = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('exit', forget).on('error', forget);
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}

function toError({ code, message }: Extract<WorkerReply, { readonly error: unknown }>['error']): Error {
  return code === undefined ? new Error(message) : new YoreError(code, message);
}
