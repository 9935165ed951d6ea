import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFile } from '../../../src/context/files/format-file.ts';

test('writes the path, a fence, the content and the fence again', () => {
  expect(formatFile('src/main.ts', 'start();\n')).toBe('src/main.ts\n```\nstart();\n```');
});

test('adds a missing final line break, and none for an empty file', () => {
  expect(formatFile('a.txt', 'one')).toBe('a.txt\n```\none\n```');
  expect(formatFile('a.txt', '')).toBe('a.txt\n```\n```');
});

test('makes the fence longer than any inside', () => {
  expect(formatFile('a.md', '```sh\nls\n```\n')).toBe('a.md\n````\n```sh\nls\n```\n````');
  expect(formatFile('a.md', 'x `````` y')).toBe('a.md\n```````\nx `````` y\n```````');
});

test('keeps a path on one line, whatever its characters', () => {
  expect(formatFile('a\nb\r\u2028.txt', '').split('\n')[0]).toBe('a%0Ab%0D%E2%80%A8.txt');
});

test('prevents content from closing the fence', () => {
  const text = fc.array(fc.constantFrom('`', '```', '\n', '~~~', ' ', 'x')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (content) => {
      const lines = formatFile('a.txt', content).split('\n');
      const fence = lines[1] ?? '';
      expect(fence).toMatch(/^`{3,}$/);
      expect(content).not.toContain(fence);
      expect(lines.at(-1)).toBe(fence);
      expect(lines.slice(2, -1).join('\n')).toBe(content.endsWith('\n') ? content.slice(0, -1) : content);
    }),
  );
});

test('formats a large file of backticks in linear time', () => {
  expect(formatFile('a.txt', '` '.repeat(500_000)).length).toBeGreaterThan(1_000_000);
});
