import { join } from 'node:path';
import { openBareIndex } from './bare-index.mjs';
import { ensureCorpus } from './corpus.mjs';
import { createGrowingHome } from './growing-home.mjs';
import { timeOf } from './measure.mjs';
import { openProduct } from './product.mjs';

/** Bytes of log that the product takes in with one transaction; the baseline does the same. */
const BATCH_BYTES = 8 * 1024 * 1024;
const STEP_MESSAGES = 20_000;
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
 * A corpus, indexed by the product and by bare FTS5: step by step, in turns. Made once per run.
 * @param {import('./runner/context.mjs').Context} context
 * @param {number} messages
 * @returns {Promise<Indexes>}
 */
export function buildIndexes(context, messages = context.messages) {
  return context.once(`indexes of ${messages}`, () => build(context, messages));
}

async function build(context, messages) {
  const corpus = ensureCorpus({ messages, fresh: context.fresh, say: context.say });
  const folder = context.folder(`indexes-${messages}`);
  const home = join(folder, 'home');
  const count = messages / STEP_MESSAGES;
  const growing = createGrowingHome(corpus.home, home, count);
  const product = await openProduct(context, home);
  const bare = await openBareIndex(join(folder, 'bare.db'));
  context.onClose(() => {
    product.close();
    bare.close();
  });

  const batch = Math.round(BATCH_BYTES / (corpus.bytes / (corpus.messages + corpus.attempts)));
  const steps = [];
  const sample = [];
  let documents = 0;
  for (let step = 1; step <= count; step++) {
    const texts = growing.grow(step).map(product.textOf);
    sample.push(...texts.filter((_, index) => index % SAMPLE_EVERY === 0));
    documents += texts.length;
    const ours = () => ({ ours: timeOf(() => product.catchUp()) });
    const plain = () => ({ bare: timeOf(() => bare.insert(texts, batch)) });
    const order = step % 2 === 0 ? [ours, plain] : [plain, ours];
    const times = Object.assign({ documents: texts.length }, ...order.map((work) => work()));
    steps.push(times);
    context.say(
      `indexed ${documents.toLocaleString('en-US')} documents: ${(times.ours / 1_000).toFixed(1)} s for the last ` +
        `${texts.length.toLocaleString('en-US')}, bare ${(times.bare / 1_000).toFixed(1)} s`,
    );
  }
  return { home, product, bare, documents, sample, steps };
}
