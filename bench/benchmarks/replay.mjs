import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atLeast, atMost, info } from '../runner/result.mjs';

/** How good the guard's warnings are on recorded sessions, where these are at hand. */
export const replay = {
  group: 'replay',
  description: 'recorded sessions in time order through recording and guard, by the scorer of bench/replay',
  names: {
    'replay.precision': 'warned calls that failed',
    'replay.helpful': 'warned calls that failed with the error of the failure that was named',
    'replay.avoidable': 'repeats of another session with the same error that were warned of',
    'replay.kin': 'failures on the same error line as another command that were warned of',
    'replay.false': 'warned calls that went well, of 1,000 calls',
    'replay.p99': 'from sending a call to having the answer, 99 % are faster',
    'replay.warned': 'calls that were warned of',
  },
  async *run(context) {
    const folder = join(context.shared, 'bench', 'replay');
    const scorer = join(folder, 'score.mjs');
    if (!existsSync(scorer)) {
      context.say(`skipped: there is no ${scorer} (--shared DIR says where it is)`);
      return;
    }
    const corpora = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'));
    context.say(`replaying ${corpora.length} corpora`);
    const adapter = join(context.root, 'bench', 'adapters', 'replay.mjs');
    const files = corpora.map((name) => join(folder, name));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [scorer, '--json', '--corpus', ...files, '--', process.execPath, adapter],
      { maxBuffer: 1e8, env: withoutCertificates() },
    );
    const { overall } = JSON.parse(stdout);
    const { avoidable } = overall.repeats;
    context.say(
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
