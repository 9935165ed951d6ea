// Makes one CommonJS file of the command line: loading a hundred small modules takes longer than a search.
//   node scripts/bundle-cli.mjs [dist]      dist/cli/main.js and all it imports -> dist/cli/main.cjs
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = process.argv[2] ?? join(root, 'dist');

const bundle = await rolldown({
  input: join(dist, 'cli', 'main.js'),
  platform: 'node',
  // Dependencies stay what they are: packages of their own, with their own licences.
  external: ['commander', 'tar', '@photostructure/sqlite'],
});
await bundle.write({
  file: join(dist, 'cli', 'main.cjs'),
  format: 'cjs',
  codeSplitting: false,
  // Comments and white space go; names stay, so that --debug can be read.
  minify: { compress: false, mangle: false, codegen: true },
});
await bundle.close();
chmodSync(join(dist, 'cli', 'main.cjs'), 0o755);
