import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_MACHINE } from '../../../src/ask/guard/candidates.ts';
import { type CheckedCall, Guard } from '../../../src/ask/guard/guard.ts';
import { readGuardOptions } from '../../../src/ask/guard/guard-options.ts';
import { type Config, loadConfig } from '../../../src/config/index.ts';
import type { CallResult, ToolCall } from '../../../src/facts/call/tool-call.ts';
import { Recorder } from '../../../src/recording/recorder.ts';
import { Spool, toSpooledCall } from '../../../src/recording/spool.ts';
import { WarningLog } from '../../../src/recording/warning-log.ts';
import { overlaidRows } from '../../rows.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');
const HOUR = 3_600_000;
const NOT_FOUND: CallResult = {
  status: 'error',
  exitCode: 1,
  output: 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node',
};

/** What a hook does before a call. */
function warn(call: ToolCall, directory: string, isRecording = true): CheckedCall | undefined {
  const context = { root: '/srv/shop', machine: UNKNOWN_MACHINE, isRecording: () => isRecording };
  const guard = new Guard(overlaidRows(directory), readGuardOptions(configOf(directory), context));
  const checked = guard.checkCall(call);
  return checked !== undefined && new WarningLog(directory).give(checked) ? checked : undefined;
}

function configOf(directory: string): Config {
  return loadConfig({ homeFile: join(directory, 'config.json') });
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

/** A project in which an installation failed. */
function failedProject(): string {
  const directory = temporaryFolder();
  record(directory, callOf('npm install redis-node', 'one'), NOT_FOUND);
  return directory;
}

function record(directory: string, call: ToolCall, result: CallResult): void {
  const options = { directory, config: configOf(directory), root: '/srv/shop', isRecording: () => true };
  new Recorder(options).record(call, result);
}

const again = callOf('npm install redis-node', 'two', START + HOUR);
const other = callOf('ls docs', 'two', START + HOUR);

describe('a hook before a call', () => {
  it('says nothing in a project without history', () => {
    expect(warn(again, temporaryFolder())).toBeUndefined();
  });

  it('warns once, of nothing but the call that failed', () => {
    const directory = failedProject();
    expect(warn(other, directory)).toBeUndefined();
    expect(warn(again, directory)).toMatchObject({ mode: 'denyOnce', warning: { key: 'package:redis-node' } });
    expect(warn(again, directory)).toBeUndefined();
  });

  it('says nothing of a call that has worked since', () => {
    const directory = failedProject();
    record(directory, callOf('npm install redis-node', 'one', START + 1_000), { status: 'ok' });
    expect(warn(again, directory)).toBeUndefined();
  });

  it('knows failures that are not in the logs yet, but does not tell the session in which they just happened', () => {
    const directory = temporaryFolder();
    new Spool(directory).add(
      toSpooledCall({ ...callOf('npm install redis-node', 'one'), root: '/srv/shop' }, NOT_FOUND),
    );
    expect(warn(callOf('npm install redis-node', 'one', START + 1_000), directory)).toBeUndefined();
    expect(warn(other, directory)).toBeUndefined();
    expect(warn(again, directory)).toBeDefined();
  });

  it('says nothing while something is being deleted', () => {
    const directory = failedProject();
    const folder = join(directory, 'home', 'deletions');
    overlaidRows(directory);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.json'), '{}');
    expect(warn(again, directory)).toBeUndefined();
  });

  it('says nothing while the guard is off', () => {
    const directory = failedProject();
    expect(warn(again, directory, false)).toBeUndefined();
    writeFileSync(join(directory, 'config.json'), '{"retrieval": {"enabled": false}}');
    expect(warn(again, directory)).toBeUndefined();
    writeFileSync(join(directory, 'config.json'), '{"retrieval": {"warnOnDuplicateFailure": false}}');
    expect(warn(again, directory)).toBeUndefined();
  });
});
