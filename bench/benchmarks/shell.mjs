import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIndexes } from '../indexes.mjs';
import { alternate, median } from '../measure.mjs';
import { createQueries } from '../queries.mjs';
import { atMost, info } from '../runner/result.mjs';

const ROUNDS = 21;

/** What a person waits for at the prompt. */
export const shell = {
  group: 'shell',
  description: '`yore search WORD` as a process on 100,000 messages, less the time of `node -e 0`',
  names: {
    'shell.search': 'median time of the command beyond that of `node -e 0`',
    'shell.node': 'median time of `node -e 0`',
  },
  async *run(context) {
    const { home, bare, sample, documents } = await buildIndexes(context, 100_000);
    const words = createQueries(bare, sample, documents)
      .filter(({ kind }) => kind === 'medium' || kind === 'common')
      .map(({ text }) => text);
    const program = join(context.dist, 'cli', 'main.cjs');
    const environment = { ...process.env, YORE_HOME: home, NO_COLOR: '1' };
    const run = (args) => {
      const { status, stderr } = spawnSync(process.execPath, args, { env: environment, encoding: 'utf8' });
      if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
    };
    run([program, 'search', words[0]]);
    context.say(`${ROUNDS} rounds`);
    const times = alternate({
      rounds: ROUNDS,
      ours: (round) => run([program, 'search', words[round % words.length]]),
      bare: () => run(['-e', '0']),
    });
    yield atMost('shell.search', median(times.ours) - median(times.bare), 'ms', 120);
    yield info('shell.node', median(times.bare), 'ms');
  },
};
