import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tryWithLock, withLock } from '../../src/files/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const NOBODY = 2 ** 22 + 1; // above the largest process id

function lock(path: string, holder: object): void {
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now(), ...holder }));
}

test('runs the work under the lock and removes the lock afterwards', () => {
  const path = join(temporaryFolder(), 'a.lock');
  const held = tryWithLock(path, () => JSON.parse(readFileSync(path, 'utf8')).pid as number);
  expect(held).toBe(process.pid);
  expect(existsSync(path)).toBe(false);
});

test('creates the folder of the lock', () => {
  const path = join(temporaryFolder(), 'new', 'folder', 'a.lock');
  expect(tryWithLock(path, () => 'done')).toBe('done');
  expect(withLock(join(path, '..', 'other', 'b.lock'), () => 'done')).toBe('done');
});

test('does not wait while another process holds the lock', () => {
  const path = join(temporaryFolder(), 'a.lock');
  lock(path, { pid: process.ppid });
  expect(tryWithLock(path, () => 'done')).toBeUndefined();
  expect(existsSync(path)).toBe(true);
});

test('the lock is not reentrant', () => {
  const path = join(temporaryFolder(), 'a.lock');
  expect(tryWithLock(path, () => tryWithLock(path, () => 'inner') ?? 'only outer')).toBe('only outer');
});

test('takes over the lock of a dead process', () => {
  const path = join(temporaryFolder(), 'a.lock');
  lock(path, { pid: NOBODY });
  expect(tryWithLock(path, () => 'done')).toBe('done');
  expect(existsSync(path)).toBe(false);
});

test('takes over an old lock without content', () => {
  const path = join(temporaryFolder(), 'a.lock');
  writeFileSync(path, '');
  expect(tryWithLock(path, () => 'done')).toBeUndefined();
  utimesSync(path, new Date(0), new Date(0));
  expect(tryWithLock(path, () => 'done')).toBe('done');
});

test.each([
  'null',
  '5',
  '{}',
  '{"pid":1}',
  '{"pid":-1,"host":"HOST","since":1}',
  '{"pid":1.5,"host":"HOST","since":1}',
])('takes over an old lock that names no holder: %s', (content) => {
  const path = join(temporaryFolder(), 'a.lock');
  writeFileSync(path, content.replace('HOST', hostname()));
  utimesSync(path, 1, 1);
  expect(tryWithLock(path, () => 'done')).toBe('done');
});

test('says what to do about a folder in place of a lock', () => {
  const path = join(temporaryFolder(), 'a.lock');
  mkdirSync(path);
  utimesSync(path, 1, 1);
  expect(() => tryWithLock(path, () => 'done')).toThrow(
    expect.objectContaining({ code: 'STORAGE', message: expect.stringContaining('Move or delete it') }),
  );
});

test('takes over the lock of another machine after a minute', () => {
  const path = join(temporaryFolder(), 'a.lock');
  lock(path, { host: 'another machine', since: Date.now() - 30_000 });
  expect(tryWithLock(path, () => 'done')).toBeUndefined();
  lock(path, { host: 'another machine', since: Date.now() - 120_000 });
  expect(tryWithLock(path, () => 'done')).toBe('done');
});

test('releases the lock when the work throws', () => {
  const path = join(temporaryFolder(), 'a.lock');
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => tryWithLock(path, fail)).toThrow('no');
  expect(tryWithLock(path, () => 'done')).toBe('done');
});

test('says why a lock cannot be created', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'sub'));
  expect(() => tryWithLock(join(folder, 'file', 'a.lock'), () => 'done')).toThrow(/file is in the way/);
});
