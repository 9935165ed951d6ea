import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './options.mjs';

/**
 * @typedef {object} Context what a benchmark is given
 * @property {boolean} full
 * @property {number} messages how many the corpus has
 * @property {string} root the repository
 * @property {string} dist the build that is measured
 * @property {string} shared where data that is not in the repository may be
 * @property {(text: string) => void} say a line of progress
 * @property {(name: string) => string} folder a new folder of that name, gone after the run
 * @property {(path: string) => Promise<any>} load a module of the build, e.g. `log/index.js`
 * @property {boolean} fresh generate the corpus again
 * @property {<T>(key: string, make: () => T) => T} once what several benchmarks need and is made once per run
 * @property {(close: () => void) => void} onClose
 */

/** @returns {Context & {close: () => Promise<void>}} */
export function createContext({ options, scratch, progress }) {
  const made = new Map();
  const closers = [];
  const messages = options.full ? 1_000_000 : 100_000;
  const once = (key, make) => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key);
  };
  return {
    full: options.full,
    messages,
    root: ROOT,
    dist: options.dist,
    shared: options.shared,
    say: progress.say,
    folder(name) {
      const path = join(scratch, name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    load: (path) => import(pathToFileURL(join(options.dist, path)).href),
    fresh: options.fresh,
    once,
    onClose: (close) => closers.push(close),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}
