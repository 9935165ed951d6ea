import { execFileSync } from 'node:child_process';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureTime, median, quantile } from '../measure.mjs';
import { atMost, info } from '../runner/result.mjs';

const NOW = Date.UTC(2025, 10, 20);
const DAY_MS = 86_400_000;
const SIZES = [10_000, 100_000];
const CHECKS = 4_000;
const COLD_RUNS = 15;
const CHILD = fileURLToPath(new URL('../child/check-once.mjs', import.meta.url));
const OPTIONS = { failureLookbackDays: 7, minConfidence: 0.75 };

/** How long the guard takes to decide, with many failures in the lookback window. */
export const guard = {
  group: 'guard',
  description:
    'decisions with 10,000 and 100,000 failures in the lookback window, in a long-lived process and in new ones',
  names: {
    'guard.decision': 'p99 of a decision in a long-lived process',
    'guard.median': 'median of the same',
    'guard.cold':
      'median time of a decision in a new process: read snapshot and logs, decide; without starting and compiling',
    'guard.first': 'median time of the first decision of a process, with compiling, in a project with 10 failures',
    'guard.size': 'size of the snapshot',
    'guard.snapshot': 'time to write the snapshot',
  },
  async *run(context) {
    const { buildAttempt } = await context.load('memory/index.js');
    const { Guard } = await context.load('memory/guard/guard.js');
    const small = context.folder('guard-small');
    recordFailures(buildAttempt, small, 10);
    new Guard(small, OPTIONS).store.writeSnapshot(NOW);
    for (const size of SIZES) {
      const name = size.toLocaleString('en');
      const directory = context.folder(`guard-${size}`);
      context.log(`recording ${name} failures`);
      recordFailures(buildAttempt, directory, size);
      const guard = new Guard(directory, OPTIONS);
      guard.store.catchUp(NOW);
      const snapshotTime = measureTime(() => guard.store.writeSnapshot(NOW));
      const times = Array.from({ length: CHECKS }, (_, at) => {
        const call = createCall(at % 5 === 0 ? Math.floor((at * size) / CHECKS) : size + at, 'other');
        return measureTime(() => guard.check(call));
      });
      yield atMost(`guard.decision.${size}`, quantile(times.slice(CHECKS / 4), 0.99), 'ms', size > 10_000 ? 5 : 2);
      yield info(`guard.median.${size}`, median(times), 'ms');
      yield info(`guard.size.${size}`, statSync(join(directory, 'guard.idx')).size / 1e6, 'MB');
      yield info(`guard.snapshot.${size}`, snapshotTime, 'ms');
      const cold = measureColdDecisions(context, directory, small, size);
      const lookup = median(cold.map((run) => run.lookup));
      yield size > 10_000 ? info(`guard.cold.${size}`, lookup, 'ms') : atMost(`guard.cold.${size}`, lookup, 'ms', 3);
      if (size === SIZES[0]) yield info('guard.first', median(cold.map((run) => run.first)), 'ms');
      guard.close();
    }
  },
};

function recordFailures(buildAttempt, directory, size) {
  const lines = [];
  for (let at = 0; at < size; at++) {
    const made = createCall(
      at,
      `session-${Math.floor(at / 50)}`,
      NOW - 6 * DAY_MS + Math.floor((at * 5 * DAY_MS) / size),
    );
    const attempt = buildAttempt(made, { status: 'error', exitCode: 1, output: createOutput(at) });
    lines.push(JSON.stringify({ v: 1, id: `a${at}`, ...attempt }));
    if (lines.length === 5_000 || at === size - 1)
      appendFileSync(join(directory, 'failures.jsonl'), `${lines.splice(0).join('\n')}\n`);
  }
}

/** The call of a number: a missing package, a missing file, an unknown option or a missing script. */
function createCall(at, sessionId, time = NOW) {
  const call = {
    sessionId,
    agent: 'claude-code',
    timestamp: new Date(time).toISOString(),
    root: '/srv/shop',
    cwd: '/srv/shop',
  };
  switch (at % 4) {
    case 0:
      return {
        ...call,
        tool: 'Bash',
        input: { command: `cd /srv/shop && npm install pkg-${at.toString(36)} 2>&1 | tail -20` },
      };
    case 1:
      return { ...call, tool: 'Read', input: { file_path: `/srv/shop/src/part-${at % 97}/module-${at}.ts` } };
    case 2:
      return {
        ...call,
        tool: 'Bash',
        input: { command: `deploy run-${at % 500} --flag-${at} --env staging` },
      };
    default:
      return {
        ...call,
        tool: 'Bash',
        input: { command: `timeout 60 ./scripts/task-${at}.sh --all && echo done` },
      };
  }
}

function createOutput(at) {
  switch (at % 4) {
    case 0:
      return 'npm error code E404\nnpm error 404 Not Found';
    case 1:
      return 'File does not exist.';
    case 2:
      return `Error: unknown flag: --flag-${at}`;
    default:
      return `bash: ./scripts/task-${at}.sh: No such file or directory`;
  }
}

function measureColdDecisions(context, directory, small, size) {
  const environment = { ...process.env };
  delete environment.NODE_EXTRA_CA_CERTS;
  return Array.from({ length: COLD_RUNS }, (_, run) => {
    const call = JSON.stringify(createCall(Math.floor((run * size) / COLD_RUNS), 'cold'));
    const options = { env: environment, encoding: 'utf8' };
    return JSON.parse(execFileSync(process.execPath, [CHILD, context.dist, directory, small, call], options));
  });
}
