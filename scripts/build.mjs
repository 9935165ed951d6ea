// Builds src/ into dist/: compiled modules with declarations, and the command line as one file that starts fast.
// A build that fails leaves the old dist/ alone.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const fresh = join(root, `dist.${process.pid}.tmp`);

try {
  compile();
  await bundleCli();
  makeCodeCache();
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

function compile() {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  const options = ['-p', join(root, 'tsconfig.build.json'), '--outDir', fresh];
  const { status } = spawnSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
  if (status === 0) return;
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
}

/** Loading some two hundred modules takes longer than most commands run; one file of CommonJS takes the least. */
async function bundleCli() {
  const bundle = await rolldown({
    input: join(fresh, 'cli', 'main.js'),
    platform: 'node',
    // Dependencies stay what they are: packages of their own, with their own licences.
    external: ['commander', 'tar', '@photostructure/sqlite'],
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    codeSplitting: false,
    // Comments and white space go; names stay, so that --debug can be read.
    minify: { compress: false, mangle: false, codegen: true },
  });
  await bundle.close();
  const cli = join(fresh, 'cli');
  rmSync(cli, { recursive: true });
  mkdirSync(cli);
  writeFileSync(join(cli, 'yore.cjs'), plainScript(output[0].code));
  copyFileSync(join(root, 'scripts', 'launcher.cjs'), join(cli, 'main.cjs'));
  chmodSync(join(cli, 'main.cjs'), 0o755);
}

/** Code that V8 keeps compiled cannot use import(): packages that are loaded when they are needed are required then. */
function plainScript(code) {
  return code
    .replace(/^#!.*/, '')
    .replace(/\bimport\((`[\w@/-]+`)\)/g, 'Promise.resolve().then(() => require($1))');
}

/** What a search compiles is what most commands need. Without it everything works, only slower. */
function makeCodeCache() {
  const home = mkdtempSync(join(tmpdir(), 'yore-build-'));
  const maker = join(root, 'scripts', 'make-code-cache.cjs');
  const options = { cwd: home, stdio: 'ignore', env: { ...process.env, YORE_HOME: join(home, 'home') } };
  spawnSync(process.execPath, [maker, fresh, 'search', 'word'], options);
  rmSync(home, { recursive: true, force: true });
}
