import { buildIndexes } from '../indexes.mjs';
import { measureTime, median, quantile } from '../measure.mjs';
import { createInfixes, createQueries } from '../queries.mjs';
import { atMost, info } from '../runner/result.mjs';

const ROUNDS = 7;
/** Rounds for queries beyond the limit, which are measured again in case the machine was busy. */
const RETRY_ROUNDS = 21;
const MAX_RATIO = 1.5;
/** Faster baseline queries count as this: below it, the overhead of calls would be compared. */
const MIN_BARE_MS = 1;

/** Queries over the whole corpus, compared with bare FTS5. */
export const search = {
  group: 'search',
  description: 'a fixed mix of queries over the corpus, in turns with bare FTS5 queries for the same words',
  names: {
    'search.p50': 'median time of a query',
    'search.p95': 'p95 of the same',
    'search.words': 'median and p95 of all but questions: search.words.p50, search.words.p95',
    'search.question': 'median and p95 of questions: search.question.p50, search.question.p95',
    'search.worst': 'worst query, relative to the bare one',
    'search.ratio': 'worst query of each kind, e.g. search.ratio.common',
    'search.infix': 'p95 of queries for a substring that begins inside a word',
    'search.bare': 'p95 of the bare queries',
  },
  async *run(context) {
    const { product, bare, sample, documents } = await buildIndexes(context);
    const queries = createQueries(bare, sample, documents);
    context.log(`${queries.length} queries, ${ROUNDS} rounds each`);
    // Warm up: searching is measured, not compiling.
    for (const { text, match } of queries) {
      product.search(text);
      bare.search(match);
    }
    const first = queries.map((query) => measure(query, ROUNDS, product, bare));
    const yore = first.flatMap((query) => query.yore);
    const baseline = first.flatMap((query) => query.bare);
    yield atMost('search.p50', quantile(yore, 0.5), 'ms', 10);
    yield atMost('search.p95', quantile(yore, 0.95), 'ms', 50);
    const isQuestion = ({ kind }) => kind === 'question';
    const groups = { words: first.filter((query) => !isQuestion(query)), question: first.filter(isQuestion) };
    for (const [group, measured] of Object.entries(groups)) {
      const times = measured.flatMap((query) => query.yore);
      yield atMost(`search.${group}.p50`, quantile(times, 0.5), 'ms', 10);
      yield atMost(`search.${group}.p95`, quantile(times, 0.95), 'ms', 50);
    }
    yield info('search.bare', quantile(baseline, 0.95), 'ms');

    const beyondLimit = first.filter((query) => query.ratio > MAX_RATIO).length;
    if (beyondLimit > 0) context.log(`measuring ${beyondLimit} queries again, ${RETRY_ROUNDS} rounds each`);
    const measured = first.map((query) =>
      query.ratio > MAX_RATIO ? measure(query, RETRY_ROUNDS, product, bare) : query,
    );
    const worst = measured.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    context.log(
      `worst: ${worst.kind} ${worst.text}, ${median(worst.yore).toFixed(2)} ms, bare ${median(worst.bare).toFixed(2)} ms`,
    );
    yield atMost('search.worst', worst.ratio, '× bare', MAX_RATIO);
    for (const kind of new Set(queries.map((query) => query.kind))) {
      const ratios = measured.filter((query) => query.kind === kind).map((query) => query.ratio);
      yield atMost(`search.ratio.${kind.replaceAll(' ', '-')}`, Math.max(...ratios), '× bare', MAX_RATIO);
    }
    yield atMost('search.infix', measureInfixes(sample, product, context), 'ms', 500);
  },
};

function measure(query, rounds, product, bare) {
  const times = { yore: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    const yore = () => times.yore.push(measureTime(() => product.search(query.text)));
    const baseline = () => times.bare.push(measureTime(() => bare.search(query.match)));
    for (const work of round % 2 === 0 ? [yore, baseline] : [baseline, yore]) work();
  }
  return { ...query, ...times, ratio: median(times.yore) / Math.max(MIN_BARE_MS, median(times.bare)) };
}

function measureInfixes(sample, product, context) {
  const infixes = createInfixes(sample);
  context.log(`${infixes.length} substrings`);
  const times = infixes.flatMap((text) => [1, 2].map(() => measureTime(() => product.search(text))));
  return quantile(times, 0.95);
}
