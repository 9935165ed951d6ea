import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { MAX_RECORD_BYTES, readBackwards, readLogLines, readSpan } from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

function texts(path: string, from = 0): string[] {
  return [...readLogLines(path, { from })].map((line) => line.text);
}

describe('readLines', () => {
  it('yields nothing for a missing file', () => {
    expect(texts(join(temporaryFolder(), 'none.jsonl'))).toEqual([]);
  });

  it('skips blank lines but counts them', () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, '{"a":1}\n\n\n{"a":2}\n');
    expect([...readLogLines(path)]).toEqual([
      { offset: 0, end: 8, number: 1, text: '{"a":1}' },
      { offset: 10, end: 18, number: 4, text: '{"a":2}' },
    ]);
  });

  it('leaves a torn last line for later and yields a complete one without a line break', () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, '{"a":1}\n{"a":');
    expect(texts(path)).toEqual(['{"a":1}']);
    appendFileSync(path, '2}');
    expect(texts(path)).toEqual(['{"a":1}', '{"a":2}']);
    expect(texts(path, 8)).toEqual(['{"a":2}']);
  });

  it('yields every line once with its byte range, wherever reading starts', () => {
    const folder = temporaryFolder();
    let file = 0;
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => JSON.stringify({ text })),
      fc.integer({ min: 250_000, max: 600_000 }).map((size) => JSON.stringify({ text: 'ü'.repeat(size / 2) })),
      fc.constant('garbage {'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const path = join(folder, `${file++}.jsonl`);
        writeFileSync(path, lines.map((text) => `${text}\n`).join(''));
        const read = [...readLogLines(path)];
        expect(read.map(({ text }) => text)).toEqual(lines);
        for (const { offset, end, text } of read) {
          expect(readSpan(path, offset, end)).toBe(text);
          expect(texts(path, offset)).toEqual(lines.slice(read.findIndex((other) => other.offset === offset)));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('yields an oversized line as empty and continues after it', () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, `{"a":1}\n${'x'.repeat(5 * MAX_RECORD_BYTES)}\n{"a":2}\n`);
    expect(texts(path)).toEqual(['{"a":1}', '', '{"a":2}']);
  });
});

test('readBackwards yields nothing for a missing log', () => {
  expect([...readBackwards(join(temporaryFolder(), 'history.jsonl'), 1000)]).toEqual([]);
});

test('readBackwards yields nothing for an empty log', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  writeFileSync(path, '');
  expect([...readBackwards(path, 1000)]).toEqual([]);
});

test('readBackwards yields the newest line first, skips blank lines and includes an unterminated one', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  writeFileSync(path, 'a\n\nb\r\n  \nc');
  expect([...readBackwards(path, 1000)]).toEqual(['c', 'b\r', 'a']);
  appendFileSync(path, '\nd\n');
  expect([...readBackwards(path, 1000)][0]).toBe('d');
});

test('readBackwards skips a line that is only partly within the bytes', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  writeFileSync(path, `${'x'.repeat(100)}\nlast\n`);
  expect([...readBackwards(path, 20)]).toEqual(['last']);
  expect([...readBackwards(path, 3)]).toEqual([]);
});

test('readBackwards yields nothing for a single line longer than the bytes', () => {
  const path = join(temporaryFolder(), 'history.jsonl');
  writeFileSync(path, 'x'.repeat(100));
  expect([...readBackwards(path, 20)]).toEqual([]);
});

test('readBackwards yields the last lines, whatever the content', () => {
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

test('readBackwards yields only lines that contain the given text', () => {
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

test('readBackwards reports a path that cannot be read', () => {
  expect(() => readBackwards(temporaryFolder(), 100)).toThrow(/Cannot read/);
});
