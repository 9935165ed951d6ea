import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSnippet } from '../../src/search/rank/hits.ts';
import { foldCase } from '../../src/text/fold-case.ts';

const LONG = 'lorem ipsum dolor sit amet '.repeat(30);

/** What a snippet of a text shows, and the marked pieces of it. */
function snippet(text: string, ...terms: string[]): { readonly text: string; readonly marked: readonly string[] } {
  const made = makeSnippet(text, foldCase(text), terms);
  return { text: made.text, marked: made.marks.map(([start, end]) => made.text.slice(start, end)) };
}

describe('makeSnippet', () => {
  it('returns a short text whole', () => {
    expect(snippet('Redis is down', 'redis')).toEqual({ text: 'Redis is down', marked: ['Redis'] });
  });

  it('shows the match in a long text, cut at spaces', () => {
    const { text, marked } = snippet(`${LONG}the term is here ${LONG}`, 'term');
    expect(marked).toEqual(['term']);
    expect(text).toMatch(/^….*the term is here.*…$/);
    expect(text.length).toBeLessThan(220);
    expect(text).not.toMatch(/…(orem|rem|em|m) /);
  });

  it('shows where most of the words are close together', () => {
    const { marked } = snippet(`redis ${LONG} timeout ${LONG} redis had a timeout ${LONG}`, 'redis', 'timeout');
    expect(marked).toEqual(['redis', 'timeout']);
  });

  it('prefers whole words to parts of words', () => {
    expect(snippet(`superuser ${LONG} the user said`, 'user').marked).toEqual(['user']);
    expect(snippet('superuser', 'user').marked).toEqual(['user']);
  });

  it('marks matches whatever their case and accents', () => {
    expect(snippet('Le CAFÉ est fermé', 'cafe').marked).toEqual(['CAFÉ']);
    expect(snippet('die Straße', 'strasse').marked).toEqual(['Straße']);
  });

  it('shows the beginning when nothing matches', () => {
    expect(snippet(LONG, 'absent').text.startsWith('lorem ipsum')).toBe(true);
  });

  it('marks matches in order, within the text', () => {
    const characters = fc.string({
      unit: fc.constantFrom('a', 'b', 'É', 'ß', '接', '🎉', ' ', '\n', '½', 'e\u0301'),
      maxLength: 600,
    });
    fc.assert(
      fc.property(characters, fc.constantFrom('a', 'ab', 'e', 'ss', '接', '🎉', 'a b'), (text, term) => {
        const made = makeSnippet(text, foldCase(text), [term]);
        let reached = 0;
        for (const [start, end] of made.marks) {
          expect(start).toBeGreaterThanOrEqual(reached);
          expect(end).toBeGreaterThan(start);
          reached = end;
          expect(foldCase(made.text.slice(start, end))).toContain(term);
        }
        expect(reached).toBeLessThanOrEqual(made.text.length);
        if (foldCase(text).includes(term)) expect(made.marks.length).toBeGreaterThan(0);
        expect(/\p{Surrogate}/u.test(made.text)).toBe(false);
      }),
    );
  });
});
