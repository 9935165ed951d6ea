import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import { emergencyTruncate } from '../../../src/context/turns/truncate.ts';
import { YoreError } from '../../../src/record/index.ts';
import { alternatingTurns, anyTurns } from './any-turns.ts';

const COUNTER = new TokenCounter('gpt-4o');

test('a history above twice the trigger loses its oldest exchanges, and only whole ones', () => {
  const turns = alternatingTurns(40, 50);
  const { turns: kept, dropped, tokens } = emergencyTruncate(turns, COUNTER, 500);
  expect(kept.length).toBeLessThan(40);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept).toEqual(turns.slice(dropped));
  expect(dropped % 2).toBe(0);
  expect(kept[0]?.role).toBe('user');
  expect(kept.at(-1)?.role).toBe('assistant');
  expect(tokens).toBe(COUNTER.countMessages(kept));
  expect(tokens).toBeLessThanOrEqual(500);
});

test('up to twice the trigger nothing is dropped', () => {
  const turns = alternatingTurns(10, 50);
  const tokens = COUNTER.countMessages(turns);
  expect(emergencyTruncate(turns, COUNTER, Math.ceil(tokens / 2))).toEqual({ turns, dropped: 0, tokens });
  expect(emergencyTruncate(turns, COUNTER, Math.ceil(tokens / 2) - 1).dropped).toBeGreaterThan(0);
});

test('without turns nothing happens', () => {
  expect(emergencyTruncate([], COUNTER, 0)).toEqual({ turns: [], dropped: 0, tokens: 0 });
});

test('what is kept is under the trigger, begins with a question', () => {
  fc.assert(
    fc.property(anyTurns({ maxLength: 30 }), fc.nat(200), (turns, trigger) => {
      const { turns: kept, dropped, tokens } = emergencyTruncate(turns, COUNTER, trigger);
      expect(kept).toEqual(turns.slice(dropped));
      expect(tokens).toBe(COUNTER.countMessages(kept));
      if (COUNTER.countMessages(turns) <= 2 * trigger) {
        expect(dropped).toBe(0);
        return;
      }
      expect(tokens).toBeLessThanOrEqual(trigger);
      if (kept.length > 0) expect(kept[0]?.role).toBe('user');
    }),
  );
});

test.each([-1, Number.NaN])('a trigger of %d is refused', (trigger) => {
  expect(() => emergencyTruncate(alternatingTurns(2), COUNTER, trigger)).toThrow(YoreError);
});
