import { join } from 'node:path';
import { openBareIndex } from './bare-index.mjs';
import { createGrowingHome } from './growing-home.mjs';
import { timeOf } from './measure.mjs';
import { openProduct } from './product.mjs';

const BATCH = 1_000;
const SAMPLE_EVERY = 37;

/**
 * @typedef {object} Indexes
 * @property {string} home with its logs and the product's index over them
 * @property {Awaited<ReturnType<typeof openProduct>>} product
 * @property {Awaited<ReturnType<typeof openBareIndex>>} bare the same texts in bare FTS5
 * @property {number} documents
 * @property {string[]} sample every 37th text
 * @property {{ours: number, bare: number, documents: number}[]} steps milliseconds that each step of indexing took
 */

/**
 * The corpus, indexed by the product and by bare FTS5: step by step, in turns. Made once per run.
 * @param {import('./runner/context.mjs').Context} context
 * @returns {Promise<Indexes>}
 */
export function buildIndexes(context) {
  return context.once('indexes', () => build(context));
}

async function build(context) {
  const corpus = await context.corpus();
  const folder = context.folder('indexes');
  const home = join(folder, 'home');
  const count = context.full ? 20 : 6;
  const growing = createGrowingHome(corpus.home, home, count);
  const product = await openProduct(context, home);
  const bare = await openBareIndex(join(folder, 'bare.db'));
  context.onClose(() => {
    product.close();
    bare.close();
  });

  const steps = [];
  const sample = [];
  let documents = 0;
  for (let step = 1; step <= count; step++) {
    const texts = growing.grow(step).map(textOf);
    for (let index = documents % SAMPLE_EVERY; index < texts.length; index += SAMPLE_EVERY) sample.push(texts[index]);
    documents += texts.length;
    const times = { ours: 0, bare: 0, documents: texts.length };
    const ours = () => {
      times.ours = timeOf(() => product.catchUp());
    };
    const plain = () => {
      times.bare = timeOf(() => bare.insert(texts, BATCH));
    };
    for (const work of step % 2 === 0 ? [ours, plain] : [plain, ours]) work();
    steps.push(times);
    context.say(`indexed ${documents.toLocaleString('en-US')} documents, step ${step} of ${count}: ${(times.ours / 1_000).toFixed(1)} s, bare ${(times.bare / 1_000).toFixed(1)} s`);
  }
  return { home, product, bare, documents, sample, steps };
}

/** What can be searched of a record. */
function textOf(record) {
  if (record.content !== undefined) return record.content;
  const { tool, command, path, error, result, context } = record;
  return [tool, command, path, error, result, context].filter(Boolean).join('\n');
}
