import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_TOKEN_BUDGET, estimateTokens, inputLimit, shedFiles } from '../../src/context/budget.ts';
import { YoreError } from '../../src/record/index.ts';

function weights(files: Readonly<Record<string, number>>, others: { system?: number; history?: number; max?: number }) {
  const { system = 0, history = 0, max = 10_000 } = others;
  return {
    systemTokens: system,
    historyTokens: history,
    fileTokens: new Map(Object.entries(files)),
    maxInputTokens: max,
  };
}

test('sheds nothing while the prompt fits', () => {
  const result = shedFiles(weights({ 'a.ts': 3000, 'b.ts': 2000 }, { system: 500, history: 3000 }));
  expect(result).toEqual({ shed: [], tokens: 9000, fits: true });
});

test('sheds the largest file one token above 90 % of the input', () => {
  const result = shedFiles(weights({ 'a.ts': 2000, 'b.ts': 3001 }, { system: 500, history: 3000 }));
  expect(result).toEqual({ shed: [{ path: 'b.ts', tokens: 3001 }], tokens: 6000, fits: true });
});

test('sheds files, the largest first, until the rest fits', () => {
  const files = { 'small.ts': 100, 'largest.ts': 9000, 'large.ts': 8000, 'medium.ts': 4000 };
  const result = shedFiles(weights(files, { history: 2000 }));
  expect(result.shed.map(({ path }) => path)).toEqual(['largest.ts', 'large.ts']);
  expect(result.fits).toBe(true);
});

test('sheds equal files in the order of their paths', () => {
  const files = { 'b.ts': 6000, 'c.ts': 6000, 'a.ts': 6000 };
  expect(shedFiles(weights(files, {})).shed.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
});

test('sheds all files and reports it when the rest is too long', () => {
  const result = shedFiles(weights({ 'a.ts': 10 }, { history: 20_000 }));
  expect(result).toEqual({ shed: [{ path: 'a.ts', tokens: 10 }], tokens: 20_500, fits: false });
});

test('sheds no more files than needed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5000), { maxLength: 30 }), fc.nat(9000), fc.nat(9000), (sizes, system, history) => {
      const files = Object.fromEntries(sizes.map((tokens, index) => [`${index}.ts`, tokens]));
      const { shed, tokens, fits } = shedFiles(weights(files, { system, history }));
      const kept = sizes.reduce((sum, size) => sum + size, 0) - shed.reduce((sum, file) => sum + file.tokens, 0);
      expect(tokens).toBe(system + history + 500 + kept);
      expect(fits).toBe(tokens <= 9000);
      const last = shed.at(-1);
      if (last !== undefined) expect(tokens + last.tokens).toBeGreaterThan(9000);
      if (!fits) expect(shed).toHaveLength(sizes.length);
    }),
  );
});

test.each([0, -1, Number.NaN])('rejects a model input of %d tokens', (max) => {
  expect(() => inputLimit(max)).toThrow(YoreError);
  expect(() => shedFiles(weights({}, { max }))).toThrow(/maxInputTokens is/);
});

test('counts four characters of system prompt and contents as a token, rounded down', () => {
  const turns = [
    { role: 'user', content: '12345' },
    { role: 'assistant', content: '123' },
  ] as const;
  expect(estimateTokens('1234567', turns)).toBe(3);
  expect(estimateTokens('', [])).toBe(0);
});

test('has a default budget of 4,096 tokens', () => {
  expect(DEFAULT_TOKEN_BUDGET).toBe(4096);
});
