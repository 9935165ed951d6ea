import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { readMachineState } from '../../src/recording/machine-state.ts';
import { createRepository, git } from '../registry/git.ts';
import { temporaryFolder } from '../temp-folder.ts';

test('resolves paths relative to the checkout', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), '');
  const machine = readMachineState(root);
  expect(machine.exists('a.txt')).toBe(true);
  expect(machine.exists(join(root, 'a.txt'))).toBe(true);
  expect(machine.exists('b.txt')).toBe(false);
  expect(machine.exists('a.txt/below')).not.toBe(true);
  rmSync(join(root, 'a.txt'));
  expect(machine.exists('a.txt')).toBe(false);
});

test('knows nothing about redacted paths', () => {
  const machine = readMachineState(temporaryFolder());
  for (const path of ['/home/*/a.txt', '~/a.txt', 'a/*/b']) {
    expect(machine.exists(path)).toBeUndefined();
    expect(machine.changedAt(path)).toBeUndefined();
  }
});

test('does not claim that an impossible path exists', () => {
  const machine = readMachineState(temporaryFolder());
  expect(machine.exists('a\0b')).not.toBe(true);
  expect(machine.exists('x'.repeat(10_000))).not.toBe(true);
});

test('reports when a file was modified', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), '');
  utimesSync(join(root, 'a.txt'), new Date(1000), new Date('2026-03-02T10:00:00Z'));
  expect(readMachineState(root).changedAt('a.txt')).toBe(Date.parse('2026-03-02T10:00:00Z'));
  expect(readMachineState(root).changedAt('b.txt')).toBeUndefined();
});

test('finds executable programs on the search path', () => {
  const folder = temporaryFolder();
  const other = temporaryFolder();
  writeFileSync(join(other, 'tool'), '#!/bin/sh\n');
  mkdirSync(join(other, 'folder'));
  const machine = readMachineState(folder, { PATH: [folder, '', other].join(delimiter) });
  expect(machine.hasProgram('tool')).toBe(false);
  chmodSync(join(other, 'tool'), 0o755);
  expect(machine.hasProgram('tool')).toBe(true);
  expect(machine.hasProgram('folder')).toBe(false);
  expect(machine.hasProgram('missing')).toBe(false);
  expect(machine.hasProgram('./tool')).toBeUndefined();
  expect(readMachineState(folder).hasProgram('tool')).toBeUndefined();
});

test('notices commits, switches and staging, separately for each worktree', () => {
  const root = createRepository(join(temporaryFolder(), 'app'));
  const worktree = join(temporaryFolder(), 'worktree');
  git(root, 'worktree', 'add', '-q', '-b', 'side', worktree);
  const long = new Date('2020-01-01T00:00:00Z');
  for (const path of [join(root, '.git'), join(root, '.git', 'worktrees', 'worktree')])
    for (const name of ['HEAD', 'index']) utimes(join(path, name), long);
  const [main, side] = [readMachineState(root), readMachineState(worktree)];
  const before = main.checkedOutAt() ?? Number.NaN;
  expect(before).toBeLessThanOrEqual(long.getTime());
  writeFileSync(join(worktree, 'a.txt'), 'a');
  git(worktree, 'add', 'a.txt');
  expect(side.checkedOutAt()).toBeGreaterThan(long.getTime());
  expect(main.checkedOutAt()).toBe(before);
  git(root, 'switch', '-q', '-c', 'other');
  expect(main.checkedOutAt()).toBeGreaterThan(long.getTime());
});

test('knows nothing about the checkout without a repository', () => {
  const root = temporaryFolder();
  expect(readMachineState(root).checkedOutAt()).toBeUndefined();
  writeFileSync(join(root, '.git'), 'not what it should be');
  expect(readMachineState(root).checkedOutAt()).toBeUndefined();
});

function utimes(path: string, time: Date): void {
  try {
    utimesSync(path, time, time);
  } catch {
    // a repository that has staged nothing has no index
  }
}

test('finds modules in virtual environments, in the sources and in node_modules', () => {
  const root = temporaryFolder();
  const machine = readMachineState(root, { PATH: '' });
  expect(machine.provides('python:no_such_module_here')).not.toBe(true);
  mkdirSync(join(root, 'venv', 'lib', 'python3.12', 'site-packages', 'no_such_module_here'), { recursive: true });
  expect(machine.provides('python:no_such_module_here')).toBe(true);
  expect(machine.provides('python:no_such')).toBe(false);
  mkdirSync(join(root, 'tools'));
  writeFileSync(join(root, 'tools', 'pricing.py'), '');
  expect(machine.provides('python:pricing tools')).toBe(true);
  expect(machine.provides('node:@acme/ui apps/web')).toBe(false);
  mkdirSync(join(root, 'node_modules', '@acme', 'ui'), { recursive: true });
  expect(machine.provides('node:@acme/ui apps/web')).toBe(true);
});

test('sees variables, and knows nothing of them without an environment', () => {
  expect(readMachineState('/', { PATH: '', API_TOKEN: 'x' }).provides('variable:API_TOKEN')).toBe(true);
  expect(readMachineState('/', { PATH: '' }).provides('variable:API_TOKEN')).toBe(false);
  expect(readMachineState('/').provides('variable:API_TOKEN')).toBeUndefined();
});

test('sees whether a path can be used and a folder can be worked in', () => {
  const root = temporaryFolder();
  const machine = readMachineState(root);
  writeFileSync(join(root, 'run.sh'), '', { mode: 0o600 });
  expect(machine.provides('access:read run.sh')).toBe(true);
  expect(machine.provides('access:run run.sh')).toBe(false);
  expect(machine.provides('access:write new.txt')).toBe(true);
  expect(machine.provides('access:write no/folder/new.txt')).toBe(false);
  expect(machine.provides('socket:/home/*/docker.sock')).toBeUndefined();
  expect(machine.provides('folder:npm web')).toBe(false);
  writeFileSync(join(root, 'package.json'), '{}');
  expect(machine.provides('folder:npm web')).toBe(true);
  expect(machine.provides('folder:git .')).toBe(false);
});

test('says nothing about what cannot be seen', () => {
  const machine = readMachineState(temporaryFolder(), { PATH: '' });
  for (const missing of ['account:', 'version:', 'library:libx.so', 'environment:', 'code:', 'socket:', 'else', ''])
    expect(machine.provides(missing)).toBeUndefined();
});
