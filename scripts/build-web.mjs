// Builds web/: index.html, one style sheet, and scripts with a content hash in their names.
//   node scripts/build-web.mjs FOLDER      (default dist/web)
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = join(root, 'web');

/** Builds the browser app into `folder`, which is emptied first. */
export async function buildWeb(folder) {
  const assets = join(folder, 'assets');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });
  const script = await bundleScripts(assets);
  const style = writeStyle(assets);
  const page = readFileSync(join(web, 'index.html'), 'utf8');
  writeFileSync(join(folder, 'index.html'), page.replace('{{script}}', script).replace('{{style}}', style));
}

/** The packages whose code is in the app, as paths such as `node_modules/preact`. */
export async function findBundledPackages() {
  const bundle = await openBundle();
  const { output } = await bundle.generate(SCRIPTS);
  await bundle.close();
  const modules = output.flatMap(({ modules = {} }) => Object.keys(modules));
  const folders = modules.flatMap((id) => {
    const path = relative(root, id.replace(/[?\0].*/, '')).replaceAll('\\', '/');
    return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [];
  });
  return new Set(folders);
}

const SCRIPTS = {
  format: 'esm',
  minify: true,
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
};

function openBundle() {
  return rolldown({
    input: { app: join(web, 'src', 'start.ts') },
    platform: 'browser',
    tsconfig: join(web, 'tsconfig.json'),
    // `sideEffects` in package.json is about the published modules. The app's own modules are all needed.
    treeshake: { moduleSideEffects: [{ test: /[\\/]web[\\/]src[\\/]/, sideEffects: true }] },
  });
}

async function bundleScripts(assets) {
  const bundle = await openBundle();
  const { output } = await bundle.write({ dir: assets, ...SCRIPTS });
  await bundle.close();
  const entry = output.find((chunk) => chunk.isEntry);
  return `/assets/${entry.fileName}`;
}

function writeStyle(assets) {
  const folder = join(web, 'style');
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'));
  const style = files
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const hash = createHash('sha256').update(style).digest('hex').slice(0, 8);
  const name = `app-${hash}.css`;
  writeFileSync(join(assets, name), style);
  return `/assets/${name}`;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await buildWeb(resolve(process.argv[2] ?? join(root, 'dist', 'web')));
}
