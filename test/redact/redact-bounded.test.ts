import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, redactBounded } from '../../src/redact/index.ts';
import { CONTEXTS, isGone } from './contexts.ts';
import { FORMATS, fill, seeded, seededBy } from './formats.ts';

const secret = fill('ghp_<a:36>', seeded(11));
const lines = (count: number, text = 'an ordinary line of output'): string => `${text}\n`.repeat(count);

describe('redactBounded', () => {
  it('redacts a short text without truncating it', () => {
    expect(redactBounded(`a ${secret} b`, { head: 100, tail: 100 })).toBe('a [redacted:github-token] b');
  });

  it('keeps head and tail of a long text and says how much is missing', () => {
    const text = `first\n${lines(100_000)}last`;
    const bounded = redactBounded(text, { head: 500, tail: 300 });
    const [, count] = /\n\[(\d+) characters left out\]\n/.exec(bounded) ?? [];
    expect(bounded.startsWith('first\nan ordinary line')).toBe(true);
    expect(bounded.endsWith('line of output\nlast')).toBe(true);
    expect(bounded.length).toBeLessThan(500 + 300 + 60);
    expect(Number(count)).toBe(text.length - 800);
  });

  it('leaves no part of a secret at a cut, wherever it falls', () => {
    const key = `-----BEGIN ${'PRIVATE KEY'}-----\n${lines(30, fill('<b:64>', seeded(5)))}-----END ${'PRIVATE KEY'}-----\n`;
    fc.assert(
      fc.property(
        fc.nat(3000),
        fc.nat(3000),
        fc.nat(4000),
        fc.boolean(),
        fc.constantFrom(lines(3000), 'x'.repeat(90_000), 'word '.repeat(20_000)),
        (head, tail, at, isNearEnd, filler) => {
          const where = isNearEnd ? filler.length - at : at;
          const text = `${filler.slice(0, where)} ${secret}\n${key}${filler.slice(where)}`;
          const bounded = redactBounded(text, { head, tail });
          expect(bounded).not.toContain(secret.slice(4, 24));
          expect(bounded).not.toMatch(/[A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{64}/);
          expect(bounded).not.toMatch(/\[redacted:[^\]]*$|\[redacted:[^\]]*\n/);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('masks a secret of any format next to a cut, in any context', () => {
    const fillers = [lines(600), '{"index":0},'.repeat(2000), 'word '.repeat(4000)];
    for (const format of FORMATS) {
      const random = seededBy(format);
      for (let sample = 0; sample < 4; sample++) {
        const value = fill(format, random);
        const context = CONTEXTS[random(CONTEXTS.length)];
        const filler = fillers[random(fillers.length)] ?? '';
        const at = random(901);
        const where = random(2) === 0 ? at : filler.length - at;
        const text = `${filler.slice(0, where)}\n${context?.(value)}\n${filler.slice(where)}`;
        expect(isGone(value, redactBounded(text, { head: 400, tail: 400 })), text).toBe(true);
      }
    }
  });

  it('masks the head of a document that is recognised as a secret only at its end', () => {
    const value = fill('<b:40>', seeded(8));
    const text = `data:\n  any: ${value}\n${lines(100, '  other: x')}kind: Secret\n${lines(1000)}`;
    expect(redactBounded(text, { head: 400, tail: 400 })).not.toContain(value);
  });

  it('masks the end of a key whose beginning is left out', () => {
    const body = Array.from({ length: 40 }, (_, line) => fill('<b:64>', seeded(line))).join('\n');
    const text = `${lines(1000)}Private-Lines: 40\n${body}\nPrivate-MAC: 12`;
    const bounded = redactBounded(text, { head: 400, tail: 400 });
    expect(bounded).not.toContain(body.slice(-60));
    expect(bounded).not.toContain(body.slice(-360, -300));
  });

  it('leaves nothing of a secret that is longer than the overlap', () => {
    const token = `${['ey', 'J'].join('')}${fill('<b:40>', seeded(3))}.${['ey', 'J'].join('')}${fill('<a:9000>', seeded(4))}.${fill('<a:60>', seeded(6))}`;
    for (const text of [`${lines(3000)}${token}`, `start ${token}\n${lines(3000)}`, `${lines(3000)}${token} end`]) {
      const bounded = redactBounded(text, { head: 500, tail: 300 });
      for (let at = 50; at < 9000; at += 100) expect(bounded).not.toContain(token.slice(at, at + 30));
    }
  });

  it('keeps the ends of a long text without lines', () => {
    const text = JSON.stringify(Array.from({ length: 5000 }, (_, index) => ({ index })));
    const bounded = redactBounded(text, { head: 500, tail: 300 });
    expect(bounded.startsWith('[{"index":0},{"index":1}')).toBe(true);
    expect(bounded.endsWith('{"index":4999}]')).toBe(true);
  });

  it('stays within its bounds for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(50), fc.nat(50), (text, head, tail) => {
        const bounded = redactBounded(text, { head, tail });
        expect(bounded === redact(text) || bounded.length <= head + tail + 40).toBe(true);
      }),
    );
  });

  it('never splits a surrogate pair', () => {
    const bounded = redactBounded('😀'.repeat(50), { head: 7, tail: 7 });
    expect(bounded).not.toMatch(/(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });
});
