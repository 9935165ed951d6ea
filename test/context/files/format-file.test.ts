import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFile } from '../../../src/context/files/format-file.ts';

test('a file is its path, a fence, its content and the fence again', () => {
  expect(formatFile('src/main.ts', 'start();\n')).toBe('src/main.ts\n```\nstart();\n```');
});

test('the last line gets its end, and an empty file has no line', () => {
  expect(formatFile('a.txt', 'one')).toBe('a.txt\n```\none\n```');
  expect(formatFile('a.txt', '')).toBe('a.txt\n```\n```');
});

test('the fence is longer than any inside', () => {
  expect(formatFile('a.md', '```sh\nls\n```\n')).toBe('a.md\n````\n```sh\nls\n```\n````');
  expect(formatFile('a.md', 'x `````` y')).toBe('a.md\n```````\nx `````` y\n```````');
});

test('a path is one line whatever its name', () => {
  expect(formatFile('a\nb\r\u2028.txt', '').split('\n')[0]).toBe('a%0Ab%0D%E2%80%A8.txt');
});

test('nothing in a file can end its fence', () => {
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

test('a large file of backticks is formatted at once', () => {
  expect(formatFile('a.txt', '` '.repeat(500_000)).length).toBeGreaterThan(1_000_000);
});
