import { describe, expect, it } from 'vitest';
import { applyCompaction, type Compaction } from '../../../src/context/compaction/compaction.ts';
import { Compactor } from '../../../src/context/compaction/compactor.ts';
import { checkBoundary, type TopicDetector } from '../../../src/context/compaction/topic-boundary.ts';
import type { Turn } from '../../../src/context/message.ts';
import { counter, detectorOf, exchanges } from './turn-makers.ts';

const settings = {
  triggerTokens: 1_000,
  verbatimWindowTokens: 300,
  summaryBudgetTokens: 200,
  minVerbatimExchanges: 2,
};

function compactor(boundary = {}, more = {}): Compactor {
  return new Compactor({ counter, settings: { ...settings, ...more }, detector: detectorOf(boundary) });
}

function done(compaction: Compaction): Exclude<Compaction, { case: 'none' }> {
  if (compaction.case === 'none') throw new Error(`nothing was compacted: ${compaction.problem}`);
  return compaction;
}

describe('Compactor', () => {
  it('compacts above the trigger, not at or below it', () => {
    expect(compactor().shouldCompact(999)).toBe(false);
    expect(compactor().shouldCompact(1_000)).toBe(false);
    expect(compactor().shouldCompact(1_001)).toBe(true);
  });

  it('does nothing when disabled', async () => {
    const off = compactor({}, { enabled: false });
    expect(off.shouldCompact(1_000_000)).toBe(false);
    expect(await off.compact(exchanges(40))).toEqual({ case: 'none' });
  });

  it('returns none without turns and below the trigger', async () => {
    expect(await compactor().compact([])).toEqual({ case: 'none' });
    expect(await compactor().compact([], { force: true })).toEqual({ case: 'none' });
    expect(await compactor().compact(exchanges(2))).toEqual({ case: 'none' });
  });

  it('truncates or summarises above the trigger with the offline detector', async () => {
    const { case: way } = await new Compactor({ counter, settings }).compact(exchanges(30));
    expect(['truncate', 'summarise']).toContain(way);
  });

  it('compacts below the trigger, or disabled, when forced', async () => {
    const turns = exchanges(5);
    expect(counter.countMessages(turns)).toBeLessThan(1_000);
    expect(done(await compactor().compact(turns, { force: true })).case).toBe('summarise');
    expect(done(await compactor({}, { enabled: false }).compact(turns, { force: true })).case).toBe('summarise');
  });

  it('keeps only the newest exchanges when forced to compact what fits into the window', async () => {
    const turns = exchanges(8);
    const forced = done(await compactor({}, { verbatimWindowTokens: 5_000 }).compact(turns, { force: true }));
    expect(forced.turns.slice(2)).toEqual(turns.slice(-4));
  });
});

describe('the two cases', () => {
  const turns = exchanges(30);

  it('truncates at a confident boundary in the verbatim window', async () => {
    const truncated = done(await compactor({ boundaryIndex: 56, confidence: 0.5 }).compact(turns));
    expect(truncated).toMatchObject({ case: 'truncate', removed: 56, underTrigger: true });
    expect(truncated.turns).toEqual(turns.slice(56));
  });

  it('reports what a truncation drops without adding it to the history', async () => {
    const truncated = done(await compactor({ boundaryIndex: 56, confidence: 0.9 }).compact(turns));
    expect(truncated.summary).toContain('Question 0');
    expect(truncated.covers).toBe(56);
    expect(truncated.turns.some(({ content }) => content.includes('History Summary'))).toBe(false);
  });

  it.each([
    ['below the confidence that it takes', { boundaryIndex: 56, confidence: 0.49 }],
    ['before the verbatim window', { boundaryIndex: 10, confidence: 1 }],
    ['nowhere', { boundaryIndex: null, confidence: 1 }],
  ])('summarises with a boundary %s', async (_, boundary) => {
    const summarised = done(await compactor(boundary).compact(turns));
    expect(summarised.case).toBe('summarise');
    const [summary, acknowledgement, ...kept] = summarised.turns;
    expect(summary?.role).toBe('user');
    expect(summary?.content).toMatch(/^\[History Summary - \d+ earlier messages\]\n/);
    expect(acknowledgement).toEqual({ role: 'assistant', content: 'Ok.' });
    expect(kept).toEqual(turns.slice(summarised.removed));
    expect(summarised.covers).toBe(summarised.removed);
    expect(summary?.content).toContain(`- ${summarised.covers} earlier`);
  });

  it('keeps the summary with its header within the budget', async () => {
    const { turns: after } = done(await compactor().compact(turns));
    expect(counter.count(after[0]?.content ?? '')).toBeLessThanOrEqual(settings.summaryBudgetTokens);
  });

  it('keeps the newest exchanges even if the boundary leaves fewer', async () => {
    const truncated = done(await compactor({ boundaryIndex: 58, confidence: 1 }).compact(turns));
    expect(truncated.case).toBe('truncate');
    expect(truncated.turns).toEqual(turns.slice(56));
  });

  it('keeps a reply with its question if the boundary is between them', async () => {
    const truncated = done(await compactor({ boundaryIndex: 57, confidence: 1 }).compact(turns));
    expect(truncated.turns).toEqual(turns.slice(56));
  });

  it("puts the detector's summary first, and literal facts after it", async () => {
    const past: Turn[] = [
      ...exchanges(1),
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '$ npm run seed\nok' },
    ];
    const boundary = {
      boundaryIndex: 4,
      confidence: 0.9,
      summary: 'The berth list was seeded. Prices come next.',
    };
    const { summary } = done(await compactor(boundary).compact([...past, ...exchanges(30)]));
    expect(summary.startsWith('The berth list was seeded.\nPrices come next.\nAsked:')).toBe(true);
    expect(summary).toContain('- npm run seed');
  });

  it('counts tokens before and after like the counter', async () => {
    const result = done(await compactor().compact(turns));
    expect(result.tokensBefore).toBe(counter.countMessages(turns));
    expect(result.tokensAfter).toBe(counter.countMessages(result.turns));
  });
});

describe('a history that cannot be brought under the trigger', () => {
  const huge: Turn = { role: 'assistant', content: 'tide '.repeat(2_000) };

  it('is explained when a message of the newest exchanges is too long', async () => {
    const turns = [...exchanges(20), { role: 'user' as const, content: 'table' }, huge];
    const result = done(await compactor().compact(turns));
    expect(result.underTrigger).toBe(false);
    expect(result.problem).toMatch(/still has \d+ tokens.*trigger of 1000.*longest message is number 42/s);
    expect(result.tokensAfter).toBeLessThan(result.tokensBefore);
  });

  it('is explained when nothing can be removed', async () => {
    const turns = [{ role: 'user' as const, content: 'table' }, huge];
    const result = await compactor().compact(turns);
    expect(result.case).toBe('none');
    expect(result.problem).toMatch(/^Nothing can be removed.*longest message is number 2/s);
  });

  it('is not replaced by a longer summary', async () => {
    const turns: Turn[] = [{ role: 'user', content: 'hi' }, { role: 'assistant', content: 'Ok' }, ...exchanges(2, 600)];
    const result = await compactor({}, { verbatimWindowTokens: 0 }).compact(turns);
    expect(result).toMatchObject({
      case: 'none',
      problem: expect.stringContaining('shorter than their summary'),
    });
  });
});

describe('a custom summariser', () => {
  const turns = exchanges(30);
  const withSummariser = (summarise: () => string | Promise<string>) =>
    new Compactor({ counter, settings, detector: detectorOf({}), summarise, summariseTimeoutMs: 20 });

  it('provides the text, which is truncated to the budget', async () => {
    const long = withSummariser(() => Promise.resolve(`We moored. ${'And moored again. '.repeat(500)}`));
    const { turns: after, summary } = done(await long.compact(turns));
    expect(summary.startsWith('We moored.')).toBe(true);
    expect(counter.count(after[0]?.content ?? '')).toBeLessThanOrEqual(settings.summaryBudgetTokens);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['hangs', () => new Promise<string>(() => {})],
    ['says nothing', () => '  '],
    ['talks nonsense', () => 42 as unknown as string],
  ])('is ignored when it %s', async (_, summarise) => {
    const { summary } = done(await withSummariser(summarise).compact(turns));
    expect(summary).toContain('Asked:\n- Question 0');
  });
});

describe('applyCompaction', () => {
  const turns = exchanges(30);

  it('returns the turns of the compaction', async () => {
    for (const boundary of [{}, { boundaryIndex: 56, confidence: 1 }]) {
      const result = done(await compactor(boundary).compact(turns));
      const applied = applyCompaction(turns, result);
      expect(applied).toEqual(result.turns);
      expect(applied.length).toBeLessThan(turns.length);
    }
  });

  it('returns a copy of the turns when there was nothing to do', () => {
    const applied = applyCompaction(turns, { case: 'none' });
    expect(applied).toEqual(turns);
    expect(applied).not.toBe(turns);
  });

  it('keeps turns that were added meanwhile', async () => {
    const result = done(await compactor().compact(turns));
    const later: Turn = { role: 'user', content: 'one more thing' };
    expect(applyCompaction([...turns, later], result)).toEqual([...result.turns, later]);
  });

  it('leaves a cleared or replaced history alone', async () => {
    const result = done(await compactor().compact(turns));
    expect(applyCompaction([], result)).toEqual([]);
    const other = exchanges(40, 3);
    expect(applyCompaction(other, result)).toEqual(other);
  });
});

const turns = exchanges(30);
const quickSettings = { triggerTokens: 1_000, verbatimWindowTokens: 300 };

function compact(detect: () => unknown) {
  const detector = { detect } as unknown as TopicDetector;
  return new Compactor({ counter, settings: quickSettings, detector, detectTimeoutMs: 20 }).compact(turns);
}

describe('an unusable detector', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('out of order');
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of order'))],
    ['throws something that is no error', () => Promise.reject('out of order')],
  ])('is ignored when it %s, and the reason is reported', async (_, detect) => {
    const result = await compact(detect);
    expect(result).toMatchObject({ case: 'summarise', boundary: { boundaryIndex: null, confidence: 0 } });
    if (result.case !== 'none') expect(result.boundary.reason).toContain('out of order');
  });

  it('times out when it hangs, and its signal is aborted', async () => {
    let signal: AbortSignal | undefined;
    const detector: TopicDetector = {
      detect: (_, options) => {
        signal = options?.signal;
        return new Promise(() => {});
      },
    };
    const result = await new Compactor({
      counter,
      settings: quickSettings,
      detector,
      detectTimeoutMs: 20,
    }).compact(turns);
    expect(result.case).toBe('summarise');
    if (result.case !== 'none') expect(result.boundary.reason).toContain('no answer within 20 ms');
    expect(signal?.aborted).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a word', 'soon'],
    ['an index out of range', { boundaryIndex: 60, confidence: 1 }],
    ['a negative index', { boundaryIndex: -1, confidence: 1 }],
    ['the very first message', { boundaryIndex: 0, confidence: 1 }],
    ['no number', { boundaryIndex: Number.NaN, confidence: 1 }],
    ['half a message', { boundaryIndex: 56.5, confidence: 1 }],
    ['an endless index', { boundaryIndex: Number.POSITIVE_INFINITY, confidence: 1 }],
    ['an index that is a text', { boundaryIndex: '56', confidence: 1 }],
    ['a confidence that is no number', { boundaryIndex: 56, confidence: Number.NaN }],
    ['a confidence that is a text', { boundaryIndex: 56, confidence: 'high' }],
    ['other fields', { boundary: 56 }],
  ])('counts as no boundary when it answers %s', async (_, answer) => {
    const result = await compact(() => Promise.resolve(answer));
    expect(result.case).toBe('summarise');
  });

  it('has its confidence clamped and invalid texts dropped', () => {
    const answer = { boundaryIndex: 3, confidence: 7, reason: { a: 1 }, summary: 12 };
    expect(checkBoundary(answer, 10)).toEqual({ boundaryIndex: 3, confidence: 1, reason: '', summary: '' });
  });
});
