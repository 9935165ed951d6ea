import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanJson } from '../../src/text/json-positions.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['{"a": 1,}', 1, 9],
  ['{\n "a" 1}', 2, 6],
  ['[1, 2', 1, 6],
  ['{"a": tru}', 1, 7],
  ['{a: 1}', 1, 2],
  ['{} x', 1, 4],
  ['', 1, 1],
])('reports the error of %j at line %i, column %i', (text, line, column) => {
  expect(scanJson(text).error).toMatchObject({ line, column });
});

test('finds the line of every key', () => {
  const { keyLines } = scanJson('{\n  "a": {\n    "b": [1,\n  2], "c": "}"\n  },\n  "d": null }');
  expect([...keyLines]).toEqual([
    ['a', 2],
    ['a.b', 3],
    ['a.c', 4],
    ['d', 6],
  ]);
});

test('rejects excessive nesting instead of crashing', () => {
  expect(scanJson('['.repeat(100_000)).error?.problem).toBe('nested too deeply');
});

test('agrees with JSON.parse on what is JSON', () => {
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, place, added]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + added + text.slice(at + 1);
  });
  fc.assert(
    fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
      expect(scanJson(text).error === undefined).toBe(parses(text));
    }),
    { numRuns: 500 },
  );
});
