import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Copies the built command line to a temporary folder. */
function copyCli(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dist'));
  cpSync(join(ROOT, 'dist', 'cli'), join(folder, 'dist', 'cli'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return join(folder, 'dist', 'cli');
}

function readVersion(cli: string): string {
  return execFileSync(process.execPath, [join(cli, 'main.cjs'), '--version'], { encoding: 'utf8' }).trim();
}

test('the command line starts without a code cache and with an invalid one', () => {
  const cli = copyCli();
  const { version: expected } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(readVersion(cli)).toBe(expected);
  writeFileSync(join(cli, 'yore.cache'), 'not what V8 wrote');
  expect(readVersion(cli)).toBe(expected);
  rmSync(join(cli, 'yore.cache'));
  expect(readVersion(cli)).toBe(expected);
});
