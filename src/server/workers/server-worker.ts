import { parentPort, workerData } from 'node:worker_threads';
import { openHome } from '../../project/index.ts';
import { messageOf, YoreError } from '../../record/index.ts';
import { runInWorker } from '../methods/method-table.ts';
import { createWorkerContext, type WorkerContext } from './tasks.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './worker-thread.ts';

function main({ home: path, env, cwd, clockOffset }: WorkerSettings): void {
  const now = (): number => Date.now() + clockOffset;
  const home = openHome({ home: path, env, now, indexing: 'elsewhere' });
  const context = createWorkerContext(home, cwd, now);
  parentPort?.on('message', (request: WorkerRequest) => {
    if (request.type === 'close') {
      home.close();
      parentPort?.close();
      return;
    }
    void reply(request.name, request.params, context).then((message) => parentPort?.postMessage(message));
  });
}

async function reply(name: string, params: unknown, context: WorkerContext): Promise<WorkerReply> {
  try {
    return { text: JSON.stringify(await runInWorker(name, params, context)) };
  } catch (error) {
    const message = messageOf(error);
    return { error: error instanceof YoreError ? { code: error.code, message } : { message } };
  }
}

main(workerData as WorkerSettings);
