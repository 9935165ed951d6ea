import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import '../../property-seed.ts';
import { png } from './pictures.ts';

const gpt = new TokenCounter('gpt-4o');
const claude = new TokenCounter('claude-opus-4-6');

describe('a counter', () => {
  test('counts text of an OpenAI model exactly', () => {
    expect(gpt.count('hello world')).toBe(2);
    expect(gpt.count('The quick brown fox jumps over the lazy dog.')).toBe(10);
  });

  test('uses the encoding of the model', () => {
    const text = '数据库的索引可以随时删除';
    expect(new TokenCounter('gpt-4').count(text)).toBeGreaterThan(gpt.count(text));
  });

  test('counts nothing for nothing, and at least one for anything', () => {
    for (const name of ['gpt-4o', 'claude-opus-4-6', 'nobody-knows', '']) {
      const counter = new TokenCounter(name);
      expect(counter.count('')).toBe(0);
      expect(counter.count('a')).toBeGreaterThanOrEqual(1);
      expect(counter.count('\ud800')).toBeGreaterThanOrEqual(1);
      expect(counter.count('\0')).toBeGreaterThanOrEqual(1);
    }
  });

  test('estimates other families above what OpenAI would count', () => {
    const text = 'const answer = await fetch(url);\n'.repeat(50);
    const exact = gpt.count(text);
    for (const name of [
      'claude-opus-4-6',
      'claude-opus-5',
      'gemini-2.5-pro',
      'llama-3.1-70b',
      'nobody-knows',
    ])
      expect(new TokenCounter(name).count(text)).toBeGreaterThan(exact);
    expect(new TokenCounter('claude-opus-4-7').count(text)).toBeGreaterThan(claude.count(text));
  });

  test('takes four characters for a token where the encoding cannot be loaded', () => {
    const counter = new TokenCounter('gpt-4o');
    Object.assign(counter, { model: { ...counter.model, encoding: 'not_there' } });
    expect(counter.count('')).toBe(0);
    expect(counter.count('abc')).toBe(1);
    expect(counter.count('a'.repeat(41))).toBe(11);
  });

  test('adds four for each message', () => {
    expect(gpt.countMessage({ role: 'user', content: '' })).toBe(4);
    expect(gpt.countMessage({ role: 'user', content: 'hello world' })).toBe(6);
    expect(gpt.countMessages([])).toBe(0);
  });

  test('counts blocks and pictures', () => {
    const content = [
      { type: 'text', text: 'hello world' },
      { type: 'image', mediaType: 'image/png', base64: png(1024, 1024) },
    ] as const;
    expect(gpt.countMessage({ role: 'user', content })).toBe(4 + 2 + 765);
  });

  test('counts a thousand for a picture it cannot read', () => {
    const content = [{ type: 'image', mediaType: 'image/png', base64: 'bm8gcGljdHVyZQ==' }] as const;
    expect(gpt.countMessage({ role: 'user', content })).toBe(1_004);
    expect(claude.countMessage({ role: 'user', content })).toBe(1_004);
  });

  test('counts messages as the sum of them, so that what is new can be counted alone', () => {
    const messages = fc.array(
      fc.record({ role: fc.constant('user'), content: fc.string({ unit: 'grapheme' }) }),
    );
    fc.assert(
      fc.property(messages, messages, (before, added) => {
        for (const counter of [gpt, claude])
          expect(counter.countMessages([...before, ...added])).toBe(
            counter.countMessages(before) + counter.countMessages(added),
          );
      }),
    );
  });

  test('never throws, and never counts less than one for any text', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(units, fc.string(), (text, name) => {
        expect(new TokenCounter(name).count(String.fromCharCode(...text))).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test('takes a text of fifty megabytes', () => {
    const line = 'The log is append-only; only a rewrite changes closed segments.\n';
    const lines = Math.ceil(50_000_000 / line.length);
    expect(gpt.count(line.repeat(lines))).toBe(gpt.count(line) * lines);
  });
});
