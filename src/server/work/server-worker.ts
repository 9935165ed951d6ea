import { parentPort, workerData } from 'node:worker_threads';
import { openHome } from '../../project/index.ts';
import { type ErrorCode, YoreError } from '../../record/index.ts';
import { jobTable } from './job-table.ts';
import type { Jobs } from './jobs.ts';

/** What a thread works on. */
export interface ThreadOrder {
  /** yore's home folder, and the environment it was opened with. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How far the clock of the server is ahead of the machine's, in milliseconds. */
  readonly clockOffset: number;
}

/** What a thread is asked; `close` is the last. */
export type ThreadQuestion =
  | { readonly job: keyof Jobs; readonly params: unknown }
  | { readonly job: 'close' };

/** What it answers: the result as JSON, which costs the thread that takes it the least. */
export type ThreadAnswer =
  | { readonly text: string }
  /** Without a code: nobody foresaw it. */
  | { readonly error: { readonly code?: ErrorCode; readonly message: string } };

function main({ home: path, env, clockOffset }: ThreadOrder): void {
  const now = (): number => Date.now() + clockOffset;
  const home = openHome({ home: path, env, now, indexing: 'elsewhere' });
  const jobs = jobTable(home, now);
  parentPort?.on('message', (question: ThreadQuestion) => {
    if (question.job === 'close') {
      home.close();
      parentPort?.close();
      return;
    }
    const job = jobs[question.job] as (params: unknown) => unknown;
    void answerTo(job, question.params).then((answer) => parentPort?.postMessage(answer));
  });
}

async function answerTo(job: (params: unknown) => unknown, params: unknown): Promise<ThreadAnswer> {
  try {
    return { text: JSON.stringify(await job(params)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: error instanceof YoreError ? { code: error.code, message } : { message } };
  }
}

main(workerData as ThreadOrder);
