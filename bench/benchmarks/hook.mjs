import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRecords } from '../corpus/project.mjs';
import { createRandom } from '../corpus/random.mjs';
import { createVocabulary } from '../corpus/vocabulary.mjs';
import { alternate, measureTime, median, quantile } from '../measure.mjs';
import { projectsIn } from '../product.mjs';
import { atMost, info } from '../runner/result.mjs';

const ROUNDS = 31;
/** Enough for a 99th percentile that is not the slowest of all. */
const TAIL_ROUNDS = 101;
/** Attempts whose failures warnings may be about; every tenth failed. */
const ATTEMPTS = 100_000;
const FAILED_SHARE = 0.1;
const DAY_MS = 86_400_000;
const LIMIT_MS = 15;
/** The 99th percentile beside a writer, relative to the median. */
const MAX_SPREAD = 2;
const WRITER = fileURLToPath(new URL('../child/catch-up-forever.mjs', import.meta.url));
const TAIL_MS = 300;

/** How long agents wait for hooks. */
export const hook = {
  group: 'hook',
  description:
    'events of a session through the shim, in a project with 100,000 attempts and 100 MB of history (--full: 1 GB); the most frequent ones also beside a process that writes to the store',
  names: {
    'hook.start': 'median time of a session start with its briefing, minus `node -e 0`',
    'hook.prompt': 'the same for a prompt: record and recall',
    'hook.beforeCall': 'the same for the check before a call',
    'hook.amidCalls': 'the same while calls of the session are in the spool',
    'hook.afterFailure': 'the same after similar calls have failed since the last pause',
    'hook.drain': 'the same when the spool must be drained first, because a similar call in it has failed',
    'hook.afterCall': 'median time to record a call, minus `node -e 0`',
    'hook.failedCall': 'the same for recording a failed call',
    'hook.tail': 'the same for a sub-agent that ends: import 40 calls from its transcript',
    'hook.stop': 'the same for a stop: import 40 calls and update knowledge',
    'hook.backlog': 'the same for a stop with a transcript of 50 MB, part of which is imported',
    'hook.node': 'median time of `node -e 0`',
    'hook.rebuild':
      'time after an upgrade until a call is checked again: reads all attempts of the project, before its history',
    ...Object.fromEntries(
      ['beforeCall', 'prompt', 'afterCall'].flatMap((name) => [
        [`hook.${name}.p99`, '99th percentile of the whole time'],
        [`hook.${name}.busy`, 'median beside a process that writes to the store, minus `node -e 0` beside it'],
        [`hook.${name}.busy.spread`, '99th percentile of the whole time beside that process, relative to the median'],
      ]),
    ),
  },
  async *run(context) {
    const agent = await createAgent(context);
    yield info('hook.rebuild', agent.rebuildMs, 'ms');
    const bare = () => run(process.execPath, ['-e', '0'], '');
    const measure = (fire) => {
      fire(-1);
      const times = alternate({ rounds: ROUNDS, yore: fire, bare });
      return { value: median(times.yore) - median(times.bare), node: median(times.bare) };
    };
    const measurePrepared = (prepare, fire) => {
      const times = { yore: [], bare: [] };
      for (let round = 0; round < ROUNDS; round++) {
        prepare(round);
        times.yore.push(measureTime(() => fire(round)));
        times.bare.push(measureTime(bare));
      }
      return median(times.yore) - median(times.bare);
    };
    // A pause prepares the briefing of the next session.
    agent.fire(0, 'Stop', {});
    const start = measure((round) => agent.fire(round, 'SessionStart', { source: 'startup' }));
    yield atMost('hook.start', start.value, 'ms', LIMIT_MS);
    const prompt = (round) => ({ prompt: `Rework part ${round} of the invoice export and add tests` });
    yield atMost(
      'hook.prompt',
      measure((round) => agent.fire(round, 'UserPromptSubmit', prompt(round))).value,
      'ms',
      LIMIT_MS,
    );
    const call = (round) => ({
      tool_name: 'Bash',
      tool_input: { command: `npm run build -- --part ${round}` },
    });
    const before = (round) => agent.fire(round, 'PreToolUse', { ...call(round), tool_use_id: `b-${round}` });
    yield atMost('hook.beforeCall', measure(before).value, 'ms', LIMIT_MS);
    const inspect = (round) => ({
      tool_name: 'Bash',
      tool_input: { command: `git show --stat part-${round}` },
      tool_use_id: `l-${round}`,
    });
    const done = { tool_response: { stdout: 'built in 2.1 s\n'.repeat(20), stderr: '' } };
    const after = (round) => agent.fire(round, 'PostToolUse', { ...call(round), ...done, tool_use_id: `a-${round}` });
    // Calls belong to a request.
    agent.fire(0, 'UserPromptSubmit', { ...prompt(0), session_id: 'bench' });
    yield atMost('hook.afterCall', measure(after).value, 'ms', LIMIT_MS);
    const error = 'Exit code 2\nerror TS2304: Cannot find name "Invoice".\nFound 1 error.';
    const failed = (round) =>
      agent.fire(round, 'PostToolUseFailure', { ...call(999 + round), error, tool_use_id: `f-${round}` });
    yield atMost('hook.failedCall', measure(failed).value, 'ms', LIMIT_MS);
    const whileSpooled = (round) => agent.fire(round, 'PreToolUse', { ...inspect(round), session_id: 'bench' });
    yield atMost('hook.amidCalls', measure(whileSpooled).value, 'ms', LIMIT_MS);
    yield atMost('hook.afterFailure', measure((round) => before(round + 100)).value, 'ms', LIMIT_MS);
    const related = (round) => failed(2_000 + round);
    yield info(
      'hook.drain',
      measurePrepared(related, (round) => before(round + 200)),
      'ms',
    );
    const tail = (round) => {
      agent.work(1_000 + round, 40);
      return agent.fire(round, 'SubagentStop', { agent_transcript_path: agent.transcript });
    };
    yield atMost('hook.tail', measure(tail).value, 'ms', TAIL_MS);
    const stop = (round) => {
      agent.work(round, 40);
      return agent.fire(round, 'Stop', {});
    };
    yield info('hook.stop', measure(stop).value, 'ms');
    agent.work(1_000_000, 20_000);
    yield info('hook.backlog', measure((round) => agent.fire(round, 'Stop', {})).value, 'ms');
    yield info('hook.node', start.node, 'ms');
    const frequent = {
      beforeCall: (round) => before(10_000 + round),
      prompt: (round) => agent.fire(10_000 + round, 'UserPromptSubmit', prompt(round)),
      afterCall: (round) => after(10_000 + round),
    };
    for (const [name, fire] of Object.entries(frequent))
      yield info(`hook.${name}.p99`, quantile(alternate({ rounds: TAIL_ROUNDS, yore: fire, bare }).yore, 0.99), 'ms');
    const writer = agent.startWriter();
    try {
      for (const [name, fire] of Object.entries(frequent)) {
        const times = alternate({ rounds: TAIL_ROUNDS, yore: (round) => fire(1_000 + round), bare });
        yield info(`hook.${name}.busy`, median(times.yore) - median(times.bare), 'ms');
        yield atMost(
          `hook.${name}.busy.spread`,
          quantile(times.yore, 0.99) / median(times.yore),
          '× median',
          MAX_SPREAD,
        );
      }
    } finally {
      writer.kill('SIGKILL');
    }
  },
};

async function createAgent(context) {
  const folder = context.folder('hook');
  const cwd = join(folder, 'shop');
  const home = join(folder, 'home');
  mkdirSync(cwd, { recursive: true });
  const { openHome } = await context.load('project/index.js');
  const { buildAttempt } = await context.load('facts/attempt/build-attempt.js');
  const { writeShim, shimPath } = await context.load('hook/shim.js');
  writeShim(home, { node: process.execPath, script: join(context.dist, 'hook', 'main.cjs') });
  const instance = openHome({ home });
  const project = instance.openProject(cwd);
  const bytes = writeHistory(project.directory, (context.full ? 1_000 : 100) * 1_000_000, context.log);
  writeAttempts(project.directory, cwd, buildAttempt);
  const rebuildMs = await measureRebuild(context, home);
  context.log(`reading ${Math.round(bytes / 1e6)} MB of history`);
  project.maintain();
  instance.catchUp();
  const transcript = join(folder, 'session.jsonl');
  writeFileSync(transcript, '');
  return {
    rebuildMs,
    transcript,
    /** Starts a process that catches up with the logs of another project all the time. */
    startWriter: () => spawn(process.execPath, [WRITER, context.dist, home], { stdio: 'ignore' }),
    fire(round, name, fields) {
      const payload = {
        session_id: name === 'Stop' || name.startsWith('PostToolUse') ? 'bench' : `bench-${round}`,
        transcript_path: transcript,
        cwd,
        hook_event_name: name,
        ...fields,
      };
      return run(shimPath(home, process.platform), ['claude-code'], JSON.stringify(payload));
    },
    /** Appends a turn with that many calls to the transcript. */
    work: (turn, calls) => appendFileSync(transcript, turnLines(turn, calls, cwd)),
  };
}

function run(program, args, input) {
  const { status, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
}

function writeHistory(directory, bytes, log) {
  const source = projectRecords({
    random: createRandom('hook'),
    vocabulary: createVocabulary(),
    messages: Math.ceil(bytes / 500),
    start: Date.now() - 170 * DAY_MS,
  });
  const lines = { history: [], successes: [], failures: [] };
  let written = 0;
  const flush = () => {
    for (const [log, texts] of Object.entries(lines)) {
      if (texts.length > 0) appendFileSync(join(directory, `${log}.jsonl`), texts.splice(0).join(''), { mode: 0o600 });
    }
  };
  for (const { log, record } of source) {
    // The failures within the lookback window are written separately.
    if (log === 'failures') continue;
    const line = `${JSON.stringify(record)}\n`;
    lines[log].push(line);
    written += line.length;
    if (lines.history.length >= 5_000) flush();
    if (written >= bytes) break;
  }
  flush();
  log(`wrote ${Math.round(statSync(join(directory, 'history.jsonl')).size / 1e6)} MB of messages`);
  return written;
}

/** How long it takes until all attempts are read, in a home without a store of this version. */
async function measureRebuild(context, home) {
  const { SearchIndex } = await context.load('search/index.js');
  const { OverlaidStore } = await context.load('store/overlay.js');
  const [project] = projectsIn(home);
  const rows = new OverlaidStore({ home, project, pending: () => [], now: Date.now });
  const index = SearchIndex.open(home);
  const started = performance.now();
  const isChecked = () => rows.ask(() => true) === true;
  let ms = Number.NaN;
  index.catchUp([project], {
    onProgress: () => {
      if (Number.isNaN(ms) && isChecked()) ms = performance.now() - started;
    },
  });
  index.close();
  return ms;
}

function writeAttempts(directory, cwd, buildAttempt) {
  const lines = { failures: [], successes: [] };
  for (let at = 0; at < ATTEMPTS; at++) {
    const time = Date.now() - 6 * DAY_MS + Math.floor((at * 5 * DAY_MS) / ATTEMPTS);
    const hasFailed = at % (1 / FAILED_SHARE) === 0;
    const call = {
      sessionId: `failing-${Math.floor(at / 50)}`,
      agent: 'claude-code',
      timestamp: new Date(time).toISOString(),
      root: cwd,
      cwd,
      tool: 'Bash',
      input: { command: `npm install pkg-${at.toString(36)}` },
    };
    const result = hasFailed
      ? { status: 'error', exitCode: 1, output: 'npm error code E404\nnpm error 404 Not Found' }
      : { status: 'ok', exitCode: 0, output: `added ${at % 90} packages in 2s` };
    const line = JSON.stringify({ v: 1, id: `f${at}`, ...buildAttempt(call, result) });
    lines[hasFailed ? 'failures' : 'successes'].push(`${line}\n`);
  }
  for (const [log, texts] of Object.entries(lines))
    appendFileSync(join(directory, `${log}.jsonl`), texts.join(''), { mode: 0o600 });
}

function turnLines(turn, calls, cwd) {
  const lines = [];
  const add = (type, message) =>
    lines.push(
      JSON.stringify({
        type,
        uuid: `u-${turn}-${lines.length}`,
        parentUuid: null,
        isSidechain: false,
        cwd,
        sessionId: 'bench',
        version: '2.1.325',
        gitBranch: 'main',
        timestamp: new Date().toISOString(),
        message,
      }),
    );
  add('user', { role: 'user', content: `Look into part ${turn} of the export` });
  for (let at = 0; at < calls; at++) {
    const id = `toolu_${turn}_${at}`;
    const call = { type: 'tool_use', id, name: 'Bash', input: { command: `cat src/part-${turn}/${at}.ts` } };
    add('assistant', {
      id: `msg_${turn}_${at}`,
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [call],
    });
    const content = 'export const part = 1;\n'.repeat(90);
    add('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, is_error: false }],
    });
  }
  const reply = { type: 'text', text: `Part ${turn} is as it should be.` };
  add('assistant', { id: `msg_${turn}_end`, role: 'assistant', model: 'claude-opus-4-5', content: [reply] });
  return `${lines.join('\n')}\n`;
}
