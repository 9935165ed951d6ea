import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/index.ts';
import { storePath } from '../../src/store/store-files.ts';
import { MAIN } from '../cli/built/run-yore.ts';
import { agentEnvironment, HOOK } from '../hook/hook-process.ts';
import { overlaidRows } from '../rows.ts';
import { temporaryFolder } from '../temp-folder.ts';

const DIST = new URL('../../dist/', import.meta.url).href;
const MEGABYTE = 1024 * 1024;
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/** A checkout whose agent has run into a failure, after which it paused. */
class Place {
  readonly folder = temporaryFolder();
  readonly home = join(this.folder, '.yore');
  readonly #cwd = join(this.folder, 'shop');

  constructor() {
    mkdirSync(this.#cwd);
    const failed = { error: 'Exit code 1\nnpm error code E404\nnpm error 404 Not Found', tool_use_id: 'a' };
    this.hook('PostToolUseFailure', { ...this.call, ...failed });
    this.hook('Stop', {});
  }

  readonly call = { tool_name: 'Bash', tool_input: { command: 'npm install redis-node' } };

  /** What the hook answers before the call that has failed. */
  before(session: string, options: object = {}): string {
    return this.hook('PreToolUse', { ...this.call, tool_use_id: session, session_id: session }, options);
  }

  hook(event: string, fields: object, options: object = {}): string {
    const transcript = join(this.folder, 'none.jsonl');
    const payload = {
      session_id: 'one',
      transcript_path: transcript,
      cwd: this.#cwd,
      hook_event_name: event,
      ...fields,
    };
    return this.run([HOOK, 'claude-code'], { input: JSON.stringify(payload), ...options });
  }

  run(args: readonly string[], options: object = {}): string {
    const env = { ...agentEnvironment(this.folder), YORE_HOME: this.home };
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env, cwd: this.#cwd, ...options });
    return stdout + stderr;
  }
}

/** Starts a script that prints something when it has got far enough, and kills it then. */
async function runAndKill(code: string): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await Promise.race([new Promise((resolve) => child.stdout?.once('data', resolve)), ended]);
  child.kill('SIGKILL');
  await ended;
}

/** Leaves so much in the write-ahead log that opening the store takes long: what a killed writer leaves. */
async function fillLog(home: string): Promise<void> {
  await runAndKill(`import { openDatabase } from '${DIST}sqlite/database.js';
    const database = openDatabase(${JSON.stringify(storePath(home))});
    database.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (x); BEGIN');
    for (let n = 0; n < 24; n++) database.exec("INSERT INTO filler VALUES (zeroblob(1000000))");
    database.exec('COMMIT; DROP TABLE filler');
    console.log('filled');
    setInterval(() => {}, 1000);`);
}

function logBytes(home: string): number {
  return statSync(`${storePath(home)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

it('a hook is silent beside a large write-ahead log, until the next process that writes to the store has shortened it', async () => {
  const place = new Place();
  expect(place.before('two')).toContain('deny');
  await fillLog(place.home);
  const before = logBytes(place.home);
  expect(before).toBeGreaterThan(16 * MEGABYTE);
  expect(place.before('three')).toBe('');
  expect(logBytes(place.home)).toBe(before);
  place.hook('Stop', { session_id: 'three' });
  expect(logBytes(place.home)).toBeLessThan(5 * MEGABYTE);
  expect(place.before('four')).toContain('deny');
});

it('a writer that is killed at any time leaves a write-ahead log that does not keep hooks waiting', async () => {
  const home = temporaryFolder();
  const directory = join(home, 'p');
  mkdirSync(directory);
  const lines = Array.from({ length: 12_000 }, (_, n) =>
    JSON.stringify({
      ...{ v: 1, id: `r${n}`, sessionId: `s${n % 50}`, timestamp: new Date(1.76e12 + n * 1000).toISOString() },
      ...{ role: 'user', content: Array.from({ length: 60 }, (_, w) => `word${(n * 7 + w * 13) % 5000}`).join(' ') },
    }),
  );
  writeFileSync(join(directory, 'history.jsonl'), `${lines.join('\n')}\n`);
  const sources = [{ id: 'p', directory }];
  for (let round = 1; round <= 5; round++) {
    await runAndKill(`import { SearchIndex } from '${DIST}search/index.js';
      let count = 0;
      const onProgress = () => { if (++count === ${round}) { console.log('far enough'); } };
      SearchIndex.open(${JSON.stringify(home)}).catchUp(${JSON.stringify(sources)}, { onProgress });
      console.log('done');`);
    expect(logBytes(home)).toBeLessThan(16 * MEGABYTE);
    expect(overlaidRows(directory, { home, id: 'p' }).ask(() => true) ?? 'too much to read').toBeTruthy();
  }
  const index = SearchIndex.open(home);
  expect(index.catchUp(sources).complete).toBe(true);
  expect(index.counts()).toMatchObject({ messages: 12_000 });
  index.close();
});

it.skipIf(process.platform === 'win32')(
  'where nothing may be written, hooks are silent and doctor says what to do',
  () => {
    const place = new Place();
    expect(place.before('two')).toContain('deny');
    for (const suffix of ['-wal', '-shm']) rmSync(storePath(place.home) + suffix, { force: true });
    chmodSync(place.folder, 0o755);
    const names = ['.', ...(readdirSync(place.home, { recursive: true }) as string[])].map((name) =>
      join(place.home, name),
    );
    for (const path of names) {
      if (isRoot) chownSync(path, NOBODY, NOBODY);
      chmodSync(path, statSync(path).isDirectory() ? 0o500 : 0o400);
    }
    const before = names.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'latin1'));
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    expect(place.before('three', user)).toBe('');
    expect(place.hook('Stop', {}, user)).toBe('');
    expect(place.hook('SessionStart', { source: 'startup' }, user)).not.toContain('Error');
    const doctor = place.run([MAIN, 'doctor'], user);
    expect(doctor.replace(/\s+/g, ' ')).toContain('yore may not write to');
    expect(doctor).toContain(`chmod u+w ${place.home}`);
    expect(names.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, 'latin1'))).toEqual(before);
    for (const path of names) chmodSync(path, 0o700);
  },
);
