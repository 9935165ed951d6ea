import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLines } from '../../src/log/index.ts';
import { type CallResult, parseWarningRecord, type ToolCall } from '../../src/memory/index.ts';
import { openHome, type Project, type Recorder } from '../../src/project/index.ts';
import type { Attempt } from '../../src/record/index.ts';
import { createRepository } from '../registry/git.ts';
import { temporaryFolder } from '../temp-folder.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const NO_PACKAGE = (name: string): CallResult => ({
  status: 'error',
  exitCode: 1,
  output: `npm error code E404\nnpm error 404  '${name}@*' is not in this registry.`,
});
const OK: CallResult = { status: 'ok', exitCode: 0, output: '' };

/** A person, an agent and a project, day after day. Each session is a process of its own. */
class Setup {
  readonly checkout = createRepository(join(temporaryFolder(), 'app'));
  readonly home: string;
  now = Date.parse('2026-03-02T09:00:00.000Z');
  sessionId = 'monday';
  branch = 'main';
  #recorder: Recorder | undefined;

  constructor(home: string = join(temporaryFolder(), 'home')) {
    this.home = home;
  }

  get project(): Project {
    return openHome({ home: this.home, now: () => this.now, env: {} }).openProject(this.checkout);
  }

  get recorder(): Recorder {
    this.#recorder ??= this.project.recorder();
    return this.#recorder;
  }

  begin(sessionId: string, after = DAY): this {
    this.#recorder?.close();
    this.#recorder = undefined;
    this.sessionId = sessionId;
    this.now += after;
    return this;
  }

  ask(text: string): ReturnType<Recorder['recordPrompt']> {
    this.now += MINUTE;
    return this.recorder.recordPrompt({
      sessionId: this.sessionId,
      text,
      timestamp: this.time,
      agent: 'claude-code',
    });
  }

  get time(): string {
    return new Date(this.now).toISOString();
  }

  call(command: string, more: Partial<ToolCall> = {}): ToolCall {
    const { sessionId, branch, checkout } = this;
    const input = { command };
    return {
      sessionId,
      branch,
      tool: 'Bash',
      agent: 'claude-code',
      input,
      cwd: checkout,
      timestamp: this.time,
      ...more,
    };
  }

  warn(command: string, more: Partial<ToolCall> = {}): ReturnType<Recorder['warn']> {
    return this.recorder.warn(this.call(command, more));
  }

  /** Makes a call whatever is said, a minute later. */
  run(command: string, result: CallResult, more: Partial<ToolCall> = {}): Attempt | undefined {
    this.now += MINUTE;
    const callId = `call-${this.now}`;
    return this.recorder.record(this.call(command, { callId, ...more }), result);
  }

  lines(log: string): readonly Record<string, unknown>[] {
    const path = join(this.project.directory, `${log}.jsonl`);
    if (!existsSync(path)) return [];
    return [...readLines(path)].map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  }
}

/** Monday: redis-node does not exist, ioredis works. */
function redis(): Setup {
  const setup = new Setup();
  setup.ask('Add a Redis cache to the API');
  setup.run('npm install redis-node', NO_PACKAGE('redis-node'));
  setup.run('bun add ioredis', OK);
  return setup;
}

describe('Redis', () => {
  test.each([
    'npm install redis-node',
    'npm i redis-node --save',
    'yarn add redis-node',
    'cd api && pnpm add redis-node@latest',
  ])('the next day, before `%s`, the agent learns what failed and what worked instead', (command) => {
    const given = redis().begin('tuesday').warn(command);
    expect(given?.mode).toBe('denyOnce');
    expect(given?.warning).toMatchObject({ failed: 'npm install redis-node', resolution: 'bun add ioredis' });
    expect(given?.warning.text).toContain('2026-03-02');
    expect(given?.warning.text).toContain('not in this registry');
  });

  test('there is no warning about other packages', () => {
    const setup = redis().begin('tuesday');
    for (const command of ['npm install ioredis', 'npm install redis', 'npm install', 'npm test', 'cat package.json'])
      expect(setup.warn(command)).toBeUndefined();
  });

  test('the repeated call goes through and is recorded', () => {
    const setup = redis().begin('tuesday');
    expect(setup.warn('npm install redis-node')).toBeDefined();
    expect(setup.warn('npm install redis-node')).toBeUndefined();
    setup.run('npm install redis-node', NO_PACKAGE('redis-node'));
    const entries = setup.lines('warnings').map(parseWarningRecord);
    expect(entries.map((entry) => entry?.kind)).toEqual(['warning', 'override']);
    expect(entries[1]).toMatchObject({ succeeded: false });
  });
});

describe('a package that is published later', () => {
  test('there is no warning after a successful override', () => {
    const setup = redis().begin('tuesday');
    expect(setup.warn('npm install redis-node')).toBeDefined();
    setup.run('npm install redis-node', OK);
    for (const session of ['wednesday', 'thursday']) {
      setup.begin(session);
      expect(setup.warn('npm install redis-node')).toBeUndefined();
      expect(setup.warn('yarn add redis-node')).toBeUndefined();
    }
  });

  test('there is no warning after the lookback window', () => {
    expect(
      redis()
        .begin('much later', 8 * DAY)
        .warn('npm install redis-node'),
    ).toBeUndefined();
  });
});

describe('another branch', () => {
  const missing: CallResult = {
    status: 'error',
    exitCode: 1,
    output: 'cat: docs/plan.md: No such file or directory',
  };

  test('there is no warning about a file that exists after a switch', () => {
    const setup = new Setup();
    setup.run('cat docs/plan.md', missing);
    setup.begin('tuesday');
    expect(setup.warn('cat docs/plan.md')).toBeDefined();
    setup.begin('wednesday');
    setup.branch = 'next';
    mkdirSync(join(setup.checkout, 'docs'));
    writeFileSync(join(setup.checkout, 'docs', 'plan.md'), 'plan');
    expect(setup.warn('cat docs/plan.md')).toBeUndefined();
  });

  test('failing tests of one branch do not warn on another', () => {
    const setup = new Setup();
    const failing: CallResult = {
      status: 'error',
      exitCode: 1,
      output: 'FAIL a.test.ts\nexpected 1 to be 2',
    };
    writeFileSync(join(setup.checkout, 'a.test.ts'), '');
    setup.now = Date.now() + MINUTE;
    setup.run('npm test', failing);
    setup.begin('later', 10 * MINUTE);
    expect(setup.recorder.guard.check(setup.call('npm test', { root: setup.checkout }))).toBeDefined();
    setup.run('git switch next', OK);
    setup.branch = 'next';
    expect(setup.warn('npm test')).toBeUndefined();
  });
});

describe('overrides', () => {
  test('two successful ones turn warnings into notes, in that session only', () => {
    const setup = new Setup();
    const names = ['alpha-kit', 'beta-kit', 'gamma-kit'];
    for (const name of [...names, 'delta-kit']) setup.run(`npm i ${name}`, NO_PACKAGE(name));
    setup.begin('tuesday');
    const modes = names.map((name) => {
      const given = setup.warn(`npm i ${name}`);
      if (name !== 'gamma-kit') setup.run(`npm i ${name}`, OK);
      return given?.mode;
    });
    expect(modes).toEqual(['denyOnce', 'denyOnce', 'note']);
    setup.begin('wednesday');
    expect(setup.warn('npm i delta-kit')?.mode).toBe('denyOnce');
  });
});

describe('settings', () => {
  test.each([
    ['retrieval.enabled', 'false'],
    ['retrieval.warnOnDuplicateFailure', 'false'],
    ['retrieval.minConfidence', '1'],
  ])('%s = %s: nothing is said', (key, value) => {
    const setup = redis();
    const [group, name] = key.split('.') as [string, string];
    writeFileSync(setup.project.configFile, JSON.stringify({ [group]: { [name]: JSON.parse(value) } }));
    expect(setup.begin('tuesday').warn('npm i redis-node')).toBeUndefined();
  });

  test.each(['ask', 'note'] as const)('retrieval.onDuplicate can be %s', (mode) => {
    const setup = redis();
    writeFileSync(setup.project.configFile, JSON.stringify({ retrieval: { onDuplicate: mode } }));
    expect(setup.begin('tuesday').warn('npm i redis-node')?.mode).toBe(mode);
  });
});

describe('other projects', () => {
  /** Another checkout whose memory is in the same home. */
  function withOtherProject(setup: Setup, on = true): Setup {
    const other = new Setup(setup.home);
    other.now = setup.now;
    writeFileSync(join(setup.home, 'config.json'), JSON.stringify({ retrieval: { crossProject: on } }));
    return other.begin('elsewhere');
  }

  test('are not searched by default', () => {
    expect(withOtherProject(redis(), false).warn('npm i redis-node')).toBeUndefined();
  });

  test('warn of failures that are not about their files, and are named', () => {
    const setup = redis();
    setup.run('cat docs/plan.md', {
      status: 'error',
      exitCode: 1,
      output: 'cat: docs/plan.md: No such file or directory',
    });
    setup.run('npm run biuld', { status: 'error', exitCode: 1, output: 'npm error Missing script: "biuld"' });
    const other = withOtherProject(setup);
    expect(other.warn('cat docs/plan.md')).toBeUndefined();
    expect(other.warn('npm run biuld')).toBeUndefined();
    expect(other.warn('npm i redis-node')?.warning).toMatchObject({
      project: 'app',
      resolution: 'bun add ioredis',
    });
  });

  test('do not warn of what was overridden with success or dismissed here', () => {
    const setup = redis();
    setup.run('gh pr diff --stat', { status: 'error', exitCode: 1, output: 'unknown flag: --stat' });
    const other = withOtherProject(setup);
    expect(other.warn('npm i redis-node')).toBeDefined();
    other.run('npm i redis-node', OK);
    const given = other.warn('gh pr diff --stat');
    other.recorder.guard.choose('dismiss', given?.warning.key ?? '', other.now);
    other.begin('the day after');
    expect(other.warn('npm i redis-node')).toBeUndefined();
    expect(other.warn('gh pr diff --stat')).toBeUndefined();
  });
});

describe('feedback in prompts', () => {
  test('"that worked" is recorded as a success of the request with the last call', () => {
    const setup = redis();
    const { feedback, message } = setup.ask('perfect, that worked');
    expect(message).toMatchObject({ role: 'user', content: 'perfect, that worked' });
    expect(feedback).toMatchObject({
      ...{
        outcome: 'success',
        kind: 'feedback',
        context: 'Add a Redis cache to the API',
        command: 'bun add ioredis',
      },
      description: 'perfect, that worked',
    });
    expect(setup.lines('successes').at(-1)).toMatchObject({ kind: 'feedback' });
  });

  test('"still broken" is recorded as a failure of the request that never warns', () => {
    const setup = redis();
    expect(setup.ask('still broken, same error').feedback).toMatchObject({
      outcome: 'failure',
      kind: 'feedback',
    });
    expect(setup.lines('failures').at(-1)).toMatchObject({ kind: 'feedback', command: 'bun add ioredis' });
    expect(setup.begin('tuesday').warn('bun add ioredis')).toBeUndefined();
  });

  test('calls after a follow-up serve the request, also in another process', () => {
    const setup = redis();
    setup.ask('still broken');
    expect(setup.run('npm test', OK)?.context).toBe('Add a Redis cache to the API');
    setup.begin('monday', MINUTE);
    expect(setup.run('npm test', OK)?.context).toBe('Add a Redis cache to the API');
    setup.ask('now add metrics');
    expect(setup.run('npm test', OK)?.context).toBe('now add metrics');
  });

  test('praise without a previous request is a request', () => {
    const setup = new Setup();
    expect(setup.ask('that worked').feedback).toBeUndefined();
    expect(setup.run('npm test', OK)?.context).toBe('that worked');
  });

  test('requests of other sessions are ignored', () => {
    const setup = redis().begin('tuesday');
    expect(setup.run('npm test', OK)).not.toHaveProperty('context');
  });
});

describe('recording', () => {
  test('an attempt contains what search and guard need', () => {
    const setup = redis();
    expect(setup.lines('failures')[0]).toMatchObject({
      ...{ v: 1, sessionId: 'monday', agent: 'claude-code', tool: 'Bash', command: 'npm install redis-node' },
      ...{
        outcome: 'failure',
        exitCode: 1,
        branch: 'main',
        kind: 'missing',
        signature: 'sh npm install redis-node',
      },
      context: 'Add a Redis cache to the API',
    });
    expect(setup.lines('failures')[0]?.tags).toEqual(expect.arrayContaining(['dependency', 'redis']));
    expect(setup.lines('successes')[0]).toMatchObject({ kind: 'install', outcome: 'success' });
  });

  test('a repeated call is recorded once, also in another process and after a new snapshot', () => {
    const setup = new Setup();
    const call = setup.call('npm i redis-node', { callId: 'toolu_1' });
    expect(setup.recorder.record(call, NO_PACKAGE('redis-node'))).toBeDefined();
    expect(setup.recorder.record(call, NO_PACKAGE('redis-node'))).toBeUndefined();
    setup.begin('monday', MINUTE);
    expect(setup.recorder.record(call, OK)).toBeUndefined();
    setup.recorder.guard.store.writeSnapshot(setup.now);
    setup.begin('monday', MINUTE);
    expect(setup.recorder.record(call, OK)).toBeUndefined();
    expect(setup.lines('failures')).toHaveLength(1);
    expect(setup.lines('successes')).toEqual([]);
    expect(setup.recorder.record({ ...call, sessionId: 'other' }, OK)).toBeDefined();
  });

  test('other outcomes are recorded as such', () => {
    const setup = new Setup();
    setup.run('npm test', { status: 'rejected' });
    setup.run('grep -r x src', { status: 'error', exitCode: 1, output: '' });
    expect(setup.lines('failures').map(({ outcome }) => outcome)).toEqual(['rejected', 'noMatch']);
  });

  test('nothing is recorded or warned of while recording is paused', () => {
    const setup = redis();
    setup.project.setRecording(false);
    setup.begin('tuesday');
    const before = readdirSync(setup.project.directory).map((name) => [name, sizeOf(setup, name)]);
    expect(setup.run('npm i redis-node', NO_PACKAGE('redis-node'))).toBeUndefined();
    expect(setup.ask('add metrics')).toEqual({});
    expect(setup.warn('npm i redis-node')).toBeUndefined();
    expect(readdirSync(setup.project.directory).map((name) => [name, sizeOf(setup, name)])).toEqual(before);
    setup.project.setRecording(true);
    expect(setup.begin('wednesday').warn('npm i redis-node')).toBeDefined();
  });

  test('an invalid timestamp is replaced by the present', () => {
    const setup = new Setup();
    setup.run('npm i redis-node', NO_PACKAGE('redis-node'), { timestamp: 'just now' });
    setup.recorder.recordPrompt({ sessionId: 'monday', text: 'go on', timestamp: '' });
    expect(setup.begin('tuesday').warn('npm i redis-node')).toBeDefined();
    expect(setup.lines('history')[0]?.timestamp).toBe('2026-03-02T09:01:00.000Z');
  });

  test('recording works when the snapshot cannot be written', () => {
    const setup = redis();
    mkdirSync(join(setup.project.directory, 'guard.idx'));
    setup.begin('monday', MINUTE);
    const output = 'some words of output\n'.repeat(50);
    for (let number = 0; number < 400; number++) setup.run(`./step-${number}`, { ...OK, output });
    expect(setup.lines('successes')).toHaveLength(401);
    expect(setup.begin('tuesday').warn('npm i redis-node')).toBeDefined();
  });

  test('a snapshot is written when it is due, and gives the same answers', () => {
    const setup = redis();
    const output = 'some words of output\n'.repeat(50);
    for (let number = 0; number < 400; number++) setup.run(`./step-${number}`, { ...OK, output });
    setup.begin('tuesday');
    setup.run('ls', OK);
    expect(existsSync(join(setup.project.directory, 'guard.idx'))).toBe(true);
    expect(setup.begin('wednesday').warn('npm i redis-node')?.warning.resolution).toBe('bun add ioredis');
  });
});

function sizeOf(setup: Setup, name: string): number | string {
  const path = join(setup.project.directory, name);
  return name.includes('.') ? readFileSync(path).length : readdirSync(path).join();
}
