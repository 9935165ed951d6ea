import { expect, test } from 'vitest';
import { DEFAULT_TOKEN_BUDGET, estimateTokens } from '../../../src/context/budget.ts';

test('four characters of system prompt and contents are a token, rounded down', () => {
  const turns = [
    { role: 'user', content: '12345' },
    { role: 'assistant', content: '123' },
  ] as const;
  expect(estimateTokens('1234567', turns)).toBe(3);
  expect(estimateTokens('', [])).toBe(0);
});

test('the budget to show is 4,096 tokens', () => {
  expect(DEFAULT_TOKEN_BUDGET).toBe(4096);
});
