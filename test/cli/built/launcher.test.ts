import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The built command line in a folder of its own. */
function copyOfCli(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dist'));
  cpSync(join(ROOT, 'dist', 'cli'), join(folder, 'dist', 'cli'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return join(folder, 'dist', 'cli');
}

function version(cli: string): string {
  return execFileSync(process.execPath, [join(cli, 'main.cjs'), '--version'], { encoding: 'utf8' }).trim();
}

test('the command line starts without compiled code, and with code that is of no use', () => {
  const cli = copyOfCli();
  const expected = version(cli);
  expect(expected).toMatch(/^\d+\.\d+\.\d+/);
  writeFileSync(join(cli, 'yore.cache'), 'not what V8 wrote');
  expect(version(cli)).toBe(expected);
  rmSync(join(cli, 'yore.cache'));
  expect(version(cli)).toBe(expected);
});
