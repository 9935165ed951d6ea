import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { literalFilter } from '../../src/search/query/text-matcher.ts';
import { joinText, searchedText } from '../../src/store/searchable.ts';
import { foldCase } from '../../src/text/fold-case.ts';

const word = fc.constantFrom('the', 'The', 'lathe', 'thé', 'redis', 'Redis', 'café', '数据', 'ﬁne', 'a/b', '\u001b[1m');
const between = fc.constantFrom(' ', '', '\n', '", "', '\\', '/', ' — ', '_', '\u2028', '\ud800');
const text = fc.array(fc.tuple(word, between), { maxLength: 8 }).map((parts) => parts.flat().join(''));
const common = { v: 1 as const, id: '1', sessionId: 's', timestamp: '2025-11-18T12:00:00.000Z' };
const record = fc.oneof(
  text.map((content) => ({ ...common, role: 'user' as const, content })),
  fc
    .record({ command: text, error: text, tags: fc.array(text, { maxLength: 3 }) })
    .map((fields) => ({ ...common, outcome: 'failure' as const, ...fields })),
);

describe('a filter of lines by a literal', () => {
  it('passes every record whose text contains the literal', () => {
    fc.assert(
      fc.property(record, fc.nat(), fc.integer({ min: 1, max: 12 }), (one, from, length) => {
        const folded = foldCase(joinText(searchedText(one)));
        const start = from % (folded.length + 1);
        const mayMatch = literalFilter(folded.slice(start, start + length));
        expect(mayMatch?.(JSON.stringify(one)) ?? true).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('rejects what cannot match', () => {
    const line = JSON.stringify({ ...common, role: 'user', content: 'The café\nis closed' });
    expect(literalFilter('the cafe')?.(line)).toBe(true);
    expect(literalFilter('the bar')?.(line)).toBe(false);
  });
});
