// Builds dist/: src/ as modules with declarations, bundles of the command line and the hook that start fast, and the app
// of web/. If the build fails, the old dist/ stays.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildWeb } from './build-web.mjs';
import { bundleHook } from './bundle-hook.mjs';
import { toFunction, toScript } from './cacheable-script.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const fresh = join(root, `dist.${process.pid}.tmp`);

/** Removes comments and white space but keeps names, so that stack traces of --debug are readable. */
const COMMON_JS = { format: 'cjs', minify: { compress: false, mangle: false, codegen: true } };

/**
 * Parts of the command line that few commands need. Each is a separate file, loaded on demand. They share the modules of
 * the main file, so that there is only one instance of each class.
 */
const PARTS = [
  { name: 'mcp', modules: /^mcp\// },
  { name: 'chat', modules: /^(chat|context|cli\/chat)\/|^cli\/commands\/app\/chat\.js$/ },
  { name: 'server', modules: /^server\/|^cli\/commands\/app\/(serve|announce)\.js$/ },
  {
    name: 'install',
    modules:
      /^install\/(?!install-record\.js)|^agents\/[a-z0-9-]+\/install\.js$|^cli\/commands\/(setup\/(init|init-lines|install-survey|uninstall)|data\/doctor)\.js$|^cli\/agent-health\.js$/,
  },
  { name: 'team', modules: /^(team|postgres)\/|^cli\/commands\/team\/(team|sync|server)\.js$/ },
  { name: 'demo', modules: /^cli\/demo\/|^cli\/commands\/app\/demo\.js$/ },
];

/** Dependencies are not bundled, except what every command needs: they stay packages with their own licences. */
const PACKAGES = [
  'jsonc-parser',
  'tar',
  '@photostructure/sqlite',
  'ws',
  'pg',
  'zod',
  /^gpt-tokenizer/,
  /^@ai-sdk\//,
  /^@modelcontextprotocol\//,
];

/** Entry points of worker threads, bundled as self-contained files. */
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
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  // `npm run types` checks the types.
  const options = ['-p', join(root, 'tsconfig.build.json'), '--noCheck', '--outDir', fresh];
  const { status } = spawnSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
  if (status === 0) return;
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
}

/** Bundles the command line: one CommonJS file starts fastest, and loading hundreds of modules takes longer than most commands. */
async function bundleCli() {
  const bundle = await rolldown({
    input: { yore: join(fresh, 'cli', 'main.js') },
    platform: 'node',
    external: PACKAGES,
    preserveEntrySignatures: 'allow-extension',
    // Modules that commands import dynamically are in the same file on purpose.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.generate({
    ...COMMON_JS,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chooseFile, debugName: 'parts' }],
    },
  });
  await bundle.close();
  checkFiles(output);
  const cli = join(fresh, 'cli');
  rmSync(cli, { recursive: true });
  mkdirSync(cli);
  for (const { fileName, code } of output) {
    writeFileSync(join(cli, fileName), fileName === 'yore.cjs' ? toFunction(code) : toScript(code));
  }
  copyFileSync(join(root, 'scripts', 'launcher.cjs'), join(cli, 'main.cjs'));
  chmodSync(join(cli, 'main.cjs'), 0o755);
}

/** The bundle file of a module. */
function chooseFile(module) {
  const path = relative(fresh, module).replaceAll('\\', '/');
  return PARTS.find(({ modules }) => modules.test(path))?.name ?? 'yore';
}

/** Fails if the main file would load a part: then a part contains a module that other commands need. */
function checkFiles(output) {
  const expected = ['yore', ...PARTS.map(({ name }) => name)].map((name) => `${name}.cjs`);
  const main = output.find(({ fileName }) => fileName === 'yore.cjs');
  const problems = [
    ...output
      .filter(({ fileName }) => !expected.includes(fileName))
      .map(({ fileName }) => `unexpected file ${fileName}`),
    ...(main?.imports ?? []).filter((name) => name.endsWith('.cjs')).map((name) => `yore.cjs loads ${name}`),
  ];
  if (main === undefined || problems.length > 0) {
    throw new Error(`The command line could not be split into its parts: ${problems.join(', ')}.`);
  }
}

async function bundleWorker(worker) {
  const bundle = await rolldown({
    input: join(fresh, `${worker}.js`),
    platform: 'node',
    // Worker threads never install anything.
    external: [...PACKAGES, /^\.\/install\.js$/],
  });
  const { output } = await bundle.generate({ ...COMMON_JS, codeSplitting: false });
  await bundle.close();
  writeFileSync(join(fresh, 'cli', `${basename(worker)}.cjs`), output[0].code);
}

/** Caches the compiled code of a search, which most commands share. Best-effort: without it, commands only start slower. */
function makeCodeCache() {
  const home = mkdtempSync(join(tmpdir(), 'yore-build-'));
  const maker = join(root, 'scripts', 'make-code-cache.cjs');
  const options = { cwd: home, stdio: 'ignore', env: { ...process.env, YORE_HOME: join(home, 'home') } };
  spawnSync(process.execPath, [maker, fresh, 'search', 'word'], options);
  rmSync(home, { recursive: true, force: true });
}
