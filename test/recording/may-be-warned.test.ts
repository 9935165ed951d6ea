import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { type CallResult, type ToolCall, UNKNOWN_MACHINE } from '../../src/memory/index.ts';
import { mayBeWarned } from '../../src/recording/may-be-warned.ts';
import { pendingCall } from '../../src/recording/pending-call.ts';
import { Recorder } from '../../src/recording/recorder.ts';
import { Warner, type WarnerOptions } from '../../src/recording/warner.ts';
import { temporaryFolder } from '../temp-folder.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');
const HOUR = 3_600_000;
const NOT_FOUND: CallResult = {
  status: 'error',
  exitCode: 1,
  output: 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node',
};

function optionsOf(directory: string): WarnerOptions {
  const config = loadConfig({ homeFile: join(directory, 'config.json') });
  return { directory, config, root: '/srv/shop', isRecording: () => true, machine: UNKNOWN_MACHINE };
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

/** A project in which an installation failed; the guard's files know of it. */
function failedProject(): string {
  const directory = temporaryFolder();
  record(directory, callOf('npm install redis-node', 'one'), NOT_FOUND);
  new Warner(optionsOf(directory)).guard.fold(START);
  return directory;
}

function record(directory: string, call: ToolCall, result: CallResult): void {
  new Recorder(optionsOf(directory)).record(call, result);
}

const again = callOf('npm install redis-node', 'two', START + HOUR);
const other = callOf('ls docs', 'two', START + HOUR);

describe('the first look before a call', () => {
  it('finds nothing in a project without history', () => {
    expect(mayBeWarned([], again, optionsOf(temporaryFolder()))).toBe(false);
  });

  it('sees what failed before, and nothing against another call', () => {
    const options = optionsOf(failedProject());
    expect(mayBeWarned([], again, options)).toBe(true);
    expect(mayBeWarned([], other, options)).toBe(false);
  });

  it('sees what was kept on top of the derived file', () => {
    const directory = failedProject();
    record(directory, callOf('cat nope.txt', 'one', START + 1_000), {
      status: 'error',
      exitCode: 1,
      output: 'cat: nope.txt: No such file or directory',
    });
    new Warner(optionsOf(directory)).guard.keep(START + 1_000);
    const cat = callOf('cat nope.txt', 'two', START + HOUR);
    expect(mayBeWarned([], cat, optionsOf(directory))).toBe(true);
    expect(mayBeWarned([], other, optionsOf(directory))).toBe(false);
  });

  it('no longer sees what has worked since', () => {
    const directory = failedProject();
    record(directory, callOf('npm install redis-node', 'one', START + 1_000), { status: 'ok' });
    new Warner(optionsOf(directory)).guard.fold(START + 1_000);
    expect(mayBeWarned([], again, optionsOf(directory))).toBe(false);
  });

  it('leaves it to the guard when the logs have gained something', () => {
    const directory = failedProject();
    record(directory, callOf('make all', 'one', START + 1_000), { status: 'ok' });
    expect(mayBeWarned([], other, optionsOf(directory))).toBe(true);
  });

  it('learns nothing from a warning that was given', () => {
    const directory = failedProject();
    expect(new Warner(optionsOf(directory)).warn(again)).toBeDefined();
    expect(mayBeWarned([], again, optionsOf(directory))).toBe(true);
    expect(mayBeWarned([], other, optionsOf(directory))).toBe(false);
  });

  it('leaves it to the guard when its file is missing or damaged', () => {
    const directory = failedProject();
    truncateSync(join(directory, 'guard.idx'), 100);
    expect(mayBeWarned([], other, optionsOf(directory))).toBe(true);
    writeFileSync(join(directory, 'guard.idx'), '');
    expect(mayBeWarned([], other, optionsOf(directory))).toBe(true);
  });

  it('sees a failure that waits to be analysed, but not what just failed in the same session', () => {
    const options = optionsOf(temporaryFolder());
    const waiting = [
      pendingCall({ ...callOf('npm install redis-node', 'one'), root: '/srv/shop' }, NOT_FOUND),
    ];
    expect(mayBeWarned(waiting, again, options)).toBe(true);
    expect(mayBeWarned(waiting, other, options)).toBe(false);
    expect(mayBeWarned(waiting, callOf('npm install redis-node', 'one', START + 1_000), options)).toBe(false);
  });

  it('is not taken where nobody wants to be warned', () => {
    const directory = failedProject();
    expect(mayBeWarned([], again, { ...optionsOf(directory), isRecording: () => false })).toBe(false);
    writeFileSync(join(directory, 'config.json'), '{"retrieval": {"enabled": false}}');
    expect(mayBeWarned([], again, optionsOf(directory))).toBe(false);
    writeFileSync(join(directory, 'config.json'), '{"retrieval": {"warnOnDuplicateFailure": false}}');
    expect(mayBeWarned([], again, optionsOf(directory))).toBe(false);
  });
});
