import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBackwards } from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

test('a missing log has no lines', () => {
  expect([...readBackwards(join(temporaryFolder(), 'history.jsonl'), 1000)]).toEqual([]);
});

test('an empty log has no lines', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  writeFileSync(path, '');
  expect([...readBackwards(path, 1000)]).toEqual([]);
});

test('the newest line comes first, blank ones are left out, an unfinished one is there', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  writeFileSync(path, 'a\n\nb\r\n  \nc');
  expect([...readBackwards(path, 1000)]).toEqual(['c', 'b\r', 'a']);
  appendFileSync(path, '\nd\n');
  expect([...readBackwards(path, 1000)][0]).toBe('d');
});

test('of a line that is not wholly within the bytes nothing is given', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  writeFileSync(path, `${'x'.repeat(100)}\nlast\n`);
  expect([...readBackwards(path, 20)]).toEqual(['last']);
  expect([...readBackwards(path, 3)]).toEqual([]);
});

test('a single line longer than the bytes gives nothing', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  writeFileSync(path, 'x'.repeat(100));
  expect([...readBackwards(path, 20)]).toEqual([]);
});

test('what is given are the last lines of the log, whatever is in it', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.nat(200), (texts, bytes) => {
      const lines = texts.map((text) => text.replace(/\n/g, ' ')).filter((text) => text.trim() !== '');
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
      const found = [...readBackwards(path, bytes)];
      expect(found).toEqual(lines.slice(lines.length - found.length).reverse());
      const size = Buffer.byteLength(lines.join('\n')) + 1;
      if (bytes >= size) expect(found).toHaveLength(lines.length);
    }),
    { numRuns: 200 },
  );
});

test('only the lines that hold a text are given when one is asked for', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'ab é') })), fc.nat(60), (texts, bytes) => {
      writeFileSync(path, texts.join('\n'));
      const all = [...readBackwards(path, bytes)];
      for (const wanted of ['a', 'ab', 'é', 'c']) {
        expect([...readBackwards(path, bytes, wanted)]).toEqual(all.filter((line) => line.includes(wanted)));
      }
    }),
  );
});

test('a path that cannot be read says so', () => {
  expect(() => readBackwards(temporaryFolder(), 100)).toThrow(/Cannot read/);
});
