import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureTime, median, quantile } from '../measure.mjs';
import { atMost, info } from '../runner/result.mjs';

const NOW = Date.now();
const DAY_MS = 86_400_000;
const SIZES = [10_000, 100_000];
const CHECKS = 4_000;
const COLD_RUNS = 15;
const CHILD = fileURLToPath(new URL('../child/check-once.mjs', import.meta.url));

/** How long the guard takes to decide, with many failures in the lookback window. */
export const guard = {
  group: 'guard',
  description:
    'decisions with 10,000 and 100,000 failures in the lookback window, in a long-lived process and in new ones',
  names: {
    'guard.decision': 'p99 of a decision in a long-lived process',
    'guard.median': 'median of the same',
    'guard.cold': 'median time of a decision in a new process: open the store, decide; without starting and compiling',
    'guard.first': 'median time of the first decision of a process, with compiling, in a project with 10 failures',
  },
  async *run(context) {
    const { buildAttempt } = await context.load('facts/attempt/build-attempt.js');
    const { openHome } = await context.load('project/index.js');
    const home = join(context.folder('guard'), 'home');
    const opened = openHome({ home });
    const create = (size) => {
      const folder = context.folder(`guard-${size}`);
      mkdirSync(folder, { recursive: true });
      const project = opened.openProject(folder);
      mkdirSync(project.directory, { recursive: true });
      recordFailures(buildAttempt, project.directory, folder, size);
      return { folder, project };
    };
    const small = create(10);
    for (const size of SIZES) {
      context.log(`recording ${size.toLocaleString('en')} failures`);
      const { folder, project } = create(size);
      opened.catchUp();
      const times = Array.from({ length: CHECKS }, (_, at) => {
        const call = createCall(at % 5 === 0 ? Math.floor((at * size) / CHECKS) : size + at, 'other', folder);
        return measureTime(() => project.memory.check(call));
      });
      yield atMost(`guard.decision.${size}`, quantile(times.slice(CHECKS / 4), 0.99), 'ms', 5);
      yield info(`guard.median.${size}`, median(times), 'ms');
      const cold = measureColdDecisions(context, home, { folder, small: small.folder, size });
      yield atMost(`guard.cold.${size}`, median(cold.map((run) => run.lookup)), 'ms', 10);
      if (size === SIZES[0]) yield info('guard.first', median(cold.map((run) => run.first)), 'ms');
    }
    opened.close();
  },
};

function recordFailures(buildAttempt, directory, folder, size) {
  const lines = [];
  for (let at = 0; at < size; at++) {
    const made = createCall(
      at,
      `session-${Math.floor(at / 50)}`,
      folder,
      NOW - 6 * DAY_MS + Math.floor((at * 5 * DAY_MS) / size),
    );
    const attempt = buildAttempt(made, { status: 'error', exitCode: 1, output: createOutput(at) });
    lines.push(JSON.stringify({ v: 1, id: `${folder}-${at}`, ...attempt }));
    if (lines.length === 5_000 || at === size - 1)
      appendFileSync(join(directory, 'failures.jsonl'), `${lines.splice(0).join('\n')}\n`);
  }
}

/** The call of a number: a missing package, a missing file, an unknown option or a missing script. */
function createCall(at, sessionId, folder, time = NOW) {
  const call = {
    sessionId,
    agent: 'claude-code',
    timestamp: new Date(time).toISOString(),
    root: folder,
    cwd: folder,
  };
  switch (at % 4) {
    case 0:
      return {
        ...call,
        tool: 'Bash',
        input: { command: `cd ${folder} && npm install pkg-${at.toString(36)} 2>&1 | tail -20` },
      };
    case 1:
      return { ...call, tool: 'Read', input: { file_path: `${folder}/src/part-${at % 97}/module-${at}.ts` } };
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

function measureColdDecisions(context, home, { folder, small, size }) {
  const environment = { ...process.env };
  delete environment.NODE_EXTRA_CA_CERTS;
  return Array.from({ length: COLD_RUNS }, (_, run) => {
    const call = JSON.stringify(createCall(Math.floor((run * size) / COLD_RUNS), 'cold', folder));
    const options = { env: environment, encoding: 'utf8' };
    return JSON.parse(execFileSync(process.execPath, [CHILD, context.dist, home, folder, small, call], options));
  });
}
