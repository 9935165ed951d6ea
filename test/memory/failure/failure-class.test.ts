import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CAUSES, causesIn } from '../../../src/memory/failure/failure-class.ts';

/** Texts that fit a pattern; what looks around or marks a border cannot be generated, and is tried afterwards. */
function fitting(pattern: RegExp): fc.Arbitrary<string> {
  const source = pattern.source.replace(/\(\?<?[!=][^)]*\)|\\b/g, '');
  return fc.stringMatching(new RegExp(source)).filter((text) => pattern.test(text));
}

test('every cause that fits a line is found, in the order of the table', () => {
  fc.assert(
    fc.property(fc.oneof(...CAUSES.map(({ pattern }) => fitting(pattern()))), (line) => {
      const fits = CAUSES.filter(({ pattern }) => pattern().test(line));
      expect([...causesIn(line)].map(([cause]) => cause)).toEqual(fits);
    }),
    { numRuns: 500 },
  );
});
