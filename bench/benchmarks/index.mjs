import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureCorpus } from '../corpus.mjs';
import { countReads } from '../count-reads.mjs';
import { buildIndexes } from '../indexes.mjs';
import { median } from '../measure.mjs';
import { projectsIn } from '../product.mjs';
import { atLeast, atMost, info } from '../runner/result.mjs';

const SETTLED_AFTER_MS = 2_500;
const CHILD = fileURLToPath(new URL('../child/index-home.mjs', import.meta.url));

/** What it costs to keep the index up to date. */
export const index = {
  group: 'index',
  description: 'catch-up indexing against bare FTS5 inserts; bytes read again after an append; peak memory',
  names: {
    'index.ratio': 'speed of catching up as a share of bare FTS5 inserts of the same texts',
    'index.speed': 'documents per second',
    'index.size': 'size of the index as a share of the logs',
    'index.reread': 'bytes of the logs read after one append, beyond the appended line',
    'index.memory': 'peak memory of a process that indexes the whole corpus',
  },
  async *run(context) {
    const { home, product, steps } = await buildIndexes(context);
    yield atLeast('index.ratio', median(steps.map((step) => step.bare / step.ours)), '× bare', 0.3);
    yield info(
      'index.speed',
      median(steps.map((step) => (step.documents / step.ours) * 1_000)),
      'documents/s',
    );
    const corpus = ensureCorpus({ messages: context.messages });
    yield info('index.size', statSync(join(home, 'search.db')).size / corpus.bytes, '× logs');
    yield atMost('index.reread', await readAgain(home, product), 'bytes', 4_096);
    yield await measureMemory(context, corpus);
  },
};

async function readAgain(home, product) {
  // Files that changed a moment ago are looked at again, whatever their time of change says.
  await setTimeout(SETTLED_AFTER_MS);
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
  if (found !== 1) throw new Error(`one record was appended, ${found} were indexed`);
  return bytes - Buffer.byteLength(line);
}

async function measureMemory(context, corpus) {
  const home = context.folder('memory');
  cpSync(corpus.home, home, { recursive: true });
  context.say(`indexing ${Math.round(corpus.bytes / 1e6)} MB of logs in a process of its own`);
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, context.dist, home]);
  rmSync(home, { recursive: true });
  const { documents, peakBytes } = JSON.parse(stdout);
  if (documents !== corpus.messages + corpus.attempts)
    throw new Error(`only ${documents} documents were indexed`);
  return atMost('index.memory', peakBytes / 1e6, 'MB', 200);
}
