import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppendBuffer, appendRecord, MAX_RECORD_BYTES, readLogLines } from '../../src/log/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

function recordsIn(path: string): unknown[] {
  return [...readLogLines(path)].map((line) => JSON.parse(line.text));
}

describe('appendRecord', () => {
  it('creates a private file in a private folder', () => {
    const path = join(temporaryFolder(), 'a', 'b', 'history.jsonl');
    appendRecord(path, { n: 1 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n');
  });

  it('appends any text so that it can be read back', () => {
    const path = join(temporaryFolder(), 'history.jsonl');
    const written: unknown[] = [];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        // Ordinary words only, since text that looks like a secret would be masked.
        const record = { content: text.replace(/[=:/\\@-]/g, ' ') };
        appendRecord(path, record);
        written.push(record);
      }),
      { numRuns: 200 },
    );
    expect(recordsIn(path)).toEqual(written);
  });

  it('terminates a torn line, so that only that line is lost', () => {
    const path = join(temporaryFolder(), 'history.jsonl');
    appendRecord(path, { n: 1 });
    appendFileSync(path, '{"n":2,"content":"cut off he');
    appendRecord(path, { n: 3 });
    expect(readFileSync(path, 'utf8').split('\n')).toEqual(['{"n":1}', '{"n":2,"content":"cut off he', '{"n":3}', '']);
  });

  it('masks secrets before they reach the file', () => {
    const path = join(temporaryFolder(), 'history.jsonl');
    const token = ['ghp', 'x7Yq2LkP0vTz5NdRw8Hs3JmBf6CgAu1EoIiK'].join('_');
    appendRecord(path, { content: `use ${token} for it`, args: { password: 'Tr0ub4dor&3x' } });
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(token);
    expect(text).not.toContain('Tr0ub4dor');
    expect(text).toContain('use ');
  });

  it('truncates texts of a record over the maximum size in the middle', () => {
    const path = join(temporaryFolder(), 'history.jsonl');
    const content = `first words ${'é'.repeat(3 * 1024 * 1024)} last words`;
    appendRecord(path, { id: 'kept', content });
    appendRecord(path, { id: 'next' });
    expect(statSync(path).size).toBeLessThan(MAX_RECORD_BYTES);
    const [first, second] = recordsIn(path) as { id: string; content: string }[];
    expect(first?.content).toMatch(/^first words .*\n\[… \d+ characters cut by yore …\]\n.* last words$/s);
    expect(second?.id).toBe('next');
  });

  it('bounds a record that is large without long texts', () => {
    const path = join(temporaryFolder(), 'history.jsonl');
    appendRecord(path, {
      id: 'kept',
      args: { list: Array.from({ length: 300_000 }, (_, n) => `item ${n}`) },
    });
    expect(statSync(path).size).toBeLessThan(MAX_RECORD_BYTES);
    expect(recordsIn(path)).toEqual([{ id: 'kept', truncated: ['args'] }]);
  });

  it('reports a file in place of the folder', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'home'), 'not a folder');
    expect(() => appendRecord(join(folder, 'home', 'history.jsonl'), { n: 1 })).toThrowError(
      expect.objectContaining({ code: 'STORAGE', message: expect.stringContaining('in the way') }),
    );
    expect(readFileSync(join(folder, 'home'), 'utf8')).toBe('not a folder');
  });

  it('reports a folder in place of the file', () => {
    const path = join(temporaryFolder(), 'history.jsonl');
    mkdirSync(path);
    expect(() => appendRecord(path, { n: 1 })).toThrowError(expect.objectContaining({ code: 'STORAGE' }));
  });
});

describe('AppendBuffer', () => {
  function appendAll(path: string, records: readonly object[]): void {
    const buffer = new AppendBuffer(path);
    for (const record of records) buffer.add(record);
    buffer.flush();
    buffer.flush();
    expect(buffer.length).toBe(0);
  }

  it('writes the same lines as appendRecord', () => {
    const folder = temporaryFolder();
    const [one, many] = [join(folder, 'one.jsonl'), join(folder, 'many.jsonl')];
    const token = ['ghp_', 'x7Kq2LmZ9pRt', '4WvB8nYc6DfG', '3HjS5aQe1UiT'].join('');
    const records = [
      { n: 1, content: `use ${token}` },
      { n: 2, content: 'x'.repeat(3 * MAX_RECORD_BYTES) },
      ...Array.from({ length: 500 }, (_, n) => ({ n, content: `größer ${'y'.repeat(n * 5)}` })),
    ];
    for (const record of records) appendRecord(one, record);
    appendAll(many, records);
    expect(readFileSync(many, 'utf8')).toBe(readFileSync(one, 'utf8'));
    expect(readFileSync(many, 'utf8')).not.toContain(token);
    expect(statSync(many).mode & 0o777).toBe(0o600);
  });

  it('terminates a torn line first, and creates no file without records', () => {
    const path = join(temporaryFolder(), 'a', 'history.jsonl');
    appendAll(path, []);
    expect(() => statSync(path)).toThrow();
    appendRecord(path, { n: 1 });
    appendFileSync(path, '{"n":2,"cont');
    appendAll(path, [{ n: 3 }, { n: 4 }]);
    expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n{"n":2,"cont\n{"n":3}\n{"n":4}\n');
  });
});
