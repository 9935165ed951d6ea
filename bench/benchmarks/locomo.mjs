import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atLeast, info } from '../runner/result.mjs';

/** How well search finds the messages that answer a question about a long conversation, if LoCoMo is available. */
export const locomo = {
  group: 'locomo',
  description:
    'the messages that answer a question, in conversations of LoCoMo, measured by the scorer of bench/locomo',
  names: {
    'locomo.recall@5': 'share of the messages with the answer that are among the first 5, categories 1–4',
    'locomo.recall@10': 'the same among the first 10',
    'locomo.recall@25': 'the same among the first 25',
    'locomo.any@1': 'questions for which the first session has the answer',
    'locomo.all@5': 'questions for which all sessions with the answer are among the first 5',
    'locomo.time': 'median time of a query, with the transport',
  },
  async *run(context) {
    const scorer = join(context.shared, 'bench', 'locomo', 'score.mjs');
    if (!existsSync(scorer)) {
      context.log(`skipped: no ${scorer} (set --shared DIR)`);
      return;
    }
    context.log('asking about the conversations');
    const adapter = join(context.root, 'bench', 'adapters', 'locomo.mjs');
    const command = [process.execPath, adapter, '--dist', context.dist];
    const { stdout } = await promisify(execFile)(process.execPath, [scorer, '--json', '--', ...command], {
      maxBuffer: 1e8,
    });
    const { scores, latencyMs } = JSON.parse(stdout);
    const percent = (figure) => scores['1-4'][figure] * 100;
    yield atLeast('locomo.recall@5', percent('recall@5'), '%', 68);
    yield atLeast('locomo.recall@10', percent('recall@10'), '%', 75);
    yield info('locomo.recall@25', percent('recall@25'), '%');
    yield atLeast('locomo.any@1', percent('any@1'), '%', 73);
    yield info('locomo.all@5', percent('all@5'), '%');
    yield info('locomo.time', latencyMs.p50, 'ms');
  },
};
