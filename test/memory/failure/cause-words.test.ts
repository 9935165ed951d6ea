import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayTellCause } from '../../../src/memory/failure/cause-words.ts';
import { CAUSES, causesIn } from '../../../src/memory/failure/failure-class.ts';

/** Looking behind and borders of words: no texts can be made from those. */
const LOOKS = /\(\?<[!=][^)]*\)|\\b/g;

describe('the words of causes', () => {
  for (const { words, pattern } of CAUSES) {
    test(`a line of "${words.slice(0, 60)}" has one of them`, () => {
      const { source } = pattern();
      fc.assert(
        fc.property(
          fc.stringMatching(new RegExp(source.replace(LOOKS, ''))),
          fc.boolean(),
          (text, isLoud) => {
            const line = isLoud ? text.toUpperCase() : text;
            const found = pattern().exec(line);
            if (found === null) return;
            expect(mayTellCause(line)).toBe(true);
            expect([...causesIn(line)].map(([cause]) => cause.words)).toContain(words);
          },
        ),
      );
    });
  }

  test('most lines of an output have none', () => {
    const lines = ['✓ src/a.ts (12 tests) 30ms', 'Compiled 4 files', '  at Object.run (src/a.ts:4:1)', ''];
    // The first lines of a process are not looked at.
    for (let line = 0; line < 200; line++) mayTellCause('');
    expect(lines.filter(mayTellCause)).toEqual([]);
  });
});
