import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkdownStream } from '../../../src/cli/chat/markdown-stream.ts';
import { createStyle, createSymbols } from '../../../src/cli/output/terminal.ts';
import { displayWidth } from '../../../src/cli/output/width.ts';

function stream(columns = 60, colour = false): MarkdownStream {
  return new MarkdownStream({
    style: createStyle(colour),
    symbols: createSymbols(true),
    columns: () => columns,
  });
}

/** All that is printed of a text that comes in these pieces. */
function printed(pieces: readonly string[], columns = 60, colour = false): string {
  const target = stream(columns, colour);
  return [...pieces.map((piece) => target.write(piece).printed), target.end().printed].join('');
}

describe('a reply in the terminal', () => {
  it('shows headings, lists, quotes, code, links and rules without their marks', () => {
    const text = [
      '# Title',
      'Use **ioredis**, see [the docs](https://example.org/x).',
      '- first `item`',
      '  2. second',
      '> said before',
      '---',
      '```ts',
      'const a = `**b**`;',
      '```',
      'CMD: bun add ioredis',
    ].join('\n');
    expect(printed([text])).toBe(
      [
        'Title',
        'Use ioredis, see the docs (https://example.org/x).',
        '· first item',
        '  2. second',
        '| said before',
        '·'.repeat(40),
        '```ts',
        'const a = `**b**`;',
        '```',
        '$ bun add ioredis',
        '',
      ].join('\n'),
    );
  });

  it('breaks long lines at words and keeps a list item under its text', () => {
    expect(printed(['- one two three four five six seven'], 20)).toBe('· one two three\n  four five six\n  seven\n');
  });

  it('does not break code', () => {
    const code = 'x'.repeat(100);
    expect(printed([`\`\`\`\n${code}\n\`\`\`\n`], 20)).toBe(`\`\`\`\n${code}\n\`\`\`\n`);
  });

  it('does not take a command in code for a suggestion, nor another fence for the end of the code', () => {
    expect(printed(['````\nCMD: a\n```\nCMD: b\n````\nCMD: c\n'])).toBe('````\nCMD: a\n```\nCMD: b\n````\n$ c\n');
  });

  it('shows a line before it is whole', () => {
    const target = stream();
    expect(target.write('Hel')).toEqual({ printed: '', partial: 'Hel' });
    expect(target.write('lo **wor')).toEqual({ printed: '', partial: 'Hello **wor' });
    expect(target.write('ld**\nnext')).toEqual({ printed: 'Hello world\n', partial: 'next' });
    expect(target.end()).toEqual({ printed: 'next\n', partial: '' });
  });

  it('prints the same however the text is cut into pieces', () => {
    const line = fc.constantFrom('# a', '- b `c`', '```', 'CMD: x', '> q', '', 'plain **bold** text', '1. one');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(8), { maxLength: 80 }), (lines, cuts) => {
        const text = lines.join('\n');
        const pieces: string[] = [];
        let rest = text;
        for (const cut of cuts) {
          pieces.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        pieces.push(rest);
        expect(printed(pieces, 40, true)).toBe(printed([text], 40, true));
      }),
    );
  });

  it('lets nothing through that a terminal would act on', () => {
    const shown = printed(['a\x1b[2J\x1b]52;c;aGk=\x07b\u202etxt\x9b31m\r\n', '\x1b', '[31mred\n']);
    expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(shown).toContain('ab<U+202E>txt');
  });

  it('shows a line of any length, in rows that fit', () => {
    const words = 'word '.repeat(5000);
    const rows = printed([words], 40).trimEnd().split('\n');
    expect(rows.join(' ').replace(/\s+/g, ' ').trim()).toBe(words.trim());
    for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(40);
  });
});
