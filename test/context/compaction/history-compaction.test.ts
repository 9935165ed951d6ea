import { expect, test } from 'vitest';
import type { Compaction, CompactionEvent } from '../../../src/context/compaction/compaction.ts';
import { HistoryCompaction } from '../../../src/context/compaction/history-compaction.ts';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import { TurnList } from '../../../src/context/turns/turn-list.ts';
import { YoreError } from '../../../src/record/index.ts';
import { alternatingTurns } from '../turns/any-turns.ts';

/** A compaction with a custom compactor, on a history of four turns. */
function compactionBy(compact: (call: { readonly force?: boolean | undefined }) => Promise<Compaction>) {
  const turns = new TurnList(new TokenCounter('gpt-4o'));
  turns.replace(alternatingTurns(4));
  const events: CompactionEvent[] = [];
  const compaction = new HistoryCompaction({
    turns,
    compactor: { shouldCompact: (tokens) => tokens > 100, compact: (_, options) => compact(options ?? {}) },
    emit: (event) => events.push(event),
    onReplaced: () => {},
  });
  return { turns, events, compaction };
}

test('keeps the turns and reports the error when a compaction fails, and can try again', async () => {
  let calls = 0;
  const { turns, events, compaction } = compactionBy(async () => {
    calls++;
    if (calls === 1) throw new Error('the disk of the model is full');
    return { case: 'none' };
  });
  const failed = compaction.run({ sessionId: 'sess_1' });
  await expect(failed).rejects.toThrow(YoreError);
  await expect(failed).rejects.toThrow(/could not be compacted: the disk of the model is full/);
  expect(turns.all()).toEqual(alternatingTurns(4));
  expect(compaction.hasFailed).toBe(true);
  expect(events[1]).toMatchObject({
    type: 'compaction-error',
    sessionId: 'sess_1',
    error: { code: 'MODEL' },
  });
  await compaction.run({});
  expect(compaction.hasFailed).toBe(false);
  expect(events.map(({ type }) => type)).toEqual([
    'compaction-start',
    'compaction-error',
    'compaction-start',
    'compaction-complete',
  ]);
});

test('does not blame a new history for a failure of the old one', async () => {
  let fail: (error: Error) => void = () => {};
  const { turns, compaction } = compactionBy(() => new Promise((_, reject) => (fail = reject)));
  const running = compaction.run({});
  await Promise.resolve();
  turns.replace(alternatingTurns(2));
  fail(new Error('too late'));
  await expect(running).rejects.toThrow(/too late/);
  expect(compaction.hasFailed).toBe(false);
});

test('treats an invalid result as a failure and changes nothing', async () => {
  const nonsense = { case: 'truncate', turns: [{ role: 'nobody' }], removed: 2 } as unknown as Compaction;
  const { turns, compaction } = compactionBy(async () => nonsense);
  await expect(compaction.run({})).rejects.toThrow(YoreError);
  expect(turns.all()).toEqual(alternatingTurns(4));
});

test('forces the compactor below the trigger', async () => {
  const calls: (boolean | undefined)[] = [];
  const { turns, compaction } = compactionBy(async ({ force }) => {
    calls.push(force);
    return { case: 'none' };
  });
  await compaction.run({});
  turns.replace(alternatingTurns(40));
  await compaction.run({});
  await compaction.run({ force: true });
  expect(calls).toEqual([true, false, true]);
});
