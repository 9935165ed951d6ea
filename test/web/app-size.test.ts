import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';

const MAX_BYTES = 200 * 1024;

test('the app without the code highlighter is at most 200 KB, compressed', () => {
  const folder = join(inject('app'), 'assets');
  const files = readdirSync(folder);
  const parts = files.filter((name) => !name.startsWith('highlighter-'));
  expect(parts.length).toBe(files.length - 1);
  const sizes = parts.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(MAX_BYTES);
});
