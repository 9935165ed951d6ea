import { appendFileSync, closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, test } from 'vitest';
import {
  appendRecord,
  archiveOldRecords,
  listSegments,
  openSegmentPath,
  readSince,
  rewriteSegment,
  rotate,
} from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

describe('segments', () => {
  it('are listed by number, oldest first, with the open one last', () => {
    const folder = temporaryFolder();
    for (const name of ['history.jsonl', 'history-10.jsonl', 'history-9.jsonl', 'failures.jsonl', 'history-x.jsonl']) {
      writeFileSync(join(folder, name), '');
    }
    expect(listSegments(folder, 'history').map(({ name, isOpen }) => [name, isOpen])).toEqual([
      ['history-9.jsonl', false],
      ['history-10.jsonl', false],
      ['history.jsonl', true],
    ]);
  });

  it('are rotated to the next number, and the next record opens a new file', () => {
    const folder = temporaryFolder();
    expect(rotate(folder, 'history')).toBeUndefined();
    for (const n of [1, 2, 3]) {
      appendRecord(openSegmentPath(folder, 'history'), { n });
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
  it('removes the selected lines and keeps the bytes of all others, unreadable ones included', () => {
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

  it('does not touch a file without such lines', () => {
    const path = join(temporaryFolder(), 'history-1.jsonl');
    writeFileSync(path, '{"s":"a"}\ntorn');
    expect(rewriteSegment(path, () => false)).toEqual({ removed: 0, bytes: 0 });
    expect(readFileSync(path, 'utf8')).toBe('{"s":"a"}\ntorn');
  });

  it('carries over what a slow writer appends to the old file', async () => {
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

const DAY = 86_400_000;
const NOW = Date.parse('2025-12-31T00:00:00.000Z');

function append(folder: string, daysAgo: number): void {
  const timestamp = new Date(NOW - daysAgo * DAY).toISOString();
  appendFileSync(openSegmentPath(folder, 'failures'), `${JSON.stringify({ v: 1, id: `a${daysAgo}`, timestamp })}\n`);
}

function archive(folder: string): readonly string[] {
  return archiveOldRecords(folder, 'failures', NOW - 30 * DAY);
}

test('archives nothing from an empty project or one with recent records only', () => {
  const folder = temporaryFolder();
  expect(archive(folder)).toEqual([]);
  append(folder, 29);
  expect(archive(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['failures.jsonl']);
});

test('moves old records to the archive unchanged and keeps recent ones', () => {
  const folder = temporaryFolder();
  append(folder, 60);
  append(folder, 40);
  const before = readFileSync(openSegmentPath(folder, 'failures'), 'utf8');
  expect(archive(folder)).toEqual(['failures-1.jsonl']);
  expect(readFileSync(join(folder, 'archive', 'failures-1.jsonl'), 'utf8')).toBe(before);
  expect(existsSync(openSegmentPath(folder, 'failures'))).toBe(false);
  append(folder, 1);
  expect(archive(folder)).toEqual([]);
});

const idsIn = (folder: string): readonly string[] =>
  listSegments(folder, 'failures').flatMap(({ path }) =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  );

test('archives the old records of a segment and leaves the recent ones', () => {
  const folder = temporaryFolder();
  for (const days of [60, 32, 1]) append(folder, days);
  expect(archive(folder)).toEqual(['failures-1.jsonl']);
  expect(idsIn(folder)).toEqual(['a1']);
  expect(idsIn(join(folder, 'archive'))).toEqual(['a60', 'a32']);
  expect(archiveOldRecords(folder, 'failures', NOW + 1)).toEqual(['failures-1.jsonl']);
  expect(idsIn(folder)).toEqual([]);
  expect(idsIn(join(folder, 'archive'))).toEqual(['a60', 'a32', 'a1']);
});

test('archives a record once although the process was killed before it was removed', () => {
  const folder = temporaryFolder();
  for (const days of [60, 1]) append(folder, days);
  const before = readFileSync(openSegmentPath(folder, 'failures'), 'utf8');
  archive(folder);
  writeFileSync(join(folder, 'failures-1.jsonl'), before);
  archive(folder);
  expect(idsIn(folder)).toEqual(['a1']);
  expect(idsIn(join(folder, 'archive'))).toEqual(['a60']);
});

test('divides a segment at most once a day', () => {
  const folder = temporaryFolder();
  for (const days of [30.5, 1]) append(folder, days);
  expect(archive(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['failures.jsonl']);
});

test('does not reuse the number of an archived segment', () => {
  const folder = temporaryFolder();
  append(folder, 60);
  archive(folder);
  append(folder, 50);
  expect(archive(folder)).toEqual(['failures-2.jsonl']);
  expect(readdirSync(join(folder, 'archive')).sort()).toEqual(['failures-1.jsonl', 'failures-2.jsonl']);
});

test('a cursor stays valid when segments are archived', () => {
  const folder = temporaryFolder();
  append(folder, 60);
  rotate(folder, 'failures');
  append(folder, 5);
  const first = readSince(folder, ['failures']);
  expect([...first.lines]).toHaveLength(2);
  const cursor = first.cursor();
  archive(folder);
  append(folder, 1);
  const second = readSince(folder, ['failures'], cursor);
  expect(second.isRestarted).toBe(false);
  expect(Array.from(second.lines, ({ line }) => JSON.parse(line.text).id)).toEqual(['a1']);
});
