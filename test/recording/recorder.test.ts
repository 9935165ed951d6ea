import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MINUTE, NO_PACKAGE, OK, RecorderSetup, redis } from './recorder-setup.ts';

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
    const setup = new RecorderSetup();
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

  test('a repeated call is recorded once, also in another process', () => {
    const setup = new RecorderSetup();
    const call = setup.call('npm i redis-node', { callId: 'toolu_1' });
    expect(setup.recorder.record(call, NO_PACKAGE('redis-node'))).toBeDefined();
    expect(setup.recorder.record(call, NO_PACKAGE('redis-node'))).toBeUndefined();
    setup.begin('monday', MINUTE);
    expect(setup.recorder.record(call, OK)).toBeUndefined();
    expect(setup.lines('failures')).toHaveLength(1);
    expect(setup.lines('successes')).toEqual([]);
    expect(setup.recorder.record({ ...call, sessionId: 'other' }, OK)).toBeDefined();
  });

  test('other outcomes are recorded as such', () => {
    const setup = new RecorderSetup();
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
    const setup = new RecorderSetup();
    setup.run('npm i redis-node', NO_PACKAGE('redis-node'), { timestamp: 'just now' });
    setup.recorder.recordPrompt({ sessionId: 'monday', text: 'go on', timestamp: '' });
    expect(setup.begin('tuesday').warn('npm i redis-node')).toBeDefined();
    expect(setup.lines('history')[0]?.timestamp).toBe('2026-03-02T09:01:00.000Z');
  });
});

function sizeOf(setup: RecorderSetup, name: string): number | string {
  const path = join(setup.project.directory, name);
  return name.includes('.') ? readFileSync(path).length : readdirSync(path).join();
}
