import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Counts the bytes that `work` reads from log files. Reads of the database go past Node and do not count.
 * @param {() => unknown} work
 */
export function countReads(work) {
  const { openSync, readSync, readFileSync } = fs;
  const logs = new Set();
  let bytes = 0;
  fs.openSync = (path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    if (isLog(path)) logs.add(descriptor);
    else logs.delete(descriptor);
    return descriptor;
  };
  fs.readSync = (descriptor, ...rest) => {
    const count = readSync(descriptor, ...rest);
    if (logs.has(descriptor)) bytes += count;
    return count;
  };
  fs.readFileSync = (path, ...rest) => {
    const content = readFileSync(path, ...rest);
    if (isLog(path) || logs.has(path)) bytes += Buffer.byteLength(content);
    return content;
  };
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, { openSync, readSync, readFileSync });
    syncBuiltinESMExports();
  }
  return bytes;
}

function isLog(path) {
  return typeof path === 'string' && path.endsWith('.jsonl');
}
