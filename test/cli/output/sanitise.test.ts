import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitise, sanitiseLine, toJson } from '../../../src/cli/output/sanitise.ts';

describe('sanitise', () => {
  it('removes colours, cursor moves and window titles', () => {
    expect(sanitise('\x1b[31mred\x1b[0m')).toBe('red');
    expect(sanitise('a\x1b[2J\x1b[Hb')).toBe('ab');
    expect(sanitise('\x1b]0;owned\x07title')).toBe('title');
    expect(sanitise('\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\')).toBe('link');
    expect(sanitise('\x9b31mred')).toBe('red');
  });

  it('keeps the text after a sequence that is never closed', () => {
    expect(sanitise('\x1b]0;never closed, and the text goes on')).toContain('the text goes on');
  });

  it('removes characters that hide text, and keeps the joiners of scripts and emoji', () => {
    const tags = [...'delete it'].map((each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0))).join('');
    expect(sanitise(`run\u200b \ufefftests\u2060${tags}\u00ad`)).toBe('run tests');
    for (const kept of ['\u{1f469}\u200d\u{1f680}', 'می\u200cخواهم', 'a\u200fb']) expect(sanitise(kept)).toBe(kept);
  });

  it('shows direction overrides instead of obeying them', () => {
    expect(sanitise('user\u202e txt.exe')).toBe('user<U+202E> txt.exe');
    expect(sanitise('a\u2066b\u2069c')).toBe('a<U+2066>b<U+2069>c');
  });

  it('keeps line breaks, turns foreign ones into them and tabs into spaces', () => {
    expect(sanitise('a\r\nb\rc\u2028d\te\n')).toBe('a\nb\nc\nd  e\n');
  });

  it('leaves ordinary text in any language alone', () => {
    const text = 'Füge Redis hinzu: 添加缓存 キャッシュ 👩‍💻 שלום';
    expect(sanitise(text)).toBe(text);
  });

  it('never lets a control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(sanitise(text)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
        expect(sanitiseLine(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/);
      }),
    );
  });
});

describe('toJson', () => {
  it('says the same value with nothing a terminal acts on', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const json = toJson({ value, text }, 2);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
        expect(json).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
