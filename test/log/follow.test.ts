import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type LogCursor,
  type LogName,
  openSegmentPath,
  readSince,
  rewriteSegment,
  rotate,
} from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const LOGS: readonly LogName[] = ['history', 'failures'];

function append(folder: string, log: LogName, text: string): void {
  appendFileSync(openSegmentPath(folder, log), `{"text":"${text}"}\n`);
}

function read(folder: string, cursor?: LogCursor) {
  const found = readSince(folder, LOGS, cursor === undefined ? undefined : JSON.parse(JSON.stringify(cursor)));
  const texts = Array.from(
    found.lines,
    ({ log, line }) => `${log} ${(JSON.parse(line.text) as { text: string }).text}`,
  );
  return { texts, restarted: found.isRestarted, pending: found.hasPending, cursor: found.cursor() };
}

test('reads everything first, then only what was appended', () => {
  const folder = temporaryFolder();
  expect(read(folder).texts).toEqual([]);
  append(folder, 'history', 'a');
  append(folder, 'failures', 'x');
  const first = read(folder);
  expect(first.texts).toEqual(['history a', 'failures x']);
  append(folder, 'history', 'b');
  const second = read(folder, first.cursor);
  expect(second).toMatchObject({ texts: ['history b'], restarted: false });
  expect(read(folder, second.cursor)).toMatchObject({ texts: [], restarted: false, pending: false });
});

test('gives a cursor after each line, which reading on does not change', () => {
  const folder = temporaryFolder();
  for (const text of ['a', 'b', 'c', 'd']) append(folder, 'history', text);
  const found = readSince(folder, LOGS);
  const cursors: LogCursor[] = [];
  for (const _ of found.lines) cursors.push(found.cursor());
  expect(cursors.map((cursor) => read(folder, cursor).texts)).toEqual([
    ['history b', 'history c', 'history d'],
    ['history c', 'history d'],
    ['history d'],
    [],
  ]);
});

test('recognises a rotated segment', () => {
  const folder = temporaryFolder();
  append(folder, 'history', 'a');
  const first = read(folder);
  append(folder, 'history', 'b');
  rotate(folder, 'history');
  append(folder, 'history', 'c');
  rotate(folder, 'history');
  const second = read(folder, first.cursor);
  expect(second).toMatchObject({ texts: ['history b', 'history c'], restarted: false });
  append(folder, 'history', 'd');
  expect(read(folder, second.cursor)).toMatchObject({ texts: ['history d'], restarted: false });
});

test('starts again when lines that were read are gone', () => {
  const folder = temporaryFolder();
  for (const text of ['a', 'secret', 'b']) append(folder, 'history', text);
  const first = read(folder);
  const closed = rotate(folder, 'history') ?? '';
  rewriteSegment(closed, (line) => line.includes('secret'));
  for (const text of ['a long line that makes the file as large as before', 'c']) append(folder, 'history', text);
  expect(read(folder, first.cursor)).toMatchObject({
    restarted: true,
    texts: ['history a', 'history b', 'history a long line that makes the file as large as before', 'history c'],
  });
});

test('starts again when a file was replaced or removed', () => {
  const folder = temporaryFolder();
  append(folder, 'history', 'first');
  const first = read(folder);
  writeFileSync(join(folder, 'other'), '{"text":"other"}\n{"text":"more"}\n');
  renameSync(join(folder, 'other'), openSegmentPath(folder, 'history'));
  const second = read(folder, first.cursor);
  expect(second).toMatchObject({ restarted: true, texts: ['history other', 'history more'] });
  rmSync(openSegmentPath(folder, 'history'));
  expect(read(folder, second.cursor)).toMatchObject({ restarted: true, texts: [] });
});

test('continues in a copy of the logs', () => {
  const folder = temporaryFolder();
  append(folder, 'history', 'a');
  const { cursor } = read(folder);
  const copy = temporaryFolder();
  writeFileSync(openSegmentPath(copy, 'history'), readFileSync(openSegmentPath(folder, 'history')));
  append(copy, 'history', 'b');
  expect(read(copy, cursor)).toMatchObject({ restarted: false, texts: ['history b'] });
});

test('reads a line once it is complete', () => {
  const folder = temporaryFolder();
  append(folder, 'history', 'a');
  appendFileSync(openSegmentPath(folder, 'history'), '{"text":');
  const first = read(folder);
  expect(first.texts).toEqual(['history a']);
  appendFileSync(openSegmentPath(folder, 'history'), '"b"}\n');
  expect(read(folder, first.cursor)).toMatchObject({ restarted: false, texts: ['history b'] });
});

test('reads a complete line without a line break once, and starts again if it continues', () => {
  const folder = temporaryFolder();
  writeFileSync(openSegmentPath(folder, 'history'), '{"text":"a"}');
  const first = read(folder);
  expect(first.texts).toEqual(['history a']);
  appendFileSync(openSegmentPath(folder, 'history'), '\n{"text":"b"}\n');
  expect(read(folder, first.cursor)).toMatchObject({ restarted: false, texts: ['history b'] });
  writeFileSync(openSegmentPath(folder, 'history'), '{"text":"a"} ');
  expect(read(folder, first.cursor)).toMatchObject({ restarted: true });
});

test('continues after the yielded lines when reading was aborted', () => {
  const folder = temporaryFolder();
  for (const text of ['a', 'b', 'c']) append(folder, 'history', text);
  const found = readSince(folder, LOGS);
  for (const { line } of found.lines) if (line.text.includes('b')) break;
  expect(read(folder, found.cursor()).texts).toEqual(['history c']);
});

test('reads each line exactly once and in order, however logs are appended to, rotated and read', () => {
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('append' as const), log: fc.constantFrom(...LOGS) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('rotate' as const), log: fc.constantFrom(...LOGS) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), log: fc.constantFrom(...LOGS) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const folder = temporaryFolder();
      const written: Record<string, string[]> = { history: [], failures: [] };
      const seen: Record<string, string[]> = { history: [], failures: [] };
      let cursor: LogCursor | undefined;
      const catchUp = (): void => {
        const found = read(folder, cursor);
        expect(found.restarted).toBe(false);
        for (const text of found.texts) seen[text.split(' ')[0] ?? '']?.push(text);
        cursor = found.cursor;
      };
      for (const [index, { do: action, log }] of steps.entries()) {
        if (action === 'read') catchUp();
        else if (action === 'rotate') rotate(folder, log);
        else {
          append(folder, log, `${index}`);
          written[log]?.push(`${log} ${index}`);
        }
      }
      catchUp();
      expect(seen).toEqual(written);
    }),
    { numRuns: 60 },
  );
});
