import { execFile } from 'node:child_process';
import fs, { appendFileSync, cpSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureCorpus } from '../corpus.mjs';
import { buildIndexes } from '../indexes.mjs';
import { median } from '../measure.mjs';
import { projectsIn } from '../product.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';
import { openDatabase } from '../sqlite.mjs';

const SETTLE_MS = 2_500;
const CHILD = fileURLToPath(new URL('../child/index-home.mjs', import.meta.url));

/** What it costs to keep the index up to date. */
export const index = {
  group: 'index',
  description: 'catch-up indexing, compared with FTS5 inserts; bytes read after an append; peak memory',
  names: {
    'index.ratio': 'speed of catching up, relative to FTS5 inserts of the same texts',
    'index.speed': 'speed of catching up',
    'index.size': 'size of the index, relative to the logs',
    'index.size.bare': 'size of the index, relative to the FTS5 table with the same texts, which also stores them',
    'index.size.message': 'size of the index per message, with the attempts between them',
    'index.reread': 'bytes of the logs that are read after one append, without the appended line',
    'index.memory': 'peak memory of a process that indexes the whole corpus',
  },
  async *run(context) {
    const { home, barePath, product, steps } = await buildIndexes(context);
    yield atLeast('index.ratio', median(steps.map((step) => step.bare / step.yore)), '× bare', 0.3);
    yield info('index.speed', median(steps.map((step) => (step.documents / step.yore) * 1_000)), 'documents/s');
    const corpus = ensureCorpus({ messages: context.messages });
    const { storePath } = await context.load('store/store-files.js');
    const size = databaseSize(storePath(home));
    yield info('index.size', size / corpus.bytes, '× logs');
    yield info('index.size.bare', size / databaseSize(barePath), '× bare');
    yield info('index.size.message', size / corpus.messages, 'bytes');
    yield atMost('index.reread', await measureReread(home, product), 'bytes', 4_096);
    yield await measureMemory(context, corpus);
  },
};

/** The size of a database without its write-ahead log, which is written to it first. */
function databaseSize(path) {
  const database = openDatabase(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return statSync(path).size;
}

async function measureReread(home, product) {
  // Files that were modified very recently are always checked again: wait until these are not.
  await setTimeout(SETTLE_MS);
  product.catchUp();
  const [project] = projectsIn(home);
  const line = `${JSON.stringify({
    v: 1,
    id: '1790000000000-0a1b2c3d',
    sessionId: 'sess_1790000000000_a1b2c3',
    timestamp: new Date(1_790_000_000_000).toISOString(),
    role: 'user',
    content: 'one more question about the failing build',
  })}\n`;
  appendFileSync(join(project.directory, 'history.jsonl'), line);
  let found = 0;
  const bytes = countReads(() => {
    found = product.catchUp().documents;
  });
  if (found !== 1) throw new Error(`1 record was appended, but ${found} were indexed`);
  return bytes - Buffer.byteLength(line);
}

async function measureMemory(context, corpus) {
  const home = context.folder('memory');
  cpSync(corpus.home, home, { recursive: true });
  context.log(`indexing ${Math.round(corpus.bytes / 1e6)} MB of logs in a new process`);
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, context.dist, home]);
  rmSync(home, { recursive: true });
  const { documents, peakBytes } = JSON.parse(stdout);
  if (documents !== corpus.messages + corpus.attempts) throw new Error(`only ${documents} documents were indexed`);
  return atMost('index.memory', peakBytes / 1e6, 'MB', 200);
}

/**
 * Counts the bytes that `work` reads from logs. SQLite does its own reading, which is not counted.
 * @param {() => unknown} work
 */
function countReads(work) {
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
