import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { TranscriptSource } from '../agents/transcript/transcript.ts';
import { findWorkerFile } from '../files/index.ts';
import { releaseOwnLock } from '../files/lock.ts';
import type { Home } from '../project/index.ts';
import { type ErrorCode, reasonOf, YoreError } from '../record/index.ts';
import { PositionStore } from '../recording/transcript/position-store.ts';
import type { FoundSource } from './find-sources.ts';
import type { ImportResult, SourceImporter, SourceImporterOptions } from './source-importer.ts';

/** Options of {@link importInThreads}. */
interface ThreadOptions extends Pick<SourceImporterOptions, 'dryRun' | 'now' | 'startedAt'> {
  readonly home: Home;
  readonly groups: readonly (readonly FoundSource[])[];
  /** Number of threads including this one. */
  readonly threads: number;
  /** The importer of this thread. */
  readonly importer: SourceImporter;
  /** Called with the bytes done. May throw to stop; what was read until then is kept. */
  readonly onBytes: (bytes: number) => void;
}

/** The data passed to a worker. */
export interface WorkerTask extends Pick<SourceImporterOptions, 'dryRun' | 'startedAt'> {
  /** yore's home folder and the environment it was opened with. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly groups: readonly (readonly TranscriptSource[])[];
  /** Memory of the shared {@link GroupQueue}. */
  readonly queueMemory: SharedArrayBuffer;
  readonly thread: number;
  /** Difference between the clock of the import and the system clock, in milliseconds. */
  readonly clockOffset: number;
  readonly newProjects: ReadonlySet<string>;
}

/** The message of a worker at its end. */
export type ImportReply =
  | { readonly result: ImportResult }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

/** Enough for lines of 64 MB, the maximum; a smaller heap is also collected earlier. */
const WORKER_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 };
const PROGRESS_INTERVAL_MS = 100;

const workerFile = (): string | undefined => findWorkerFile(import.meta.url, 'import-worker');

/** Whether worker threads are available in this installation. */
export function canUseThreads(): boolean {
  return workerFile() !== undefined;
}

/**
 * Imports groups of transcripts in this thread and in workers, and returns the results of the workers. When a thread
 * fails, all stop and the error is thrown; what was read until then is kept.
 */
export async function importInThreads(options: ThreadOptions): Promise<readonly ImportResult[]> {
  const { groups, threads, importer, onBytes } = options;
  const queue = GroupQueue.create(threads);
  let failure: unknown;
  const fail = (error: unknown): void => {
    if (failure === undefined || failure instanceof ImportStopped) failure = error;
    queue.stop();
  };
  const report = (): void => onBytes(queue.bytesDone);
  const replies = Array.from({ length: threads - 1 }, (_, at) => runWorker(options, queue, at + 1).catch(fail));
  await queue.work(0, groups, importer, report).catch(fail);
  importer.savePrompts();
  const timer = setInterval(() => {
    try {
      if (failure === undefined) report();
    } catch (error) {
      fail(error);
    }
  }, PROGRESS_INTERVAL_MS);
  const results = await Promise.all(replies);
  clearInterval(timer);
  if (failure !== undefined) {
    const positions = new PositionStore(options.home.path);
    for (const { source } of groups.flat()) releaseOwnLock(positions.lockPath(source.path));
    throw failure;
  }
  return results.filter((result) => result !== undefined);
}

/** Starts a worker and waits for its result. */
async function runWorker(options: ThreadOptions, queue: GroupQueue, thread: number): Promise<ImportResult> {
  const { home, groups, dryRun, now, startedAt, importer } = options;
  const task: WorkerTask = {
    home: home.path,
    env: { ...home.env },
    groups: groups.map((group) => group.map(({ source }) => source)),
    queueMemory: queue.memory,
    thread,
    dryRun,
    startedAt,
    clockOffset: now() - Date.now(),
    newProjects: importer.targets.newProjects,
  };
  const worker = new Worker(workerFile() ?? '', { workerData: task, resourceLimits: WORKER_LIMITS });
  const reply = await new Promise<ImportReply>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error) => reject(workerError(reasonOf(error), error)));
    worker.once('exit', (code) => reject(workerError(`exit code ${code}`)));
  });
  if ('error' in reply) throw new YoreError(reply.error.code, reply.error.message);
  return reply.result;
}

function workerError(reason: string, cause?: unknown): YoreError {
  return new YoreError(
    'STORAGE',
    `A thread of the import ended early: ${reason}. What was read is kept; import again to continue.`,
    { cause },
  );
}

/** Thrown in a thread when another one failed or the import was stopped. */
export class ImportStopped extends Error {}

const NEXT = 0;
const STOP = 1;
const FLAGS_BYTES = 8;

/** State shared by the threads of an import: the next group, the progress of each thread, whether to stop. */
export class GroupQueue {
  /** For the queues of other threads. */
  readonly memory: SharedArrayBuffer;
  readonly #flags: Int32Array;
  readonly #bytes: Float64Array;

  /** The queue of another thread, by its memory. */
  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#flags = new Int32Array(memory, 0, 2);
    this.#bytes = new Float64Array(memory, FLAGS_BYTES);
  }

  static create(threads: number): GroupQueue {
    return new GroupQueue(new SharedArrayBuffer(FLAGS_BYTES + threads * Float64Array.BYTES_PER_ELEMENT));
  }

  get isStopped(): boolean {
    return Atomics.load(this.#flags, STOP) !== 0;
  }

  /** Bytes read by all threads. */
  get bytesDone(): number {
    return this.#bytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Makes all threads stop soon. */
  stop(): void {
    Atomics.store(this.#flags, STOP, 1);
  }

  /** Imports groups until none is left. Throws {@link ImportStopped} and what `onProgress` throws. */
  async work(
    thread: number,
    groups: readonly (readonly FoundSource[])[],
    importer: SourceImporter,
    onProgress: () => void = () => {},
  ): Promise<void> {
    let done = 0;
    for (let at = this.#next(); at < groups.length; at = this.#next()) {
      for (const found of groups[at] ?? []) {
        await importer.importSource(found, (bytes) => {
          this.#bytes[thread] = done + bytes;
          if (this.isStopped) throw new ImportStopped();
          onProgress();
        });
        done += found.source.size;
      }
    }
  }

  #next(): number {
    return Atomics.add(this.#flags, NEXT, 1);
  }
}
