import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atLeast, atMost, info } from '../runner/result.mjs';

/** How good the guard's warnings are on recorded sessions, if these are available. */
export const replay = {
  group: 'replay',
  description: 'recorded sessions replayed through recorder and guard, measured by the scorer of bench/replay',
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
    const folder = join(context.shared, 'bench', 'replay');
    const scorer = join(folder, 'score.mjs');
    if (!existsSync(scorer)) {
      context.log(`skipped: no ${scorer} (set --shared DIR)`);
      return;
    }
    const corpora = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'));
    context.log(`replaying ${corpora.length} corpora`);
    const adapter = join(context.root, 'bench', 'adapters', 'replay.mjs');
    const files = corpora.map((name) => join(folder, name));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [scorer, '--json', '--corpus', ...files, '--', process.execPath, adapter],
      { maxBuffer: 1e8, env: withoutCertificates() },
    );
    const { overall } = JSON.parse(stdout);
    const { avoidable } = overall.repeats;
    context.log(
      `${overall.right} of ${overall.definite} warned calls failed; avoidable ${avoidable.caught} of ${avoidable.n}; kin ${overall.kin.caught} of ${overall.kin.n}`,
    );
    yield atLeast('replay.precision', overall.precisionPct, '%', 80);
    yield atLeast('replay.helpful', overall.helpfulPct, '%', 65);
    yield atLeast('replay.avoidable', avoidable.pct, '%', 75);
    yield atLeast('replay.kin', overall.kin.pct, '%', 15);
    yield atMost('replay.false', overall.falsePer1000, 'per 1,000', 0.5);
    yield atMost('replay.p99', overall.latencyMs.p99, 'ms', 5);
    yield info('replay.warned', overall.warned, 'calls');
  },
};

function withoutCertificates() {
  const environment = { ...process.env };
  delete environment.NODE_EXTRA_CA_CERTS;
  return environment;
}
