import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffHunk, diffTexts, formatHunks, markWords, parseHunks } from '../../src/text/line-diff.ts';

function changed(hunks: readonly DiffHunk[]): string {
  return formatHunks(hunks.map(({ lines }) => ({ lines: lines.filter(({ sign }) => sign !== ' ') })));
}

describe('a diff of two texts', () => {
  it('keeps three unchanged lines around each change, and splits distant changes', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = lines.map((line, index) => (index === 2 || index === 16 ? `${line}!` : line));
    const hunks = diffTexts(lines.join('\n'), after.join('\n'));
    expect(hunks.map((hunk) => hunk.lines.length)).toEqual([7, 8]);
    expect(changed(hunks)).toBe('-line 2\n+line 2!\n@@\n-line 16\n+line 16!');
  });

  it('marks the words that differ in a changed line', () => {
    const { hunks } = markWords({ hunks: diffTexts('const heat = 900;', 'const heat = 1200;') });
    expect(hunks[0]?.lines).toEqual([
      { sign: '-', text: 'const heat = 900;', marks: [[13, 16]] },
      { sign: '+', text: 'const heat = 1200;', marks: [[13, 17]] },
    ]);
  });

  it('marks no words in lines that have little in common', () => {
    const { hunks } = markWords({ hunks: diffTexts('return first(value);', 'throw new TypeError(name);') });
    expect(hunks[0]?.lines.map(({ marks }) => marks)).toEqual([undefined, undefined]);
  });

  it('has no hunk for equal texts, and only added lines for a new one', () => {
    expect(diffTexts('a\nb\n', 'a\nb')).toEqual([]);
    expect(formatHunks(diffTexts('', 'a\nb\n'))).toBe('+a\n+b');
  });

  it('contains all lines of both texts that differ, in order', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}.`));
    fc.assert(
      fc.property(text, text, (before, after) => {
        // One long line in common makes everything one hunk.
        const hunks = diffTexts(['x', ...before].join('\n'), ['y', ...after].join('\n'));
        const lines = hunks.flatMap((hunk) => hunk.lines);
        const isKept = (sign: string) => (line: { sign: string }) => line.sign !== sign;
        const shown = (sign: string) => lines.filter(isKept(sign)).map((line) => line.text);
        const whole = hunks.length === 1 && shown('+').length === before.length + 1;
        if (whole) expect(shown('-')).toEqual(['y', ...after]);
        const signs = (sign: string) => lines.filter((line) => line.sign === sign).length;
        expect(signs('+') - signs('-')).toBe(after.length - before.length);
      }),
    );
  });

  it('takes little time for texts that have nothing in common', () => {
    const text = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word} ${index}`).join('\n');
    expect(diffTexts(text('a'), text('b'))[0]?.lines).toHaveLength(10_000);
  });
});

describe('hunks of a patch', () => {
  it('have line numbers and headings where the patch has them', () => {
    const patch = '--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@ function boil()\n a\n-b\n+c\n@@ def steep():\n-d\n@@\n+e';
    expect(parseHunks(patch)).toMatchObject([
      { oldStart: 3, newStart: 3, heading: 'function boil()', lines: [{ sign: ' ' }, { sign: '-' }, { sign: '+' }] },
      { heading: 'def steep():', lines: [{ sign: '-', text: 'd' }] },
      { lines: [{ sign: '+', text: 'e' }] },
    ]);
  });
});
