import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';
import { ASSIGNMENTS, FRAGMENTS } from './contexts.ts';
import { FORMATS, fill, seeded, seededBy } from './formats.ts';

/** Text made of fragments that rules look for, in any order. */
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
  it('is idempotent', () => {
    fc.assert(
      fc.property(tangled, (text) => {
        const once = redact(text);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
  });

  it('accepts any string, even with unpaired surrogates', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => typeof redact(text) === 'string'));
    expect(redact('')).toBe('');
  });

  it('masks all of several secrets in one text', () => {
    const secrets = FORMATS.map((format) => fill(format, seededBy(format)));
    const redacted = redact(secrets.map((secret) => `value ${secret} end`).join('\n'));
    for (const secret of secrets) expect(redacted).not.toContain(secret);
  });

  it('finds a secret at even and odd positions', () => {
    const secret = fill('ghp_<a:36>', seeded(3));
    for (let length = 0; length < 40; length++) {
      expect(redact(`${' '.repeat(length)}${secret}`)).toBe(`${' '.repeat(length)}[redacted:github-token]`);
    }
  });

  // Each of these once made some expression backtrack; quadratic cost would take minutes here.
  it.each(FRAGMENTS.filter((fragment) => fragment.length > 0))(
    'handles a long run of %j in linear time',
    (fragment) => {
      const text = fragment.repeat(Math.ceil(100_000 / fragment.length));
      const once = redact(text);
      expect(redact(once)).toBe(once);
    },
  );
});

const WINDOW = 65_536;
const TOKEN = ['ghp_', 'x7Kq2LmZ9pRt', '4WvB8nYc6DfG', '3HjS5aQe1UiT'].join('');

describe('texts longer than one scan window', () => {
  it('lose a secret at any position, also across two windows', () => {
    const distance = fc.integer({ min: -60, max: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), distance, fc.constantFrom('x', '✓'), (nth, offset, sign) => {
        const before = `${sign.repeat(nth * WINDOW + offset)} `;
        const redacted = redact(`${before}${TOKEN} and more`);
        expect(redacted).not.toContain(TOKEN.slice(4));
        expect(redacted.startsWith(before)).toBe(true);
        expect(redacted.endsWith(' and more')).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('lose many secrets', () => {
    const text = `${TOKEN} ${'word '.repeat(1000)}`.repeat(60);
    const redacted = redact(text);
    expect(redacted).not.toContain(TOKEN);
    expect(redacted.match(/\[redacted:/g)).toHaveLength(60);
  });
});
