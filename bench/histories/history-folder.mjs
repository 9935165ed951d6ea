import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @typedef {object} HistoryOptions what a history of an agent is made with
 * @property {string} folder stands for the user's home
 * @property {number} bytes about so many
 * @property {ReturnType<typeof import('../corpus/random.mjs').createRandom>} random
 * @property {ReturnType<typeof import('../corpus/text.mjs').createTextMaker>} text
 */

/**
 * Writes files below a folder until they have so many bytes.
 * @param {string} folder
 * @param {number} bytes
 */
export function createHistoryFolder(folder, bytes) {
  const written = { files: 0, lines: 0, bytes: 0 };
  const write = (path, content, lines) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    written.files++;
    written.lines += lines;
    written.bytes += Buffer.byteLength(content);
  };
  return {
    isFull: () => written.bytes >= bytes,
    /** @param {string} path @param {string} content */
    writeText: (path, content) => write(path, content, 1),
    /** Lines of JSON; `isTorn`: the last one breaks off. @param {string} path @param {readonly object[]} lines */
    writeLines: (path, lines, isTorn = false) => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      write(path, isTorn ? text.slice(0, -20) : text, lines.length);
    },
    totals: () => ({ files: written.files, lines: written.lines }),
  };
}
