import { join } from 'node:path';
import { ensureCorpus } from './corpus.mjs';
import { createGrowingHome } from './growing-home.mjs';
import { measureTime } from './measure.mjs';
import { openProduct } from './product.mjs';
import { openDatabase } from './sqlite.mjs';

/** Bytes of log that yore indexes in one transaction; the baseline uses the same size. */
const BATCH_BYTES = 8 * 1024 * 1024;
const STEP_MESSAGES = 20_000;
const SAMPLE_EVERY = 37;

/**
 * @typedef {object} Indexes
 * @property {string} home the logs and yore's index over them
 * @property {Awaited<ReturnType<typeof openProduct>>} product
 * @property {ReturnType<typeof openBareIndex>} bare the same texts in bare FTS5
 * @property {string} barePath its database
 * @property {number} documents
 * @property {string[]} sample every 37th text
 * @property {{yore: number, bare: number, documents: number}[]} steps times of the indexing steps in milliseconds
 */

/**
 * Indexes a corpus with yore and with bare FTS5, taking turns step by step. Done once per run.
 * @param {import('./runner/context.mjs').Context} context
 * @param {number} messages
 * @returns {Promise<Indexes>}
 */
export function buildIndexes(context, messages = context.messages) {
  return context.once(`indexes of ${messages}`, () => build(context, messages));
}

async function build(context, messages) {
  const corpus = ensureCorpus({ messages, fresh: context.fresh, log: context.log });
  const folder = context.folder(`indexes-${messages}`);
  const home = join(folder, 'home');
  const count = Math.max(1, Math.round(messages / STEP_MESSAGES));
  const growing = createGrowingHome(corpus.home, home, count);
  const product = await openProduct(context, home);
  const barePath = join(folder, 'bare.db');
  const bare = openBareIndex(barePath);
  context.onClose(() => {
    product.close();
    bare.close();
  });

  const batch = Math.round(BATCH_BYTES / (corpus.bytes / (corpus.messages + corpus.attempts)));
  const steps = [];
  const sample = [];
  let documents = 0;
  for (let step = 1; step <= count; step++) {
    const texts = growing.grow(step).map(product.searchableText);
    sample.push(...texts.filter((_, index) => index % SAMPLE_EVERY === 0));
    documents += texts.length;
    const yore = () => ({ yore: measureTime(() => product.catchUp()) });
    const baseline = () => ({ bare: measureTime(() => bare.insert(texts, batch)) });
    const order = step % 2 === 0 ? [yore, baseline] : [baseline, yore];
    const times = Object.assign({ documents: texts.length }, ...order.map((work) => work()));
    steps.push(times);
    context.log(
      `indexed ${documents.toLocaleString('en-US')} documents: ${(times.yore / 1_000).toFixed(1)} s for the last ` +
        `${texts.length.toLocaleString('en-US')}, bare ${(times.bare / 1_000).toFixed(1)} s`,
    );
  }
  return { home, product, bare, documents, sample, steps, barePath };
}

/**
 * The baseline of indexing and search: a database with one FTS5 table that stores the text.
 * @param {string} path
 */
function openBareIndex(path) {
  const database = openDatabase(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE VIRTUAL TABLE bare USING fts5(text, tokenize = 'unicode61');
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab(bare, 'row');
  `);
  const insert = database.prepare('INSERT INTO bare (text) VALUES (?)');
  const find = database.prepare('SELECT rowid, text FROM bare WHERE bare MATCH ? ORDER BY rank LIMIT 50');
  return {
    /** @param {readonly string[]} texts @param {number} batch rows per transaction */
    insert(texts, batch) {
      for (let start = 0; start < texts.length; start += batch) {
        database.exec('BEGIN IMMEDIATE');
        for (let index = start; index < Math.min(start + batch, texts.length); index++) insert.run(texts[index]);
        database.exec('COMMIT');
      }
    },
    /** The best 50 by bm25, with their text. @param {string} match an FTS5 expression */
    search: (match) => find.all(match),
    /** The number of texts that contain a word. @param {string} word */
    frequency: (word) => database.prepare('SELECT doc FROM vocabulary WHERE term = ?').get(word)?.doc ?? 0,
    /** Words of letters only that occur in `min` to `max` texts, in alphabetical order. */
    wordsOfFrequency: (min, max) =>
      database
        .prepare(
          `SELECT term FROM vocabulary WHERE doc BETWEEN ? AND ? AND term GLOB '[a-z][a-z][a-z]*' AND term NOT GLOB '*[^a-z]*'`,
        )
        .all(min, max)
        .map((row) => row.term),
    close: () => database.close(),
  };
}
