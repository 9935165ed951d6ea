import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { yore } from '../cli/built/run-yore.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { type Hooked, startHook } from './hook-process.ts';

const FAILED = 'Exit code 127\nfrobnicate: command not found';

/** Sends an event to the hook process and waits for it. */
async function fire(home: string, cwd: string, event: string, fields: object = {}): Promise<Hooked> {
  const { child, ended } = startHook(home, ['claude-code']);
  child.stdin?.end(JSON.stringify({ session_id: 's', cwd, hook_event_name: event, ...fields }));
  return await ended;
}

async function playSession(home: string, cwd: string): Promise<readonly Hooked[]> {
  const call = { tool_name: 'Bash', tool_input: { command: 'frobnicate --all' }, tool_use_id: String(Math.random()) };
  return [
    await fire(home, cwd, 'UserPromptSubmit', { prompt: 'frobnicate all the things please' }),
    await fire(home, cwd, 'PreToolUse', call),
    await fire(home, cwd, 'PostToolUseFailure', { ...call, error: FAILED }),
    await fire(home, cwd, 'Stop'),
  ];
}

test('hooks and commands end although any one file of the home is a pipe', async () => {
  const folder = temporaryFolder();
  const [home, cwd] = [join(folder, 'home'), join(folder, 'my-app')];
  mkdirSync(cwd);
  await playSession(home, cwd);
  await playSession(home, cwd);
  yore({ folder, home, cwd }, ['search', 'frobnicate']);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(home, name)).isFile(),
  );
  expect(files).toEqual(expect.arrayContaining(['prompts.json', 'registry.json']));
  for (const [index, name] of [...files, 'projects/x/spool.jsonl'].entries()) {
    const place = { folder, cwd, home: join(folder, `home-${index}`) };
    cpSync(home, place.home, { recursive: true });
    const project = readdirSync(join(place.home, 'projects'))[0] ?? '';
    const path = join(place.home, name.replace('/x/', `/${project}/`));
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
    for (const { code, stderr } of await playSession(place.home, cwd))
      expect({ name, code, stderr }).toMatchObject({ code: 0 });
    expect(yore(place, ['search', 'frobnicate']).code, name).not.toBeNull();
    rmSync(place.home, { recursive: true });
  }
}, 300_000);
