import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, atMost, info } from '../runner/result.mjs';
import { scoreReplay } from '../scorers/replay.mjs';

/** How good the guard's warnings are on recorded sessions, if these are available. */
export const replay = {
  group: 'replay',
  description: 'recorded sessions replayed through recorder and guard',
  names: {
    'replay.precision': 'share of warned calls that failed',
    'replay.helpful': 'share of warned calls that failed with the error that the warning names',
    'replay.avoidable': 'share of failures repeated from another session, with the same error, that were warned of',
    'replay.kin': 'share of failures with the error line of another command that were warned of',
    'replay.false': 'warned calls that succeeded, per 1,000 calls',
    'replay.p99': 'p99 of the time from sending a call to its reply',
    'replay.warned': 'number of calls that were warned of',
  },
  async *run(context) {
    const folder = context.recorded.replay;
    const corpora = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz')) : [];
    if (corpora.length === 0) {
      context.log(`skipped: no recorded sessions in ${folder} (set --shared DIR or --corpus DIR)`);
      return;
    }
    const files = corpora.map((name) => join(folder, name));
    const adapter = join(context.root, 'bench', 'adapters', 'replay.mjs');
    const command = [process.execPath, adapter, '--dist', context.dist];
    const { all, latencyMs } = await scoreReplay(files, { command, log: context.log });
    const { avoidable, kin } = all;
    context.log(
      `${all.right} of ${all.definite} warned calls failed; avoidable ${avoidable.caught} of ${avoidable.calls}; kin ${kin.caught} of ${kin.calls}`,
    );
    const [least, most] = context.isKnownCorpus ? [atLeast, atMost] : [info, info];
    yield least('replay.precision', all.precision, '%', 80);
    yield least('replay.helpful', all.helpful, '%', 65);
    yield least('replay.avoidable', avoidable.percent, '%', 75);
    yield least('replay.kin', kin.percent, '%', 15);
    yield most('replay.false', all.falsePer1000, 'per 1,000', 0.5);
    yield most('replay.p99', latencyMs.p99, 'ms', 5);
    yield info('replay.warned', all.warned, 'calls');
  },
};
