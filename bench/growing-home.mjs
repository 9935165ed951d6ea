import { appendFileSync, closeSync, cpSync, mkdirSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NEWLINE = 0x0a;

/**
 * A copy of a home whose logs grow step by step, so that catching up can be measured several times in one run.
 * @param {string} source a home
 * @param {string} target the folder of the copy
 * @param {number} steps
 */
export function createGrowingHome(source, target, steps) {
  const names = readdirSync(source, { recursive: true }).map(String);
  const logs = names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({
      from: join(source, name),
      to: join(target, name),
      size: statSync(join(source, name)).size,
      position: 0,
    }));
  for (const { to } of logs) mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  for (const name of names) {
    if (name === 'registry.json' || name.endsWith('index.json')) cpSync(join(source, name), join(target, name));
  }
  return {
    /**
     * Appends the next lines of every log and returns their records.
     * @param {number} step from 1 to `steps`
     * @returns {object[]}
     */
    grow(step) {
      return logs.flatMap((log) => {
        const end = step === steps ? log.size : lineEnd(log.from, Math.floor((log.size * step) / steps), log.size);
        const bytes = readBytes(log.from, log.position, Math.max(end, log.position));
        log.position += bytes.length;
        appendFileSync(log.to, bytes, { mode: 0o600 });
        return parseLines(bytes);
      });
    },
  };
}

function parseLines(bytes) {
  const records = [];
  for (let start = 0; start < bytes.length; ) {
    const stop = bytes.indexOf(NEWLINE, start);
    records.push(JSON.parse(bytes.toString('utf8', start, stop)));
    start = stop + 1;
  }
  return records;
}

/** The end of the line at `offset`. */
function lineEnd(path, offset, size) {
  for (let from = offset; from < size; from += 65_536) {
    const stop = readBytes(path, from, Math.min(size, from + 65_536)).indexOf(NEWLINE);
    if (stop >= 0) return from + stop + 1;
  }
  return size;
}

function readBytes(path, from, to) {
  const bytes = Buffer.allocUnsafe(to - from);
  const descriptor = openSync(path, 'r');
  try {
    for (let filled = 0; filled < bytes.length; ) {
      filled += readSync(descriptor, bytes, filled, bytes.length - filled, from + filled);
    }
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}
