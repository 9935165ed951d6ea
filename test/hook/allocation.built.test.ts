import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { HOOK } from './hook-process.ts';

/** Sends an event to the hook and counts the garbage collections until it has replied. */
function countCollections(folder: string, event: object): number {
  const { stdout, status } = spawnSync(process.execPath, ['--trace-gc', HOOK, 'claude-code'], {
    input: JSON.stringify({ session_id: 'one', transcript_path: join(folder, 'none.jsonl'), ...event }),
    env: { PATH: process.env.PATH, YORE_HOME: join(folder, 'home'), HOME: folder },
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout.match(/Scavenge|Mark-/g)?.length ?? 0;
}

describe('a hook that an agent waits for', () => {
  it('replies at every call with at most one collection, and after it before any', () => {
    const folder = temporaryFolder();
    const cwd = join(folder, 'shop');
    mkdirSync(cwd);
    const call = { cwd, tool_name: 'Bash', tool_input: { command: 'npm run build -- --part 7' }, tool_use_id: 'a' };
    const result = { tool_response: { stdout: 'built in 2.1 s\n'.repeat(20), stderr: '' } };
    countCollections(folder, { ...call, ...result, hook_event_name: 'PostToolUse' });
    countCollections(folder, { cwd, hook_event_name: 'Stop' });
    expect(countCollections(folder, { ...call, hook_event_name: 'PreToolUse' })).toBeLessThanOrEqual(1);
    expect(countCollections(folder, { ...call, ...result, hook_event_name: 'PostToolUse' })).toBe(0);
  });

  it('recalls nothing for a prompt with at most two collections', () => {
    const folder = temporaryFolder();
    const cwd = join(folder, 'shop');
    mkdirSync(cwd);
    const ask = (prompt: string) => countCollections(folder, { cwd, prompt, hook_event_name: 'UserPromptSubmit' });
    ask('Add a wish list to the catalogue');
    countCollections(folder, { cwd, hook_event_name: 'Stop' });
    expect(ask('Rework the invoice export and add tests')).toBeLessThanOrEqual(2);
  });
});
