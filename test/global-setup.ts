import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Builds dist/ once before the tests that start the built CLI, unless it is newer than every source file. */
export function setup(): void {
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const built = statSync(join(root, bin.yore), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const changed = Math.max(...sources.map((file) => statSync(join(root, 'src', file)).mtimeMs));
  if (changed < built) return;
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
}
