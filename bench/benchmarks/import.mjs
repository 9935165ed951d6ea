import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AGENTS, JSONL_AGENTS, writeHistories } from '../histories.mjs';
import { median } from '../measure.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const CHILD = fileURLToPath(new URL('../child/import-history.mjs', import.meta.url));
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** What importing the histories of agents costs. */
export const importing = {
  group: 'import',
  description: 'import generated histories, compared with reading and parsing their lines; memory; a second import',
  names: {
    'import.ratio':
      'speed of importing with all processors, relative to reading and JSON.parse of the same lines on one',
    'import.rate': 'speed of importing records only',
    'import.learned': 'speed of importing with knowledge and index',
    'import.memory': 'peak memory of a process that imports, updates knowledge and indexes',
    'import.again': 'time of a second import, relative to the first',
  },
  async *run(context) {
    const user = context.folder('user');
    const bytes = context.full ? 1e9 : 2e8;
    const { files, lines } = writeHistories({ folder: user, bytes, agents: AGENTS });
    context.log(`${lines.toLocaleString('en-US')} lines in ${files.toLocaleString('en-US')} transcripts`);
    const steps = await measureImports(context);
    const speed = (step) => step.bytes / step.yore / 1e3;
    yield atLeast('import.ratio', median(steps.map((step) => step.bare / step.yore)), '× bare', 0.35);
    yield info('import.rate', median(steps.map(speed)), 'MB/s');

    const home = context.folder('home');
    const first = await importOnce(context, home, user);
    yield info('import.learned', first.bytes / first.milliseconds / 1e3, 'MB/s');
    yield atMost('import.memory', first.peakBytes / 1e6, 'MB', 300);
    const second = await importOnce(context, home, user);
    if (second.records > 0) throw new Error(`${second.records} records were imported twice`);
    yield atMost('import.again', (second.milliseconds / first.milliseconds) * 100, '% of the first', 2);
  },
};

/**
 * Imports a new history in each round, in turns with parsing it; the first round warms up. The worker threads start cold
 * in every round, as they do for users, so rounds are long enough for that to matter little.
 */
async function measureImports(context) {
  const { openHome } = await context.load('project/index.js');
  const { importTranscripts } = await context.load('import/index.js');
  const agents = JSONL_AGENTS;
  const steps = [];
  for (let round = 0; round < 4; round++) {
    const user = context.folder(`user-${round}`);
    writeHistories({ folder: user, bytes: round === 0 ? 4e7 : 2e8, agents });
    const home = openHome({ home: context.folder(`home-${round}`), env: {} });
    const places = { home: user, env: {}, platform: process.platform, projects: [] };
    let bytes = 0;
    const times = await measureInTurns(
      round,
      () => importTranscripts(home, { places, agents, learn: false }),
      () => {
        bytes = parseAll(user);
      },
    );
    home.close();
    for (const folder of [user, home.path]) rmSync(folder, { recursive: true, force: true });
    if (round > 0) steps.push({ ...times, bytes });
  }
  return steps;
}

async function measureInTurns(round, yore, bare) {
  const times = { yore: 0, bare: 0 };
  const work = { yore, bare };
  for (const name of round % 2 === 0 ? ['yore', 'bare'] : ['bare', 'yore']) {
    const started = performance.now();
    await work[name]();
    times[name] = performance.now() - started;
  }
  return times;
}

/** Reads every transcript and parses its lines, or the whole file if it is one document. Returns the bytes. */
function parseAll(user) {
  let bytes = 0;
  for (const name of readdirSync(user, { recursive: true })) {
    if (!/\.jsonl?$/.test(name)) continue;
    const path = join(user, name);
    bytes += statSync(path).size;
    for (const line of name.endsWith('.json') ? [readContent(path)] : readLines(path)) parse(line);
  }
  return bytes;
}

function* readLines(path) {
  const descriptor = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = [];
  for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < read; end = chunk.indexOf(NEWLINE, start)) {
      const line = chunk.subarray(start, end);
      yield (rest.length === 0 ? line : Buffer.concat([...rest, line])).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < read) rest.push(Buffer.from(chunk.subarray(start, read)));
  }
  closeSync(descriptor);
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}

function readContent(path) {
  return [...readLines(path)].join('\n');
}

/** Undefined for a torn line. */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function importOnce(context, home, user) {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, context.dist, home, user, ...AGENTS]);
  return JSON.parse(stdout);
}
