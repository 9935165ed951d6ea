import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readShimTarget, shimPath, shimText, writeShim } from '../../src/hook/shim.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** A script that says what it was started with. */
const TELL = `let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const { YORE_HOME, NODE_OPTIONS, NODE_EXTRA_CA_CERTS } = process.env;
  console.error('not for the agent');
  console.log(JSON.stringify({ args: process.argv.slice(2), text, YORE_HOME, NODE_OPTIONS, NODE_EXTRA_CA_CERTS }));
  process.exit(Number(process.argv[4] ?? 0));
});`;

function call(home: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(shimPath(home, 'linux'), args, {
    input: '{"a":1}',
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { status, stdout, stderr };
}

function homeWithShim(name = 'home of "yore" & $co'): string {
  const home = join(temporaryFolder(), name);
  const script = join(home, 'script.cjs');
  writeShim(home, { node: process.execPath, script });
  writeFileSync(script, TELL);
  return home;
}

describe.skipIf(process.platform === 'win32')('the shim', () => {
  it('starts the hook of its home with its arguments and input', () => {
    const home = homeWithShim();
    const { status, stdout, stderr } = call(home, ['codex', 'an event'], {
      NODE_OPTIONS: '--max-old-space-size=64',
      NODE_EXTRA_CA_CERTS: '/nowhere',
      YORE_HOME: '/elsewhere',
    });
    expect(JSON.parse(stdout)).toEqual({ args: ['codex', 'an event'], text: '{"a":1}', YORE_HOME: home });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('exits with 0, whatever the hook does', () => {
    expect(call(homeWithShim(), ['codex', 'x', '7']).status).toBe(0);
    const home = homeWithShim();
    writeFileSync(join(home, 'script.cjs'), 'process.kill(process.pid, "SIGKILL")');
    expect(call(home, ['codex'])).toEqual({ status: 0, stdout: '', stderr: '' });
    writeFileSync(join(home, 'script.cjs'), 'this is no JavaScript');
    expect(call(home, ['codex'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('prints nothing when yore is missing, and finds another node when its own is', () => {
    const home = homeWithShim();
    writeShim(home, { node: '/gone/node', script: join(home, 'script.cjs') });
    expect(call(home, ['codex']).stdout).toContain('"codex"');
    expect(call(home, ['codex'], { PATH: '/nowhere' })).toEqual({ status: 0, stdout: '', stderr: '' });
    rmSync(join(home, 'script.cjs'));
    expect(call(home, ['codex'])).toEqual({ status: 0, stdout: '', stderr: '' });
    rmSync(join(home, 'bin', 'target'));
    expect(call(home, ['codex'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('has the same content in every home and for every target, and is executable', () => {
    const [one, two] = [homeWithShim('one'), homeWithShim('two')];
    for (const platform of ['linux', 'win32'] as const) {
      expect(readFileSync(shimPath(one, platform), 'utf8')).toBe(shimText(platform));
      expect(readFileSync(shimPath(two, platform), 'utf8')).toBe(shimText(platform));
    }
    expect(statSync(shimPath(one, 'linux')).mode & 0o777).toBe(0o755);
    expect(shimText('win32')).not.toMatch(/[^\r]\n/);
  });

  it('is rewritten only when it was changed', () => {
    const home = homeWithShim();
    const target = { node: process.execPath, script: join(home, 'script.cjs') };
    const before = statSync(shimPath(home, 'linux')).ino;
    writeShim(home, target);
    expect(statSync(shimPath(home, 'linux')).ino).toBe(before);
    writeFileSync(shimPath(home, 'linux'), 'damaged');
    chmodSync(shimPath(home, 'linux'), 0o600);
    writeShim(home, target);
    expect(call(home, ['pi']).stdout).toContain('"pi"');
    expect(readShimTarget(home)).toEqual(target);
    expect(readShimTarget(join(home, 'none'))).toBeUndefined();
  });
});
