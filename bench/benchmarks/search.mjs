import { buildIndexes } from '../indexes.mjs';
import { median, quantile, timeOf } from '../measure.mjs';
import { createInfixes, createQueries } from '../queries.mjs';
import { atMost, info } from '../runner/result.mjs';

const ROUNDS = 7;
/** A query beyond its limit is measured again with so many rounds: a hiccup of the machine is no verdict. */
const SECOND_ROUNDS = 21;
const MOST_RATIO = 1.5;
/** Below this, calls are compared and not searches. */
const LEAST_BARE_MS = 1;

/** Queries over the whole corpus, against bare FTS5 with the same words. */
export const search = {
  group: 'search',
  description: 'a fixed mix of queries over the corpus, in turns with bare FTS5 queries of the same words',
  names: {
    'search.p50': 'time of a query, median over the mix',
    'search.p95': 'time of a query, 95 % are faster',
    'search.worst': 'the query that does worst, as a multiple of the bare one',
    'search.ratio': 'the worst of each kind of query, e.g. search.ratio.common',
    'search.infix': 'time of a literal substring that begins inside a word, 95 % are faster',
    'search.bare': 'time of the bare queries, 95 % are faster',
  },
  async *run(context) {
    const { product, bare, sample, documents } = await buildIndexes(context);
    const queries = createQueries(bare, sample, documents);
    context.say(`${queries.length} queries, ${ROUNDS} rounds each`);
    // A process that stays: what is measured is searching, not compiling.
    for (const { text, match } of queries) {
      product.search(text);
      bare.search(match);
    }
    const first = queries.map((query) => measure(query, ROUNDS, product, bare));
    const ours = first.flatMap((query) => query.ours);
    const plain = first.flatMap((query) => query.bare);
    yield atMost('search.p50', quantile(ours, 0.5), 'ms', 10);
    yield atMost('search.p95', quantile(ours, 0.95), 'ms', 50);
    yield info('search.bare', quantile(plain, 0.95), 'ms');

    const doubtful = first.filter((query) => query.ratio > MOST_RATIO).length;
    if (doubtful > 0) context.say(`${doubtful} queries again, ${SECOND_ROUNDS} rounds each`);
    const measured = first.map((query) =>
      query.ratio > MOST_RATIO ? measure(query, SECOND_ROUNDS, product, bare) : query,
    );
    const worst = measured.reduce((a, b) => (b.ratio > a.ratio ? b : a));
    context.say(
      `worst: ${worst.kind} ${worst.text}, ${median(worst.ours).toFixed(2)} ms, bare ${median(worst.bare).toFixed(2)} ms`,
    );
    yield atMost('search.worst', worst.ratio, '× bare', MOST_RATIO);
    for (const kind of new Set(queries.map((query) => query.kind))) {
      const ratios = measured.filter((query) => query.kind === kind).map((query) => query.ratio);
      yield atMost(`search.ratio.${kind.replaceAll(' ', '-')}`, Math.max(...ratios), '× bare', MOST_RATIO);
    }
    yield atMost('search.infix', measureInfixes(sample, product, context), 'ms', 500);
  },
};

function measure(query, rounds, product, bare) {
  const times = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    const ours = () => times.ours.push(timeOf(() => product.search(query.text)));
    const plain = () => times.bare.push(timeOf(() => bare.search(query.match)));
    for (const work of round % 2 === 0 ? [ours, plain] : [plain, ours]) work();
  }
  return { ...query, ...times, ratio: median(times.ours) / Math.max(LEAST_BARE_MS, median(times.bare)) };
}

function measureInfixes(sample, product, context) {
  const infixes = createInfixes(sample);
  context.say(`${infixes.length} literal substrings`);
  const times = infixes.flatMap((text) => [1, 2].map(() => timeOf(() => product.search(text))));
  return quantile(times, 0.95);
}
