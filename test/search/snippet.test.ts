import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSnippet } from '../../src/search/rank/snippet.ts';
import { foldCase } from '../../src/text/fold-case.ts';

const LONG = 'lorem ipsum dolor sit amet '.repeat(30);

/** What a snippet of a text shows, and the marked pieces of it. */
function snippet(
  text: string,
  ...needles: string[]
): { readonly text: string; readonly marked: readonly string[] } {
  const made = makeSnippet(text, foldCase(text), needles);
  return { text: made.text, marked: made.marks.map(([start, end]) => made.text.slice(start, end)) };
}

describe('a snippet', () => {
  it('is the whole text when that is short', () => {
    expect(snippet('Redis is down', 'redis')).toEqual({ text: 'Redis is down', marked: ['Redis'] });
  });

  it('shows the place of the match in a long text, cut at spaces', () => {
    const { text, marked } = snippet(`${LONG}the needle is here ${LONG}`, 'needle');
    expect(marked).toEqual(['needle']);
    expect(text).toMatch(/^….*the needle is here.*…$/);
    expect(text.length).toBeLessThan(220);
    expect(text).not.toMatch(/…(orem|rem|em|m) /);
  });

  it('shows where most of the words are together', () => {
    const { marked } = snippet(
      `redis ${LONG} timeout ${LONG} redis had a timeout ${LONG}`,
      'redis',
      'timeout',
    );
    expect(marked).toEqual(['redis', 'timeout']);
  });

  it('prefers whole words to parts of words', () => {
    expect(snippet(`superuser ${LONG} the user said`, 'user').marked).toEqual(['user']);
    expect(snippet('superuser', 'user').marked).toEqual(['user']);
  });

  it('marks what was written, whatever its case and accents', () => {
    expect(snippet('Le CAFÉ est fermé', 'cafe').marked).toEqual(['CAFÉ']);
    expect(snippet('die Straße', 'strasse').marked).toEqual(['Straße']);
  });

  it('is the beginning when nothing is to be marked', () => {
    expect(snippet(LONG, 'absent').text.startsWith('lorem ipsum')).toBe(true);
  });

  it('has marks that are in order, inside the text, and cover the needle', () => {
    const characters = fc.string({
      unit: fc.constantFrom('a', 'b', 'É', 'ß', '接', '🎉', ' ', '\n', '½', 'e\u0301'),
      maxLength: 600,
    });
    fc.assert(
      fc.property(characters, fc.constantFrom('a', 'ab', 'e', 'ss', '接', '🎉', 'a b'), (text, needle) => {
        const made = makeSnippet(text, foldCase(text), [needle]);
        let reached = 0;
        for (const [start, end] of made.marks) {
          expect(start).toBeGreaterThanOrEqual(reached);
          expect(end).toBeGreaterThan(start);
          reached = end;
          expect(foldCase(made.text.slice(start, end))).toContain(needle);
        }
        expect(reached).toBeLessThanOrEqual(made.text.length);
        if (foldCase(text).includes(needle)) expect(made.marks.length).toBeGreaterThan(0);
        expect(/\p{Surrogate}/u.test(made.text)).toBe(false);
      }),
    );
  });
});
