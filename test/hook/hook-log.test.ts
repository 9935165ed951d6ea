import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handleHook } from '../../src/hook/handle-hook.ts';
import { hookLogPath, logActivity, logHookProblem, readHookActivity } from '../../src/hook/hook-log.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

describe('the activity log', () => {
  it('shows the last event of each agent and the durations by type', () => {
    const home = temporaryFolder();
    logActivity(home, 'codex', { type: 'beforeCall', at: 1_772_618_400_000, durationMs: 41.26 });
    logActivity(home, 'codex', { type: 'afterCall', at: 1_772_618_401_000, durationMs: 40 });
    logActivity(home, 'codex', { type: 'beforeCall', at: 1_772_618_402_000, durationMs: 39 });
    logActivity(home, 'pi', { type: 'start', at: 1_772_618_403_000, durationMs: 1 });
    expect(readHookActivity(home)).toEqual([
      {
        agent: 'codex',
        lastAt: 1_772_618_402_000,
        lastEvent: 'beforeCall',
        durations: { beforeCall: [41.3, 39], afterCall: [40] },
      },
      { agent: 'pi', lastAt: 1_772_618_403_000, lastEvent: 'start', durations: { start: [1] } },
    ]);
  });

  it('stays small and keeps the newest events', () => {
    const home = temporaryFolder();
    for (let at = 0; at < 3_000; at++) {
      logActivity(home, 'gemini', { type: 'afterCall', at: 1_772_618_400_000 + at, durationMs: at });
    }
    const [activity] = readHookActivity(home);
    expect(activity?.lastAt).toBe(1_772_618_402_999);
    expect(activity?.durations.afterCall).toHaveLength(100);
    expect(activity?.durations.afterCall?.at(-1)).toBe(2_999);
    expect(statSync(join(home, 'hooks', 'gemini.log')).size).toBeLessThan(40_000);
    expect(readdirSync(join(home, 'hooks'))).toEqual(['gemini.log']);
  });

  it('ignores damaged lines and creates no home', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'hooks'));
    writeFileSync(join(home, 'hooks', 'codex.log'), '\0\0torn\n1772618400000 __proto__ x\n17726 stop 1\n');
    expect(readHookActivity(home)).toEqual([]);
    const missing = join(home, 'missing');
    logActivity(missing, 'codex', { type: 'stop', at: 1_772_618_400_000, durationMs: 1 });
    expect(readHookActivity(missing)).toEqual([]);
    expect(readdirSync(home)).toEqual(['hooks']);
  });
});

describe('the log of problems', () => {
  it.each([
    'Hunter2-of-Bob',
    '{"prompt": Hunter2-of-Bob}',
    '{"tool_input": {"command": "x"}, "password": Hunter2-of-Bob, "cwd": "/srv/project", "session_id": "one"}',
  ])('does not quote the broken payload %s', async (payload) => {
    const session = new ClaudeSession(temporaryFolder(), 'one', Date.now());
    await session.fire('Stop');
    await handleHook({ agent: 'claude-code', event: 'UserPromptSubmit', payload }, session.machine());
    const log = readFileSync(hookLogPath(session.home), 'utf8');
    expect(log).toContain('SyntaxError');
    expect(log).not.toMatch(/Hunter|Bob/);
  });

  it.each([
    ['that no path can have', '/srv/\0Hunter2-of-Bob'],
    ['below a file', "/dev/null/it's Hunter2-of-Bob"],
  ])('does not quote a folder %s', async (_, cwd) => {
    const session = new ClaudeSession(temporaryFolder(), 'one', Date.now());
    await session.fire('Stop');
    const payload = JSON.stringify({ session_id: 'one', cwd, hook_event_name: 'UserPromptSubmit', prompt: 'x' });
    await handleHook({ agent: 'claude-code', payload }, session.machine());
    const log = readFileSync(hookLogPath(session.home), 'utf8');
    expect(log).toMatch(/claude-code: \w*Error/);
    expect(log).not.toMatch(/Hunter|Bob/);
  });

  it('names the files of the home', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', Date.now());
    await session.fire('Stop');
    const path = join(session.home, 'registry.json');
    logHookProblem(session.home, 'claude-code', new Error(`EACCES: permission denied, open '${path}'`), Date.now());
    expect(readFileSync(hookLogPath(session.home), 'utf8')).toContain(path);
  });

  it('does not quote a folder whose name begins like the home', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', Date.now());
    await session.fire('Stop');
    const problem = new Error(`ENOENT: no such file, open '${session.home}-of-Bob'`);
    logHookProblem(session.home, 'claude-code', problem, Date.now());
    expect(readFileSync(hookLogPath(session.home), 'utf8')).toContain('open a path');
  });
});
