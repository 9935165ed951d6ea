import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchAnswer } from '../../src/server/rpc/api.ts';
import { resultRows } from '../../web/src/history/result-rows.ts';
import { CHUNK, SparseList } from '../../web/src/lists/sparse-list.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test('a list knows the rows it was given and asks for the ones it lacks', () => {
  const list = new SparseList<number>().with(0, range(0, 10), 1_000);
  expect(list.at(9)).toBe(9);
  expect(list.at(10)).toBeUndefined();
  expect(list.gap(0, 9)).toBeUndefined();
  expect(list.gap(5, 12)).toEqual({ offset: 10, limit: CHUNK });
  expect(list.with(30, range(30, 60), 1_000).gap(0, 40)).toEqual({ offset: 10, limit: 20 });
});

test('a list that is asked until it lacks nothing holds every row, however short the answers are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 300 }), (total, most) => {
      let list = new SparseList<number>(total);
      for (let gap = list.gap(0, total); gap !== undefined; gap = list.gap(0, total)) {
        const { offset, limit } = gap;
        expect(limit).toBeLessThanOrEqual(CHUNK);
        list = list.with(offset, range(offset, Math.min(offset + limit, offset + most, total)), total);
      }
      for (const row of range(0, total)) expect(list.at(row)).toBe(row);
    }),
  );
});

test('what a list keeps stays bounded, and what came last stays', () => {
  let list = new SparseList<number>();
  for (let offset = 0; offset < 100_000; offset += CHUNK) {
    list = list.with(offset, range(offset, offset + CHUNK), 100_000);
    expect(list.known).toBeLessThanOrEqual(4_000 + CHUNK);
    expect(list.at(offset)).toBe(offset);
  }
});

test('a list that has become shorter forgets the rows behind its end', () => {
  const list = new SparseList<number>().with(0, range(0, 100), 100).with(0, range(0, 50), 50);
  expect(list.at(70)).toBeUndefined();
  expect(list.rowOf((item) => item === 49)).toBe(49);
  expect(list.rowOf((item) => item === 70)).toBe(-1);
});

test('results are a heading for each session with its best hits below', () => {
  const hit = (id: string) =>
    ({ kind: 'message', id, project: 'p', sessionId: 's', timestamp: 't' }) as const;
  const hits = range(0, 8).map((index) => ({
    ...hit(`m${index}`),
    agent: 'codex',
    snippet: { text: '', marks: [] },
    score: 1,
    match: 'words' as const,
  }));
  const answer: SearchAnswer = {
    sessions: [{ sessionId: 's', project: 'p', timestamp: 't', hits }],
    total: 8,
    warnings: [],
  };
  const rows = resultRows(answer);
  expect(rows[0]).toMatchObject({ type: 'session', hits: 8, agent: 'codex' });
  expect(rows.slice(1).map((row) => row.type === 'hit' && row.hit.id)).toEqual([
    'm0',
    'm1',
    'm2',
    'm3',
    'm4',
  ]);
  expect(resultRows(undefined)).toEqual([]);
});
