import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hookLogPath } from '../../src/hook/hook-log.ts';
import { shimPath } from '../../src/hook/shim.ts';
import { openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { agentEnvironment, callHook, HOOK, type Hooked, installShim, startHook } from './hook-process.ts';

const NOTHING: Hooked = { code: 0, stdout: '', stderr: '' };
const BASH = { tool_name: 'Bash', tool_input: { command: 'npm install redis-node' } };
const FAILED = { ...BASH, error: 'Exit code 1\nnpm error code E404\nnpm error 404 Not Found' };
/** Every event that a hook may be called with, in an order that makes yore read and write all it has. */
const EVENTS: readonly (readonly [name: string, fields: object])[] = [
  ['SessionStart', { source: 'startup' }],
  ['UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' }],
  ['PreToolUse', { ...BASH, tool_use_id: 'a' }],
  ['PostToolUseFailure', { ...FAILED, tool_use_id: 'a' }],
  ['Stop', {}],
  ['SessionEnd', { reason: 'other' }],
];

interface Place {
  readonly folder: string;
  readonly home: string;
  readonly cwd: string;
}

function createPlace(): Place {
  const folder = temporaryFolder();
  const place = { folder, home: join(folder, '.yore'), cwd: join(folder, 'shop') };
  mkdirSync(place.cwd);
  return place;
}

function payload({ cwd, folder }: Place, name: string, fields: object, session = 'one'): string {
  return JSON.stringify({
    session_id: session,
    transcript_path: join(folder, 'none.jsonl'),
    cwd,
    hook_event_name: name,
    ...fields,
  });
}

/** A place with a session in it. */
function usedPlace(): Place {
  const place = createPlace();
  installShim(place.home);
  for (const [name, fields] of EVENTS) callHook(place.home, ['claude-code'], payload(place, name, fields));
  return place;
}

function directly({ home, folder }: Place, input: string, options: object = {}): Hooked {
  const { status, stdout, stderr } = spawnSync(process.execPath, [HOOK, 'claude-code'], {
    input,
    encoding: 'utf8',
    env: { ...agentEnvironment(folder), YORE_HOME: home },
    ...options,
  });
  return { code: status, stdout, stderr };
}

/** Whether all events of a session end well and print nothing that is not a reply. */
function expectQuiet(place: Place, call: (input: string) => Hooked = (input) => directly(place, input)): void {
  for (const [name, fields] of EVENTS) {
    const { code, stdout, stderr } = call(payload(place, name, fields, 'two'));
    expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
    if (stdout !== '') expect(JSON.parse(stdout)).toBeTypeOf('object');
  }
}

/** Processes that were started for a home and still run. */
function leftBehind({ home }: Place): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'utf8').includes(home);
      } catch {
        return false;
      }
    });
}

describe('the hook fails open', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['half an object', '{"session_id": "x", '],
    ['no object', '[1, 2, 3]'],
    ['no JSON', 'Segmentation fault'],
    ['an event of nobody', '{"hook_event_name": "PreToolUse"}'],
    ['zeros', '\0\0\0\0'],
  ])('given %s', (_, input) => {
    const place = usedPlace();
    expect(callHook(place.home, ['claude-code'], input)).toEqual(NOTHING);
    expect(directly(place, input)).toEqual(NOTHING);
  });

  it('for an unknown agent, or none', () => {
    const place = usedPlace();
    const input = payload(place, 'PreToolUse', BASH);
    expect(callHook(place.home, ['windsurf'], input)).toEqual(NOTHING);
    expect(callHook(place.home, [], input)).toEqual(NOTHING);
    expect(callHook(place.home, ['--help'], input)).toEqual(NOTHING);
  });

  it('without a home', () => {
    const place = createPlace();
    expect(directly(place, '{torn')).toEqual(NOTHING);
    expect(existsSync(place.home)).toBe(false);
    expectQuiet(place);
  });

  it('in a home that is a file', () => {
    const place = createPlace();
    writeFileSync(place.home, 'not a folder');
    expectQuiet(place);
    expect(readFileSync(place.home, 'utf8')).toBe('not a folder');
  });

  it('in a home whose files are damaged', () => {
    const place = usedPlace();
    const [project = ''] = readdirSync(join(place.home, 'projects'));
    for (const folder of [place.home, join(place.home, 'projects', project)]) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isFile()) writeFileSync(join(folder, entry.name), '\0\xff{"v": 99, "broken');
      }
    }
    expectQuiet(place);
  });

  it('in a home with folders for files and files for folders', () => {
    const place = usedPlace();
    const [project = ''] = readdirSync(join(place.home, 'projects'));
    const directory = join(place.home, 'projects', project);
    for (const folder of [directory, place.home]) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.name === 'registry.json' || entry.name === 'index.json' || entry.name === 'projects') continue;
        rmSync(path, { recursive: true });
        if (entry.isFile()) mkdirSync(path);
        else writeFileSync(path, '');
      }
    }
    expectQuiet(place);
  });

  it.skipIf(process.platform === 'win32')('in a read-only home', () => {
    const place = usedPlace();
    const isRoot = process.getuid?.() === 0;
    const nobody = 65_534;
    chmodSync(place.folder, 0o755);
    for (const name of ['.', ...(readdirSync(place.home, { recursive: true }) as string[])]) {
      if (isRoot) chownSync(join(place.home, name), nobody, nobody);
      chmodSync(join(place.home, name), 0o555);
    }
    const before = readdirSync(place.home, { recursive: true });
    expectQuiet(place, (input) => directly(place, input, isRoot ? { uid: nobody, gid: nobody } : {}));
    expect(readdirSync(place.home, { recursive: true })).toEqual(before);
    for (const name of ['.', ...(before as string[])]) chmodSync(join(place.home, name), 0o755);
  });

  it.skipIf(process.platform === 'win32')('when the disk is full', () => {
    const place = usedPlace();
    expectQuiet(place, (input) => {
      const { status, stdout, stderr } = spawnSync(
        'sh',
        ['-c', `ulimit -f 0; exec '${shimPath(place.home, 'linux')}' claude-code`],
        { input, encoding: 'utf8', env: agentEnvironment(place.folder) },
      );
      return { code: status, stdout, stderr };
    });
  });

  it('when the working folder is gone or a loop of links', () => {
    const place = usedPlace();
    rmSync(place.cwd, { recursive: true });
    expectQuiet(place);
    symlinkSync(place.cwd, place.cwd);
    expectQuiet(place);
  });

  it('with a payload of ten megabytes, and with one that is too large', () => {
    const place = usedPlace();
    const result = (size: number, id: string): string =>
      payload(place, 'PostToolUse', {
        ...BASH,
        tool_use_id: id,
        tool_response: { stdout: 'line of a build\n'.repeat(size / 16), stderr: '' },
      });
    expect(callHook(place.home, ['claude-code'], result(10 * 1024 * 1024, 'big'))).toEqual(NOTHING);
    expect(callHook(place.home, ['claude-code'], result(17 * 1024 * 1024, 'bigger'))).toEqual(NOTHING);
    const { records } = openHome({ home: place.home }).openProject(place.cwd).session('one');
    const ids = records.map((record) => ('callId' in record ? record.callId : undefined));
    expect(ids).toContain('big');
    expect(ids).not.toContain('bigger');
    expect(readFileSync(hookLogPath(place.home), 'utf8')).toContain('ignored a payload');
  });

  it('when standard input is never closed', async () => {
    const place = usedPlace();
    const { child, ended } = startHook(place.home, ['claude-code']);
    child.stdin?.write(payload(place, 'PreToolUse', { ...BASH, tool_use_id: 'b' }, 'another'));
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"permissionDecision":"deny"');

    const silent = spawn(shimPath(place.home, process.platform), ['claude-code'], {
      env: agentEnvironment(place.folder),
    });
    let said = '';
    for (const stream of [silent.stdout, silent.stderr]) stream.on('data', (chunk) => (said += chunk));
    expect(await new Promise((resolve) => silent.on('close', resolve))).toBe(0);
    expect(said).toBe('');
  });

  it.skipIf(!existsSync('/proc/self/environ'))('when it is killed at any moment, losing only that event', async () => {
    const place = usedPlace();
    const kept: string[] = [];
    for (let round = 0; round < 15; round++) {
      const hooks = EVENTS.map(([name, fields], at) => {
        const hook = startHook(place.home, ['claude-code']);
        hook.child.stdin?.end(payload(place, name, { ...fields, tool_use_id: `k-${round}-${at}` }, `k-${round}`));
        return hook;
      });
      await sleep((round * 14) % 200);
      for (const { child } of hooks) child.kill('SIGKILL');
      await Promise.all(hooks.map(({ ended }) => ended));
      if (round % 5 !== 0) continue;
      const id = `safe-${round}`;
      expect(
        callHook(place.home, ['claude-code'], payload(place, 'PostToolUseFailure', { ...FAILED, tool_use_id: id }))
          .code,
      ).toBe(0);
      kept.push(id);
    }
    expectQuiet(place);
    const { records } = openHome({ home: place.home }).openProject(place.cwd).session('one');
    const ids = records.flatMap((record) => ('callId' in record && record.callId !== undefined ? [record.callId] : []));
    expect(ids).toEqual(['a', ...kept]);
    expect(leftBehind(place)).toEqual([]);
  });

  it.skipIf(!existsSync('/proc/self/environ'))('with thirty processes at once, recording everything', async () => {
    const place = usedPlace();
    const hooks = Array.from({ length: 30 }, (_, at) => {
      const hook = startHook(place.home, ['claude-code']);
      const [name, fields] =
        at % 2 === 0 ? ['PostToolUseFailure', FAILED] : ['PostToolUse', { ...BASH, tool_response: {} }];
      hook.child.stdin?.end(
        payload(place, name as string, { ...(fields as object), tool_use_id: `p-${at}` }, `s-${at % 5}`),
      );
      return hook;
    });
    for (const { code, stdout, stderr } of await Promise.all(hooks.map(({ ended }) => ended))) {
      expect({ code, stdout, stderr }).toEqual(NOTHING);
    }
    const project = openHome({ home: place.home }).openProject(place.cwd);
    const ids = Array.from({ length: 5 }, (_, at) => project.session(`s-${at}`).records).flat();
    expect(new Set(ids.map((entry) => ('callId' in entry ? entry.callId : ''))).size).toBe(30);
    expect(leftBehind(place)).toEqual([]);
  });
});
