import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../property-seed.ts';
import { applyCompaction, type Compaction } from '../../../src/context/compaction/compaction.ts';
import { Compactor } from '../../../src/context/compaction/compactor.ts';
import type { TopicDetector } from '../../../src/context/compaction/topic-boundary.ts';
import type { Turn } from '../../../src/context/message.ts';
import { counter } from './turn-makers.ts';

/** Histories of every shape: replies without a question, questions without a reply, empty and very long messages. */
const history: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.nat(400).map((count) => 'anchor chain '.repeat(count)),
      fc.constantFrom(
        '$ make harbour\nok',
        'Edited src/berth.ts',
        '[History Summary - 7 earlier messages]\nAsked:\n- x',
        'Ok.',
        '{"name":"Bash","input":{"command":"make tide"}}',
      ),
    ),
  }),
  { maxLength: 40, size: 'max' },
);

const settings = fc.record({
  triggerTokens: fc.integer({ min: 1, max: 3_000 }),
  verbatimWindowTokens: fc.nat(800),
  summaryBudgetTokens: fc.nat(300),
  minVerbatimExchanges: fc.integer({ min: 1, max: 5 }),
});

const detector: fc.Arbitrary<TopicDetector> = fc
  .record({
    boundaryIndex: fc.oneof(fc.constant(null), fc.integer({ min: -2, max: 45 }), fc.double()),
    confidence: fc.oneof(fc.constantFrom(0, 0.49, 0.5, 1), fc.double()),
    summary: fc.oneof(fc.constant(''), fc.string()),
    reason: fc.string(),
  })
  .map((boundary) => ({ detect: async () => boundary }));

type Done = Exclude<Compaction, { readonly case: 'none' }>;
type Check = (turns: readonly Turn[], result: Done, compactor: Compactor, force: boolean) => void | Promise<void>;

async function holds(check: Check): Promise<void> {
  let compacted = 0;
  const property = fc.asyncProperty(history, settings, detector, fc.boolean(), async (turns, given, asked, force) => {
    const compactor = new Compactor({ counter, settings: given, detector: asked });
    const result = await compactor.compact(turns, { force });
    if (result.case === 'none') return;
    compacted++;
    await check(turns, result, compactor, force);
  });
  await fc.assert(property, { numRuns: 150 });
  expect(compacted).toBeGreaterThan(40);
}

/** How many turns at the end are unchanged. */
function tail({ turns, case: way }: Done): readonly Turn[] {
  return way === 'truncate' ? turns : turns.slice(2);
}

describe('every compaction', () => {
  it('keeps the newest exchanges verbatim, at the end and in order', () =>
    holds((turns, result, { settings }) => {
      const kept = tail(result);
      expect(kept).toEqual(turns.slice(result.removed));
      const users = kept.filter(({ role }) => role === 'user').length;
      expect(users).toBeGreaterThanOrEqual(settings.minVerbatimExchanges);
    }));

  it('keeps the tokens of the verbatim window when it summarises', () =>
    holds((_, result, { settings }, force) => {
      if (result.case === 'truncate' || force) return;
      expect(counter.countMessages(tail(result))).toBeGreaterThanOrEqual(settings.verbatimWindowTokens);
    }));

  it('starts with a user turn and never separates a question from its reply', () =>
    holds((turns, result) => {
      expect(result.turns[0]?.role).toBe('user');
      expect(tail(result)[0]?.role).toBe('user');
      expect(turns[result.removed]?.role).toBe('user');
    }));

  it('ends under the trigger, or says why it does not', () =>
    holds((_, result, { settings }) => {
      const tokens = counter.countMessages(result.turns);
      expect(result.tokensAfter).toBe(tokens);
      expect(result.underTrigger).toBe(tokens <= settings.triggerTokens);
      expect(result.problem === undefined).toBe(result.underTrigger);
    }));

  it('is shorter than before', () =>
    holds((turns, result) => {
      expect(result.tokensBefore).toBe(counter.countMessages(turns));
      expect(result.tokensAfter).toBeLessThan(result.tokensBefore);
      expect(result.removed).toBeGreaterThan(0);
    }));

  it('covers every removed message', () =>
    holds((turns, result) => {
      const [first, second] = turns;
      const isSummary =
        first?.role === 'user' && first.content.startsWith('[History Summary - 7') && second?.content === 'Ok.';
      const isPair = isSummary && second?.role === 'assistant';
      expect(result.covers).toBe(isPair ? result.removed - 2 + 7 : result.removed);
      if (result.case === 'summarise')
        expect(result.turns[0]?.content).toContain(`[History Summary - ${result.covers} earlier`);
    }));

  it('keeps its summary within the budget, apart from the header', () =>
    holds((_, { summary }, { settings }) => {
      expect(counter.count(summary)).toBeLessThanOrEqual(settings.summaryBudgetTokens);
    }));

  it('equals what applyCompaction returns', () =>
    holds((turns, result) => {
      expect(applyCompaction(turns, result)).toEqual(result.turns);
    }));

  it('is deterministic', () =>
    holds(async (turns, result, compactor, force) => {
      expect(await compactor.compact(turns, { force })).toEqual(result);
    }));

  it('says why it does nothing above the trigger', async () => {
    await fc.assert(
      fc.asyncProperty(history, settings, detector, async (turns, given, asked) => {
        const compactor = new Compactor({ counter, settings: given, detector: asked });
        const result = await compactor.compact(turns);
        const isTooLong = turns.length > 0 && compactor.shouldCompact(counter.countMessages(turns));
        if (result.case === 'none') expect(result.problem !== undefined).toBe(isTooLong);
      }),
      { numRuns: 150 },
    );
  });
});
