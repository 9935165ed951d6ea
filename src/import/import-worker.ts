import { parentPort, workerData } from 'node:worker_threads';
import { loadTranscripts } from '../agents/registry.ts';
import type { TranscriptSource } from '../agents/transcript/transcript.ts';
import { openHome } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import type { FoundSource } from './find-sources.ts';
import { GroupQueue, type ImportReply, ImportStopped, type WorkerTask } from './import-threads.ts';
import { SourceImporter } from './source-importer.ts';

async function work(task: WorkerTask): Promise<ImportReply> {
  const now = (): number => Date.now() + task.clockOffset;
  const home = openHome({ home: task.home, env: task.env, now });
  const importer = new SourceImporter(home, { ...task, now, folders: new Map() });
  try {
    const groups = await withReaders(task.groups);
    await new GroupQueue(task.queueMemory).work(task.thread, groups, importer);
    return { result: importer.result() };
  } finally {
    importer.savePrompts();
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

/** Entry point of the thread. Errors other than YoreError terminate it, which the main thread notices. */
async function main(): Promise<void> {
  try {
    parentPort?.postMessage(await work(workerData as WorkerTask));
  } catch (error) {
    if (error instanceof ImportStopped) return;
    if (!(error instanceof YoreError)) throw error;
    parentPort?.postMessage({ error: { code: error.code, message: error.message } } satisfies ImportReply);
  }
}

void main();
