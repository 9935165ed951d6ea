import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { hasAllUnits, TextFilter } from '../../src/search/query/text-matcher.ts';
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

describe('TextFilter', () => {
  it('passes every record whose text contains the literal', () => {
    fc.assert(
      fc.property(record, fc.nat(), fc.integer({ min: 1, max: 12 }), (one, from, length) => {
        const folded = foldCase(joinText(searchedText(one)));
        const start = from % (folded.length + 1);
        const filter = TextFilter.forLiteral(folded.slice(start, start + length));
        expect(filter.mayMatch(folded)).toBe(true);
        expect(filter.mayMatchLine(JSON.stringify(one))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('passes every record with the phrase, whatever separates the words', () => {
    const rows = fc.constantFrom('the redis', 'redis the', 'the the', 'cafe redis', '数据 the', 'redis redis the');
    fc.assert(
      fc.property(text, rows, (content, row) => {
        const folded = foldCase(content);
        const isRow = hasAllUnits(parseQuery(`"${row}"`).units, content.toLowerCase(), folded);
        const filter = TextFilter.forPhrase(row);
        if (!isRow) return;
        expect(filter.mayMatch(folded)).toBe(true);
        expect(filter.mayMatchLine(JSON.stringify({ ...common, role: 'user', content }))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is fast for any phrase, however long and in whatever script', () => {
    const long = 'ab '.repeat(5_000);
    expect(TextFilter.forPhrase(long).mayMatch(long)).toBe(true);
    expect(TextFilter.forPhrase('ab '.repeat(20)).mayMatch('ab, '.repeat(10))).toBe(false);
    expect(TextFilter.forPhrase('数据库连接失败').mayMatch('数据库连接'.repeat(5_000))).toBe(true);
    expect(TextFilter.forPhrase('a n b n c').mayMatch('\\n'.repeat(5_000))).toBe(false);
  });

  it('rejects what cannot match', () => {
    const line = JSON.stringify({ ...common, role: 'user', content: 'The café\nis closed' });
    expect(TextFilter.forLiteral('the cafe').mayMatchLine(line)).toBe(true);
    expect(TextFilter.forLiteral('the bar').mayMatchLine(line)).toBe(false);
    expect(TextFilter.forPhrase('cafe is').mayMatchLine(line)).toBe(true);
    expect(TextFilter.forPhrase('is cafe').mayMatchLine(line)).toBe(false);
  });
});
