import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Turn } from '../../../src/context/message.ts';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import { DEFAULT_MAX_TURNS, emergencyTruncate, slideWindow } from '../../../src/context/turns/truncate.ts';
import { YoreError } from '../../../src/record/index.ts';
import { alternatingTurns, anyTurns } from './any-turns.ts';

test.each([
  [41, 40, 2],
  [14, 4, 10],
  [15, 4, 12],
  [40, 40, 0],
  [0, 4, 0],
  [2, 1, 2],
  [6, 0, 6],
])('with %i turns and at most %i, evicts %i', (length, maxTurns, evicted) => {
  const turns = alternatingTurns(length);
  expect(slideWindow(turns, maxTurns)).toEqual({ turns: turns.slice(evicted), evicted });
});

test('keeps forty turns by default', () => {
  expect(DEFAULT_MAX_TURNS).toBe(40);
  expect(slideWindow(alternatingTurns(42)).turns).toHaveLength(40);
});

test('begins with a question even after two consecutive answers', () => {
  const turns: Turn[] = ['user', 'assistant', 'assistant', 'user', 'assistant'].map((role, index) => ({
    role: role as Turn['role'],
    content: String(index),
  }));
  expect(slideWindow(turns, 4).turns.map(({ content }) => content)).toEqual(['3', '4']);
});

test('drops a whole session that has no question and does not fit', () => {
  const turns: Turn[] = Array.from({ length: 5 }, () => ({ role: 'assistant', content: 'x' }));
  expect(slideWindow(turns, 4)).toEqual({ turns: [], evicted: 5 });
});

test('keeps whole exchanges up to the limit, a question first, and evicts no more than needed', () => {
  fc.assert(
    fc.property(anyTurns({ maxLength: 60 }), fc.nat(50), (turns, maxTurns) => {
      const { turns: kept, evicted } = slideWindow(turns, maxTurns);
      expect(kept.length).toBeLessThanOrEqual(maxTurns);
      expect(kept).toEqual(turns.slice(evicted));
      if (turns.length <= maxTurns) expect(evicted).toBe(0);
      if (evicted > 0 && kept.length > 0) expect(kept[0]?.role).toBe('user');
    }),
  );
});

test('keeps a session of whole exchanges intact', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(50), (exchanges, maxTurns) => {
      const { turns, evicted } = slideWindow(alternatingTurns(exchanges * 2), maxTurns);
      expect(evicted % 2).toBe(0);
      for (const [index, turn] of turns.entries()) expect(turn.role).toBe(index % 2 === 0 ? 'user' : 'assistant');
    }),
  );
});

test.each([-1, Number.NaN])('rejects a limit of %d', (maxTurns) => {
  expect(() => slideWindow(alternatingTurns(4), maxTurns)).toThrow(YoreError);
  expect(() => slideWindow(alternatingTurns(4), maxTurns)).toThrow(/maxTurns is/);
});

test('does not change the given turns', () => {
  const turns = Object.freeze(alternatingTurns(8));
  slideWindow(turns, 2);
  expect(turns).toHaveLength(8);
});

const COUNTER = new TokenCounter('gpt-4o');

test('drops the oldest whole exchanges above twice the trigger', () => {
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

test('drops nothing up to twice the trigger', () => {
  const turns = alternatingTurns(10, 50);
  const tokens = COUNTER.countMessages(turns);
  expect(emergencyTruncate(turns, COUNTER, Math.ceil(tokens / 2))).toEqual({ turns, dropped: 0, tokens });
  expect(emergencyTruncate(turns, COUNTER, Math.ceil(tokens / 2) - 1).dropped).toBeGreaterThan(0);
});

test('does nothing without turns', () => {
  expect(emergencyTruncate([], COUNTER, 0)).toEqual({ turns: [], dropped: 0, tokens: 0 });
});

test('keeps turns below the trigger that begin with a question', () => {
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

test.each([-1, Number.NaN])('rejects a trigger of %d', (trigger) => {
  expect(() => emergencyTruncate(alternatingTurns(2), COUNTER, trigger)).toThrow(YoreError);
});
