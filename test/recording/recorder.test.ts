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
class Scene {
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

  ask(text: string): ReturnType<Recorder['prompt']> {
    this.now += MINUTE;
    return this.recorder.prompt({
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
function redis(): Scene {
  const scene = new Scene();
  scene.ask('Add a Redis cache to the API');
  scene.run('npm install redis-node', NO_PACKAGE('redis-node'));
  scene.run('bun add ioredis', OK);
  return scene;
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
    expect(given?.warning).toMatchObject({ failed: 'npm install redis-node', instead: 'bun add ioredis' });
    expect(given?.warning.text).toContain('2026-03-02');
    expect(given?.warning.text).toContain('not in this registry');
  });

  test('other packages are not warned about', () => {
    const scene = redis().begin('tuesday');
    for (const command of [
      'npm install ioredis',
      'npm install redis',
      'npm install',
      'npm test',
      'cat package.json',
    ])
      expect(scene.warn(command)).toBeUndefined();
  });

  test('trying again goes through, and is recorded', () => {
    const scene = redis().begin('tuesday');
    expect(scene.warn('npm install redis-node')).toBeDefined();
    expect(scene.warn('npm install redis-node')).toBeUndefined();
    scene.run('npm install redis-node', NO_PACKAGE('redis-node'));
    const entries = scene.lines('warnings').map(parseWarningRecord);
    expect(entries.map((entry) => entry?.kind)).toEqual(['warning', 'override']);
    expect(entries[1]).toMatchObject({ succeeded: false });
  });
});

describe('a package that is published later', () => {
  test('an override that succeeds is not warned about again', () => {
    const scene = redis().begin('tuesday');
    expect(scene.warn('npm install redis-node')).toBeDefined();
    scene.run('npm install redis-node', OK);
    for (const session of ['wednesday', 'thursday']) {
      scene.begin(session);
      expect(scene.warn('npm install redis-node')).toBeUndefined();
      expect(scene.warn('yarn add redis-node')).toBeUndefined();
    }
  });

  test('after the look-back it may be tried without a word', () => {
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

  test('a file that is there after a switch is not warned about', () => {
    const scene = new Scene();
    scene.run('cat docs/plan.md', missing);
    scene.begin('tuesday');
    expect(scene.warn('cat docs/plan.md')).toBeDefined();
    scene.begin('wednesday');
    scene.branch = 'next';
    mkdirSync(join(scene.checkout, 'docs'));
    writeFileSync(join(scene.checkout, 'docs', 'plan.md'), 'plan');
    expect(scene.warn('cat docs/plan.md')).toBeUndefined();
  });

  test('failing tests of one branch are not held against another', () => {
    const scene = new Scene();
    const failing: CallResult = {
      status: 'error',
      exitCode: 1,
      output: 'FAIL a.test.ts\nexpected 1 to be 2',
    };
    writeFileSync(join(scene.checkout, 'a.test.ts'), '');
    scene.now = Date.now() + MINUTE;
    scene.run('npm test', failing);
    scene.begin('later', 10 * MINUTE);
    expect(scene.recorder.guard.check(scene.call('npm test', { root: scene.checkout }))).toBeDefined();
    scene.run('git switch next', OK);
    scene.branch = 'next';
    expect(scene.warn('npm test')).toBeUndefined();
  });
});

describe('overrides', () => {
  test('two that went well turn the session to notes, and only that one', () => {
    const scene = new Scene();
    const names = ['alpha-kit', 'beta-kit', 'gamma-kit'];
    for (const name of [...names, 'delta-kit']) scene.run(`npm i ${name}`, NO_PACKAGE(name));
    scene.begin('tuesday');
    const modes = names.map((name) => {
      const given = scene.warn(`npm i ${name}`);
      if (name !== 'gamma-kit') scene.run(`npm i ${name}`, OK);
      return given?.mode;
    });
    expect(modes).toEqual(['denyOnce', 'denyOnce', 'note']);
    scene.begin('wednesday');
    expect(scene.warn('npm i delta-kit')?.mode).toBe('denyOnce');
  });
});

describe('settings', () => {
  test.each([
    ['retrieval.enabled', 'false'],
    ['retrieval.warnOnDuplicateFailure', 'false'],
    ['retrieval.minConfidence', '1'],
  ])('%s = %s: nothing is said', (key, value) => {
    const scene = redis();
    const [group, name] = key.split('.') as [string, string];
    writeFileSync(scene.project.configFile, JSON.stringify({ [group]: { [name]: JSON.parse(value) } }));
    expect(scene.begin('tuesday').warn('npm i redis-node')).toBeUndefined();
  });

  test.each(['ask', 'note'] as const)('the user can choose: %s', (mode) => {
    const scene = redis();
    writeFileSync(scene.project.configFile, JSON.stringify({ retrieval: { onDuplicate: mode } }));
    expect(scene.begin('tuesday').warn('npm i redis-node')?.mode).toBe(mode);
  });
});

describe('other projects', () => {
  /** Another checkout whose memory is in the same home. */
  function beside(scene: Scene, on = true): Scene {
    const other = new Scene(scene.home);
    other.now = scene.now;
    writeFileSync(join(scene.home, 'config.json'), JSON.stringify({ retrieval: { crossProject: on } }));
    return other.begin('elsewhere');
  }

  test('are not asked unless the user wants it', () => {
    expect(beside(redis(), false).warn('npm i redis-node')).toBeUndefined();
  });

  test('warn of what is not about their files, and are named', () => {
    const scene = redis();
    scene.run('cat docs/plan.md', {
      status: 'error',
      exitCode: 1,
      output: 'cat: docs/plan.md: No such file or directory',
    });
    scene.run('npm run biuld', { status: 'error', exitCode: 1, output: 'npm error Missing script: "biuld"' });
    const other = beside(scene);
    expect(other.warn('cat docs/plan.md')).toBeUndefined();
    expect(other.warn('npm run biuld')).toBeUndefined();
    expect(other.warn('npm i redis-node')?.warning).toMatchObject({
      project: 'app',
      instead: 'bun add ioredis',
    });
  });

  test('do not warn again of what went well here, or was dismissed here', () => {
    const scene = redis();
    scene.run('gh pr diff --stat', { status: 'error', exitCode: 1, output: 'unknown flag: --stat' });
    const other = beside(scene);
    expect(other.warn('npm i redis-node')).toBeDefined();
    other.run('npm i redis-node', OK);
    const given = other.warn('gh pr diff --stat');
    other.recorder.guard.choose('dismiss', given?.warning.key ?? '', other.now);
    other.begin('the day after');
    expect(other.warn('npm i redis-node')).toBeUndefined();
    expect(other.warn('gh pr diff --stat')).toBeUndefined();
  });
});

describe('what the user says', () => {
  test('"that worked" is a success of the request, with what was done last', () => {
    const scene = redis();
    const { feedback, message } = scene.ask('perfect, that worked');
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
    expect(scene.lines('successes').at(-1)).toMatchObject({ kind: 'feedback' });
  });

  test('"still broken" is a failure of the request, and never warns', () => {
    const scene = redis();
    expect(scene.ask('still broken, same error').feedback).toMatchObject({
      outcome: 'failure',
      kind: 'feedback',
    });
    expect(scene.lines('failures').at(-1)).toMatchObject({ kind: 'feedback', command: 'bun add ioredis' });
    expect(scene.begin('tuesday').warn('bun add ioredis')).toBeUndefined();
  });

  test('what follows still serves the request, also in another process', () => {
    const scene = redis();
    scene.ask('still broken');
    expect(scene.run('npm test', OK)?.context).toBe('Add a Redis cache to the API');
    scene.begin('monday', MINUTE);
    expect(scene.run('npm test', OK)?.context).toBe('Add a Redis cache to the API');
    scene.ask('now add metrics');
    expect(scene.run('npm test', OK)?.context).toBe('now add metrics');
  });

  test('praise before anything was asked is a request like any other', () => {
    const scene = new Scene();
    expect(scene.ask('that worked').feedback).toBeUndefined();
    expect(scene.run('npm test', OK)?.context).toBe('that worked');
  });

  test('requests of other sessions are not taken for one’s own', () => {
    const scene = redis().begin('tuesday');
    expect(scene.run('npm test', OK)).not.toHaveProperty('context');
  });
});

describe('recording', () => {
  test('an attempt has all that is needed to find it and to judge it later', () => {
    const scene = redis();
    expect(scene.lines('failures')[0]).toMatchObject({
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
    expect(scene.lines('failures')[0]?.tags).toEqual(expect.arrayContaining(['dependency', 'redis']));
    expect(scene.lines('successes')[0]).toMatchObject({ kind: 'install', outcome: 'success' });
  });

  test('the same call twice adds nothing, also by another process and after folding', () => {
    const scene = new Scene();
    const call = scene.call('npm i redis-node', { callId: 'toolu_1' });
    expect(scene.recorder.record(call, NO_PACKAGE('redis-node'))).toBeDefined();
    expect(scene.recorder.record(call, NO_PACKAGE('redis-node'))).toBeUndefined();
    scene.begin('monday', MINUTE);
    expect(scene.recorder.record(call, OK)).toBeUndefined();
    scene.recorder.guard.store.writeSnapshot(scene.now);
    scene.begin('monday', MINUTE);
    expect(scene.recorder.record(call, OK)).toBeUndefined();
    expect(scene.lines('failures')).toHaveLength(1);
    expect(scene.lines('successes')).toEqual([]);
    expect(scene.recorder.record({ ...call, sessionId: 'other' }, OK)).toBeDefined();
  });

  test('what is no failure is recorded as what it is', () => {
    const scene = new Scene();
    scene.run('npm test', { status: 'rejected' });
    scene.run('grep -r x src', { status: 'error', exitCode: 1, output: '' });
    expect(scene.lines('failures').map(({ outcome }) => outcome)).toEqual(['rejected', 'noMatch']);
  });

  test('a paused project records nothing and says nothing', () => {
    const scene = redis();
    scene.project.setRecording(false);
    scene.begin('tuesday');
    const before = readdirSync(scene.project.directory).map((name) => [name, sizeOf(scene, name)]);
    expect(scene.run('npm i redis-node', NO_PACKAGE('redis-node'))).toBeUndefined();
    expect(scene.ask('add metrics')).toEqual({});
    expect(scene.warn('npm i redis-node')).toBeUndefined();
    expect(readdirSync(scene.project.directory).map((name) => [name, sizeOf(scene, name)])).toEqual(before);
    scene.project.setRecording(true);
    expect(scene.begin('wednesday').warn('npm i redis-node')).toBeDefined();
  });

  test('a time that cannot be read is replaced, so that nothing is lost', () => {
    const scene = new Scene();
    scene.run('npm i redis-node', NO_PACKAGE('redis-node'), { timestamp: 'just now' });
    scene.recorder.prompt({ sessionId: 'monday', text: 'go on', timestamp: '' });
    expect(scene.begin('tuesday').warn('npm i redis-node')).toBeDefined();
    expect(scene.lines('history')[0]?.timestamp).toBe('2026-03-02T09:01:00.000Z');
  });

  test('a derived file that cannot be written does not keep anything from being recorded', () => {
    const scene = redis();
    mkdirSync(join(scene.project.directory, 'guard.idx'));
    scene.begin('monday', MINUTE);
    const output = 'some words of output\n'.repeat(50);
    for (let number = 0; number < 400; number++) scene.run(`./step-${number}`, { ...OK, output });
    expect(scene.lines('successes')).toHaveLength(401);
    expect(scene.begin('tuesday').warn('npm i redis-node')).toBeDefined();
  });

  test('the derived file is written by itself once it is worth it, and says the same', () => {
    const scene = redis();
    const output = 'some words of output\n'.repeat(50);
    for (let number = 0; number < 400; number++) scene.run(`./step-${number}`, { ...OK, output });
    scene.begin('tuesday');
    scene.run('ls', OK);
    expect(existsSync(join(scene.project.directory, 'guard.idx'))).toBe(true);
    expect(scene.begin('wednesday').warn('npm i redis-node')?.warning.instead).toBe('bun add ioredis');
  });
});

function sizeOf(scene: Scene, name: string): number | string {
  const path = join(scene.project.directory, name);
  return name.includes('.') ? readFileSync(path).length : readdirSync(path).join();
}
