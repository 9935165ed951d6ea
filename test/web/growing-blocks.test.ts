import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBlocks } from '../../web/src/text/growing-blocks.ts';

const blocksOf = (text: string) => new GrowingBlocks(0).of(text).map((block) => block.trim());
const anyText = fc.string({
  unit: fc.constantFrom('a', '\n', '\n\n', '```', '~~~', '- ', '1. ', '    ', ' '),
});

test('a growing text is cut at empty lines, but not within code or lists', () => {
  expect(blocksOf('One\n\n```ts\na\n\nb\n```\n\nTwo\n')).toEqual(['One', '```ts\na\n\nb\n```', 'Two']);
  expect(blocksOf('- a\n\n- b\n\n  more\n\nEnd\n')).toEqual(['- a\n\n- b\n\n  more', 'End']);
  expect(blocksOf('```\n\n```ts\n\n```\n\nEnd\n')).toEqual(['```\n\n```ts\n\n```', 'End']);
});

test('whatever grows: nothing is lost, and the pieces are those of the whole text', () => {
  fc.assert(
    fc.property(fc.array(anyText), (chunks) => {
      const growing = new GrowingBlocks(0);
      let text = '';
      let before: readonly string[] = [];
      for (const chunk of chunks) {
        text += chunk;
        const blocks = growing.of(text);
        expect(blocks.join('').trimEnd()).toBe(text.trimEnd());
        // What was followed by another piece never changes.
        expect(blocks.slice(0, Math.max(before.length - 1, 0))).toEqual(before.slice(0, -1));
        before = blocks;
      }
      expect(growing.of(text)).toEqual(new GrowingBlocks(0).of(text));
    }),
  );
});

test('another text is cut anew', () => {
  const growing = new GrowingBlocks(0);
  growing.of('First\n\nSecond\n\nThird\n');
  expect(growing.of('Other\n\nText\n').map((block) => block.trim())).toEqual(['Other', 'Text']);
});

test('small pieces are drawn together', () => {
  const blocks = new GrowingBlocks().of('A few words.\n\n'.repeat(100));
  expect(blocks.length).toBeLessThan(6);
  expect(blocks.slice(0, -1).every(({ length }) => length >= 400)).toBe(true);
});
