import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AGENTS, AGENTS_WITH_LINES, writeHistories } from '../histories.mjs';
import { median } from '../measure.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const CHILD = fileURLToPath(new URL('../child/import-history.mjs', import.meta.url));
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** What taking in the histories of agents costs. */
export const importing = {
  group: 'import',
  description:
    'importing generated histories against reading and parsing their lines; memory; the second run',
  names: {
    'import.ratio':
      'speed of importing, with all processors, as a share of bare reading and JSON.parse of the same lines',
    'import.rate': 'MB per second',
    'import.learned': 'the same with knowledge and index',
    'import.memory': 'peak memory of a process that imports, learns and indexes',
    'import.again': 'time of a second import as a share of the first',
  },
  async *run(context) {
    const user = context.folder('user');
    const bytes = context.full ? 1e9 : 2e8;
    const { files, lines } = writeHistories({ folder: user, bytes, agents: AGENTS });
    context.say(`${lines.toLocaleString('en-US')} lines in ${files.toLocaleString('en-US')} transcripts`);
    const steps = await importInTurns(context);
    const speed = (step) => step.bytes / step.ours / 1e3;
    yield atLeast('import.ratio', median(steps.map((step) => step.bare / step.ours)), '× bare', 0.35);
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
 * Each round imports a history of its own, so that nothing is known; the first one warms up. The other threads of an
 * import begin cold in each: a round is long enough for that to count for little, as it does where somebody waits.
 */
async function importInTurns(context) {
  const { openHome } = await context.load('project/index.js');
  const { importTranscripts } = await context.load('import/index.js');
  const agents = AGENTS_WITH_LINES;
  const steps = [];
  for (let round = 0; round < 4; round++) {
    const user = context.folder(`user-${round}`);
    writeHistories({ folder: user, bytes: round === 0 ? 4e7 : 2e8, agents });
    const home = openHome({ home: context.folder(`home-${round}`), env: {} });
    const places = { home: user, env: {}, platform: process.platform, projects: [] };
    let bytes = 0;
    const times = await inTurns(
      round,
      async () => await importTranscripts(home, { places, agents, learn: false }),
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

async function inTurns(round, ours, bare) {
  const times = { ours: 0, bare: 0 };
  const work = { ours, bare };
  for (const name of round % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours']) {
    const started = performance.now();
    await work[name]();
    times[name] = performance.now() - started;
  }
  return times;
}

/** Reads every transcript and parses its lines; a document is one. Returns the bytes. */
function parseAll(user) {
  let bytes = 0;
  for (const name of readdirSync(user, { recursive: true })) {
    if (!/\.jsonl?$/.test(name)) continue;
    const path = join(user, name);
    bytes += statSync(path).size;
    for (const line of name.endsWith('.json') ? [contentOf(path)] : linesOf(path)) parse(line);
  }
  return bytes;
}

function* linesOf(path) {
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

function contentOf(path) {
  return [...linesOf(path)].join('\n');
}

/** Torn lines are among them. */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function importOnce(context, home, user) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    CHILD,
    context.dist,
    home,
    user,
    ...AGENTS,
  ]);
  return JSON.parse(stdout);
}
