import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveOldSegments, openSegment, readSince, rotate } from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2025-12-31T00:00:00.000Z');

function append(folder: string, daysAgo: number): void {
  const timestamp = new Date(NOW - daysAgo * DAY).toISOString();
  appendFileSync(
    openSegment(folder, 'failures'),
    `${JSON.stringify({ v: 1, id: `a${daysAgo}`, timestamp })}\n`,
  );
}

function archive(folder: string): readonly string[] {
  return archiveOldSegments(folder, 'failures', NOW - 30 * DAY);
}

test('an empty project and one with young records stay as they are', () => {
  const folder = temporaryFolder();
  expect(archive(folder)).toEqual([]);
  append(folder, 29);
  expect(archive(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['failures.jsonl']);
});

test('old records move to the archive, byte for byte, and young ones stay', () => {
  const folder = temporaryFolder();
  append(folder, 60);
  append(folder, 40);
  const before = readFileSync(openSegment(folder, 'failures'), 'utf8');
  expect(archive(folder)).toEqual(['failures-1.jsonl']);
  expect(readFileSync(join(folder, 'archive', 'failures-1.jsonl'), 'utf8')).toBe(before);
  expect(existsSync(openSegment(folder, 'failures'))).toBe(false);
  append(folder, 1);
  expect(archive(folder)).toEqual([]);
});

test('a segment with one young record stays whole until that is old too', () => {
  const folder = temporaryFolder();
  append(folder, 60);
  append(folder, 10);
  expect(archive(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['failures-1.jsonl']);
  expect(archiveOldSegments(folder, 'failures', NOW)).toEqual(['failures-1.jsonl']);
});

test('the number of an archived segment is not used again', () => {
  const folder = temporaryFolder();
  append(folder, 60);
  archive(folder);
  append(folder, 50);
  expect(archive(folder)).toEqual(['failures-2.jsonl']);
  expect(readdirSync(join(folder, 'archive')).sort()).toEqual(['failures-1.jsonl', 'failures-2.jsonl']);
});

test('who follows the log goes on where it was', () => {
  const folder = temporaryFolder();
  append(folder, 60);
  rotate(folder, 'failures');
  append(folder, 5);
  const first = readSince(folder, ['failures']);
  expect([...first.entries]).toHaveLength(2);
  const cursor = first.cursor();
  archive(folder);
  append(folder, 1);
  const second = readSince(folder, ['failures'], cursor);
  expect(second.restarted).toBe(false);
  expect(Array.from(second.entries, ({ line }) => JSON.parse(line.text).id)).toEqual(['a1']);
});
