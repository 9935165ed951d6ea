import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStyle } from '../../../src/cli/output/terminal.ts';
import { displayWidth, graphemes, pad, truncate, wrap } from '../../../src/cli/output/width.ts';

const { red, bold } = createStyle(true);
const text = fc.string({ unit: 'grapheme', maxLength: 80 });

describe('displayWidth', () => {
  it.each([
    ['redis', 5],
    ['é', 1],
    ['e\u0301', 1],
    ['添加', 4],
    ['キャッシュ', 10],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['👩‍💻', 2],
    ['🇫🇷', 2],
    ['✓', 1],
    ['', 0],
  ])('counts the columns of %s', (given, columns) => {
    expect(displayWidth(given)).toBe(columns);
  });

  it('does not count colours', () => {
    expect(displayWidth(red(bold('redis')))).toBe(5);
  });
});

describe('truncate', () => {
  it('leaves what fits', () => {
    expect(truncate('redis', 5, '…')).toBe('redis');
  });

  it('cuts between characters, never inside one', () => {
    expect(truncate('添加缓存', 6, '…')).toBe('添加…');
    expect(truncate('ab👩‍💻cd', 4, '…')).toBe('ab…');
    expect(truncate('e\u0301e\u0301e\u0301', 2, '…')).toBe('e\u0301…');
  });

  it('closes the colours it cut', () => {
    expect(truncate(red('redis'), 3, '…')).toBe('\x1b[31mre…\x1b[39m');
  });

  it('fits into any width', () => {
    fc.assert(
      fc.property(text, fc.nat(40), (given, columns) => {
        const cut = truncate(red(given), columns, '...');
        expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe('wrap', () => {
  it('breaks at spaces and keeps the indentation of code', () => {
    expect(wrap('Add Redis caching to the API', 12)).toEqual(['Add Redis', 'caching to', 'the API']);
    expect(wrap('    return null;', 20)).toEqual(['    return null;']);
    expect(wrap('a bc   ', 4)).toEqual(['a bc']);
  });

  it('breaks a word that is wider than the line', () => {
    expect(wrap('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
    expect(wrap('see 添加缓存', 5)).toEqual(['see', '添加', '缓存']);
  });

  it('keeps the line breaks of the text', () => {
    expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b']);
  });

  it('fits into any width and loses nothing but spaces', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (given, columns) => {
        const lines = wrap(given, columns);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replace(/[ \n]/g, '')).toBe(given.replace(/[ \n]/g, ''));
      }),
    );
  });

  it('takes a long line without spaces in one pass', () => {
    expect(wrap('x'.repeat(1_000_000), 80)).toHaveLength(12_500);
  });
});

describe('pad', () => {
  it('fills up to a width on either side', () => {
    expect(pad('添', 4)).toBe('添  ');
    expect(pad('7', 3, 'right')).toBe('  7');
    expect(pad('long', 2)).toBe('long');
  });
});

describe('graphemes', () => {
  it('are the same by the short way and by the standard', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const pieces = fc.constantFrom(...'aé·…✓✗○→›↵█░Ωж添ーガ한、「Ａ×');
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 1 }))), (parts) => {
        const given = parts.join('');
        const standard = Array.from(segmenter.segment(given), ({ segment }) => segment);
        if (!given.includes('\r\n')) expect(graphemes(given)).toEqual(standard);
      }),
    );
  });

  it('are what a person calls a character', () => {
    expect(graphemes('a👩‍💻e\u0301')).toEqual(['a', '👩‍💻', 'e\u0301']);
  });
});
