import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { openHome } from '../../../src/project/index.ts';
import { AUTHENTICATION, playSessions, REDIS } from './agent.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

const UTF8 = { LANG: 'C.UTF-8' };
const AGAIN = ['check', 'npm install redis-node'];

/** The records of the project, whatever files they are in, without what is derived from them. */
function records(place: Place): readonly string[] {
  const home = openHome({ home: place.home });
  const { directory } = home.findProjectByName('my-app');
  home.close();
  return readdirSync(directory)
    .filter((name) => /^(history|failures|successes|warnings)\b.*\.jsonl$/.test(name))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .sort();
}

/** Every file of the home with its content. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'latin1')]));
}

function failureId(place: Place): string {
  const { failures } = yoreJson(place, ['failures']) as { failures: { id: string }[] };
  return failures[0]?.id ?? 'none';
}

describe('dismiss and pin', () => {
  it('silence a failure, and undo that', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const id = failureId(place);
    const dismissed = yore(place, ['dismiss', id]);
    expect(dismissed).toMatchObject({ code: 0, stderr: '' });
    expect(dismissed.stdout).toContain('npm install redis-node');
    expect(dismissed.stdout).toContain(`yore dismiss ${id} --undo`);
    expect(yore(place, AGAIN).code).toBe(0);
    expect(yoreJson(place, ['failures'])).toMatchObject({ total: 0, failures: [] });
    expect(yoreJson(place, ['failures', '--all'])).toMatchObject({ failures: [{ id, choice: 'dismiss' }] });
    expect(yoreJson(place, ['dismiss', id, '--undo'])).toMatchObject({ failure: { id, choice: 'none' } });
    expect(yore(place, AGAIN).code).toBe(3);
  });

  it('keep a failure active beyond the lookback window', () => {
    const place = createPlace();
    playSessions(place, [{ ...REDIS, daysAgo: 3 }]);
    const id = failureId(place);
    expect(yoreJson(place, ['pin', id])).toMatchObject({ failure: { id, choice: 'pin' } });
    yore(place, ['config', 'set', 'retrieval.failureLookbackDays', '2']);
    expect(yore(place, AGAIN).code).toBe(3);
    expect(yore(place, ['failures']).stdout).toContain('pinned');
    yore(place, ['pin', id, '--undo']);
    expect(yore(place, AGAIN).code).toBe(0);
  });
});

describe('yore why', () => {
  it('shows each warning and how it ended', () => {
    const place = createPlace();
    const again = { ...REDIS, daysAgo: 0, done: REDIS.done.slice(0, 1) };
    playSessions(place, [REDIS, { ...again, sessionId: 'redis-2' }]);
    expect(yoreJson(place, ['why'])).toMatchObject({
      total: 1,
      overrides: { total: 1, succeeded: 0, successRate: 0 },
      warnings: [
        {
          failure: failureId(place),
          sessionId: 'redis-2',
          agent: 'claude-code',
          what: 'npm install redis-node',
          text: expect.stringContaining('bun add ioredis'),
          ended: 'overridden-failed',
        },
      ],
    });
    const published = { ...again, done: [{ command: 'npm install redis-node' }] };
    playSessions(place, [{ ...published, sessionId: 'redis-3' }]);
    expect(yoreJson(place, ['why', '--limit', '1'])).toMatchObject({
      total: 2,
      overrides: { total: 2, succeeded: 1, successRate: 0.5 },
      warnings: [{ sessionId: 'redis-3', ended: 'overridden-succeeded' }],
    });
    const { stdout } = yore(place, ['why'], { env: UTF8 });
    expect(stdout).toContain('overridden, and it succeeded: the warning was wrong');
    expect(stdout).toContain('overridden, and it failed again');
    expect(stdout).toContain('2 warnings · 2 overridden, 1 of them successfully (50%)');
    // It has worked since, so it is not warned about any more.
    expect(yore(place, AGAIN).code).toBe(0);
  });

  it('shows that the command was not run so far', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const home = openHome({ home: place.home });
    const recorder = home.openProject(place.cwd).recorder();
    const input = { command: 'npm install redis-node' };
    recorder.warn({ sessionId: 'redis-2', tool: 'Bash', input, timestamp: new Date().toISOString() });
    home.close();
    expect(yoreJson(place, ['why'])).toMatchObject({
      overrides: { total: 0 },
      warnings: [{ ended: 'open' }],
    });
    expect(yore(place, ['why']).stdout).toContain('1 warning - none overridden');
  });
});

describe('yore remember', () => {
  it('adds a best practice or something to avoid', () => {
    const place = createPlace();
    expect(yore(place, ['remember', 'Migrations', 'run', 'with', 'make migrate']).stdout).toContain('Noted for my-app');
    expect(
      yoreJson(place, ['remember', '--avoid', 'npm: this project uses bun', '--tag', 'npm,bun', '--tag', 'tools']),
    ).toMatchObject({ pattern: 'npm: this project uses bun', avoid: true, tags: ['npm', 'bun', 'tools'] });
    expect(yoreJson(place, ['knowledge'])).toMatchObject({
      bestPractices: [{ pattern: 'Migrations run with make migrate', confidence: 1 }],
      antiPatterns: [{ pattern: 'npm: this project uses bun', confidence: 1 }],
    });
    for (const args of [['knowledge'], []]) {
      const { stdout } = yore(place, args, { env: UTF8 });
      expect(stdout).toMatch(/Avoid\n +✗ npm: this project uses bun/);
      expect(stdout).toMatch(/Best practices\n +✓ Migrations run with make migrate/);
    }
    expect(yore(place, ['successes']).stdout).toContain('Migrations run with make migrate');
  });

  it('can be undone', () => {
    const place = createPlace();
    const { id } = yoreJson(place, ['remember', 'Deploy on Fridays']) as { id: string };
    yoreJson(place, ['remember', 'Deploy with make deploy']);
    expect(yoreJson(place, ['forget', '--pattern', id, '--yes'])).toMatchObject({
      forgotten: id,
      attempts: 1,
    });
    expect(yoreJson(place, ['knowledge'])).toMatchObject({
      bestPractices: [{ pattern: 'Deploy with make deploy' }],
    });
  });

  it('removes a secret, and says so', () => {
    const place = createPlace();
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const { code, stdout, stderr } = yore(place, ['remember', `The token is ${secret}`]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/secret was removed/);
    expect(stdout + JSON.stringify(contents(place.home))).not.toContain(secret);
    expect(yore(place, ['remember', '--json', `The token is ${secret}`]).stdout).not.toContain(secret);
  });

  it('is rejected while recording is paused', () => {
    const place = createPlace();
    yore(place, ['pause']);
    const { code, stderr } = yore(place, ['remember', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('yore resume');
  });
});

describe('yore forget --pattern', () => {
  it('deletes only the attempts behind a failure', () => {
    const place = createPlace();
    playSessions(place, [AUTHENTICATION, REDIS]);
    const id = failureId(place);
    const before = yoreJson(place, ['status']) as { failures: number; successes: number };
    expect(yore(place, ['forget', '--pattern', id, '--project', 'my-app', '--yes']).stdout).toContain('1 attempt');
    expect(yore(place, AGAIN).code).toBe(0);
    expect(yore(place, ['check', 'npm install passport-magic']).code).toBe(3);
    expect(yoreJson(place, ['status'])).toMatchObject({
      sessions: 2,
      failures: before.failures - 1,
      successes: before.successes,
    });
    expect(records(place).join('\n')).not.toContain('npm install redis-node');
    expect(yore(place, ['forget', '--pattern', id, '--yes']).code).toBe(4);
  });

  it('asks first', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const before = records(place);
    expect(yore(place, ['forget', '--pattern', failureId(place)])).toMatchObject({ code: 2, stdout: '' });
    expect(records(place)).toEqual(before);
  });
});

const LISTINGS = [
  ['failures'],
  ['failures', '--all'],
  ['successes'],
  ['recap'],
  ['timeline'],
  ['knowledge'],
  ['why'],
] as const;

describe('listings of the memory', () => {
  it('say when nothing is recorded, and write nothing', () => {
    const place = createPlace();
    for (const args of LISTINGS) {
      const { code, stdout, stderr } = yore(place, args);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      expect(stdout).toContain('Nothing is recorded for');
      expect(stdout).toContain('yore demo');
      expect(yoreJson(place, args)).toMatchObject({ project: null });
    }
    expect(yore(place, ['check', 'ls'])).toMatchObject({ code: 0, stderr: '' });
    expect(yoreJson(place, ['check', 'ls'])).toMatchObject({ warns: false, project: null });
    expect(openHome({ home: place.home }).projects()).toEqual([]);
  });

  it('say when a project has no attempts', () => {
    const place = createPlace();
    playSessions(place, [{ sessionId: 's', daysAgo: 1, request: 'Hello', done: [] }]);
    for (const [args, said] of [
      [['failures'], /No active warnings in my-app/],
      [['failures', '--all'], /No known failures in my-app/],
      [['successes'], /No successes are recorded for my-app/],
      [['knowledge'], /Nothing is known about my-app/],
      [['why'], /No warnings have been given in my-app/],
      [['recap', '--until', '2001-01-01'], /No activity in my-app in that time/],
      [['timeline', '--until', '2001-01-01'], /No activity in my-app in that time/],
    ] as const) {
      const { code, stdout } = yore(place, args);
      expect({ args, code }).toEqual({ args, code: 0 });
      expect(stdout).toMatch(said);
    }
  });

  it('record nothing', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const before = records(place);
    for (const args of [...LISTINGS, AGAIN, []]) yore(place, args);
    expect(records(place)).toEqual(before);
  });

  it('show another project by its name', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const cwd = join(place.folder, 'elsewhere');
    mkdirSync(cwd);
    for (const args of LISTINGS) {
      expect(yoreJson(place, [...args, '--project', 'my-app'], { cwd })).toMatchObject({
        project: expect.stringMatching(/^[0-9a-f]{8}/),
      });
    }
  });

  it.each([30, 80])('fit into %i columns', (columns) => {
    const place = createPlace();
    const again = { ...REDIS, sessionId: 'redis-2', daysAgo: 0, done: REDIS.done.slice(0, 1) };
    playSessions(place, [AUTHENTICATION, REDIS, again]);
    const env = { ...UTF8, COLUMNS: String(columns), FORCE_COLOR: '1' };
    const cwd = join(place.folder, 'a folder of which nothing is known yet');
    mkdirSync(cwd);
    const runs = [...LISTINGS, AGAIN, [], ['demo', '--fast']].map((args) => ({ args, cwd: place.cwd }));
    for (const run of [...runs, ...[['failures'], AGAIN, []].map((args) => ({ args, cwd }))]) {
      for (const line of yore(place, run.args, { env, cwd: run.cwd }).stdout.split('\n'))
        expect({ run, line, fits: displayWidth(line) <= columns }).toEqual({ run, line, fits: true });
    }
  });

  it('sanitise hostile text', () => {
    const place = createPlace();
    const evil = 'needle \x1b]0;owned\x07\x1b[31mred\u202etxt\x9b2J';
    playSessions(place, [
      {
        sessionId: 's1',
        daysAgo: 1,
        request: evil,
        done: [{ command: `npm install ${evil}`, error: `Package not found: ${evil}` }, { command: `make ${evil}` }],
      },
    ]);
    for (const args of [
      ...LISTINGS,
      [],
      ['check', `npm install ${evil}`],
      ['failures', '--json'],
      ['recap', '--json'],
    ]) {
      const { stdout, stderr } = yore(place, args);
      expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
    expect(yore(place, ['recap']).stdout).toContain('needle');
  });

  it('use only ASCII if the terminal has nothing else', () => {
    const place = createPlace();
    playSessions(place, [AUTHENTICATION, REDIS]);
    for (const args of [...LISTINGS, AGAIN, []]) {
      const { stdout } = yore(place, args, { env: { LANG: 'C' } });
      expect({ args, other: stdout.replace(/[\x20-\x7e\n]/g, '') }).toEqual({ args, other: '' });
    }
  });
});

describe('bad input to memory commands', () => {
  it.each([
    [['dismiss', 'f-nothere'], 4, /no failure f-nothere.*yore failures/],
    [['pin', ''], 4, /no failure/],
    [['pin', 'f-\x1b[2Jx', '--undo'], 4, /no failure/],
    [['dismiss'], 2, /missing required argument 'id'/],
    [['check'], 2, /no command to check/],
    [['check', '--', ''], 2, /no command to check/],
    [['check', '--path', 'a', 'ls'], 2, /not both/],
    [['check', 'npm', 'install', '-g', 'x'], 2, /unknown option '-g'/],
    [['check', 'ls', '--project', 'nope'], 4, /no project "nope"/],
    [['failures', '--limit', '0'], 2, /--limit "0"/],
    [['recap', '--since', 'soon'], 2, /--since "soon"/],
    [['recap', '--days', 'x'], 2, /--days "x"/],
    [['timeline', '--days', '-1'], 2, /--days/],
    [['remember', ' '], 2, /note is empty/],
    [['remember', 'x'.repeat(161)], 2, /161 characters; at most 160/],
    [['forget', '--pattern', 'f-nothere', '--yes'], 4, /no failure or note f-nothere/],
    [['forget', '--pattern', 'f-x', '--session', 'redis-1', '--yes'], 2, /Give one of --session/],
  ])('rejects %j', (args, code, message) => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const before = records(place);
    const ran = yore(place, args);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' });
    expect(ran.stderr).toMatch(/^yore: /);
    expect(ran.stderr).toMatch(message);
    expect(ran.stderr).not.toContain('\x1b');
    expect(ran.stderr).not.toMatch(/^ {4}at /m);
    expect(records(place)).toEqual(before);
  });

  it('hints at -- for a command with options', () => {
    expect(yore(createPlace(), ['check', 'npm', 'install', '-g', 'x']).stderr).toContain('yore check -- -g');
  });

  it('rejects an id outside of a known project', () => {
    const place = createPlace();
    for (const command of ['dismiss', 'pin']) {
      const { code, stderr } = yore(place, [command, 'f-1']);
      expect(code).toBe(4);
      expect(stderr).toContain('--project');
    }
  });

  it('checks a command of 5 MB, invalid UTF-8 or control characters', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const long = `npm install redis-node ${'x'.repeat(5 * 1024 * 1024)}`;
    expect([0, 3]).toContain(yore(place, ['check', '-'], { input: long }).code);
    expect(yore(place, ['check', '-'], { input: 'npm install redis-node\n' }).code).toBe(3);
    for (const input of [Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]), Buffer.from('\x00\x1b[2J\x07')]) {
      const { code, stdout, stderr } = yore(place, ['check', '-'], { input });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^No warning/);
    }
    expect(yore(place, ['check', '-'], { input: '' }).code).toBe(2);
  });

  it('survives damaged logs and snapshots', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    for (const args of LISTINGS) yore(place, args);
    const home = openHome({ home: place.home });
    const { directory } = home.findProjectByName('my-app');
    home.close();
    for (const name of readdirSync(directory).filter((each) => /^(guard|digest|recall|knowledge)/.test(each))) {
      if (statSync(join(directory, name)).isFile()) writeFileSync(join(directory, name), 'rubbish '.repeat(500));
    }
    appendFileSync(join(directory, 'failures.jsonl'), '{"half": \n\x00\xff not json\n');
    for (const args of LISTINGS) expect({ args, code: yore(place, args).code }).toEqual({ args, code: 0 });
    expect(yore(place, AGAIN).code).toBe(3);
    expect(yore(place, ['failures']).stdout).toContain('npm install redis-node');
    expect(yore(place, ['recap']).stdout).toContain('Add Redis caching');
  });
});
