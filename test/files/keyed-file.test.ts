import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyedFile, writeKeyedFile } from '../../src/files/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

function open(path: string): KeyedFile {
  const file = KeyedFile.open(path);
  if (file === undefined) throw new Error('the file cannot be opened');
  return file;
}

/** The whole content of a file, or `damaged`. */
function contentOf(path: string, keys: readonly string[]): string {
  const file = KeyedFile.open(path);
  if (file === undefined) return 'damaged';
  try {
    const values = keys.map((key) => file.get(key));
    return JSON.stringify([file.header, values, sorted(file.entries())]);
  } catch {
    return 'damaged';
  } finally {
    file.close();
  }
}

function sorted(entries: Iterable<readonly [string, unknown]>): readonly (readonly [string, unknown])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

test('returns the value of every key and nothing for other keys', () => {
  const path = join(temporaryFolder(), 'values.idx');
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 40 }),
      fc.jsonValue(),
      fc.array(fc.string()),
      (values, header, others) => {
        const entries = Object.entries(values);
        writeKeyedFile(path, header, entries);
        const file = open(path);
        const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        expect(file.header).toEqual(kept(header));
        for (const [key, value] of entries) expect(file.get(key)).toEqual(kept(value));
        for (const key of others) if (!Object.hasOwn(values, key)) expect(file.get(key)).toBeUndefined();
        expect(sorted(file.entries())).toEqual(sorted(entries.map(([key, value]) => [key, kept(value)] as const)));
        file.close();
      },
    ),
    { numRuns: 60 },
  );
});

test('holds thousands of keys and a header larger than the first read', () => {
  const path = join(temporaryFolder(), 'many.idx');
  const header = { text: 'x'.repeat(100_000) };
  const entries = Array.from({ length: 3000 }, (_, at) => [`key ${at}`, { at }] as const);
  writeKeyedFile(path, header, entries);
  const file = open(path);
  expect(file.header).toEqual(header);
  expect(entries.every(([key, { at }]) => (file.get(key) as { at: number }).at === at)).toBe(true);
  expect(entries.some(([key]) => file.get(`other ${key}`) !== undefined)).toBe(false);
  expect([...file.entries()]).toHaveLength(3000);
  file.close();
});

test('a file can be empty', () => {
  const path = join(temporaryFolder(), 'empty.idx');
  writeKeyedFile(path, null, []);
  const file = open(path);
  expect(file.get('anything')).toBeUndefined();
  expect([...file.entries()]).toEqual([]);
  file.close();
});

test('does not open a missing file, a folder or a file of another format', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'other.idx');
  writeFileSync(path, JSON.stringify({ some: 'thing else', that: 'is long enough for a prefix' }));
  expect(KeyedFile.open(join(folder, 'missing.idx'))).toBeUndefined();
  expect(KeyedFile.open(folder)).toBeUndefined();
  expect(KeyedFile.open(path)).toBeUndefined();
});

test('replaces the file atomically, keeps it private and leaves no temporary files', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'values.idx');
  writeKeyedFile(path, 1, [['a', 1]]);
  const before = open(path);
  writeKeyedFile(path, 2, [['b', 2]]);
  expect(before.get('a')).toBe(1);
  before.close();
  const after = open(path);
  expect([after.header, after.get('a'), after.get('b')]).toEqual([2, undefined, 2]);
  after.close();
  expect(readdirSync(folder)).toEqual(['values.idx']);
  expect(statSync(path).mode & 0o077).toBe(0);
});

const KEYS = Array.from({ length: 60 }, (_, at) => `key:${at} ${'n'.repeat(at % 7)}`);

function written(folder: string): {
  readonly path: string;
  readonly bytes: Buffer;
  readonly content: string;
} {
  const path = join(folder, 'values.idx');
  writeKeyedFile(
    path,
    { cursor: [1, 2, 3], seen: 'abc' },
    KEYS.map((key, at) => [key, { at, text: 'some text' }]),
  );
  return { path, bytes: readFileSync(path), content: contentOf(path, KEYS) };
}

test('detects a file truncated anywhere', () => {
  const { path, bytes } = written(temporaryFolder());
  for (let length = 0; length < bytes.length; length += length < 200 ? 1 : 37) {
    writeFileSync(path, bytes.subarray(0, length));
    expect(contentOf(path, KEYS)).toBe('damaged');
  }
  writeFileSync(path, Buffer.concat([bytes, Buffer.from('more')]));
  expect(contentOf(path, KEYS)).toBe('damaged');
});

test('a flipped bit never yields a wrong value', () => {
  const { path, bytes, content } = written(temporaryFolder());
  for (let at = 0; at < bytes.length; at += 13) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(path, damaged);
    const found = contentOf(path, KEYS);
    if (found !== 'damaged') expect(found).toBe(content);
  }
});

test('detects random bytes written over the file', () => {
  const { path, bytes, content } = written(temporaryFolder());
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.uint8Array({ minLength: 1, maxLength: 64 })), {
        minLength: 1,
        maxLength: 6,
      }),
      (patches) => {
        const damaged = Buffer.from(bytes);
        for (const [at, patch] of patches) damaged.set(patch.subarray(0, damaged.length - at), at);
        writeFileSync(path, damaged);
        expect(['damaged', content]).toContain(contentOf(path, KEYS));
      },
    ),
    { numRuns: 300 },
  );
});
