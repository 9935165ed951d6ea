import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RECORD_BYTES, readLines, readSpan } from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

function texts(path: string, from = 0): string[] {
  return [...readLines(path, { from })].map((line) => line.text);
}

describe('readLines', () => {
  it('has no lines for a missing file', () => {
    expect(texts(join(temporaryFolder(), 'none.jsonl'))).toEqual([]);
  });

  it('passes over blank lines and counts them', () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, '{"a":1}\n\n\n{"a":2}\n');
    expect([...readLines(path)]).toEqual([
      { offset: 0, end: 8, number: 1, text: '{"a":1}' },
      { offset: 10, end: 18, number: 4, text: '{"a":2}' },
    ]);
  });

  it('leaves a torn tail for later and takes a whole one without a line break', () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, '{"a":1}\n{"a":');
    expect(texts(path)).toEqual(['{"a":1}']);
    appendFileSync(path, '2}');
    expect(texts(path)).toEqual(['{"a":1}', '{"a":2}']);
    expect(texts(path, 8)).toEqual(['{"a":2}']);
  });

  it('yields every line once and in place, wherever reading starts and however long the lines are', () => {
    const folder = temporaryFolder();
    let file = 0;
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => JSON.stringify({ text })),
      fc
        .integer({ min: 250_000, max: 600_000 })
        .map((size) => JSON.stringify({ text: 'ü'.repeat(size / 2) })),
      fc.constant('garbage {'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const path = join(folder, `${file++}.jsonl`);
        writeFileSync(path, lines.map((text) => `${text}\n`).join(''));
        const read = [...readLines(path)];
        expect(read.map(({ text }) => text)).toEqual(lines);
        for (const { offset, end, text } of read) {
          expect(readSpan(path, offset, end)).toBe(text);
          expect(texts(path, offset)).toEqual(
            lines.slice(read.findIndex((other) => other.offset === offset)),
          );
        }
      }),
      { numRuns: 30 },
    );
  });

  it('makes nothing of a line far larger than any record and goes on after it', () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, `{"a":1}\n${'x'.repeat(5 * MAX_RECORD_BYTES)}\n{"a":2}\n`);
    expect(texts(path)).toEqual(['{"a":1}', '', '{"a":2}']);
  });
});
