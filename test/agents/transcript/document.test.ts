import { expect, test } from 'vitest';
import { hashItem, readDocument } from '../../../src/agents/transcript/document.ts';
import type { TranscriptReading } from '../../../src/agents/transcript/transcript.ts';

const SOURCE = { agent: 'cline' as const, path: '/nowhere', size: 1000, stamp: '' };

function read(items: readonly unknown[], position?: ReturnType<TranscriptReading['position']>) {
  return readDocument(SOURCE, position, () => ({
    items,
    *read(index) {
      if (items[index] === 'bad') throw new Error('no');
      yield { type: 'skip', reason: `${String(items[index])} a` };
      yield { type: 'skip', reason: `${String(items[index])} b` };
    },
  }));
}

const reasons = (reading: TranscriptReading) =>
  [...reading.events].map((event) => (event.type === 'skip' ? event.reason : ''));

test('resumes a document that grew, and starts over with one that begins differently', () => {
  const first = read(['1', '2']);
  expect(first.isResumed).toBe(false);
  expect(reasons(first)).toEqual(['1 a', '1 b', '2 a', '2 b']);
  expect([first.linesRead, first.bytesRead]).toEqual([2, 1000]);
  const grown = read(['1', '2', '3'], first.position());
  expect(grown.isResumed).toBe(true);
  expect(reasons(grown)).toEqual(['3 a', '3 b']);
  expect(grown.linesRead).toBe(1);
  const other = read(['0', '2', '3'], first.position());
  expect(other.isResumed).toBe(false);
  expect(reasons(other)).toHaveLength(6);
  expect(reasons(read(['1'], first.position()))).toHaveLength(2);
});

test('reports an item that throws and continues', () => {
  expect([...read(['1', 'bad', '3']).events].filter((event) => event.type === 'skip' && event.isProblem)).toEqual([
    { type: 'skip', reason: 'not of the expected form', isProblem: true },
  ]);
});

test('starts at the beginning for a malformed position', () => {
  for (const position of [
    {},
    { items: -1, checksum: 0, given: 0 },
    { items: 'x' },
    { items: 99, checksum: 5, given: 0 },
  ]) {
    expect(reasons(read(['1'], position))).toHaveLength(2);
  }
});

test('distinguishes items by the ends and lengths of their texts, however deeply nested', () => {
  const long = 'x'.repeat(5000);
  expect(hashItem({ text: `${long}a` })).not.toBe(hashItem({ text: `${long}b` }));
  expect(hashItem({ text: long })).not.toBe(hashItem({ text: `${long}x` }));
  expect(hashItem({ a: 1 })).not.toBe(hashItem({ b: 1 }));
  let deep: unknown = 'end';
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(hashItem(deep)).toBe(hashItem(deep));
});
