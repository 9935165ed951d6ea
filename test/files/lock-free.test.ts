import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFreeLock, withLock } from '../../src/files/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const NOBODY = 2 ** 22 + 1; // above the largest process id

function lock(path: string, holder: object): void {
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now(), ...holder }));
}

test('the work is done under the lock, which is gone afterwards', () => {
  const path = join(temporaryFolder(), 'a.lock');
  const held = withFreeLock(path, () => JSON.parse(readFileSync(path, 'utf8')).pid as number);
  expect(held).toBe(process.pid);
  expect(existsSync(path)).toBe(false);
});

test('the folder of the lock is made when it is missing', () => {
  const path = join(temporaryFolder(), 'new', 'folder', 'a.lock');
  expect(withFreeLock(path, () => 'done')).toBe('done');
  expect(withLock(join(path, '..', 'other', 'b.lock'), () => 'done')).toBe('done');
});

test('while another process holds the lock nothing is done and nobody waits', () => {
  const path = join(temporaryFolder(), 'a.lock');
  lock(path, { pid: process.ppid });
  expect(withFreeLock(path, () => 'done')).toBeUndefined();
  expect(existsSync(path)).toBe(true);
});

test('a lock inside the same lock is not free', () => {
  const path = join(temporaryFolder(), 'a.lock');
  expect(withFreeLock(path, () => withFreeLock(path, () => 'inner') ?? 'only outer')).toBe('only outer');
});

test('the lock of a process that died is taken over', () => {
  const path = join(temporaryFolder(), 'a.lock');
  lock(path, { pid: NOBODY });
  expect(withFreeLock(path, () => 'done')).toBe('done');
  expect(existsSync(path)).toBe(false);
});

test('an unfinished lock is taken over once it is old', () => {
  const path = join(temporaryFolder(), 'a.lock');
  writeFileSync(path, '');
  expect(withFreeLock(path, () => 'done')).toBeUndefined();
  utimesSync(path, new Date(0), new Date(0));
  expect(withFreeLock(path, () => 'done')).toBe('done');
});

test('the lock of another machine is taken over after a minute', () => {
  const path = join(temporaryFolder(), 'a.lock');
  lock(path, { host: 'another machine', since: Date.now() - 30_000 });
  expect(withFreeLock(path, () => 'done')).toBeUndefined();
  lock(path, { host: 'another machine', since: Date.now() - 120_000 });
  expect(withFreeLock(path, () => 'done')).toBe('done');
});

test('work that throws frees the lock', () => {
  const path = join(temporaryFolder(), 'a.lock');
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => withFreeLock(path, fail)).toThrow('no');
  expect(withFreeLock(path, () => 'done')).toBe('done');
});

test('a lock that cannot be made says why', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'sub'));
  expect(() => withFreeLock(join(folder, 'file', 'a.lock'), () => 'done')).toThrow(/file is in the way/);
});
