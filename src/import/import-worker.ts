import { parentPort, workerData } from 'node:worker_threads';
import { loadTranscripts } from '../agents/registry.ts';
import type { TranscriptSource } from '../agents/transcript/transcript-source.ts';
import { openHome } from '../project/index.ts';
import { type ErrorCode, YoreError } from '../record/index.ts';
import type { FoundSource } from './find-sources.ts';
import { GroupQueue, Stopped } from './group-queue.ts';
import { SourceTaker, type TakenSources } from './source-taker.ts';

/** What a worker is told to do: to take in groups of sources together with other threads. */
export interface WorkerOrder {
  /** yore's home folder, and the environment it was opened with. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly groups: readonly (readonly TranscriptSource[])[];
  /** Of the queue that all threads share. */
  readonly memory: SharedArrayBuffer;
  readonly thread: number;
  readonly dryRun: boolean;
  readonly startedAt: number;
  /** How far the clock of the import is ahead of the machine's, in milliseconds. */
  readonly clockOffset: number;
  readonly newProjects: ReadonlySet<string>;
}

/** What became of it. */
export type WorkerReply =
  | { readonly taken: TakenSources }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

async function work(order: WorkerOrder): Promise<WorkerReply> {
  const now = (): number => Date.now() + order.clockOffset;
  const home = openHome({ home: order.home, env: order.env, now });
  const taker = new SourceTaker(home, { ...order, now, folders: new Map() });
  try {
    const groups = await withReaders(order.groups);
    await GroupQueue.at(order.memory).work(order.thread, groups, taker);
    return { taken: taker.taken() };
  } finally {
    taker.savePrompts();
    home.close();
  }
}

async function withReaders(
  groups: readonly (readonly TranscriptSource[])[],
): Promise<readonly (readonly FoundSource[])[]> {
  const names = new Set(groups.flat().map(({ agent }) => agent));
  const readers = new Map((await loadTranscripts([...names])).map((reader) => [reader.agent, reader]));
  return groups.map((group) =>
    group.flatMap((source) => {
      const transcripts = readers.get(source.agent);
      return transcripts === undefined ? [] : [{ transcripts, source }];
    }),
  );
}

/** Runs in a thread of its own. What is no error of yore's is told by the thread's end. */
async function main(): Promise<void> {
  try {
    parentPort?.postMessage(await work(workerData as WorkerOrder));
  } catch (error) {
    if (error instanceof Stopped) return;
    if (!(error instanceof YoreError)) throw error;
    parentPort?.postMessage({ error: { code: error.code, message: error.message } } satisfies WorkerReply);
  }
}

void main();
