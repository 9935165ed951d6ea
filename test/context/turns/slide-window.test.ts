import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Turn } from '../../../src/context/message.ts';
import { DEFAULT_MAX_TURNS, slideWindow } from '../../../src/context/turns/truncate.ts';
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
])('of %i turns with at most %i, %i are evicted', (length, maxTurns, evicted) => {
  const turns = alternatingTurns(length);
  expect(slideWindow(turns, maxTurns)).toEqual({ turns: turns.slice(evicted), evicted });
});

test('forty turns are kept unless told otherwise', () => {
  expect(DEFAULT_MAX_TURNS).toBe(40);
  expect(slideWindow(alternatingTurns(42)).turns).toHaveLength(40);
});

test('the window begins with a question also where two answers stand together', () => {
  const turns: Turn[] = ['user', 'assistant', 'assistant', 'user', 'assistant'].map((role, index) => ({
    role: role as Turn['role'],
    content: String(index),
  }));
  expect(slideWindow(turns, 4).turns.map(({ content }) => content)).toEqual(['3', '4']);
});

test('a session without a question that does not fit is dropped as a whole', () => {
  const turns: Turn[] = Array.from({ length: 5 }, () => ({ role: 'assistant', content: 'x' }));
  expect(slideWindow(turns, 4)).toEqual({ turns: [], evicted: 5 });
});

test('never more than allowed, a question first, whole exchanges, no more evicted than needed', () => {
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

test('a session of whole exchanges stays one', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(50), (exchanges, maxTurns) => {
      const { turns, evicted } = slideWindow(alternatingTurns(exchanges * 2), maxTurns);
      expect(evicted % 2).toBe(0);
      for (const [index, turn] of turns.entries())
        expect(turn.role).toBe(index % 2 === 0 ? 'user' : 'assistant');
    }),
  );
});

test.each([-1, Number.NaN])('a limit of %d is refused', (maxTurns) => {
  expect(() => slideWindow(alternatingTurns(4), maxTurns)).toThrow(YoreError);
  expect(() => slideWindow(alternatingTurns(4), maxTurns)).toThrow(/maxTurns is/);
});

test('the turns that were given stay as they were', () => {
  const turns = Object.freeze(alternatingTurns(8));
  slideWindow(turns, 2);
  expect(turns).toHaveLength(8);
});
