import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';

const WINDOW = 65_536;
const TOKEN = ['ghp_', 'x7Kq2LmZ9pRt', '4WvB8nYc6DfG', '3HjS5aQe1UiT'].join('');

describe('texts that are longer than what is looked at in one go', () => {
  it('lose a secret wherever it stands, also across a border', () => {
    const distance = fc.integer({ min: -60, max: 60 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        distance,
        fc.constantFrom('x', '✓'),
        (nth, offset, sign) => {
          const before = `${sign.repeat(nth * WINDOW + offset)} `;
          const redacted = redact(`${before}${TOKEN} and more`);
          expect(redacted).not.toContain(TOKEN.slice(4));
          expect(redacted.startsWith(before)).toBe(true);
          expect(redacted.endsWith(' and more')).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('lose all of many secrets', () => {
    const text = `${TOKEN} ${'word '.repeat(1000)}`.repeat(60);
    const redacted = redact(text);
    expect(redacted).not.toContain(TOKEN);
    expect(redacted.match(/\[redacted:/g)).toHaveLength(60);
  });
});
