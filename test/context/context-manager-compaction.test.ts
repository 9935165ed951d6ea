import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CompactionEvent } from '../../src/context/compaction/compaction.ts';
import { SAFE_BOUNDARY, type TopicBoundary, type TopicDetector } from '../../src/context/compaction/topic-boundary.ts';
import { type CompactionOptions, ContextManager } from '../../src/context/context-manager.ts';
import { YoreError } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { alternatingTurns } from './turns/any-turns.ts';

const SMALL = {
  triggerTokens: 1000,
  verbatimWindowTokens: 200,
  summaryBudgetTokens: 100,
  minVerbatimExchanges: 2,
};

/** A context with a history of about `exchanges` × 110 tokens, and its events. */
function longSession(compaction: CompactionOptions = {}, exchanges = 20) {
  const context = new ContextManager({
    model: 'gpt-4o',
    root: temporaryFolder(),
    compaction: { ...SMALL, ...compaction },
  });
  context.setHistory(alternatingTurns(exchanges * 2, 50));
  const events: CompactionEvent[] = [];
  const end = context.on((event) => events.push(event));
  return { context, events, end };
}

/** A detector that answers on demand. */
function slowDetector(): TopicDetector & { answer(boundary: TopicBoundary): void; fail(error: Error): void } {
  let answer: (boundary: TopicBoundary) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const answered = new Promise<TopicBoundary>((resolve, reject) => {
    answer = resolve;
    fail = reject;
  });
  return { detect: () => answered, answer: (boundary) => answer(boundary), fail: (error) => fail(error) };
}

test('does not compact and emits nothing below the trigger', async () => {
  const { context, events } = longSession({}, 2);
  expect(context.shouldCompact()).toBe(false);
  expect(await context.compactIfNeeded()).toBeUndefined();
  expect(events).toEqual([]);
});

test('never compacts when disabled', async () => {
  const { context } = longSession({ enabled: false });
  expect(context.shouldCompact()).toBe(false);
  expect(context.getTokenBudget().needsSummary).toBe(false);
  expect(await context.compactIfNeeded()).toBeUndefined();
  expect(context.getHistory()).toHaveLength(40);
});

test('compacts nothing without a compactor until one is set', async () => {
  const context = new ContextManager({ model: 'gpt-4o', compaction: false });
  context.setHistory(alternatingTurns(40, 50));
  expect(context.shouldCompact()).toBe(false);
  expect(context.getCompactionStatus().enabled).toBe(false);
  expect(await context.compactIfNeeded({ force: true })).toBeUndefined();
  context.initCompactor(SMALL);
  expect(context.shouldCompact()).toBe(true);
  expect(await context.compactIfNeeded()).toMatchObject({
    case: expect.stringMatching(/^(truncate|summarise)$/),
  });
  expect(context.getHistory().length).toBeLessThan(40);
});

test('reports whether compaction is enabled, the trigger and how close it is', () => {
  const { context } = longSession({}, 5);
  const currentTokens = context.historyTokenCount();
  expect(context.getCompactionStatus()).toEqual({
    enabled: true,
    triggerTokens: 1000,
    currentTokens,
    percent: Math.round(currentTokens / 10),
  });
  expect(new ContextManager({ model: 'gpt-4o' }).getCompactionStatus()).toEqual({
    enabled: true,
    triggerTokens: 24_000,
    currentTokens: 0,
    percent: 0,
  });
});

test('replaces a history above the trigger by a summary and its newest exchanges', async () => {
  const { context } = longSession();
  const before = context.getHistory();
  expect(context.shouldCompact()).toBe(true);
  const compaction = await context.compactIfNeeded();
  if (compaction?.case !== 'summarise') throw new Error(`The case is ${compaction?.case}`);
  const after = context.getHistory();
  expect(after[0]).toMatchObject({ role: 'user', content: expect.stringContaining('[History Summary - ') });
  expect(after[1]?.role).toBe('assistant');
  expect(after.slice(2)).toEqual(before.slice(compaction.removed));
  expect(context.historyTokenCount()).toBe(compaction.tokensAfter);
  expect(context.shouldCompact()).toBe(false);
});

test('drops everything before a confident boundary in the newest exchanges', async () => {
  const { context } = longSession({
    detector: {
      detect: async () => ({ boundaryIndex: 36, reason: 'new task', confidence: 0.9, summary: '' }),
    },
  });
  expect(await context.compactIfNeeded()).toMatchObject({ case: 'truncate', removed: 36 });
  expect(context.getHistory()).toEqual(alternatingTurns(40, 50).slice(36));
});

test('makes the tracker forget a compacted history', async () => {
  const { context } = longSession();
  context.assemble({ prompt: 'Hi' });
  for (let request = 0; request < 4; request++) context.updateTiers();
  const historyItems = () =>
    Object.values(context.tierReport()?.tiers ?? {}).flatMap(({ items }) =>
      items.filter(({ key }) => key.startsWith('history:')),
    );
  expect(historyItems().some(({ unchangedRequests: n }) => n > 0)).toBe(true);
  await context.compactIfNeeded();
  expect(historyItems()).toEqual([]);
  context.updateTiers();
  expect(historyItems().length).toBe(context.getHistory().length);
  expect(historyItems().every(({ unchangedRequests: n }) => n === 0)).toBe(true);
});

test('emits start and completion with the session id', async () => {
  const { context, events, end } = longSession();
  const tokensBefore = context.historyTokenCount();
  const compaction = await context.compactIfNeeded({ sessionId: 'sess_1' });
  if (compaction?.case !== 'summarise') throw new Error(`The case is ${compaction?.case}`);
  expect(events).toEqual([
    { type: 'compaction-start', sessionId: 'sess_1', messages: 40, tokensBefore },
    {
      type: 'compaction-complete',
      sessionId: 'sess_1',
      case: 'summarise',
      messages: context.getHistory(),
      removed: compaction.removed,
      tokensBefore,
      tokensAfter: context.historyTokenCount(),
      summary: compaction.summary,
    },
  ]);
  end();
  context.setHistory(alternatingTurns(40, 50));
  await context.compactIfNeeded();
  expect(events).toHaveLength(2);
});

test('tolerates listeners that throw or start a compaction', async () => {
  const { context, events } = longSession();
  context.on(() => {
    throw new Error('a broken listener');
  });
  context.on(() => {
    context.compactIfNeeded().catch(() => {});
  });
  expect(await context.compactIfNeeded()).toMatchObject({ case: 'summarise' });
  expect(events.map(({ type }) => type)).toEqual(['compaction-start', 'compaction-complete']);
});

test('ignores a failing summariser', async () => {
  const { context } = longSession({
    summarise: () => {
      throw new Error('no summary today');
    },
  });
  expect(await context.compactIfNeeded()).toMatchObject({ case: 'summarise', underTrigger: true });
});

test('keeps a history from which nothing can be removed, and reports why', async () => {
  const { context, events } = longSession({}, 0);
  context.addExchange('word '.repeat(2000), 'word '.repeat(2000));
  expect(await context.compactIfNeeded()).toMatchObject({ case: 'none', problem: expect.any(String) });
  expect(context.getHistory()).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({
    case: 'none',
    problem: expect.stringContaining('Nothing can be removed'),
  });
});

test.each([
  ['throws', () => Promise.reject(new Error('out of order'))],
  [
    'throws at once',
    () => {
      throw new Error('out of order');
    },
  ],
  ['never answers', () => new Promise<TopicBoundary>(() => {})],
  ['answers nothing', async () => undefined as unknown as TopicBoundary],
  [
    'answers nonsense',
    async () => ({ boundaryIndex: -7.5, confidence: 'very', reason: 3 }) as unknown as TopicBoundary,
  ],
  ['sees a boundary far outside', async () => ({ ...SAFE_BOUNDARY, boundaryIndex: 1e9, confidence: 1 })],
])('tolerates a detector that %s', async (_, detect) => {
  const { context } = longSession({ detector: { detect }, detectTimeoutMs: 20 });
  const before = context.getHistory();
  expect(await context.compactIfNeeded()).toMatchObject({ case: 'summarise' });
  expect(context.getHistory().slice(-4)).toEqual(before.slice(-4));
  expect(context.historyTokenCount()).toBeLessThan(1000);
});

test('keeps messages added during a compaction at the end', async () => {
  const detector = slowDetector();
  const { context } = longSession({ detector });
  const running = context.compactIfNeeded();
  await Promise.resolve();
  await Promise.resolve();
  context.addExchange('Meanwhile?', 'Noted.');
  detector.answer(SAFE_BOUNDARY);
  const compaction = await running;
  if (compaction?.case !== 'summarise') throw new Error(`The case is ${compaction?.case}`);
  const newest = context
    .getHistory()
    .slice(-3)
    .map(({ content }) => content);
  expect(newest).toEqual([alternatingTurns(40, 50)[39]?.content, 'Meanwhile?', 'Noted.']);
  expect(context.getHistory()).toHaveLength(2 + 40 - compaction.removed + 2);
});

test('keeps the newest messages in order and counted, whatever is added during compactions', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), words: fc.nat(200) }),
    fc.constantFrom({ do: 'compact' as const }, { do: 'go on' as const }, { do: 'wait' as const }),
  );
  const afterAWhile: TopicDetector = {
    detect: () => new Promise((resolve) => setImmediate(resolve, SAFE_BOUNDARY)),
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
      const { context } = longSession({ triggerTokens: 600, detector: afterAWhile }, 8);
      const said: string[] = [];
      const running: Promise<unknown>[] = [];
      for (const [index, each] of steps.entries()) {
        if (each.do === 'compact') running.push(context.compactIfNeeded());
        if (each.do === 'go on') await Promise.resolve();
        if (each.do === 'wait') await Promise.all(running);
        if (each.do !== 'add') continue;
        const pair = [`question ${index}${' word'.repeat(each.words)}`, `answer ${index}`] as const;
        context.addExchange(...pair);
        said.push(...pair);
      }
      await Promise.all(running);
      const history = context.getHistory();
      expect(history.slice(-4).map(({ content }) => content)).toEqual(
        [...alternatingTurns(16, 50).map(({ content }) => content), ...said].slice(-4),
      );
      expect(history.map(({ role }) => role)).toEqual(
        history.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
      );
      expect(context.historyTokenCount()).toBe(context.counter.countMessages(history));
    }),
  );
});

test.each([
  ['replaced', (context: ContextManager) => context.setHistory(alternatingTurns(6))],
  ['cleared', (context: ContextManager) => context.clearHistory()],
  ['cut', (context: ContextManager) => void context.slideWindow(10)],
])('leaves a history alone that is %s during a compaction', async (_, change) => {
  const detector = slowDetector();
  const { context, events } = longSession({ detector });
  const running = context.compactIfNeeded();
  await Promise.resolve();
  await Promise.resolve();
  change(context);
  const changed = context.getHistory();
  detector.answer(SAFE_BOUNDARY);
  expect(await running).toEqual({ case: 'none' });
  expect(context.getHistory()).toEqual(changed);
  expect(events.at(-1)).toMatchObject({ type: 'compaction-complete', case: 'none', removed: 0, summary: '' });
});

test('joins a running compaction', async () => {
  const detector = slowDetector();
  const { context, events } = longSession({ detector });
  const both = Promise.all([context.compactIfNeeded(), context.compactIfNeeded({ force: true })]);
  detector.answer(SAFE_BOUNDARY);
  const [one, other] = await both;
  expect(one).toBe(other);
  expect(events).toHaveLength(2);
});

test('can be forced below the trigger and when disabled', async () => {
  for (const settings of [{ triggerTokens: 100_000 }, { enabled: false }]) {
    const { context } = longSession(settings);
    expect(context.shouldCompact()).toBe(false);
    expect(await context.compactIfNeeded({ force: true })).toMatchObject({ case: 'summarise' });
    expect(context.getHistory().length).toBeLessThan(40);
  }
});

test('does not compact an empty history, even if forced', async () => {
  const { context, events } = longSession({}, 0);
  expect(await context.compactIfNeeded({ force: true })).toBeUndefined();
  expect(events).toEqual([]);
});

test('compacts a history that is too long for the model even below the trigger', async () => {
  const context = new ContextManager({ model: 'gpt-4', compaction: { triggerTokens: 1_000_000 } });
  context.setHistory(alternatingTurns(40, 400));
  expect(context.historyTokenCount()).toBeGreaterThan(context.counter.model.maxInputTokens);
  expect(context.shouldCompact()).toBe(true);
  expect(await context.compactIfNeeded()).toMatchObject({ case: 'summarise' });
  expect(context.historyTokenCount()).toBeLessThan(context.counter.model.maxInputTokens);
});

test.each([
  { triggerTokens: -1 },
  { triggerTokens: Number.NaN },
  { verbatimWindowTokens: -5 },
  { summaryBudgetTokens: -1 },
  { minVerbatimExchanges: -2 },
])('rejects negative budgets: %j', (settings) => {
  expect(() => new ContextManager({ model: 'gpt-4o', compaction: settings })).toThrow(YoreError);
});
