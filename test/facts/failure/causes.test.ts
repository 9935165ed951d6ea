import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAUSES, findCauses, mayMatchCause } from '../../../src/facts/failure/causes.ts';

/** Texts that match a pattern. Look-around and word boundaries cannot be generated, so they are checked afterwards. */
function fitting(pattern: RegExp): fc.Arbitrary<string> {
  const source = pattern.source.replace(/\(\?<?[!=][^)]*\)|\\b/g, '');
  return fc.stringMatching(new RegExp(source)).filter((text) => pattern.test(text));
}

test('finds every cause that matches a line, in order of precedence', () => {
  fc.assert(
    fc.property(fc.oneof(...CAUSES.map(({ pattern }) => fitting(pattern()))), (line) => {
      const fits = CAUSES.filter(({ pattern }) => pattern().test(line));
      expect([...findCauses(line)].map(([cause]) => cause)).toEqual(fits);
    }),
    { numRuns: 500 },
  );
});

/** Lookbehind and word boundaries, which texts cannot be generated from. */
const LOOKS = /\(\?<[!=][^)]*\)|\\b/g;

describe('prefilter of causes', () => {
  for (const { words, pattern } of CAUSES) {
    test(`passes every line that matches "${words.slice(0, 60)}"`, () => {
      const { source } = pattern();
      fc.assert(
        fc.property(fc.stringMatching(new RegExp(source.replace(LOOKS, ''))), fc.boolean(), (text, isLoud) => {
          const line = isLoud ? text.toUpperCase() : text;
          const found = pattern().exec(line);
          if (found === null) return;
          expect(mayMatchCause(line)).toBe(true);
          expect([...findCauses(line)].map(([cause]) => cause.words)).toContain(words);
        }),
      );
    });
  }

  test('rejects most lines of an output', () => {
    const lines = ['✓ src/a.ts (12 tests) 30ms', 'Compiled 4 files', '  at Object.run (src/a.ts:4:1)', ''];
    // The first lines of a process skip the prefilter.
    for (let line = 0; line < 200; line++) mayMatchCause('');
    expect(lines.filter(mayMatchCause)).toEqual([]);
  });
});
