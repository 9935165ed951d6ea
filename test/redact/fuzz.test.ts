import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, redactBounded, redactValue } from '../../src/redact/index.ts';
import { listKeywords } from '../../src/redact/rule.ts';
import { RULES } from '../../src/redact/rules.ts';
import { COMMAND_OUTPUT, COMMANDS } from './corpus/commands.ts';
import { CODE, FILES } from './corpus/files.ts';
import { samples } from './corpus/generate.ts';
import { COLOURED, OTHER_LANGUAGES, PROSE } from './corpus/prose.ts';
import { ENCODED, HEADERS, KEYS_AND_HASHES, VENDOR_TOKENS } from './corpus/tokens.ts';

/** How many texts each property is tried on; `FUZZ_RUNS` sets it for a longer search. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1500);

const TEMPLATES = [COMMANDS, COMMAND_OUTPUT, CODE, FILES, COLOURED, OTHER_LANGUAGES, PROSE, ENCODED, HEADERS].flat();
const SAMPLES = [...samples([...TEMPLATES, ...KEYS_AND_HASHES, ...VENDOR_TOKENS])];
const KEYWORDS = RULES.flatMap(listKeywords);
const ESC = String.fromCharCode(27);

/** Pieces of what redaction looks for, cut and joined in all ways. */
const piece = fc.oneof(
  fc.constantFrom(...SAMPLES).map(({ text }) => text),
  fc.tuple(fc.constantFrom(...SAMPLES), fc.nat(200), fc.nat(60)).map(([{ text }, at, n]) => text.slice(at, at + n)),
  fc.constantFrom(...KEYWORDS),
  fc.constantFrom(
    '=',
    ': ',
    ' is ',
    '\n',
    '\n\n',
    '"',
    "'",
    '`',
    '\\',
    '\\"',
    '|',
    ' | ',
    ',',
    '\t',
    '  ',
    '](',
    '$(',
    '<',
    '</',
    '>',
  ),
  fc.constantFrom(
    `${ESC}[31m`,
    `${ESC}[`,
    '\\x1b[0m',
    '\\u001b[1;2m',
    '%22',
    '%3D',
    '%',
    '&quot;',
    '&#39;',
    '&',
    '\\u0022',
    '[redacted:',
  ),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

/** The pieces of a redacted text between its masks. */
function keptPieces(redacted: string): readonly string[] {
  return redacted.split(/\[redacted:[\w-]+\]|\*/);
}

describe('redaction of any text', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(text, (given) => {
        const once = redact(given);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: RUNS },
    );
  });

  it('only replaces: what is kept is in the original, in its order', () => {
    fc.assert(
      fc.property(text, (given) => {
        let from = 0;
        for (const kept of keptPieces(redact(given))) {
          const at = given.indexOf(kept, from);
          expect(at).toBeGreaterThanOrEqual(0);
          from = at + kept.length;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('respects bounds and never throws', () => {
    fc.assert(
      fc.property(text, fc.nat(300), fc.nat(300), (given, head, tail) => {
        const bounded = redactBounded(given, { head, tail });
        expect(bounded.length).toBeLessThanOrEqual(head + tail + 64);
        expect(() => redactValue({ [given]: [given, { given }] })).not.toThrow();
      }),
      { numRuns: RUNS },
    );
  });

  it('finds a known format whatever colour codes surround and split it', () => {
    const code = fc.oneof(
      fc.constantFrom('m', '0m', '1;31m', '38;5;208m', 'K').map((end) => `${ESC}[${end}`),
      fc.constantFrom('\\x1b[32m', '\\u001b[0m', '\\u001B[1m', '\\033[0;31m', '\\e[m', '^[[32m'),
    );
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
    fc.assert(
      fc.property(code, code, code, fc.integer({ min: 1, max: 43 }), (before, within, after, at) => {
        const shown = `${before}${token.slice(0, at)}${within}${token.slice(at)}${after}`;
        expect(redact(`x ${shown} y`)).toBe(`x ${before}[redacted:github-token]${after} y`);
      }),
      { numRuns: RUNS },
    );
  });
});
