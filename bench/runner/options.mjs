import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const HELP = `npm run bench -- [NAME...] [options]

Runs the benchmarks whose group or name matches NAME ("search", "search.p95"), or all of them.

  --full         1,000,000 messages instead of 100,000
  --json         an array of {name, value, unit, limit, ok} and nothing else on standard output
  --list         what there is to run
  --fresh        generate the corpus again
  --shared DIR   where bench/secrets with its scorer is (default: ../shared beside the repository)
  --dist DIR     measure another build (default: dist)

Exit code: 0 all within their limits, 1 something is not, 2 it could not run.`;

/**
 * @typedef {object} Options
 * @property {string[]} names
 * @property {boolean} full
 * @property {boolean} json
 * @property {boolean} list
 * @property {boolean} fresh
 * @property {boolean} help
 * @property {string} shared
 * @property {string} dist
 */

/** @param {string[]} argv @returns {Options | {problem: string}} */
export function parseOptions(argv) {
  const options = {
    names: [],
    full: false,
    json: false,
    list: false,
    fresh: false,
    help: false,
    shared: join(ROOT, '..', 'shared'),
    dist: join(ROOT, 'dist'),
  };
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index];
    const [flag, inline] = argument.split(/=(.*)/s, 2);
    const name = flag.slice(2);
    if (!argument.startsWith('-')) options.names.push(argument);
    else if (flag === '-h') options.help = true;
    else if (typeof options[name] === 'boolean' && inline === undefined) options[name] = true;
    else if (typeof options[name] === 'string') {
      const value = inline ?? argv[++index];
      if (!value) return { problem: `${flag} needs a folder.` };
      options[name] = resolve(value);
    } else return { problem: `Unknown option ${argument}.\n\n${HELP}` };
  }
  return options;
}
