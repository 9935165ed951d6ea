import { expect, it } from 'vitest';
import { isReplacedBy } from '../../src/ask/same-subject.ts';
import { CHAINS } from './statement-chains.ts';

it('tells which of what was said in turn still holds, in at least 95 % of chains', () => {
  const wrong = CHAINS.filter((chain) => {
    const texts = chain.map((text) => text.replace(/^\*/, ''));
    return texts.some((text, index) => {
      const isReplaced = texts.slice(index + 1).some((later) => isReplacedBy(text, later));
      return isReplaced === chain[index]?.startsWith('*');
    });
  });
  expect(CHAINS.length).toBeGreaterThanOrEqual(100);
  expect(wrong.length / CHAINS.length, JSON.stringify(wrong)).toBeLessThanOrEqual(0.05);
});
