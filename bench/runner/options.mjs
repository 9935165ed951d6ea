import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** With fewer there are not enough words of each frequency to query. */
const MIN_MESSAGES = 10_000;

export const HELP = `npm run bench -- [NAME...] [options]

Runs the benchmarks of a group ("search") or one figure ("search.p95"); without a NAME, all of them.

  --full         1,000,000 messages instead of 100,000
  --messages N   another number of messages (index, search, sessions)
  --json         print an array of {name, value, unit, limit, ok} instead of a table
  --list         list the benchmarks
  --fresh        generate the corpus again
  --shared DIR   folder with labelled data (default: ../shared); without it some figures are skipped
  --corpus DIR   recorded sessions that \`npm run corpus\` made, instead of those of --shared, for find, replay,
                 recall, summary and cache; find, replay and recall then have no limits
  --dist DIR     measure another build (default: dist)

Exit code: 0 everything is within its limit, 1 something is not, 2 the benchmarks could not run.`;

/**
 * @typedef {object} Options
 * @property {string[]} names
 * @property {boolean} full
 * @property {boolean} json
 * @property {boolean} list
 * @property {boolean} fresh
 * @property {boolean} help
 * @property {number} messages
 * @property {string} shared
 * @property {string} corpus empty without one
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
    messages: 0,
    shared: join(ROOT, '..', 'shared'),
    corpus: '',
    dist: join(ROOT, 'dist'),
  };
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index];
    const [flag, inline] = argument.split(/=(.*)/s, 2);
    const name = flag.slice(2);
    if (!argument.startsWith('-')) options.names.push(argument);
    else if (flag === '-h') options.help = true;
    else if (typeof options[name] === 'boolean' && inline === undefined) options[name] = true;
    else if (name === 'messages') {
      options.messages = Number(inline ?? argv[++index]);
      if (!(Number.isInteger(options.messages) && options.messages >= MIN_MESSAGES)) {
        return { problem: `--messages needs a number of at least ${MIN_MESSAGES.toLocaleString('en-US')}.` };
      }
    } else if (typeof options[name] === 'string') {
      const value = inline ?? argv[++index];
      if (!value) return { problem: `${flag} needs a folder.` };
      options[name] = resolve(value);
    } else return { problem: `Unknown option ${argument}.\n\n${HELP}` };
  }
  options.messages ||= options.full ? 1_000_000 : 100_000;
  return options;
}
