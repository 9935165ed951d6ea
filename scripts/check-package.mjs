// `npm run package`: packs the built package as npm would publish it, and checks its files, entry points and types.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'yore-package-'));
try {
  process.exitCode = await checkPackage();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function checkPackage() {
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename, files, size }] = JSON.parse(
    execFileSync('npm', pack, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  console.log(`${filename}: ${files.length} files, ${(size / 1e6).toFixed(1)} MB packed`);
  const tarball = join(folder, filename);
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: toArrayBuffer(tarball) } });
  for (const message of messages) console.log(`publint: ${formatMessage(message, pkg)}`);
  const attw = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
      tarball,
      '--profile',
      'esm-only',
      '--format',
      'ascii',
      '--quiet',
    ],
    { stdio: 'inherit' },
  );
  const isOk = messages.length === 0 && attw.status === 0;
  console.log(isOk ? 'No problems found.' : 'The package has problems.');
  return isOk ? 0 : 1;
}

function toArrayBuffer(path) {
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}
