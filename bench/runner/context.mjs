import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './options.mjs';

/**
 * @typedef {object} Context what a benchmark is given
 * @property {boolean} full
 * @property {number} messages how many the corpus has
 * @property {string} root the folder of the repository
 * @property {string} dist the build that is measured
 * @property {string} shared the folder with data that is not in the repository
 * @property {{replay: string, find: string}} recorded folders with recorded sessions, and with questions about them
 * @property {boolean} isKnownCorpus whether these are the sessions that the limits were set for
 * @property {(text: string) => void} log prints a line of progress
 * @property {(name: string) => string} folder creates a folder that is deleted after the run
 * @property {(path: string) => Promise<any>} load imports a module of the build, e.g. `log/index.js`
 * @property {boolean} fresh whether to generate the corpus again
 * @property {<T>(key: string, make: () => T) => T} once shares a value between benchmarks: it is made once per run
 * @property {(close: () => void | Promise<void>) => void} onClose runs `close` at the end, in reverse order
 */

/** @returns {Context & {close: () => Promise<void>}} */
export function createContext({ options, scratch, progress }) {
  const made = new Map();
  const closers = [];
  const once = (key, make) => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key);
  };
  return {
    full: options.full,
    messages: options.messages,
    root: ROOT,
    dist: options.dist,
    shared: options.shared,
    recorded: findRecorded(options),
    isKnownCorpus: options.corpus === '',
    log: progress.log,
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

function findRecorded({ shared, corpus }) {
  if (corpus !== '') return { replay: join(corpus, 'replay'), find: join(corpus, 'find') };
  return { replay: join(shared, 'bench', 'replay'), find: join(shared, 'bench', 'find', 'dev') };
}
