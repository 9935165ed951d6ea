import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPseudoTerminal, runOnTerminal, type Typed } from './pseudo-terminal.ts';
import { createPlace, environment, MAIN, type Place, yore } from './run-yore.ts';
import { seed } from './seed.ts';

const TERMINAL = { LANG: 'C.UTF-8', TERM: 'xterm-256color' };

function onTerminal(place: Place, args: readonly string[], typed: readonly Typed[] = [], columns = 80) {
  return runOnTerminal({
    command: [process.execPath, MAIN, ...args],
    env: environment(place, TERMINAL),
    cwd: place.cwd,
    typed,
    columns,
  });
}

/** Standard output goes into a file, as in a shell's `$(...)`; the terminal stays the screen. */
function pickInShell(place: Place, args: string, typed: readonly Typed[]) {
  const file = join(place.folder, 'picked');
  const command = `'${process.execPath}' '${MAIN}' prompts --pick ${args} > '${file}'; echo "exit $?"; echo "got <$(cat '${file}')>"`;
  return runOnTerminal({
    command: ['sh', '-c', command],
    env: environment(place, TERMINAL),
    cwd: place.cwd,
    typed,
  });
}

describe.skipIf(!hasPseudoTerminal)('on a terminal (needs python3)', () => {
  it('uses colour, which NO_COLOR and --no-color turn off', () => {
    const place = createPlace();
    seed(place);
    expect(onTerminal(place, ['search', 'redis']).screen).toContain('\x1b[1;33m');
    expect(onTerminal(place, ['search', 'redis', '--no-color']).screen).not.toContain('\x1b[');
    const env = environment(place, { ...TERMINAL, NO_COLOR: '1' });
    const command = [process.execPath, MAIN, 'search', 'redis'];
    expect(runOnTerminal({ command, env, cwd: place.cwd, typed: [] }).screen).not.toContain('\x1b[');
  });

  it('shows what is longer than the screen in the pager, and the rest directly', () => {
    const place = createPlace();
    seed(place);
    const run = (args: readonly string[], pager: Readonly<Record<string, string>>, columns: number): string => {
      const env = environment(place, { ...TERMINAL, ...pager });
      const command = [process.execPath, MAIN, '--no-color', ...args];
      return runOnTerminal({ command, env, cwd: place.cwd, typed: [], columns }).screen.replaceAll('\r', '');
    };
    const numbered = { PAGER: 'cat -n' };
    const narrow = run(['search', 'redis'], { PAGER: 'cat' }, 20);
    expect(narrow.split('\n').length).toBeGreaterThan(24);
    expect(run(['search', 'redis'], numbered, 20).replaceAll(/^ +\d+\t/gm, '')).toBe(narrow);
    expect(run(['search', 'redis'], numbered, 20)).toMatch(/^ +1\t/);
    expect(run(['search', 'redis', '--no-pager'], numbered, 20)).toBe(narrow);
    expect(run(['search', 'redis', '--json'], numbered, 20)).toMatch(/^\{/);
    expect(run(['search', 'redis'], { PAGER: 'more', YORE_PAGER: 'head -n 2' }, 20).split('\n')).toHaveLength(3);
    expect(run(['search', 'redis'], { PAGER: 'no-such-pager-anywhere' }, 20)).toContain(narrow);
    expect(run(['sessions'], numbered, 80)).not.toMatch(/^ +1\t/);
  });

  it('lets the user pick a prompt by typing, moving and Enter', () => {
    const place = createPlace();
    seed(place);
    const { screen } = pickInShell(place, '', [
      { when: 'Enter picks', keys: 'redis' },
      { when: '\x1b[39mredis', keys: '\r' },
    ]);
    expect(screen).toContain('exit 0');
    expect(screen).toContain('got <Add Redis caching>');
    const moved = pickInShell(place, '', [
      { when: 'Enter picks', keys: '\x1b[B' },
      { when: 'Enter picks', keys: '\r' },
    ]);
    expect(moved.screen).toContain('got <Add Redis caching>');
  });

  it('starts the picker with the given query and cancels it with Esc or Ctrl-C', () => {
    const place = createPlace();
    seed(place);
    const picked = pickInShell(place, 'add red', [{ when: 'Enter picks', keys: '\r' }]);
    expect(picked.screen).toContain('got <Add Redis caching>');
    for (const keys of ['\x1b', '\x03']) {
      const { screen } = pickInShell(place, '', [{ when: 'Enter picks', keys }]);
      expect(screen).toContain('exit 130');
      expect(screen).toContain('got <>');
      expect(screen.indexOf('\x1b[?1049l')).toBeGreaterThan(screen.indexOf('\x1b[?1049h'));
    }
  });

  it('asks before it deletes', () => {
    const place = createPlace();
    const { redis } = seed(place);
    for (const keys of ['n\r', '\r', '\x03', '\x04']) {
      const { screen, code } = onTerminal(place, ['forget', '--session', redis], [{ when: '[y/N]', keys }]);
      expect({ keys, code }).toEqual({ keys, code: 130 });
      expect(screen).toContain('Nothing was deleted');
    }
    expect(yore(place, ['show', redis]).code).toBe(0);
    const { screen, code } = onTerminal(place, ['forget', '--session', redis], [{ when: '[y/N]', keys: 'y\r' }]);
    expect(code).toBe(0);
    expect(screen).toContain('Deleted session');
    expect(yore(place, ['show', redis]).code).toBe(4);
  });
});

describe('a pipe', () => {
  it('ends quietly when its reader is gone', async () => {
    const place = createPlace();
    seed(place);
    const child = spawn(process.execPath, [MAIN, 'export', '--format', 'markdown'], {
      cwd: place.cwd,
      env: environment(place),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, said }).toEqual({ code: 0, said: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('reports a full disk (needs /dev/full)', () => {
    const place = createPlace();
    seed(place);
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'export'], {
      cwd: place.cwd,
      env: environment(place),
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(status).toBe(6);
    expect(stderr).toMatch(/^yore: cannot write to standard output: ENOSPC/);
  });

  it('gets no colours and no progress', () => {
    const place = createPlace();
    seed(place);
    const { stdout, stderr } = yore(place, ['reindex'], { env: { TERM: 'xterm' } });
    expect(stdout + stderr).not.toContain('\x1b');
    expect(yore(place, ['search', 'redis'], { env: { FORCE_COLOR: '1' } }).stdout).toContain('\x1b[');
  });
});
