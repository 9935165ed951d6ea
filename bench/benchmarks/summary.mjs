import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, info } from '../runner/result.mjs';
import { generatedSessions } from '../summary/generated-sessions.mjs';
import { addRates, keepRates, noRates } from '../summary/keep-rates.mjs';
import { RENDERINGS } from '../summary/render-turns.mjs';
import { replayedSessions } from '../summary/replayed-sessions.mjs';

const LIMIT_PERCENT = 80;
/** The default sizes, and smaller ones. */
const SIZES = [
  { triggerTokens: 24_000, windowTokens: 4_000 },
  { triggerTokens: 12_000, windowTokens: 2_000 },
  { triggerTokens: 6_000, windowTokens: 1_000 },
];
const SEEDS = ['one', 'two', 'three'];

/** How much of what is needed again the extractive summary of removed turns keeps. */
export const summary = {
  group: 'summary',
  description:
    'commands that worked, paths edited and errors solved in removed turns that occur again later: how many are in 500 tokens of summary',
  names: {
    'summary.replayed': 'kept in recorded sessions, all renderings, default sizes',
    'summary.generated': 'kept in generated sessions, all renderings, default sizes',
    'summary.worst': 'kept in the worst combination of corpus, rendering and size',
    'summary.second': 'kept after a second compaction of the same session, of all that was removed',
    'summary.first': 'what the first 500 tokens of the removed turns would keep',
    'summary.last': 'what the last 500 tokens of the removed turns would keep',
    'summary.oracle': 'what fits into 500 tokens if the rest of the session is known',
    'summary.time': 'one summary of 20,000 tokens',
  },
  async *run(context) {
    const { summariseTurns: summarise } = await context.load('context/compaction/summary/summarise-turns.js');
    const { summaryPair: pair } = await context.load('context/compaction/compaction.js');
    const { TokenCounter } = await context.load('context/tokens/token-counter.js');
    const counter = withCache(new TokenCounter('gpt-4o'));
    const [all, twice] = [noRates(), noRates()];
    let worst = { percent: 100, name: '' };
    const measure = (name, sessions) => {
      const usual = noRates();
      for (const { sizes, rendering } of combinations(context.full)) {
        const rates = keepRates(sessions, { rendering, sizes, counter, summarise, pair });
        const percent = share(rates.summary, rates);
        const combination = `${name}, ${rendering}, ${sizes.triggerTokens}`;
        if (rates.items > 0 && percent < worst.percent) worst = { percent, name: combination };
        if (context.full) context.say(describe(combination, rates));
        if (sizes === SIZES[0]) addRates(usual, rates);
      }
      addRates(
        twice,
        keepRates(sessions, { rendering: 'shell', sizes: SIZES[0], counter, summarise, pair, rounds: 2 }),
      );
      context.say(describe(name, usual));
      addRates(all, usual);
      return usual;
    };

    const replayed = noRates();
    const folder = join(context.shared, 'bench', 'replay');
    if (existsSync(folder)) {
      for (const { name, sessions } of replayedSessions(folder)) addRates(replayed, measure(name, sessions));
      yield atLeast('summary.replayed', share(replayed.summary, replayed), '%', LIMIT_PERCENT);
    } else context.say(`skipped summary.replayed: there is no ${folder} (--shared DIR says where it is)`);

    const generated = noRates();
    for (const seed of SEEDS) {
      addRates(generated, measure(`seed ${seed}`, generatedSessions({ seed, sessions: 12, tasks: 36 })));
    }
    yield atLeast('summary.generated', share(generated.summary, generated), '%', LIMIT_PERCENT);
    context.say(`worst: ${worst.name}`);
    yield atLeast('summary.worst', worst.percent, '%', LIMIT_PERCENT);
    yield info('summary.second', share(twice.summary, twice), '%');
    yield info('summary.first', share(all.first, all), '%');
    yield info('summary.last', share(all.last, all), '%');
    yield info('summary.oracle', share(all.oracle, all), '%');
    yield info('summary.time', all.milliseconds / Math.max(1, all.summaries), 'ms');
  },
};

/** Every way of writing with the default sizes; with --full with the smaller ones too, else only one way. */
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
