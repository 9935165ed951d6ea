// Builds src/ into dist/: compiled modules with declarations, and the command line and the hook as files
// that start fast.
// A build that fails leaves the old dist/ alone.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { bundleHook } from './bundle-hook.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const fresh = join(root, `dist.${process.pid}.tmp`);

/** One file of CommonJS. Comments and white space go; names stay, so that --debug can be read. */
const ONE_FILE = {
  format: 'cjs',
  codeSplitting: false,
  minify: { compress: false, mangle: false, codegen: true },
};

/** What only `yore mcp` loads is a file of its own: its packages would cost every other command their loading. */
const MCP_FILE = './mcp.cjs';
const mcpApart = {
  name: 'mcp-apart',
  resolveId: (source) => (source.endsWith('/mcp/index.js') ? { id: MCP_FILE, external: true } : null),
};

try {
  compile();
  await bundleCli();
  await bundleMcp();
  await bundleImportWorker();
  await bundleHook(fresh);
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
    external: [
      'commander',
      'tar',
      '@photostructure/sqlite',
      'gpt-tokenizer',
      /^gpt-tokenizer\//,
      /^@ai-sdk\//,
    ],
    plugins: [mcpApart],
  });
  const { output } = await bundle.generate(ONE_FILE);
  await bundle.close();
  const cli = join(fresh, 'cli');
  rmSync(cli, { recursive: true });
  mkdirSync(cli);
  writeFileSync(join(cli, 'yore.cjs'), plainScript(output[0].code));
  copyFileSync(join(root, 'scripts', 'launcher.cjs'), join(cli, 'main.cjs'));
  chmodSync(join(cli, 'main.cjs'), 0o755);
}

/** The MCP server with all of yore that it needs; its packages stay packages. */
async function bundleMcp() {
  const bundle = await rolldown({
    input: join(fresh, 'mcp', 'index.js'),
    platform: 'node',
    external: [/^@modelcontextprotocol\//, 'zod', 'tar', '@photostructure/sqlite'],
  });
  const { output } = await bundle.generate(ONE_FILE);
  await bundle.close();
  writeFileSync(join(fresh, 'cli', MCP_FILE), output[0].code);
}

/** What the other threads of an import begin with. */
async function bundleImportWorker() {
  const bundle = await rolldown({
    input: join(fresh, 'import', 'import-worker.js'),
    platform: 'node',
    external: ['tar', '@photostructure/sqlite'],
  });
  const { output } = await bundle.generate(ONE_FILE);
  await bundle.close();
  writeFileSync(join(fresh, 'cli', 'import-worker.cjs'), output[0].code);
}

/** Code that V8 keeps compiled cannot use import(): packages that are loaded when they are needed are required then. */
function plainScript(code) {
  return code
    .replace(/^#!.*/, '')
    .replace(/\bimport\((`[\w@./-]+`)\)/g, 'Promise.resolve().then(() => require($1))');
}

/** What a search compiles is what most commands need. Without it everything works, only slower. */
function makeCodeCache() {
  const home = mkdtempSync(join(tmpdir(), 'yore-build-'));
  const maker = join(root, 'scripts', 'make-code-cache.cjs');
  const options = { cwd: home, stdio: 'ignore', env: { ...process.env, YORE_HOME: join(home, 'home') } };
  spawnSync(process.execPath, [maker, fresh, 'search', 'word'], options);
  rmSync(home, { recursive: true, force: true });
}
