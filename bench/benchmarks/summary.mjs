import { existsSync } from 'node:fs';
import { atLeast, info } from '../runner/result.mjs';
import { generateSessions } from '../summary/generated-sessions.mjs';
import { addRates, emptyRates, measureKeepRates } from '../summary/keep-rates.mjs';
import { RENDERINGS } from '../summary/render-turns.mjs';
import { readSessions } from '../summary/replayed-sessions.mjs';

const LIMIT_PERCENT = 80;
/** The default sizes first. */
const SIZES = [
  { triggerTokens: 24_000, windowTokens: 4_000 },
  { triggerTokens: 12_000, windowTokens: 2_000 },
  { triggerTokens: 6_000, windowTokens: 1_000 },
];
const SEEDS = ['one', 'two', 'three'];

/** How much of what occurs again later is kept by the extractive summary of removed turns. */
export const summary = {
  group: 'summary',
  description:
    'commands that worked, edited paths and solved errors of removed turns that occur again later: share that a summary of 500 tokens keeps',
  names: {
    'summary.replayed': 'recorded sessions, all renderings, default sizes',
    'summary.generated': 'generated sessions, all renderings, default sizes',
    'summary.worst': 'worst combination of corpus, rendering and size',
    'summary.second': 'after a second compaction of the same session',
    'summary.first': 'share in the first 500 tokens of the removed turns',
    'summary.last': 'share in the last 500 tokens of the removed turns',
    'summary.oracle': 'share that fits into 500 tokens if the rest of the session is known',
    'summary.time': 'time per summary',
  },
  async *run(context) {
    const { summariseTurns: summarise } = await context.load('context/compaction/summary/summarise-turns.js');
    const { summaryPair: pair } = await context.load('context/compaction/compaction.js');
    const { TokenCounter } = await context.load('context/tokens/token-counter.js');
    const counter = withCache(new TokenCounter('gpt-4o'));
    const [all, twice] = [emptyRates(), emptyRates()];
    let worst = { percent: 100, name: '' };
    const measure = (name, sessions) => {
      const usual = emptyRates();
      for (const { sizes, rendering } of combinations(context.full)) {
        const rates = measureKeepRates(sessions, { rendering, sizes, counter, summarise, pair });
        const percent = share(rates.summary, rates);
        const combination = `${name}, ${rendering}, ${sizes.triggerTokens}`;
        if (rates.items > 0 && percent < worst.percent) worst = { percent, name: combination };
        if (context.full) context.log(describe(combination, rates));
        if (sizes === SIZES[0]) addRates(usual, rates);
      }
      addRates(
        twice,
        measureKeepRates(sessions, {
          rendering: 'shell',
          sizes: SIZES[0],
          counter,
          summarise,
          pair,
          rounds: 2,
        }),
      );
      context.log(describe(name, usual));
      addRates(all, usual);
      return usual;
    };

    const replayed = emptyRates();
    const folder = context.recorded.replay;
    if (existsSync(folder)) {
      for (const { name, sessions } of readSessions(folder)) addRates(replayed, measure(name, sessions));
      yield atLeast('summary.replayed', share(replayed.summary, replayed), '%', LIMIT_PERCENT);
    } else context.log(`skipped summary.replayed: no ${folder} (set --shared DIR or --corpus DIR)`);

    const generated = emptyRates();
    for (const seed of SEEDS) {
      addRates(generated, measure(`seed ${seed}`, generateSessions({ seed, sessions: 12, tasks: 36 })));
    }
    yield atLeast('summary.generated', share(generated.summary, generated), '%', LIMIT_PERCENT);
    context.log(`worst: ${worst.name}`);
    yield atLeast('summary.worst', worst.percent, '%', LIMIT_PERCENT);
    yield info('summary.second', share(twice.summary, twice), '%');
    yield info('summary.first', share(all.first, all), '%');
    yield info('summary.last', share(all.last, all), '%');
    yield info('summary.oracle', share(all.oracle, all), '%');
    yield info('summary.time', all.milliseconds / Math.max(1, all.summaries), 'ms');
  },
};

/** All renderings with the default sizes; with smaller sizes one rendering, or all with --full. */
function combinations(full) {
  return SIZES.flatMap((sizes, index) =>
    (full || index === 0 ? Object.keys(RENDERINGS) : ['joined']).map((rendering) => ({ sizes, rendering })),
  );
}

function share(part, { items }) {
  return (100 * part) / Math.max(1, items);
}

function describe(name, rates) {
  const [kept, first, last, oracle] = ['summary', 'first', 'last', 'oracle'].map((key) =>
    share(rates[key], rates).toFixed(1),
  );
  return `${name}: ${rates.items} items in ${rates.spans} spans; kept ${kept} %, first tokens ${first} %, last tokens ${last} %, oracle ${oracle} %`;
}

/** Caches counts, because the same turns are counted for every size. */
function withCache(counter) {
  const counts = new Map();
  return {
    count(text) {
      const known = counts.get(text);
      if (known !== undefined) return known;
      const count = counter.count(text);
      if (counts.size > 200_000) counts.clear();
      counts.set(text, count);
      return count;
    },
  };
}
