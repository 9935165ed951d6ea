import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type LogCursor,
  type LogName,
  openSegment,
  readSince,
  rewriteSegment,
  rotate,
} from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const LOGS: readonly LogName[] = ['history', 'failures'];

function append(folder: string, log: LogName, text: string): void {
  appendFileSync(openSegment(folder, log), `{"text":"${text}"}\n`);
}

function read(folder: string, cursor?: LogCursor) {
  const found = readSince(
    folder,
    LOGS,
    cursor === undefined ? undefined : JSON.parse(JSON.stringify(cursor)),
  );
  const texts = Array.from(
    found.entries,
    ({ log, line }) => `${log} ${(JSON.parse(line.text) as { text: string }).text}`,
  );
  return { texts, restarted: found.restarted, pending: found.pending, cursor: found.cursor() };
}

test('everything is read first, and then only what was appended', () => {
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

test('a file that was closed by renaming is recognised', () => {
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

test('reading starts again when lines that were read are gone', () => {
  const folder = temporaryFolder();
  for (const text of ['a', 'secret', 'b']) append(folder, 'history', text);
  const first = read(folder);
  const closed = rotate(folder, 'history') ?? '';
  rewriteSegment(closed, (line) => line.includes('secret'));
  for (const text of ['a long line that makes the file as large as before', 'c'])
    append(folder, 'history', text);
  expect(read(folder, first.cursor)).toMatchObject({
    restarted: true,
    texts: [
      'history a',
      'history b',
      'history a long line that makes the file as large as before',
      'history c',
    ],
  });
});

test('reading starts again when a file was replaced by another of the same name, or removed', () => {
  const folder = temporaryFolder();
  append(folder, 'history', 'first');
  const first = read(folder);
  writeFileSync(join(folder, 'other'), '{"text":"other"}\n{"text":"more"}\n');
  renameSync(join(folder, 'other'), openSegment(folder, 'history'));
  const second = read(folder, first.cursor);
  expect(second).toMatchObject({ restarted: true, texts: ['history other', 'history more'] });
  rmSync(openSegment(folder, 'history'));
  expect(read(folder, second.cursor)).toMatchObject({ restarted: true, texts: [] });
});

test('a copy of the logs is read on where the original was left', () => {
  const folder = temporaryFolder();
  append(folder, 'history', 'a');
  const { cursor } = read(folder);
  const copy = temporaryFolder();
  writeFileSync(openSegment(copy, 'history'), readFileSync(openSegment(folder, 'history')));
  append(copy, 'history', 'b');
  expect(read(copy, cursor)).toMatchObject({ restarted: false, texts: ['history b'] });
});

test('a line that is still being written is read when it is whole', () => {
  const folder = temporaryFolder();
  append(folder, 'history', 'a');
  appendFileSync(openSegment(folder, 'history'), '{"text":');
  const first = read(folder);
  expect(first.texts).toEqual(['history a']);
  appendFileSync(openSegment(folder, 'history'), '"b"}\n');
  expect(read(folder, first.cursor)).toMatchObject({ restarted: false, texts: ['history b'] });
});

test('a whole line without a line break counts once, and reading starts again if it goes on', () => {
  const folder = temporaryFolder();
  writeFileSync(openSegment(folder, 'history'), '{"text":"a"}');
  const first = read(folder);
  expect(first.texts).toEqual(['history a']);
  appendFileSync(openSegment(folder, 'history'), '\n{"text":"b"}\n');
  expect(read(folder, first.cursor)).toMatchObject({ restarted: false, texts: ['history b'] });
  writeFileSync(openSegment(folder, 'history'), '{"text":"a"} ');
  expect(read(folder, first.cursor)).toMatchObject({ restarted: true });
});

test('reading that is broken off goes on after the lines that were handed out', () => {
  const folder = temporaryFolder();
  for (const text of ['a', 'b', 'c']) append(folder, 'history', text);
  const found = readSince(folder, LOGS);
  for (const { line } of found.entries) if (line.text.includes('b')) break;
  expect(read(folder, found.cursor()).texts).toEqual(['history c']);
});

test('whenever logs are appended to, closed and read, each line is read exactly once and in order', () => {
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
