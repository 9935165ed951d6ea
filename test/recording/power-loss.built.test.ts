import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentEnvironment, HOOK } from '../hook/hook-process.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** Notes which files are synced to disk and which are removed, in order. */
const TRACE = `
const fs = require('node:fs');
const { appendFileSync, fsyncSync, readlinkSync, rmSync } = fs;
const note = (what, path) => appendFileSync(process.env.TRACE_FILE, what + ' ' + path.replace(/.*[/]/, '') + '\\n');
fs.fsyncSync = (descriptor) => { note('sync', readlinkSync('/proc/self/fd/' + descriptor)); fsyncSync(descriptor); };
fs.rmSync = (path, options) => { note('remove', path); rmSync(path, options); };
`;

it.skipIf(process.platform !== 'linux')('a spooled call is on disk in the log before it leaves the spool', () => {
  const folder = temporaryFolder();
  const [cwd, script, trace] = [join(folder, 'shop'), join(folder, 'trace.cjs'), join(folder, 'trace')];
  mkdirSync(cwd);
  writeFileSync(script, TRACE);
  const fire = (event: string, fields: object): void => {
    const payload = { session_id: 'one', transcript_path: '', cwd, hook_event_name: event, ...fields };
    const env = { ...agentEnvironment(folder), YORE_HOME: join(folder, '.yore'), TRACE_FILE: trace };
    spawnSync(process.execPath, ['--require', script, HOOK, 'claude-code'], { input: JSON.stringify(payload), env });
  };
  const call = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_response: { stdout: '3 passing' } };
  fire('PostToolUse', { ...call, tool_use_id: 'a' });
  fire('Stop', {});
  const steps = readFileSync(trace, 'utf8').split('\n');
  expect(steps).toContain('remove spool.taken');
  expect(steps.slice(0, steps.indexOf('remove spool.taken'))).toContain('sync successes.jsonl');
});
