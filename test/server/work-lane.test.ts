import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Jobs } from '../../src/server/work/jobs.ts';
import { WorkLane } from '../../src/server/work/work-lane.ts';
import { WorkerThread } from '../../src/server/work/worker-thread.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** Does jobs when the test says so. */
function heldWork() {
  const begun: {
    readonly job: keyof Jobs;
    readonly params: unknown;
    readonly end: (text: string) => void;
  }[] = [];
  const lane = new WorkLane({
    do: (job, params) => new Promise((end) => begun.push({ job, params, end })),
    close: async () => undefined,
  });
  return { begun, lane };
}

describe('a lane of work', () => {
  it('does one job after the other', async () => {
    const { begun, lane } = heldWork();
    const results = [lane.do('search', 1), lane.do('page', 2)];
    expect(begun.map(({ params }) => params)).toEqual([1]);
    begun[0]?.end('one');
    expect(await results[0]).toBe('one');
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.end('two');
    expect(await results[1]).toBe('two');
  });

  it('drops a search that its client has replaced, but none that is under way and none of others', async () => {
    const { begun, lane } = heldWork();
    const [client, other] = [{}, {}];
    const first = lane.do('search', 'r', client);
    const second = lane.do('search', 're', client);
    const page = lane.do('page', 'p', client);
    const another = lane.do('search', 'x', other);
    const last = lane.do('search', 'red', client);
    const anonymous = [lane.do('search', 'a'), lane.do('search', 'b')];
    await expect(second).rejects.toMatchObject({ code: 'BUSY' });
    for (let index = 0; index < 6; index += 1) {
      await expect.poll(() => begun.length).toBe(index + 1);
      begun[index]?.end('done');
    }
    await Promise.all([first, page, another, last, ...anonymous]);
    expect(begun.map(({ params }) => params)).toEqual(['r', 'p', 'x', 'red', 'a', 'b']);
  });

  it('goes on after a job that failed, and takes none when it is closed', async () => {
    let runs = 0;
    const lane = new WorkLane({
      do: async () => {
        runs += 1;
        if (runs === 1) throw new Error('broken');
        return 'well';
      },
      close: async () => undefined,
    });
    await expect(lane.do('search', 1)).rejects.toThrow('broken');
    expect(await lane.do('search', 2)).toBe('well');
    await lane.close();
    await expect(lane.do('search', 3)).rejects.toMatchObject({ code: 'BUSY' });
  });
});

/** A thread that runs a script instead of the server's jobs. */
function thread(script: string): WorkerThread {
  const file = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads';
     const answer = (text) => parentPort.postMessage({ text });
     parentPort.on('message', ({ job, params }) => { if (job === 'close') parentPort.close(); else { ${script} } });`,
  );
  const made = new WorkerThread(file, { home: '/nowhere', env: {}, clockOffset: 0 });
  onTestFinished(() => made.close());
  return made;
}

describe('a thread of the server', () => {
  it('stays for all jobs, and tells errors of yore from others', async () => {
    const worker = thread(`
      if (params === 'wrong') parentPort.postMessage({ error: { code: 'NOT_FOUND', message: 'none' } });
      else if (params === 'broken') parentPort.postMessage({ error: { message: 'broken' } });
      else answer(String(threadId));`);
    const first = await worker.do('search', 1);
    expect(await worker.do('search', 2)).toBe(first);
    await expect(worker.do('search', 'wrong')).rejects.toMatchObject({
      name: 'YoreError',
      code: 'NOT_FOUND',
    });
    await expect(worker.do('search', 'broken')).rejects.toMatchObject({ name: 'Error', message: 'broken' });
    expect(await worker.do('search', 3)).toBe(first);
  });

  it('that dies in a job fails that job, and the next one is done by a new thread', async () => {
    const worker = thread(`
      if (params === 'exit') process.exit(3);
      if (params === 'throw') throw new Error('out of luck');
      answer(String(threadId));`);
    const first = await worker.do('search', 1);
    await expect(worker.do('search', 'exit')).rejects.toThrow('ended in the middle');
    const second = await worker.do('search', 2);
    await expect(worker.do('search', 'throw')).rejects.toThrow('out of luck');
    const third = await worker.do('search', 3);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('that died between jobs is started again, and one that does not end is ended', async () => {
    const worker = thread(`
      answer(String(threadId));
      if (params === 'later') setTimeout(() => process.exit(), 5);
      if (params === 'hang') setInterval(() => undefined, 1000), parentPort.on('close', () => { for (;;); });`);
    const first = await worker.do('search', 'later');
    await expect.poll(() => worker.do('search', 1)).not.toBe(first);
    await worker.do('search', 'hang');
    await worker.close();
  });
});
