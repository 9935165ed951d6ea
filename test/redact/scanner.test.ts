import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listKeywords } from '../../src/redact/rule.ts';
import { RULES } from '../../src/redact/rules.ts';
import { buildScanner, lazyScanner, type Trigger } from '../../src/redact/scanner.ts';

const KEYWORDS = RULES.flatMap(listKeywords);
const tableScan = buildScanner(RULES);

/** Text that combines keywords, separators and values in all ways. */
const text = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...KEYWORDS) },
      {
        weight: 2,
        arbitrary: fc.constantFrom('=', ': ', '"', "'", ' ', '\n', '/', '-', '_', '://', '@', '.'),
      },
      {
        weight: 2,
        arbitrary: fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'aZ09bQx7_-+/=') }),
      },
      { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('/home/ada/', '/Users/bob/x', 'C:\\Users\\eve\\', 'é', 'İ', 'K'),
      },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''))
  .chain((joined) => fc.constantFrom(joined, joined.toUpperCase()));

describe('lazyScanner', () => {
  it('finds exactly what the table scanner finds', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(lazyScanner(RULES)(given)).toEqual(tableScan(given));
      }),
      { numRuns: 5_000 },
    );
  });

  it('finds each keyword at every position, in any context', () => {
    const found: string[] = [];
    const triggers: readonly Trigger[] = KEYWORDS.map((keyword) => ({
      keywords: [keyword],
      find: (_: string, at: number) => void found.push(`${keyword}@${at}`),
    }));
    const table = buildScanner(triggers);
    for (const keyword of KEYWORDS) {
      for (const before of ['', 'x', 'xy']) {
        const given = `${before}${keyword} z`;
        table(given);
        const expected = found.splice(0).sort();
        lazyScanner(triggers)(given);
        expect(found.splice(0).sort()).toEqual(expected);
      }
    }
  });

  it('switches to the table after many texts', () => {
    const scan = lazyScanner(RULES);
    const given = `password = "${'q7Xw2Lk9'}Rt4V" `.repeat(20);
    for (let time = 0; time < 200; time++) expect(scan(given)).toEqual(tableScan(given));
    expect(scan('x'.repeat(10_000))).toEqual([]);
  });
});
