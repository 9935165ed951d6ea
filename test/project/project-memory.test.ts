import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallResult, ToolCall } from '../../src/facts/call/tool-call.ts';
import { openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const OK: CallResult = { status: 'ok', exitCode: 0, output: '' };

function failure(output: string): CallResult {
  return { status: 'error', exitCode: 1, output };
}

/** A project whose time is told. */
class Place {
  now = Date.parse('2026-03-02T09:00:00.000Z');
  readonly checkout: string;
  readonly #home: string = join(temporaryFolder(), 'home');
  #project: Project | undefined;
  #calls = 0;

  constructor() {
    this.checkout = join(temporaryFolder(), 'app');
    mkdirSync(this.checkout);
  }

  /** As a process of its own would open it. */
  get project(): Project {
    return openHome({ home: this.#home, now: () => this.now }).openProject(this.checkout);
  }

  /** As one process goes on with it. */
  get kept(): Project {
    this.#project ??= this.project;
    return this.#project;
  }

  call(command: string, sessionId = 'one'): ToolCall {
    const timestamp = new Date(this.now).toISOString();
    return {
      sessionId,
      tool: 'Bash',
      agent: 'claude-code',
      input: { command },
      cwd: this.checkout,
      timestamp,
    };
  }

  run(command: string, result: CallResult, sessionId = 'one'): this {
    const recorder = this.project.recorder();
    recorder.record({ ...this.call(command, sessionId), callId: `c${this.#calls++}` }, result);
    this.now += MINUTE;
    return this;
  }

  ask(text: string, sessionId = 'one'): this {
    const recorder = this.project.recorder();
    recorder.recordPrompt({
      sessionId,
      text,
      timestamp: new Date(this.now).toISOString(),
      agent: 'claude-code',
    });
    this.now += MINUTE;
    return this;
  }
}

function redis(): Place {
  return new Place()
    .ask('Add a Redis cache to the API')
    .run('npm install redis-node', failure("npm error 404  'redis-node@*' is not in this registry."))
    .run('bun add ioredis', OK);
}

describe('failures', () => {
  test('are listed with their error, their state and their resolution', () => {
    expect(redis().project.memory.failures()).toMatchObject([
      {
        ...{ at: '2026-03-02T09:01:00.000Z', what: 'npm install redis-node', class: 'missing', count: 1 },
        ...{ sessions: ['one'], fix: 'bun add ioredis', choice: 'none' },
        error: "npm error 404 'redis-node@*' is not in this registry.",
      },
    ]);
  });

  test('are listed with `all` only if they are solved, transient, dismissed or too old', () => {
    const place = redis();
    const { memory } = place.kept;
    const list = (all: boolean): string[] => memory.failures({ all }).map(({ what }) => what);
    place.run('gh pr diff --stat', failure('unknown flag: --stat')).run('gh pr diff --stat', OK);
    place.run('curl x', failure('connection refused'));
    expect(list(false)).toEqual(['npm install redis-node']);
    expect(list(true).sort()).toEqual(['curl x', 'gh pr diff --stat', 'npm install redis-node']);
    memory.choose('dismiss', memory.failures()[0]?.id ?? '');
    expect(list(false)).toEqual([]);
    memory.choose('reset', memory.failures({ all: true }).find(({ class: kind }) => kind === 'missing')?.id ?? '');
    expect(list(false)).toEqual(['npm install redis-node']);
    place.now += 8 * DAY;
    expect(list(false)).toEqual([]);
  });

  test('that blame several things are listed once', () => {
    const place = new Place();
    place.run('npm run prepare-data && deploytool push', failure('deploytool: quota used up'));
    const { memory } = place.kept;
    expect(memory.failures({ all: true })).toHaveLength(1);
    memory.choose('dismiss', memory.failures({ all: true })[0]?.id ?? '');
    expect(memory.failures({ all: true })).toMatchObject([{ choice: 'dismiss' }]);
  });

  test('are listed quickly when there are thousands', () => {
    const place = new Place();
    const recorder = place.project.recorder();
    for (let number = 0; number < 2000; number++) {
      place.now += 1000;
      recorder.record(place.call(`gh pr diff --opt-${number}`), failure(`unknown flag: --opt-${number}`));
    }
    expect(place.project.memory.failures()).toHaveLength(2000);
  });
});

describe("the user's choice", () => {
  test('silences a dismissed failure in all processes', () => {
    const place = redis();
    const { memory } = place.kept;
    place.now += DAY;
    const call = place.call('yarn add redis-node', 'two');
    const warning = memory.check(call);
    expect(warning?.fix).toBe('bun add ioredis');
    expect(memory.choose('dismiss', warning?.failureId ?? '')).toMatchObject({ choice: 'dismiss' });
    expect(memory.check(call)).toBeUndefined();
    expect(place.project.memory.check(call)).toBeUndefined();
    memory.choose('reset', warning?.failureId ?? '');
    expect(place.project.memory.check(call)).toBeDefined();
  });

  test('keeps a pinned failure past the lookback window, until it works', () => {
    const place = redis();
    const { memory } = place.kept;
    memory.choose('pin', memory.failures()[0]?.id ?? '');
    place.now += 100 * DAY;
    const call = place.call('npm i redis-node', 'later');
    expect(memory.check(call)).toBeDefined();
    expect(place.project.memory.check(call)).toBeDefined();
    expect(place.project.memory.failures()).toMatchObject([{ choice: 'pin' }]);

    place.run('npm i redis-node', OK, 'later');
    expect(place.project.memory.check(call)).toBeUndefined();
    expect(place.project.memory.failures()).toEqual([]);
    expect(place.project.memory.failures({ all: true })).toMatchObject([{ choice: 'pin' }]);
  });

  test('can be made by the id of an old warning', () => {
    const place = redis();
    place.now += DAY;
    const given = place.project.recorder().warn(place.call('npm i redis-node', 'two'));
    place.now += 60 * DAY;
    const { memory } = place.project;
    expect(memory.choose('dismiss', given?.warning.failureId ?? '')).toMatchObject({ choice: 'dismiss' });
  });

  test('is refused for an unknown id, with what to do', () => {
    expect(() => redis().project.memory.choose('pin', 'f-0000000')).toThrow(
      /There is no failure f-0000000.*yore failures/,
    );
  });
});

describe('warnings', () => {
  test('are listed newest first with their overrides', () => {
    const place = redis();
    place.now += DAY;
    expect(place.project.memory.warnings()).toEqual([]);
    place.project.recorder().warn(place.call('npm i redis-node', 'two'));
    place.run('npm i redis-node', OK, 'two');
    const [entry, ...more] = place.project.memory.warnings();
    expect(entry).toMatchObject({ warning: { what: 'npm i redis-node' }, override: { succeeded: true } });
    expect(more).toEqual([]);
  });

  test('are listed although lines of the log are damaged', () => {
    const place = redis();
    place.now += DAY;
    place.project.recorder().warn(place.call('npm i redis-node', 'two'));
    writeFileSync(join(place.project.directory, 'warnings.jsonl'), '\ngarbage\n{"v":1}\n', { flag: 'a' });
    expect(place.project.memory.warnings()).toHaveLength(1);
    expect(place.project.memory.warnings(0)).toEqual([]);
  });

  test('are not recorded by checking', () => {
    const place = redis();
    place.now += DAY;
    place.project.memory.check(place.call('npm i redis-node', 'two'));
    expect(place.project.memory.warnings()).toEqual([]);
    expect(place.project.recorder().warn(place.call('npm i redis-node', 'two'))).toBeDefined();
  });
});

describe('what is learned', () => {
  test('a note is a practice to follow or to avoid, and never warns', () => {
    const place = redis();
    const { memory } = place.kept;
    expect(memory.remember('Use ioredis', { tags: ['redis'] })).toMatchObject({
      outcome: 'success',
      kind: 'note',
    });
    expect(memory.remember('Do not use redis-node', { avoid: true })).toMatchObject({ outcome: 'failure' });
    expect(memory.failures()).toHaveLength(1);
  });

  test('briefing, recap and timeline include the session', () => {
    const place = redis();
    place.now += DAY;
    const { kept } = place;
    const { memory } = kept;
    kept.maintain();
    const texts = [memory.briefing(), memory.recap(), memory.timeline()].map((part) => JSON.stringify(part));
    for (const text of texts.slice(0, 2)) expect(text).toContain('redis');
    expect(texts[2]).toContain('2026-03-02');
  });

  test('a project without history has nothing to report', () => {
    const { project } = new Place();
    const { memory } = project;
    project.maintain();
    expect(memory.failures()).toEqual([]);
    expect(memory.recall('add a redis cache')).toBeUndefined();
    expect(memory.warnings()).toEqual([]);
  });
});
