import { findWorkerFile } from '../../files/index.ts';
import { type Home, openHome } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import { JsonText } from '../rpc/json-rpc.ts';
import { createWorkerContext, TASKS, type Tasks, type WorkerContext, type WorkerName } from './tasks.ts';
import { type TaskRunner, WorkerThread } from './worker-thread.ts';

interface WorkersOptions {
  readonly home: Home;
  readonly cwd: string;
  readonly now: () => number;
  /** Runs a method or task by name, where there are no threads. */
  readonly run: (name: string, params: unknown, context: WorkerContext) => unknown;
}

/** Runs slow methods and tasks in worker threads, so that the main thread can answer clients meanwhile. */
export class Workers {
  readonly #queues: Readonly<Record<WorkerName, TaskQueue>>;

  constructor(options: WorkersOptions) {
    const create = (): TaskQueue => new TaskQueue(createRunner(options));
    this.#queues = { index: create(), memory: create(), agents: create(), embeddings: create(), team: create() };
  }

  /** Resolves to the result as JSON. A `caller` that runs the same again replaces what has not begun (BUSY). */
  async run(worker: WorkerName, name: string, params: unknown, caller?: object): Promise<JsonText> {
    return new JsonText(await this.#queues[worker].run(name, params, caller));
  }

  /** Runs a task and resolves to its result. */
  async ask<T extends keyof Tasks>(task: T, params: Parameters<Tasks[T]>[0]): Promise<ReturnType<Tasks[T]>> {
    const text = await this.#queues[TASKS[task].runsIn].run(task, params);
    return JSON.parse(text) as ReturnType<Tasks[T]>;
  }

  /** Drops what waits and ends what is running. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#queues).map((queue) => queue.close()));
  }
}

/** In a worker thread; in this thread where the worker's file does not exist, as in yore's own source. */
function createRunner({ home: { path, env }, cwd, now, run }: WorkersOptions): TaskRunner {
  const file = findWorkerFile(import.meta.url, 'server-worker');
  const clockOffset = now() - Date.now();
  if (file !== undefined) return new WorkerThread(file, { home: path, env: { ...env }, cwd, clockOffset });
  const home = openHome({ home: path, env, now, indexing: 'elsewhere' });
  const context = createWorkerContext(home, cwd, now);
  return {
    run: async (name, params) => JSON.stringify(await run(name, params, context)),
    close: async () => home.close(),
  };
}

interface QueuedTask {
  readonly name: string;
  readonly params: unknown;
  readonly caller: object | undefined;
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs tasks one after the other. A queued task is dropped when its caller queues another one of the same name. */
export class TaskQueue {
  readonly #runner: TaskRunner;
  #queued: QueuedTask[] = [];
  #isBusy = false;
  #isClosed = false;

  constructor(runner: TaskRunner) {
    this.#runner = runner;
  }

  /** Resolves to the result as JSON. Rejects with BUSY when the task is replaced, or when the queue is closed. */
  run(name: string, params: unknown, caller?: object): Promise<string> {
    if (this.#isClosed) return Promise.reject(shuttingDown());
    if (caller !== undefined) this.#drop((other) => other.caller === caller && other.name === name, replaced);
    return new Promise((resolve, reject) => {
      this.#queued.push({ name, params, caller, resolve, reject });
      void this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#drop(() => true, shuttingDown);
    await this.#runner.close();
  }

  async #next(): Promise<void> {
    const first = this.#isBusy ? undefined : this.#queued.shift();
    if (first === undefined) return;
    this.#isBusy = true;
    await this.#runner
      .run(first.name, first.params)
      .then(first.resolve, (error: unknown) => first.reject(this.#isClosed ? shuttingDown() : error));
    this.#isBusy = false;
    void this.#next();
  }

  #drop(matches: (other: QueuedTask) => boolean, reason: () => YoreError): void {
    const dropped = this.#queued.filter(matches);
    this.#queued = this.#queued.filter((other) => !dropped.includes(other));
    for (const { reject } of dropped) reject(reason());
  }
}

function replaced(): YoreError {
  return new YoreError('BUSY', 'This call was dropped because you sent a newer one before it began.');
}

/** The error of calls to a server that is closing. */
export function shuttingDown(): YoreError {
  return new YoreError('BUSY', 'The server is shutting down. Try again once it has restarted.');
}
