import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Encoding } from '../../../../src/context/tokens/encoding/encoding.ts';
import { encodingNamed } from '../../../../src/context/tokens/encoding/encoding-named.ts';
import { readVocabulary } from '../../../../src/context/tokens/encoding/load-vocabulary.ts';
import { splitO200k } from '../../../../src/context/tokens/encoding/split-rules.ts';
import '../../../property-seed.ts';

interface Reference {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
}

const ORDINARY = { disallowedSpecial: new Set<string>() };
const require = createRequire(import.meta.url);

/** Where gpt-tokenizer itself does not do what OpenAI's encodings do: byte order marks, next line, contractions with ſ. */
const MISTAKEN = /[\ufeff\u0085ſ]/u;

const PARTS = [
  ...'aZéÉßǅʰ中文あ٣Ⅷ½१1/!.#_-=\\"`',
  ...['\u0301', '\u0300', '\u0903', '\t', '\n', '\r', '\r\n', '\u00a0', '\u3000', '\u2028', '\u200b', '\0'],
  ...["'s", "'S", "'ll", "'Ll", "'re", "'v", "'", '’s', "don't", "'D'd"],
  ...[' ', '  ', '    ', '\n\n', ' \n ', '//', '->', '=> {', '<|endoftext|>', '<|im_start|>', '```'],
  ...['😀', '👩‍👩‍👧', '🇩🇪', '\ud800', '\udc00', '\ufffd', '𝒜', '𝓪', '𐐀', '𐐨'],
  ...[
    'the',
    ' function',
    'const x = 1;',
    'getElementById',
    'HTTPServer',
    'ÄÖÜ',
    'ДАнные',
    'हिन्दी',
    '한국어',
    'العربية',
  ],
];

const anyText = fc
  .oneof(
    fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join('')),
    fc
      .array(fc.tuple(fc.constantFrom(...PARTS), fc.integer({ min: 1, max: 200 })), { maxLength: 4 })
      .map((runs) => runs.map(([part, times]) => part.repeat(times)).join('')),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    // Halves of surrogate pairs too.
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
      .map((units) => String.fromCharCode(...units)),
  )
  .filter((text) => !MISTAKEN.test(text));

describe.each(['o200k_base', 'cl100k_base'] as const)('%s', (name) => {
  const encoding = encodingNamed(name);
  if (encoding === undefined) throw new Error(`${name} is not there`);
  const reference = require(`gpt-tokenizer/encoding/${name}`) as Reference;
  const expected = (text: string): number => reference.countTokens(text, ORDINARY);

  test('counts any text as the reference does', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(encoding.count(text)).toBe(expected(text));
      }),
      { numRuns: 3_000 },
    );
  });

  test('counts a text of many windows as the reference does, wherever the windows end', () => {
    const unit = fc.array(fc.constantFrom(...PARTS.filter((part) => !MISTAKEN.test(part))), {
      minLength: 50,
      maxLength: 80,
    });
    fc.assert(
      fc.property(unit, fc.nat(50), (parts, shift) => {
        const text = 'x'.repeat(shift) + parts.join('').repeat(400);
        expect(encoding.count(text)).toBe(expected(text));
      }),
      { numRuns: 8 },
    );
  });

  test('gives the same for a text whatever was counted before', () => {
    const fresh = new Map<string, number>();
    const texts = Array.from(
      { length: 30_000 },
      (_, index) => `word${index} ${(index * 7919).toString(36)}-----`,
    );
    for (const text of texts) fresh.set(text, encoding.count(text));
    for (const text of texts.slice(0, 500)) expect(encoding.count(text)).toBe(expected(text));
    for (const text of texts) expect(encoding.count(text)).toBe(fresh.get(text));
  });

  test.each([
    ['spaces', ' '.repeat(3_000)],
    ['line ends', '\n'.repeat(3_000)],
    ['dashes', '-'.repeat(3_000)],
    ['capitals', 'A'.repeat(3_000)],
    ['characters without spaces', '数据库的索引'.repeat(400)],
    ['marks', 'e\u0301'.repeat(1_000)],
    ['replacement characters', '\ud800'.repeat(1_000)],
  ])('counts a long run of %s as the reference does', (_, run) => {
    expect(encoding.count(run)).toBe(expected(run));
    expect(encoding.count(`x${run}y`)).toBe(expected(`x${run}y`));
  });

  test('takes what looks like a special token for text', () => {
    expect(encoding.count('<|endoftext|>')).toBeGreaterThan(1);
    expect(encoding.count('<|endoftext|>')).toBe(expected('<|endoftext|>'));
  });
});

describe('what gpt-tokenizer mistakes', () => {
  const encoding = encodingNamed('o200k_base');

  // Figures of OpenAI's own tiktoken.
  test.each([
    ['\ufeff', 1],
    ['\ufeff\ufeff', 1],
    ['\ufeffusing System;', 3],
    [' \ufeff a', 2],
    ['\u0085\u0085 a', 5],
  ])('%j is counted as OpenAI does', (text, tokens) => {
    expect(encoding?.count(text)).toBe(tokens);
  });
});

describe('long pieces', () => {
  const encoding = encodingNamed('o200k_base');

  // Eight letters are a token.
  test('a hundred thousand of one letter are counted exactly, and in time', () => {
    expect(encoding?.count('a'.repeat(100_000))).toBe(12_500);
  });

  // Figure of OpenAI's own tiktoken, which needs a quarter of a minute for it.
  test('a hundred thousand blanks are counted exactly, and in time', () => {
    expect(encoding?.count(`${' '.repeat(100_000)}x`)).toBe(783);
  });

  test('a million letters without a blank are a few tokens off at most', () => {
    const count = encoding?.count('a'.repeat(1_000_000)) ?? 0;
    expect(Math.abs(count - 125_000)).toBeLessThan(10);
  });
});

describe('a vocabulary', () => {
  const lines = (tokens: readonly string[]): Uint8Array =>
    Buffer.from(
      tokens.map((token, rank) => `${Buffer.from(token, 'latin1').toString('base64')} ${rank}\n`).join(''),
    );

  test('merges the pair of the lowest rank first, the leftmost of equals', () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
    const encoding = new Encoding(readVocabulary(lines([...bytes, 'bc', 'ab', 'abc', 'aa'])), splitO200k);
    // b and c first, then no token is made of a and bc and d.
    expect(encoding.count('abcd')).toBe(2);
    expect(encoding.count('abd')).toBe(2);
    expect(encoding.count('aaad')).toBe(3);
    expect(encoding.count('dabcabcd')).toBe(4);
  });

  test.each([
    ['ranks that do not count up', 'IQ== 0\nIg== 2\n'],
    ['no rank', 'IQ==\n'],
    ['no token', ' 0\n 1\nIQ== 7\n'],
    ['something else', '<html><body>Not found</body></html>'],
    ['a cut line', 'IQ== 0\nIg'],
  ])('with %s is refused', (_, file) => {
    expect(() => readVocabulary(Buffer.from(file))).toThrow();
  });
});
