import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { HOOK } from '../../hook/hook-process.ts';
import { createPlace, environment, MAIN, yore } from './run-yore.ts';

const DIST = join(MAIN, '..', '..');

test('a full disk fails reindex with an error, and leaves no lock behind', () => {
  const place = createPlace();
  mkdirSync(place.home);
  const script = `
    import { spawnSync } from 'node:child_process';
    import { closeSync, existsSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
    import { openHome } from ${JSON.stringify(pathToFileURL(join(DIST, 'index.js')).href)};
    import { withLock } from ${JSON.stringify(pathToFileURL(join(DIST, 'files/index.js')).href)};
    const home = openHome({ home: process.env.YORE_HOME });
    const project = home.openProject(process.cwd());
    for (let n = 0; n < 40; n++) project.history.append({ role: 'user', content: 'words about topic ' + n, sessionId: 's' });
    home.close();
    const ballast = openSync(process.env.YORE_HOME + '/ballast', 'w');
    try { for (;;) if (writeSync(ballast, Buffer.alloc(512)) < 512) break; } catch {}
    const { status, stdout, stderr } = spawnSync(process.execPath, [${JSON.stringify(MAIN)}, 'reindex'], { encoding: 'utf8' });
    let lock;
    try { withLock(process.env.YORE_HOME + '/x.lock', () => undefined); } catch (error) { lock = error.code; }
    const left = readdirSync(process.env.YORE_HOME).filter((name) => /lock|tmp/.test(name));
    closeSync(ballast);
    rmSync(process.env.YORE_HOME + '/ballast');
    const again = spawnSync(process.execPath, [${JSON.stringify(MAIN)}, 'reindex'], { encoding: 'utf8' });
    console.log(JSON.stringify({ status, stdout, stderr, lock, left, again: again.status + again.stdout + again.stderr }));`;
  const mount = 'mount -t tmpfs -o size=512k tmpfs "$0" && exec "$@"';
  const result = spawnSync(
    'unshare',
    [
      process.getuid?.() === 0 ? '-m' : '-rm',
      'sh',
      '-c',
      mount,
      place.home,
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ],
    { encoding: 'utf8', env: environment(place), cwd: place.cwd },
  );
  expect(result.stderr).toBe('');
  const { status, stderr, lock, left, again } = JSON.parse(result.stdout);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/The search index .* could not be rebuilt: .*full/);
  expect({ lock, left }).toEqual({ lock: 'DISK_FULL', left: [] });
  expect(again).toMatch(/^0Rebuilt the search index: 40 messages/);
});

test('an empty or relative HOME does not make the current folder the home', () => {
  const place = createPlace();
  const script = `
    import { homeFolder } from ${JSON.stringify(pathToFileURL(join(DIST, 'registry/folders.js')).href)};
    console.log(homeFolder(undefined, {}));`;
  for (const HOME of ['', 'here', './there']) {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { HOME },
      cwd: place.cwd,
    });
    expect(stdout.trim()).toBe(join(userInfo().homedir, '.yore'));
  }
});

test.each(['.', 'here', '~/yore'])(
  'a relative YORE_HOME (%s) does not make a folder of the project the home',
  (home) => {
    const place = createPlace();
    const { code, stderr } = yore(place, ['remember', 'x'], { env: { YORE_HOME: home } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Set it to an absolute path.') });
    const { stdout } = spawnSync(process.execPath, [HOOK, 'claude-code'], {
      encoding: 'utf8',
      env: { ...environment(place), YORE_HOME: home },
      cwd: place.cwd,
      input: JSON.stringify({ session_id: 's', cwd: place.cwd, hook_event_name: 'UserPromptSubmit', prompt: 'x' }),
    });
    expect(stdout).toBe('');
    expect(readdirSync(place.cwd)).toEqual([]);
  },
);

test.runIf(existsSync('/proc/self'))('a home where nothing can be created is reported, and hooks end', () => {
  const place = createPlace();
  const home = '/proc/yore/home';
  const { code, stderr } = yore(place, ['remember', 'x'], { env: { YORE_HOME: home } });
  expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('/proc/yore') });
  const { status, signal } = spawnSync(process.execPath, [HOOK, 'claude-code'], {
    env: { ...environment(place), YORE_HOME: home },
    input: JSON.stringify({ session_id: 's', cwd: place.cwd, hook_event_name: 'UserPromptSubmit', prompt: 'x' }),
    timeout: 30_000,
  });
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});
