import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';
import { CONTEXTS, isGone } from './contexts.ts';
import { FORMATS, fill, seeded } from './formats.ts';

describe('a credential of a known format', () => {
  it.each(FORMATS)('%s is masked in every context', (format) => {
    const random = seeded(FORMATS.indexOf(format) + 1);
    for (const context of CONTEXTS) {
      const secret = fill(format, random);
      const text = context(secret);
      expect(isGone(secret, redact(text)), text).toBe(true);
    }
  });

  it('is masked for any random value, and the text around it stays', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FORMATS), fc.nat(), (format, seed) => {
        const secret = fill(format, seeded(seed));
        const redacted = redact(`before the ${secret} after`);
        return isGone(secret, redacted) && /^before the .*\[redacted:[\w-]+\].* after$/.test(redacted);
      }),
      { numRuns: 2000, seed: 1 }, // A random value may read like words, which the rules leave alone.
    );
  });

  it('has its vendor in the mask, also when it is assigned to a name', () => {
    const token = fill('ghp_<a:36>', seeded(7));
    expect(redact(`GITHUB_TOKEN=${token}`)).toBe('GITHUB_TOKEN=[redacted:github-token]');
    expect(redact(`{"token":"${token}"}`)).toBe('{"token":"[redacted:github-token]"}');
  });

  it('is left alone within a longer word', () => {
    for (const text of ['TODAYINASIAASACKOFRICEFELLOVER', 'task-list-item-checkbox-enabled-by-default-x1']) {
      expect(redact(text)).toBe(text);
    }
  });
});
