import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneLine, safeText, truncateLine } from '../../src/text/one-line.ts';

const ESCAPE = '\u001b';

test('oneLine removes escape sequences, control and invisible characters, and repeated spaces', () => {
  expect(oneLine(`${ESCAPE}[31mred${ESCAPE}[0m and\r\n\tmore`, 100)).toBe('red and more');
  expect(oneLine(`${ESCAPE}]8;;http://x.example${ESCAPE}\\link${ESCAPE}]8;;\u0007 after`, 100)).toBe('link after');
  expect(oneLine('a\u202eb\u200bc\u2028d\u0000e', 100)).toBe('a b c d e');
  expect(oneLine('half \ud83d of a pair', 100)).toBe('half of a pair');
});

test('oneLine keeps any text within its limit and is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (text, limit) => {
      const line = oneLine(text, limit);
      expect(line.length).toBeLessThanOrEqual(limit);
      expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(oneLine(line, limit)).toBe(line);
    }),
  );
});

test('safeText keeps line breaks and indentation and nothing else that is invisible', () => {
  expect(safeText(`a\r\n\tb${ESCAPE}[1m\u0001\nc\u200bd`)).toBe('a\n  b\ncd');
});

test('truncateLine marks where a line was cut and splits no character', () => {
  expect(truncateLine('short', 5)).toBe('short');
  expect(truncateLine('ab cdef', 4)).toBe('ab…');
  expect(truncateLine('ab🎉cd', 4)).toBe('ab…');
});
