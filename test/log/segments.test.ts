import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { appendRecord, listSegments, openSegment, rewriteSegment, rotate } from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

describe('segments', () => {
  it('are listed oldest first with the open one last, by number and not by name', () => {
    const folder = temporaryFolder();
    for (const name of [
      'history.jsonl',
      'history-10.jsonl',
      'history-9.jsonl',
      'failures.jsonl',
      'history-x.jsonl',
    ]) {
      writeFileSync(join(folder, name), '');
    }
    expect(listSegments(folder, 'history').map(({ name, open }) => [name, open])).toEqual([
      ['history-9.jsonl', false],
      ['history-10.jsonl', false],
      ['history.jsonl', true],
    ]);
  });

  it('rotate to the next number, and the next record opens a new file', () => {
    const folder = temporaryFolder();
    expect(rotate(folder, 'history')).toBeUndefined();
    for (const n of [1, 2, 3]) {
      appendRecord(openSegment(folder, 'history'), { n });
      if (n < 3) expect(basename(rotate(folder, 'history') ?? '')).toBe(`history-${n}.jsonl`);
    }
    expect(listSegments(folder, 'history').map(({ path }) => readFileSync(path, 'utf8'))).toEqual([
      '{"n":1}\n',
      '{"n":2}\n',
      '{"n":3}\n',
    ]);
  });
});

describe('rewriteSegment', () => {
  it('drops what is named and keeps the bytes of all other lines, unreadable ones included', () => {
    const path = join(temporaryFolder(), 'history-1.jsonl');
    const garbage = Buffer.from([0x7b, 0xff, 0xfe, 0x0a]);
    writeFileSync(
      path,
      Buffer.concat([Buffer.from('{"s":"a"}\n{"s":"b"}\n'), garbage, Buffer.from('{"v":9,"s":"a"}\n')]),
    );
    const report = rewriteSegment(path, (text) => text.includes('"b"'));
    expect(report).toEqual({ removed: 1, bytes: 10 });
    expect(readFileSync(path)).toEqual(
      Buffer.concat([Buffer.from('{"s":"a"}\n'), garbage, Buffer.from('{"v":9,"s":"a"}\n')]),
    );
  });

  it('does not touch a file from which nothing is dropped', () => {
    const path = join(temporaryFolder(), 'history-1.jsonl');
    writeFileSync(path, '{"s":"a"}\ntorn');
    expect(rewriteSegment(path, () => false)).toEqual({ removed: 0, bytes: 0 });
    expect(readFileSync(path, 'utf8')).toBe('{"s":"a"}\ntorn');
  });

  it('carries over what a slow writer adds to the old file', async () => {
    const path = join(temporaryFolder(), 'history-1.jsonl');
    writeFileSync(path, '{"s":"a"}\n{"s":"b"}\n');
    const slow = openSync(path, 'a');
    const worker = new Worker(
      `const { workerData } = require('node:worker_threads');
       const fs = require('node:fs');
       const before = fs.fstatSync(workerData.slow).ino;
       while (fs.statSync(workerData.path).ino === before);
       fs.writeSync(workerData.slow, '{"s":"late"}\\n');`,
      { eval: true, workerData: { slow, path } },
    );
    await new Promise((resolve) => worker.once('online', resolve));
    rewriteSegment(path, (text) => text.includes('"b"'));
    await worker.terminate();
    closeSync(slow);
    expect(readFileSync(path, 'utf8')).toBe('{"s":"a"}\n{"s":"late"}\n');
  });

  it('does not lose a torn tail', () => {
    const path = join(temporaryFolder(), 'history-1.jsonl');
    writeFileSync(path, '{"s":"b"}\n');
    appendFileSync(path, '{"s":"to');
    rewriteSegment(path, (text) => text.includes('"b"'));
    expect(readFileSync(path, 'utf8')).toBe('{"s":"to\n');
  });
});
