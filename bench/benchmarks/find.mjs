import { join } from 'node:path';
import { atLeast, info } from '../runner/result.mjs';
import { readQuestions, scoreFind } from '../scorers/find.mjs';

/** What the groups must reach, in percent, a little below what was measured. */
const LIMITS = { other: { 'any@1': 29, 'any@5': 58, 'any@10': 69 }, said: { 'any@1': 95, 'any@5': 99 } };

/** How well search finds the session that a commit came from, if recorded sessions are available. */
export const find = {
  group: 'find',
  description: 'the session that a commit came from, by the subject of the commit, in recorded sessions',
  names: {
    'find.other': 'subjects that no record has word for word: find.other.any@1, any@5, any@10 and mrr',
    'find.said': 'subjects that the session has word for word: the same figures',
    'find.time': 'median time of a query, with the transport',
    'find.p95': 'p95 of the same',
  },
  async *run(context) {
    const asked = readQuestions(context.recorded);
    if (asked.length === 0) {
      context.log(`skipped: no questions in ${context.recorded.find} (set --shared DIR or --corpus DIR)`);
      return;
    }
    const adapter = join(context.root, 'bench', 'adapters', 'find.mjs');
    const command = [process.execPath, adapter, '--dist', context.dist];
    const { groups, latencyMs } = await scoreFind(asked, { command, log: context.log });
    for (const [group, { questions, ...figures }] of Object.entries(groups)) {
      if (questions === 0) continue;
      for (const [figure, value] of Object.entries(figures)) {
        const limit = context.isKnownCorpus ? LIMITS[group][figure] : undefined;
        const name = `find.${group}.${figure}`;
        yield limit === undefined ? info(name, value, '%') : atLeast(name, value, '%', limit);
      }
    }
    yield info('find.time', latencyMs.p50, 'ms');
    yield info('find.p95', latencyMs.p95, 'ms');
  },
};
