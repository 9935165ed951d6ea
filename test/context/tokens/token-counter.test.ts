import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import '../../property-seed.ts';
import { png } from './image-headers.ts';

const gpt = new TokenCounter('gpt-4o');
const claude = new TokenCounter('claude-opus-4-6');

describe('TokenCounter', () => {
  test('counts text of an OpenAI model exactly', () => {
    expect(gpt.count('hello world')).toBe(2);
    expect(gpt.count('The quick brown fox jumps over the lazy dog.')).toBe(10);
  });

  test('uses the encoding of the model', () => {
    const text = '数据库的索引可以随时删除';
    expect(new TokenCounter('gpt-4').count(text)).toBeGreaterThan(gpt.count(text));
  });

  test('counts 0 for an empty text and at least 1 for any other', () => {
    for (const name of ['gpt-4o', 'claude-opus-4-6', 'nobody-knows', '']) {
      const counter = new TokenCounter(name);
      expect(counter.count('')).toBe(0);
      expect(counter.count('a')).toBeGreaterThanOrEqual(1);
      expect(counter.count('\ud800')).toBeGreaterThanOrEqual(1);
      expect(counter.count('\0')).toBeGreaterThanOrEqual(1);
    }
  });

  test("estimates other model families above OpenAI's count", () => {
    const text = 'const answer = await fetch(url);\n'.repeat(50);
    const exact = gpt.count(text);
    for (const name of ['claude-opus-4-6', 'claude-opus-5', 'gemini-2.5-pro', 'llama-3.1-70b', 'nobody-knows'])
      expect(new TokenCounter(name).count(text)).toBeGreaterThan(exact);
    expect(new TokenCounter('claude-opus-4-7').count(text)).toBeGreaterThan(claude.count(text));
  });

  test('counts four characters as a token when the encoding cannot be loaded', () => {
    const counter = new TokenCounter('gpt-4o');
    Object.assign(counter, { model: { ...counter.model, encoding: 'not_there' } });
    expect(counter.count('')).toBe(0);
    expect(counter.count('abc')).toBe(1);
    expect(counter.count('a'.repeat(41))).toBe(11);
  });

  test('adds four tokens for each message', () => {
    expect(gpt.countMessage({ role: 'user', content: '' })).toBe(4);
    expect(gpt.countMessage({ role: 'user', content: 'hello world' })).toBe(6);
    expect(gpt.countMessages([])).toBe(0);
  });

  test('counts text blocks and images', () => {
    const content = [
      { type: 'text', text: 'hello world' },
      { type: 'image', mediaType: 'image/png', base64: png(1024, 1024) },
    ] as const;
    expect(gpt.countMessage({ role: 'user', content })).toBe(4 + 2 + 765);
  });

  test('counts 1,000 tokens for an image it cannot read', () => {
    const content = [{ type: 'image', mediaType: 'image/png', base64: 'bm8gcGljdHVyZQ==' }] as const;
    expect(gpt.countMessage({ role: 'user', content })).toBe(1_004);
    expect(claude.countMessage({ role: 'user', content })).toBe(1_004);
  });

  test('counts messages as their sum, so that new ones can be counted alone', () => {
    const messages = fc.array(fc.record({ role: fc.constant('user'), content: fc.string({ unit: 'grapheme' }) }));
    fc.assert(
      fc.property(messages, messages, (before, added) => {
        for (const counter of [gpt, claude])
          expect(counter.countMessages([...before, ...added])).toBe(
            counter.countMessages(before) + counter.countMessages(added),
          );
      }),
    );
  });

  test('never throws and never counts less than 1 for any text', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(units, fc.string(), (text, name) => {
        expect(new TokenCounter(name).count(String.fromCharCode(...text))).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test('counts a text of ten megabytes', () => {
    const line = 'The log is append-only; only a rewrite changes closed segments.\n';
    const lines = Math.ceil(10_000_000 / line.length);
    expect(gpt.count(line.repeat(lines))).toBe(gpt.count(line) * lines);
  });
});

interface Reference {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
}

const PARTS = [
  ...'aZéÉßǅʰ中文あ٣Ⅷ½१1/!.#_-=\\"`',
  ...['\u0301', '\u0903', '\t', '\n', '\r\n', '\u00a0', '\u3000', '\u2028', '\u200b', '\ufeff', '\0'],
  ...["'s", "'ll", "don't", '<|endoftext|>', '<|im_start|>', '```', '=> {', '  ', '\n\n'],
  ...['😀', '👩‍👩‍👧', '\ud800', '\udc00', '\ufffd', '𝒜', 'हिन्दी', '한국어', 'العربية', ' function', 'HTTPServer'],
];

describe.each([
  ['o200k_base', 'gpt-4o'],
  ['cl100k_base', 'gpt-4'],
])('counting with %s', (encoding, model) => {
  const reference = createRequire(import.meta.url)(`gpt-tokenizer/encoding/${encoding}`) as Reference;
  const expected = (text: string) => reference.countTokens(text, { disallowedSpecial: new Set() });
  const counter = new TokenCounter(model);

  test('counts any text as the encoding does', () => {
    const anyText = fc.oneof(
      fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        expect(counter.count(text)).toBe(expected(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test('counts text that looks like a special token as ordinary text', () => {
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  test.each([
    ['spaces', ' '.repeat(3_000)],
    ['line breaks', '\n'.repeat(3_000)],
    ['dashes', '-'.repeat(3_000)],
    ['capitals', 'A'.repeat(3_000)],
    ['characters without spaces', '数据库的索引'.repeat(400)],
    ['combining marks', 'e\u0301'.repeat(1_000)],
    ['emoji', '😀'.repeat(1_000)],
    ['lone surrogates', '\ud800'.repeat(1_000)],
  ])('counts a long run of %s to within a token per 512 characters', (_, run) => {
    const text = `before ${run} after`;
    const parts = Math.ceil(run.length / 512) + 2;
    expect(Math.abs(counter.count(text) - expected(text))).toBeLessThanOrEqual(parts);
  });
});

describe('a long run without a break', () => {
  test.each([
    ['letters', 'a', 8],
    ['spaces', ' ', 128],
  ])('of %s is counted in linear time', (_, character, perToken) => {
    const length = 1_000_000;
    const tokens = gpt.count(character.repeat(length));
    expect(Math.abs(tokens - length / perToken)).toBeLessThan(length / 512 + 2);
  });
});
