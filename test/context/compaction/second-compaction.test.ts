import { describe, expect, it } from 'vitest';
import { findHistorySummary } from '../../../src/context/compaction/compaction.ts';
import { Compactor } from '../../../src/context/compaction/compactor.ts';
import type { Turn } from '../../../src/context/message.ts';
import { counter, detectorOf, exchanges } from './turn-makers.ts';

const settings = { triggerTokens: 600, verbatimWindowTokens: 200, summaryBudgetTokens: 400 };
const compactor = new Compactor({ counter, settings, detector: detectorOf({}) });

async function compacted(turns: readonly Turn[]) {
  const result = await compactor.compact(turns);
  if (result.case !== 'summarise') throw new Error(`not summarised: ${JSON.stringify(result)}`);
  return result;
}

const work: Turn[] = [
  { role: 'user', content: 'Charge electricity by the meter reading, please.' },
  {
    role: 'assistant',
    content:
      '$ pnpm test billing\nAssertionError: expected 12 to be 13\n(exit code 1)\nEdited src/billing/electricity.ts',
  },
  { role: 'user', content: "Let's use cents instead of euros everywhere." },
  { role: 'assistant', content: '$ pnpm test billing\n14 passed\n(exit code 0)' },
];

describe('compacting a history that was compacted before', () => {
  it('keeps what the earlier summary said', async () => {
    const first = await compacted([...work, ...exchanges(20, 12)]);
    const second = await compacted([...first.turns, ...exchanges(20, 12)]);
    for (const item of [
      'src/billing/electricity.ts',
      'pnpm test billing',
      'AssertionError: expected 12 to be 13',
      'Charge electricity by the meter reading',
      'cents instead of euros',
    ]) {
      expect(first.summary).toContain(item);
      expect(second.summary).toContain(item);
    }
  });

  it('keeps one summary, which counts every message it covers', async () => {
    const first = await compacted([...work, ...exchanges(20, 12)]);
    expect(first.covers).toBe(first.removed);
    const second = await compacted([...first.turns, ...exchanges(20, 12)]);
    expect(second.covers).toBe(first.covers + second.removed - 2);
    expect(second.turns.filter(({ content }) => content.startsWith('[History Summary'))).toHaveLength(1);
    expect(findHistorySummary(second.turns)).toMatchObject({ covers: second.covers, text: second.summary });
    const messages = work.length + 40 + 40;
    expect(second.covers + second.turns.length - 2).toBe(messages);
  });

  it('stays within the budget however often it is repeated', async () => {
    let turns: readonly Turn[] = work;
    for (let round = 0; round < 6; round++) {
      const result = await compacted([...turns, ...exchanges(20, 12)]);
      expect(counter.count(result.turns[0]?.content ?? '')).toBeLessThanOrEqual(settings.summaryBudgetTokens);
      turns = result.turns;
    }
    expect(turns[0]?.content).toContain('src/billing/electricity.ts');
  });

  it('does not count the summary as one of the newest exchanges', async () => {
    const first = await compacted([...work, ...exchanges(20, 12)]);
    const few = first.turns.slice(0, 4);
    const result = await compactor.compact(few, { force: true });
    expect(result.case).toBe('none');
  });

  it('recognises a summary only if its acknowledgement follows', () => {
    const user: Turn = { role: 'user', content: '[History Summary - 12 earlier messages]\nAsked:\n- x' };
    expect(findHistorySummary([user, { role: 'assistant', content: 'What do you mean?' }])).toBeUndefined();
    expect(findHistorySummary([user, { role: 'assistant', content: 'Ok.' }])?.covers).toBe(12);
    expect(findHistorySummary([])).toBeUndefined();
  });
});
