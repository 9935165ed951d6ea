import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallResult } from '../../src/facts/call/tool-call.ts';
import { parseWarningRecord } from '../../src/facts/warning-record.ts';
import { DAY, MINUTE, NO_PACKAGE, OK, RecorderSetup, redis } from './recorder-setup.ts';

describe('Redis', () => {
  test.each([
    'npm install redis-node',
    'npm i redis-node --save',
    'yarn add redis-node',
    'cd api && pnpm add redis-node@latest',
  ])('the next day, before `%s`, the agent learns what failed and what worked instead', (command) => {
    const given = redis().begin('tuesday').warn(command);
    expect(given?.mode).toBe('denyOnce');
    expect(given?.warning).toMatchObject({ failed: 'npm install redis-node', fix: 'bun add ioredis' });
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
    const setup = new RecorderSetup();
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
    const setup = new RecorderSetup();
    const failing: CallResult = {
      status: 'error',
      exitCode: 1,
      output: 'FAIL a.test.ts\nexpected 1 to be 2',
    };
    writeFileSync(join(setup.checkout, 'a.test.ts'), '');
    setup.now = Date.now() + MINUTE;
    setup.run('npm test', failing);
    setup.begin('later', 10 * MINUTE);
    expect(setup.recorder.check(setup.call('npm test', { root: setup.checkout }))).toBeDefined();
    setup.run('git switch next', OK);
    setup.branch = 'next';
    expect(setup.warn('npm test')).toBeUndefined();
  });
});

describe('overrides', () => {
  test('two successful ones turn warnings into notes, in that session only', () => {
    const setup = new RecorderSetup();
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
  function withOtherProject(setup: RecorderSetup, on = true): RecorderSetup {
    const other = new RecorderSetup(setup.home);
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
      fix: 'bun add ioredis',
    });
  });

  test('do not warn of what was overridden with success or dismissed here', () => {
    const setup = redis();
    setup.run('gh pr diff --stat', { status: 'error', exitCode: 1, output: 'unknown flag: --stat' });
    const other = withOtherProject(setup);
    expect(other.warn('npm i redis-node')).toBeDefined();
    other.run('npm i redis-node', OK);
    const given = other.warn('gh pr diff --stat');
    other.recorder.warnings.choose('dismiss', given?.warning.key ?? '', other.now);
    other.begin('the day after');
    expect(other.warn('npm i redis-node')).toBeUndefined();
    expect(other.warn('gh pr diff --stat')).toBeUndefined();
  });
});
