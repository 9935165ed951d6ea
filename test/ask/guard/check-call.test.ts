import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.ts';
import { type CheckContext, checkCall, quickCheck, readGuardOptions } from '../../../src/ask/guard/check-call.ts';
import { type CallResult, Guard, type ToolCall, UNKNOWN_MACHINE } from '../../../src/memory/index.ts';
import { Recorder, type RecorderOptions } from '../../../src/recording/recorder.ts';
import { toSpooledCall } from '../../../src/recording/spool.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');
const HOUR = 3_600_000;
const NOT_FOUND: CallResult = {
  status: 'error',
  exitCode: 1,
  output: 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node',
};

function optionsOf(directory: string): RecorderOptions {
  const config = loadConfig({ homeFile: join(directory, 'config.json') });
  return { directory, config, root: '/srv/shop', isRecording: () => true, machine: UNKNOWN_MACHINE };
}

function contextOf(directory: string, options: Partial<RecorderOptions> = {}): CheckContext {
  const all = { ...optionsOf(directory), ...options };
  return {
    ...readGuardOptions(all.config, all),
    directory,
    pending: [],
    drainSpool: () => {
      throw new Error('is not drained');
    },
  };
}

function guardOf(directory: string): Guard {
  return new Guard(directory, contextOf(directory));
}

function callOf(command: string, sessionId: string, at = START): ToolCall {
  return {
    tool: 'Bash',
    input: { command },
    sessionId,
    agent: 'claude-code',
    cwd: '/srv/shop',
    timestamp: new Date(at).toISOString(),
  };
}

/** A project in which an installation failed, with a snapshot. */
function failedProject(): string {
  const directory = temporaryFolder();
  record(directory, callOf('npm install redis-node', 'one'), NOT_FOUND);
  guardOf(directory).store.writeSnapshot(START);
  return directory;
}

function record(directory: string, call: ToolCall, result: CallResult): void {
  new Recorder(optionsOf(directory)).record(call, result);
}

const again = callOf('npm install redis-node', 'two', START + HOUR);
const other = callOf('ls docs', 'two', START + HOUR);

describe('the quick check', () => {
  it('rules out every call in a project without history', () => {
    expect(quickCheck(again, contextOf(temporaryFolder()))).toBe(false);
  });

  it('rules out a call unless it failed before', () => {
    const context = contextOf(failedProject());
    expect(quickCheck(again, context)).toBe(true);
    expect(quickCheck(other, context)).toBe(false);
  });

  it('knows the changes since the snapshot', () => {
    const directory = failedProject();
    record(directory, callOf('cat nope.txt', 'one', START + 1_000), {
      status: 'error',
      exitCode: 1,
      output: 'cat: nope.txt: No such file or directory',
    });
    guardOf(directory).store.saveChanges(START + 1_000);
    const cat = callOf('cat nope.txt', 'two', START + HOUR);
    expect(quickCheck(cat, contextOf(directory))).toBe(true);
    expect(quickCheck(other, contextOf(directory))).toBe(false);
  });

  it('rules out a call that has worked since', () => {
    const directory = failedProject();
    record(directory, callOf('npm install redis-node', 'one', START + 1_000), { status: 'ok' });
    guardOf(directory).store.writeSnapshot(START + 1_000);
    expect(quickCheck(again, contextOf(directory))).toBe(false);
  });

  it('rules out nothing when the snapshot does not cover the logs', () => {
    const directory = failedProject();
    record(directory, callOf('make all', 'one', START + 1_000), { status: 'ok' });
    expect(quickCheck(other, contextOf(directory))).toBe(true);
  });

  it('ignores warnings that were given since the snapshot', () => {
    const directory = failedProject();
    expect(guardOf(directory).warn(again)).toBeDefined();
    expect(quickCheck(again, contextOf(directory))).toBe(true);
    expect(quickCheck(other, contextOf(directory))).toBe(false);
  });

  it('rules out nothing when the snapshot is missing or damaged', () => {
    const directory = failedProject();
    truncateSync(join(directory, 'guard.idx'), 100);
    expect(quickCheck(other, contextOf(directory))).toBe(true);
    writeFileSync(join(directory, 'guard.idx'), '');
    expect(quickCheck(other, contextOf(directory))).toBe(true);
  });

  it('considers failures in the spool, but not those that just happened in the same session', () => {
    const failed = { ...callOf('npm install redis-node', 'one'), root: '/srv/shop' };
    const context = { ...contextOf(temporaryFolder()), pending: [toSpooledCall(failed, NOT_FOUND)] };
    expect(quickCheck(again, context)).toBe(true);
    expect(quickCheck(other, context)).toBe(false);
    expect(quickCheck(callOf('npm install redis-node', 'one', START + 1_000), context)).toBe(false);
  });

  it('rules out every call while the guard is off', () => {
    const directory = failedProject();
    expect(quickCheck(again, contextOf(directory, { isRecording: () => false }))).toBe(false);
    writeFileSync(join(directory, 'config.json'), '{"retrieval": {"enabled": false}}');
    expect(quickCheck(again, contextOf(directory))).toBe(false);
    writeFileSync(join(directory, 'config.json'), '{"retrieval": {"warnOnDuplicateFailure": false}}');
    expect(quickCheck(again, contextOf(directory))).toBe(false);
  });
});

describe('checking a call that is about to run', () => {
  it('gives a recorded warning once, and nothing for other calls', async () => {
    const directory = failedProject();
    const given = await checkCall(again, contextOf(directory));
    expect(given).toMatchObject({ mode: 'denyOnce', warning: { key: 'package:redis-node' } });
    expect(await checkCall(again, contextOf(directory))).toBeUndefined();
    expect(await checkCall(other, contextOf(directory))).toBeUndefined();
  });

  it('drains the spool only when the call is not ruled out', async () => {
    const failed = { ...callOf('npm install redis-node', 'one'), root: '/srv/shop' };
    let drains = 0;
    const context = {
      ...contextOf(temporaryFolder()),
      pending: [toSpooledCall(failed, NOT_FOUND)],
      drainSpool: () => void drains++,
    };
    await checkCall(other, context);
    expect(drains).toBe(0);
    await checkCall(again, context);
    expect(drains).toBe(1);
  });
});
