import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchResults, SessionSummary } from '../../src/server/rpc/api.ts';
import { aroundFirstMatch, resultRows } from '../../web/src/history/result-rows.ts';
import { countMovedRows, PAGE_SIZE, SparseList } from '../../web/src/lists/sparse-list.ts';
import { runSerially } from '../../web/src/shell/timing.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test('a hit of many lines is shown with its first line and the line of its first match', () => {
  const marked = (text: string, word: string) => {
    const at = text.indexOf(word);
    const { text: shown, marks } = aroundFirstMatch({ text, marks: [[at, at + word.length]] });
    const [[from, to] = [0, 0]] = marks;
    return [shown, shown.slice(from, to)];
  };
  expect(marked('npm test\nfirst\nsecond\nthe kiln is cold\nlast', 'kiln')).toEqual([
    'npm test\n…the kiln is cold\nlast',
    'kiln',
  ]);
  // A snippet from the middle of a text begins with the rest of a line.
  expect(marked('…rest\n\nthe kiln is cold', 'kiln')).toEqual(['…the kiln is cold', 'kiln']);
  expect(marked('heat the kiln\nnow', 'kiln')).toEqual(['heat the kiln\nnow', 'kiln']);
  expect(marked('npm test\nthe kiln is cold', 'kiln')).toEqual(['npm test\nthe kiln is cold', 'kiln']);
  expect(aroundFirstMatch({ text: 'a\nb\nc', marks: [] })).toEqual({ text: 'a\nb\nc', marks: [] });
});

test('a sparse list finds the rows it lacks', () => {
  const list = new SparseList<number>().with(0, range(0, 10), 1_000);
  expect(list.at(9)).toBe(9);
  expect(list.at(10)).toBeUndefined();
  expect(list.gap(0, 9)).toBeUndefined();
  expect(list.gap(5, 12)).toEqual({ offset: 10, limit: PAGE_SIZE });
  expect(list.with(30, range(30, 60), 1_000).gap(0, 40)).toEqual({ offset: 10, limit: 20 });
});

test('a sparse list is complete after all gaps were filled, however short the pages are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 300 }), (total, most) => {
      let list = new SparseList<number>(total);
      for (let gap = list.gap(0, total); gap !== undefined; gap = list.gap(0, total)) {
        const { offset, limit } = gap;
        expect(limit).toBeLessThanOrEqual(PAGE_SIZE);
        list = list.with(offset, range(offset, Math.min(offset + limit, offset + most, total)), total);
      }
      for (const row of range(0, total)) expect(list.at(row)).toBe(row);
    }),
  );
});

test('a sparse list is bounded, and keeps the last rows', () => {
  let list = new SparseList<number>();
  for (let offset = 0; offset < 100_000; offset += PAGE_SIZE) {
    list = list.with(offset, range(offset, offset + PAGE_SIZE), 100_000);
    expect(list.known).toBeLessThanOrEqual(4_000 + PAGE_SIZE);
    expect(list.at(offset)).toBe(offset);
  }
});

test('a sparse list that has become shorter drops the rows after its end', () => {
  const list = new SparseList<number>().with(0, range(0, 100), 100).with(0, range(0, 50), 50);
  expect(list.at(70)).toBeUndefined();
  expect(list.rowOf((item) => item === 49)).toBe(49);
  expect(list.rowOf((item) => item === 70)).toBe(-1);
});

test('a sparse list fetches visible rows first, then those after, then those before', () => {
  const list = new SparseList<number>().with(400, range(400, 500), 10_000);
  expect(list.missing(600, 610, 50)?.offset).toBe(600);
  expect(list.missing(450, 470, 50)).toEqual({ offset: 500, limit: PAGE_SIZE });
  expect(list.missing(410, 420, 50)).toEqual({ offset: 360, limit: 40 });
  expect(list.missing(440, 449, 30)).toBeUndefined();
});

test('steps run one at a time, and the last one runs for the latest request', async () => {
  const done: number[] = [];
  let wanted = 0;
  let running = 0;
  const want = runSerially(() => {
    if (done.at(-1) === wanted) return undefined;
    const value = wanted;
    running += 1;
    expect(running).toBe(1);
    return new Promise((resolve) =>
      setImmediate(() => {
        done.push(value);
        running -= 1;
        resolve();
      }),
    );
  });
  for (wanted = 1; wanted < 50; wanted += 1) want();
  want();
  await expect.poll(() => done.at(-1)).toBe(50);
  expect(done).toEqual([1, 50]);
});

test('countMovedRows tells how far the visible sessions have moved', () => {
  const session = (id: number, lastActivity = `${id}`): SessionSummary => ({
    sessionId: `s${id}`,
    project: 'p',
    timestamp: '',
    lastActivity,
    messageCount: 1,
    title: '',
    preview: '',
    firstRole: 'user',
    failures: 0,
    successes: 0,
  });
  const list = (sessions: SessionSummary[]) => new SparseList<SessionSummary>().with(0, sessions, sessions.length);
  const before = list(range(0, 50).map((id) => session(id)));
  const inView = { first: 10, last: 20 };
  const withThree = list([session(90), session(91), session(92), ...range(0, 50).map((id) => session(id))]);
  expect(countMovedRows(before, withThree, inView)).toBe(3);
  expect(countMovedRows(before, withThree, { first: 0, last: 10 })).toBe(0);
  const oneJumped = list([
    session(10, 'later'),
    ...range(0, 50)
      .filter((id) => id !== 10)
      .map((id) => session(id)),
  ]);
  expect(countMovedRows(before, oneJumped, inView)).toBe(0);
  expect(countMovedRows(before, list([]), inView)).toBe(0);
});

test('results are a heading per session with its best hits', () => {
  const hit = (id: string) => ({ kind: 'message', id, project: 'p', sessionId: 's', timestamp: 't' }) as const;
  const hits = range(0, 8).map((index) => ({
    ...hit(`m${index}`),
    agent: 'codex',
    snippet: { text: '', marks: [] },
    score: 1,
    match: 'words' as const,
  }));
  const answer: SearchResults = {
    sessions: [{ sessionId: 's', project: 'p', timestamp: 't', hits }],
    total: 8,
    isQuestion: false,
    missing: [],
    terms: [],
    warnings: [],
  };
  const rows = resultRows(answer);
  expect(rows[0]).toMatchObject({ type: 'session', hits: 8, agent: 'codex' });
  const shown = (row: (typeof rows)[number]) => (row.type === 'hit' ? row.hit.id : row.type);
  expect(rows.map(shown)).toEqual(['session', 'm0', 'm1', 'm2', 'm3', 'm4', 'more']);
  expect(rows.at(-1)).toMatchObject({ type: 'more', count: 3 });
  expect(resultRows(answer, new Set(['p s'])).map(shown)).toEqual([
    'session',
    ...range(0, 8).map((index) => `m${index}`),
  ]);
  expect(resultRows(undefined)).toEqual([]);
});
