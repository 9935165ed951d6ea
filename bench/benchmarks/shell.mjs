import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIndexes } from '../indexes.mjs';
import { alternate, median } from '../measure.mjs';
import { createQueries } from '../queries.mjs';
import { atMost, info } from '../runner/result.mjs';

const ROUNDS = 21;

/** How long a command takes. */
export const shell = {
  group: 'shell',
  description: '`yore search WORD` as a process, over 100,000 messages',
  names: {
    'shell.search': 'median time of the command, minus `node -e 0`',
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
    context.log(`${ROUNDS} rounds`);
    const times = alternate({
      rounds: ROUNDS,
      yore: (round) => run([program, 'search', words[round % words.length]]),
      bare: () => run(['-e', '0']),
    });
    yield atMost('shell.search', median(times.yore) - median(times.bare), 'ms', 120);
    yield info('shell.node', median(times.bare), 'ms');
  },
};
