import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { computeCosts } from '../cache/costs.mjs';
import { generateSessions, readRecordedSessions } from '../cache/sessions.mjs';
import { toRequests } from '../cache/workloads.mjs';
import { measureTime, quantile } from '../measure.mjs';
import { atMost, info } from '../runner/result.mjs';

const ROUNDS = 99;
const ITEMS = 5_000;
const PROMPT_TOKENS = 200_000;
/** Without --full, every twelfth session is used. */
const SAMPLE_EVERY = 12;
/** Limits of the cost ratios. */
const NOT_WORSE = 1.02;
const CLEARLY_BETTER = 0.8;
const CLOSE_TO_BOUND = 1.3;

const WORKLOADS = {
  chat: { perCall: false, files: 'none', compaction: false, last: NOT_WORSE },
  fixed: { perCall: false, files: 'fixed', compaction: false, last: NOT_WORSE },
  files: { perCall: false, files: 'used', compaction: false, last: CLEARLY_BETTER },
  calls: { perCall: true, files: 'used', compaction: false, last: CLEARLY_BETTER },
  compaction: { perCall: true, files: 'used', compaction: true, last: CLEARLY_BETTER },
};
const MEANINGS = {
  chat: 'a chat without files',
  fixed: 'a chat with files that never change',
  files: 'files are read, edited and dropped; one request per prompt',
  calls: 'the same, one request per tool call',
  compaction: 'the same, with compaction at 24,000 tokens',
};

/** What prompts cost with a provider's cache, depending on how they are assembled, and how long assembly takes. */
export const cache = {
  group: 'cache',
  description: 'cost of input over whole sessions with a prompt cache (write 1.25, read 0.1, otherwise 1), and speed',
  names: {
    ...Object.fromEntries(
      Object.keys(WORKLOADS).flatMap((name) => [
        [`cache.${name}.none`, `${MEANINGS[name]}: cost relative to a flat prompt without markers`],
        [`cache.${name}.last`, 'relative to a flat prompt with a marker on the last message'],
        [`cache.${name}.bound`, 'relative to a lower bound: unchanged items are read, all others written'],
      ]),
    ),
    'cache.requests': 'number of requests',
    'cache.assemble': `median time to assemble ${PROMPT_TOKENS.toLocaleString('en-US')} tokens`,
    'cache.update': `median time to update ${ITEMS.toLocaleString('en-US')} items, 1 % of which changed`,
  },
  async *run(context) {
    const product = await context.load('context/index.js');
    // First, before the prompts of the workloads fill the heap.
    yield* speed(product);
    const corpora = await loadSessions(context);
    let requests = 0;
    for (const [name, workload] of Object.entries(WORKLOADS)) {
      const total = { none: 0, last: 0, tiered: 0, bound: 0 };
      for (const { sessions, sizeOf } of corpora) {
        for (const steps of sessions) {
          const list = toRequests(steps, sizeOf, workload);
          requests += list.length;
          const costs = computeCosts(list, product);
          for (const way of Object.keys(total)) total[way] += costs[way];
        }
      }
      context.log(`${name}: cost of ${Math.round(total.tiered / 1_000)} thousand tokens`);
      yield atMost(`cache.${name}.none`, total.tiered / total.none, '× none', NOT_WORSE);
      yield atMost(`cache.${name}.last`, total.tiered / total.last, '× last', workload.last);
      yield atMost(`cache.${name}.bound`, total.tiered / total.bound, '× bound', CLOSE_TO_BOUND);
    }
    yield info('cache.requests', requests, 'requests');
  },
};

async function loadSessions(context) {
  const folder = context.recorded.replay;
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz')) : [];
  if (files.length === 0) {
    context.log(`using generated sessions: no recorded sessions in ${folder} (set --shared DIR or --corpus DIR)`);
    return [generateSessions()];
  }
  const corpora = await Promise.all(files.map((name) => readRecordedSessions(join(folder, name))));
  const every = context.full ? 1 : SAMPLE_EVERY;
  context.log(`${corpora.length} corpora of recorded sessions, ${every === 1 ? 'all' : `every ${every}th`} of them`);
  return corpora.map(({ sessions, sizeOf }) => ({
    sessions: sessions.filter((_, index) => index % every === 0),
    sizeOf,
  }));
}

function* speed({ StabilityTracker, assembleTiered }) {
  const tracker = new StabilityTracker({ cacheTargetTokens: 1_127 });
  const items = Array.from({ length: ITEMS }, (_, index) => ({ key: toKey(index), hash: 'a', tokens: 100 }));
  const updates = Array.from({ length: ROUNDS }, (_, round) => {
    const next = items.map((item, index) => (index % 100 === round ? { ...item, hash: `${round}` } : item));
    return measureTime(() => tracker.update(next));
  });
  const files = new Map(
    Array.from({ length: 100 }, (_, index) => [`src/${index}.ts`, 'export const a = 1;\n'.repeat(300)]),
  );
  const history = Array.from({ length: 200 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index} `.repeat(4 * 250),
  }));
  const input = { systemPrompt: 'Be careful. '.repeat(2_000), files, history, prompt: 'Go on.' };
  const known = [...files.keys()].map((path) => ({ key: `file:${path}`, hash: path, tokens: 1_500 }));
  const own = new StabilityTracker({ cacheTargetTokens: 1_127 });
  for (let round = 0; round < 20; round++) own.update(known);
  const times = Array.from({ length: ROUNDS }, () => measureTime(() => assembleTiered(input, own.placement())));
  yield atMost('cache.assemble', quantile(times, 0.5), 'ms', 10);
  yield atMost('cache.update', quantile(updates, 0.5), 'ms', 5);
}

function toKey(index) {
  if (index < 3_000) return `symbol:src/${index}.ts`;
  return index < 4_000 ? `file:src/${index}.ts` : `history:${index - 4_000}`;
}
