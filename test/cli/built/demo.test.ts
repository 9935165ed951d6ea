import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPseudoTerminal, runOnTerminal } from './pseudo-terminal.ts';
import { createPlace, environment, MAIN, yore, yoreJson } from './run-yore.ts';

describe('yore demo', () => {
  it('tells the story and leaves no trace', () => {
    const place = createPlace();
    const temp = join(place.folder, 'temp');
    mkdirSync(temp);
    const { code, stdout, stderr } = yore(place, ['demo'], { env: { LANG: 'C.UTF-8', TMPDIR: temp } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const text of [
      'Add Redis caching',
      'npm install redis-node',
      'bun add ioredis',
      'src/cache/redis.ts',
      'bun test',
      'Failed before',
      'Already done',
      'This was attempted on',
      'Package not found: redis-node',
      'Worked instead:',
      '$ yore search ioredis',
      '2 days ago',
    ])
      expect(stdout).toContain(text);
    // The command to go on with is one that exists: this is not installed.
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/Next → node \S+main\.cjs init sets it up for your agents/);
    expect(stdout.split('\n').length).toBeLessThan(50);
    expect(readdirSync(temp)).toEqual([]);
    expect(existsSync(place.home)).toBe(false);
  });

  it('keeps its home with --keep, and every command works in it', () => {
    const place = createPlace();
    const { stdout } = yore(place, ['demo', '--keep', '--fast'], { env: { TMPDIR: place.folder } });
    const [, cwd = '', home = ''] = /cd (\S+) && export YORE_HOME=(\S+)/.exec(stdout) ?? [];
    const kept = { ...place, home, cwd };
    expect(yore(kept, []).stdout).toContain('2 sessions');
    expect(yoreJson(kept, ['search', 'ioredis'])).toMatchObject({ sessions: [{ projectName: 'my-app' }] });
    expect(yore(kept, ['prompts']).stdout).toContain('Add Redis caching');
    expect(yore(kept, ['check', '--', 'npm', 'install', 'redis-node']).code).toBe(3);
    expect(yoreJson(kept, ['why'])).toMatchObject({
      warnings: [{ what: 'npm install redis-node', ended: 'open' }],
    });
    expect(yore(kept, ['recap']).stdout).toContain('bun add ioredis');
    expect(yore(kept, ['doctor']).code).toBe(0);
  });

  it.skipIf(!hasPseudoTerminal)('cleans up when it is interrupted (needs python3)', () => {
    const place = createPlace();
    const temp = join(place.folder, 'temp');
    mkdirSync(temp);
    const { screen, code } = runOnTerminal({
      command: [process.execPath, MAIN, 'demo'],
      env: environment(place, { TMPDIR: temp, TERM: 'xterm' }),
      cwd: place.cwd,
      typed: [{ when: 'Day two', keys: '\x03' }],
    });
    expect(code).toBe(130);
    expect(screen).not.toContain('$ yore search');
    expect(readdirSync(temp)).toEqual([]);
  });
});
