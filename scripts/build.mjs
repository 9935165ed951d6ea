// Builds src/ into dist/: compiled modules with declarations. A build that fails leaves the old dist/ alone.
import { spawnSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);
const dist = join(root, 'dist');
const fresh = join(root, `dist.${process.pid}.tmp`);

const options = ['-p', join(root, 'tsconfig.build.json'), '--outDir', fresh];
const { status } = spawnSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
if (status !== 0) {
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
}
chmodSync(join(fresh, 'cli', 'main.js'), 0o755);
rmSync(dist, { recursive: true, force: true });
renameSync(fresh, dist);
