import { type ResourceLimits, Worker } from 'node:worker_threads';
import { findWorkerFile } from '../files/index.ts';
import type { Home } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import { PositionStore } from '../recording/transcript/position-store.ts';
import type { FoundSource } from './find-sources.ts';
import { GroupQueue, Stopped } from './group-queue.ts';
import type { WorkerOrder, WorkerReply } from './import-worker.ts';
import type { SourceTaker, TakenSources } from './source-taker.ts';

/** What {@link takeInThreads} needs to know. */
export interface ThreadOptions {
  readonly home: Home;
  readonly groups: readonly (readonly FoundSource[])[];
  /** How many threads work, this one included. */
  readonly threads: number;
  /** Takes in the share of this thread. */
  readonly taker: SourceTaker;
  readonly dryRun: boolean;
  readonly now: () => number;
  readonly startedAt: number;
  /** Told how many bytes are done. May throw, to stop: what was read by then is kept. */
  readonly onBytes: (bytes: number) => void;
}

/** Enough for lines of 64 MB, the longest that are read; with less room a heap is also tidied up sooner. */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 };
/** While this thread waits for the others. */
const REPORT_MS = 100;

const workerFile = (): string | undefined => findWorkerFile(import.meta.url, 'import-worker');

/** Whether this installation can read in several threads. */
export function hasThreads(): boolean {
  return workerFile() !== undefined;
}

/**
 * Takes in groups of sources in several threads: in this one, and in workers. Returns what the workers made of theirs.
 * When one fails all end, and the error is thrown; what was read by then is kept.
 */
export async function takeInThreads(options: ThreadOptions): Promise<readonly TakenSources[]> {
  const { groups, threads, taker, onBytes } = options;
  const queue = GroupQueue.create(threads);
  let failure: unknown;
  const fail = (error: unknown): void => {
    if (failure === undefined || failure instanceof Stopped) failure = error;
    queue.stop();
  };
  const report = (): void => onBytes(queue.bytesDone);
  const replies = Array.from({ length: threads - 1 }, (_, at) => replyOf(options, queue, at + 1).catch(fail));
  await queue.work(0, groups, taker, report).catch(fail);
  taker.savePrompts();
  const timer = setInterval(() => {
    try {
      if (failure === undefined) report();
    } catch (error) {
      fail(error);
    }
  }, REPORT_MS);
  const taken = await Promise.all(replies);
  clearInterval(timer);
  if (failure !== undefined) {
    const positions = new PositionStore(options.home.path);
    for (const { source } of groups.flat()) positions.release(source.path);
    throw failure;
  }
  return taken.filter((each) => each !== undefined);
}

/** Starts a worker and waits for what it made of its share. */
async function replyOf(options: ThreadOptions, queue: GroupQueue, thread: number): Promise<TakenSources> {
  const { home, groups, dryRun, now, startedAt, taker } = options;
  const order: WorkerOrder = {
    home: home.path,
    env: { ...home.env },
    groups: groups.map((group) => group.map(({ source }) => source)),
    memory: queue.memory,
    thread,
    dryRun,
    startedAt,
    clockOffset: now() - Date.now(),
    newProjects: taker.places.newProjects,
  };
  const worker = new Worker(workerFile() ?? '', {
    workerData: order,
    resourceLimits: LIMITS,
  });
  const reply = await new Promise<WorkerReply>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error) => reject(ended(error.message, error)));
    worker.once('exit', (code) => reject(ended(`exit code ${code}`)));
  });
  if ('error' in reply) throw new YoreError(reply.error.code, reply.error.message);
  return reply.taken;
}

function ended(reason: string, cause?: unknown): YoreError {
  return new YoreError(
    'STORAGE',
    `A thread of the import ended before it was done: ${reason}. What was read is kept; import again to go on from there.`,
    { cause },
  );
}
