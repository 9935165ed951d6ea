import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WorkerThread } from '../../src/server/workers/worker-thread.ts';
import { TaskQueue } from '../../src/server/workers/workers.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** A queue whose tasks end when the test says so. */
function heldQueue() {
  const begun: { readonly params: unknown; readonly end: (text: string) => void }[] = [];
  const queue = new TaskQueue({
    run: (_name, params) => new Promise((end) => begun.push({ params, end })),
    close: async () => undefined,
  });
  return { begun, queue };
}

describe('a task queue', () => {
  it('runs one task after the other', async () => {
    const { begun, queue } = heldQueue();
    const results = [queue.run('history.search', 1), queue.run('history.getSession', 2)];
    expect(begun.map(({ params }) => params)).toEqual([1]);
    begun[0]?.end('one');
    expect(await results[0]).toBe('one');
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.end('two');
    expect(await results[1]).toBe('two');
  });

  it('drops a search that its client has replaced, but not one that is running or of another client', async () => {
    const { begun, queue } = heldQueue();
    const [client, other] = [{}, {}];
    const first = queue.run('history.search', 'r', client);
    const second = queue.run('history.search', 're', client);
    const page = queue.run('history.getSession', 'p', client);
    const another = queue.run('history.search', 'x', other);
    const last = queue.run('history.search', 'red', client);
    const anonymous = [queue.run('history.search', 'a'), queue.run('history.search', 'b')];
    await expect(second).rejects.toMatchObject({ code: 'BUSY' });
    for (let index = 0; index < 6; index += 1) {
      await expect.poll(() => begun.length).toBe(index + 1);
      begun[index]?.end('done');
    }
    await Promise.all([first, page, another, last, ...anonymous]);
    expect(begun.map(({ params }) => params)).toEqual(['r', 'p', 'x', 'red', 'a', 'b']);
  });

  it('goes on after a task that failed, and rejects tasks once it is closed', async () => {
    let runs = 0;
    const queue = new TaskQueue({
      run: async () => {
        runs += 1;
        if (runs === 1) throw new Error('broken');
        return 'well';
      },
      close: async () => undefined,
    });
    await expect(queue.run('history.search', 1)).rejects.toThrow('broken');
    expect(await queue.run('history.search', 2)).toBe('well');
    await queue.close();
    await expect(queue.run('history.search', 3)).rejects.toMatchObject({ code: 'BUSY' });
  });
});

/** A thread that runs a script instead of the server's tasks. */
function thread(script: string): WorkerThread {
  const file = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
     const answer = (text) => parentPort.postMessage({ text });
     parentPort.on('message', ({ type, params }) => { if (type === 'close') parentPort.close(); else { ${script} } });`,
  );
  const made = new WorkerThread(file, { home: '/nowhere', env: {}, cwd: '/nowhere', clockOffset: 0 });
  onTestFinished(() => made.close());
  return made;
}

describe('a worker thread', () => {
  it('stays for all tasks, and keeps the code of a YoreError', async () => {
    const worker = thread(`
      if (params === 'wrong') parentPort.postMessage({ error: { code: 'NOT_FOUND', message: 'none' } });
      else if (params === 'broken') parentPort.postMessage({ error: { message: 'broken' } });
      else answer(String(threadId));`);
    const first = await worker.run('history.search', 1);
    expect(await worker.run('history.search', 2)).toBe(first);
    await expect(worker.run('history.search', 'wrong')).rejects.toMatchObject({
      name: 'YoreError',
      code: 'NOT_FOUND',
    });
    await expect(worker.run('history.search', 'broken')).rejects.toMatchObject({
      name: 'Error',
      message: 'broken',
    });
    expect(await worker.run('history.search', 3)).toBe(first);
  });

  it('fails the task in which it dies, and runs the next one in a new thread', async () => {
    const worker = thread(`
      if (params === 'exit') process.exit(3);
      if (params === 'throw') throw new Error('out of luck');
      answer(String(threadId));`);
    const first = await worker.run('history.search', 1);
    await expect(worker.run('history.search', 'exit')).rejects.toThrow('died during the call');
    const second = await worker.run('history.search', 2);
    await expect(worker.run('history.search', 'throw')).rejects.toThrow('out of luck');
    const third = await worker.run('history.search', 3);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('is started again when it died while idle, and is terminated when it does not end by itself', async () => {
    const worker = thread(`
      answer(String(threadId));
      if (params === 'later') setTimeout(() => process.exit(), 5);
      if (params === 'hang') setInterval(() => undefined, 1000), parentPort.on('close', () => { for (;;); });`);
    const first = await worker.run('history.search', 'later');
    await expect.poll(() => worker.run('history.search', 1)).not.toBe(first);
    await worker.run('history.search', 'hang');
    await worker.close();
  });
});
