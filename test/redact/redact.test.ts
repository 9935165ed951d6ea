import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';
import { FORMATS, fill, seeded } from './formats.ts';
import { ASSIGNMENTS, FRAGMENTS } from './surroundings.ts';

/** Text made of the pieces that rules look for, in any order. */
const tangled: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...FRAGMENTS) },
      fc.tuple(fc.constantFrom(...FORMATS), fc.nat()).map(([format, seed]) => fill(format, seeded(seed))),
      fc.tuple(fc.constantFrom(...ASSIGNMENTS), fc.nat()).map(([assign, seed]) => {
        return assign('api_key', fill('<a:24>', seeded(seed)));
      }),
      fc.string({ maxLength: 12, unit: 'binary' }),
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''));

describe('redact', () => {
  it('changes nothing more when it is done twice', () => {
    fc.assert(
      fc.property(tangled, (text) => {
        const once = redact(text);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  it('returns any text, also one that is no text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => typeof redact(text) === 'string'),
    );
    expect(redact('')).toBe('');
  });

  it('masks all of several secrets in one text', () => {
    const secrets = FORMATS.map((format, i) => fill(format, seeded(i + 1)));
    const redacted = redact(secrets.map((secret) => `value ${secret} end`).join('\n'));
    for (const secret of secrets) expect(redacted).not.toContain(secret);
  });

  it('finds a secret at every position, even and odd', () => {
    const secret = fill('ghp_<a:36>', seeded(3));
    for (let length = 0; length < 40; length++) {
      expect(redact(`${' '.repeat(length)}${secret}`)).toBe(`${' '.repeat(length)}[redacted:github-token]`);
    }
  });

  // Every one of these made some expression look at the same characters again and again; a cost that grows with the
  // square of the length would take minutes here.
  it.each(FRAGMENTS.filter((fragment) => fragment.length > 0))(
    'is done with a long run of %j',
    (fragment) => {
      const text = fragment.repeat(Math.ceil(100_000 / fragment.length));
      const once = redact(text);
      expect(redact(once)).toBe(once);
    },
  );
});
