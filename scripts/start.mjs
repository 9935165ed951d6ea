// `npm start`: builds if something has changed and opens the app with the history of this machine or, if there is none,
// with the demo project. Takes the arguments of `yore serve`.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildIfChanged } from './build-if-changed.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'dist', 'cli', 'main.cjs');

if (!buildIfChanged()) process.exit(1);
const options = process.argv.slice(2);
if (!options.includes('--demo') && (await isHistoryEmpty())) {
  console.log('Nothing is recorded on this machine yet, so this is a demo project.');
  console.log('Your own history: `node dist/cli/main.cjs init`, then `npm start` again.');
  console.log('The story of yore in the terminal: `node dist/cli/main.cjs demo`.\n');
  options.unshift('--demo');
}
// In this process, so that Ctrl-C and other signals reach it.
process.argv = [process.argv[0], main, 'serve', '--open', ...options];
createRequire(import.meta.url)(main);

/** False for a home that cannot be opened: `yore serve` reports the error. */
async function isHistoryEmpty() {
  const { openHome } = await import(pathToFileURL(join(root, 'dist', 'index.js')));
  try {
    const home = openHome({ env: process.env });
    try {
      return home.projects().length === 0;
    } finally {
      home.close();
    }
  } catch {
    return false;
  }
}
