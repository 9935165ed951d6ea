import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StreamedBlocks } from '../../web/src/text/markdown-blocks.ts';

const blocksOf = (text: string) => new StreamedBlocks(0).split(text).map((block) => block.trim());
const anyText = fc.string({
  unit: fc.constantFrom('a', '\n', '\n\n', '```', '~~~', '- ', '1. ', '    ', ' '),
});

test('a text is split at empty lines, but not within code or lists', () => {
  expect(blocksOf('One\n\n```ts\na\n\nb\n```\n\nTwo\n')).toEqual(['One', '```ts\na\n\nb\n```', 'Two']);
  expect(blocksOf('- a\n\n- b\n\n  more\n\nEnd\n')).toEqual(['- a\n\n- b\n\n  more', 'End']);
  expect(blocksOf('```\n\n```ts\n\n```\n\nEnd\n')).toEqual(['```\n\n```ts\n\n```', 'End']);
});

test('a growing text has the same blocks as the whole text', () => {
  fc.assert(
    fc.property(fc.array(anyText), (chunks) => {
      const growing = new StreamedBlocks(0);
      let text = '';
      let before: readonly string[] = [];
      for (const chunk of chunks) {
        text += chunk;
        const blocks = growing.split(text);
        expect(blocks.join('').trimEnd()).toBe(text.trimEnd());
        // Only the last block may change.
        expect(blocks.slice(0, Math.max(before.length - 1, 0))).toEqual(before.slice(0, -1));
        before = blocks;
      }
      expect(growing.split(text)).toEqual(new StreamedBlocks(0).split(text));
    }),
  );
});

test('another text is split from its start', () => {
  const growing = new StreamedBlocks(0);
  growing.split('First\n\nSecond\n\nThird\n');
  expect(growing.split('Other\n\nText\n').map((block) => block.trim())).toEqual(['Other', 'Text']);
});

test('small blocks are joined', () => {
  const blocks = new StreamedBlocks().split('A few words.\n\n'.repeat(100));
  expect(blocks.length).toBeLessThan(6);
  expect(blocks.slice(0, -1).every(({ length }) => length >= 400)).toBe(true);
});
