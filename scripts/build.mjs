// Builds src/ into dist/: compiled modules with declarations, the command line and the hook as files that start fast,
// and the app of web/.
// A build that fails leaves the old dist/ alone.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildWeb } from './build-web.mjs';
import { bundleHook } from './bundle-hook.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const fresh = join(root, `dist.${process.pid}.tmp`);

/** Comments and white space go; names stay, so that --debug can be read. */
const COMMON_JS = { format: 'cjs', minify: { compress: false, mangle: false, codegen: true } };

/**
 * What most commands do without is in files of its own beside the one of the command line, loaded when it is needed. They
 * use the modules of that file instead of having their own, so that there is one of each class.
 */
const PARTS = [
  { name: 'mcp', modules: /^mcp\// },
  { name: 'chat', modules: /^(chat|context|cli\/chat)\/|^cli\/commands\/app\/chat\.js$/ },
  { name: 'server', modules: /^server\/|^cli\/commands\/app\/(serve|announce)\.js$/ },
  {
    name: 'install',
    modules:
      /^install\/(?!install-record\.js)|^agents\/[a-z0-9-]+\/install\.js$|^cli\/commands\/(setup\/(init|init-lines|install-survey|uninstall)|data\/doctor)\.js$/,
  },
  { name: 'demo', modules: /^cli\/demo\/|^cli\/commands\/app\/demo\.js$/ },
];

/** Dependencies stay what they are: packages of their own, with their own licences. */
const PACKAGES = [
  'commander',
  'jsonc-parser',
  'tar',
  '@photostructure/sqlite',
  'ws',
  'zod',
  /^gpt-tokenizer/,
  /^@ai-sdk\//,
  /^@modelcontextprotocol\//,
];

/** What other threads begin with: self-contained files. */
const WORKERS = ['import/import-worker', 'server/workers/server-worker'];

try {
  compile();
  await bundleCli();
  for (const worker of WORKERS) await bundleWorker(worker);
  await bundleHook(fresh);
  await buildWeb(join(fresh, 'web'));
  cpSync(join(root, 'src', 'cli', 'demo', 'data'), join(fresh, 'demo', 'data'), { recursive: true });
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
    input: { yore: join(fresh, 'cli', 'main.js') },
    platform: 'node',
    external: PACKAGES,
    preserveEntrySignatures: 'allow-extension',
    // Modules that commands load when they run are in the same file on purpose.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.generate({
    ...COMMON_JS,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf, debugName: 'parts' }] },
  });
  await bundle.close();
  checkFiles(output);
  const cli = join(fresh, 'cli');
  rmSync(cli, { recursive: true });
  mkdirSync(cli);
  for (const { fileName, code } of output) writeFileSync(join(cli, fileName), plainScript(code));
  copyFileSync(join(root, 'scripts', 'launcher.cjs'), join(cli, 'main.cjs'));
  chmodSync(join(cli, 'main.cjs'), 0o755);
}

/** The file that a module goes into. */
function fileOf(module) {
  const path = relative(fresh, module).replaceAll('\\', '/');
  return PARTS.find(({ modules }) => modules.test(path))?.name ?? 'yore';
}

/** A module that other commands need and that went into a part would load that part with each of them. */
function checkFiles(output) {
  const expected = ['yore', ...PARTS.map(({ name }) => name)].map((name) => `${name}.cjs`);
  const main = output.find(({ fileName }) => fileName === 'yore.cjs');
  const problems = [
    ...output
      .filter(({ fileName }) => !expected.includes(fileName))
      .map(({ fileName }) => `made ${fileName}`),
    ...(main?.imports ?? []).filter((name) => name.endsWith('.cjs')).map((name) => `yore.cjs loads ${name}`),
  ];
  if (main === undefined || problems.length > 0) {
    throw new Error(`The command line did not fall into its parts: ${problems.join(', ')}.`);
  }
}

/** A file that a thread begins with. */
async function bundleWorker(worker) {
  const bundle = await rolldown({
    input: join(fresh, `${worker}.js`),
    platform: 'node',
    // Threads never install anything.
    external: [...PACKAGES, /^\.\/install\.js$/],
  });
  const { output } = await bundle.generate({ ...COMMON_JS, codeSplitting: false });
  await bundle.close();
  writeFileSync(join(fresh, 'cli', `${basename(worker)}.cjs`), output[0].code);
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
