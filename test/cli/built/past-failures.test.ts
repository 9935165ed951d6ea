import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../../src/project/index.ts';
import { storePath } from '../../../src/store/store-files.ts';
import { ClaudeSession } from '../../import/machine.ts';
import { connect } from '../../mcp/serve.ts';
import { call, newPlace, serve } from '../../server/serving.ts';
import { AUTHENTICATION, playSessions, REDIS } from './agent.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

const UTF8 = { LANG: 'C.UTF-8', COLUMNS: '100' };

interface Failures {
  readonly total: number;
  readonly failures: readonly { readonly what: string }[];
  readonly past: {
    readonly total: number;
    readonly calls: number;
    readonly failures: readonly {
      readonly what: string;
      readonly count: number;
    }[];
  };
}

/** A transcript of months ago: the tests fail in two sessions, a package is missing in one. */
function writeOldTranscripts({ folder: user, cwd }: Place): void {
  const folder = join(user, '.claude', 'projects', 'my-app');
  mkdirSync(folder, { recursive: true });
  const sessions = [
    new ClaudeSession('aaaa1111-0000-4000-8000-000000000001', cwd)
      .asks('add caching with redis')
      .runs('c1', 'npm install redis-node', "npm error 404  'redis-node@*' is not in this registry.", true)
      .runs('c2', 'npm install ioredis', 'added 9 packages')
      .runs('c3', 'npm test', 'Exit code 1\nAssertionError: expected 1 to be 2', true),
    new ClaudeSession('aaaa1111-0000-4000-8000-000000000002', cwd, 2000)
      .asks('fix the tests')
      .runs('c4', 'npm test', 'Exit code 1\nAssertionError: expected 3 to be 4', true)
      .runs('c5', 'npm test', 'Exit code 1\nTypeError: cache is undefined', true)
      .runs('c6', 'npm test', 'all passed'),
  ];
  for (const { id, text } of sessions) writeFileSync(join(folder, `${id}.jsonl`), text);
}

function listArchive(place: Place): readonly string[] {
  const home = openHome({ home: place.home });
  const { directory } = home.findProjectByName('my-app');
  home.close();
  return readdirSync(join(directory, 'archive'));
}

describe('past failures', () => {
  it('are listed by command and cause after they were archived, the most frequent first', () => {
    const place = createPlace();
    writeOldTranscripts(place);
    expect(yore(place, ['import']).code).toBe(0);
    const first = yoreJson(place, ['failures']) as Failures;
    expect(listArchive(place)).toEqual(['failures-1.jsonl']);
    expect(first).toMatchObject({
      total: 0,
      failures: [],
      past: {
        total: 2,
        calls: 4,
        failures: [
          {
            what: 'npm test',
            count: 3,
            firstAt: '2026-03-02T09:05:00.000Z',
            lastAt: '2026-03-03T18:23:00.000Z',
            hasWorkedSince: true,
            causes: [
              { class: 'state', count: 2, sessions: 2 },
              { class: 'state', count: 1, sessions: 1 },
            ],
          },
          {
            what: 'npm install redis-node',
            count: 1,
            fix: 'npm install ioredis',
            hasWorkedSince: false,
            causes: [{ class: 'missing', count: 1 }],
          },
        ],
      },
    });
    // Read again from the archive, as after an update of yore.
    rmSync(storePath(place.home));
    expect(yoreJson(place, ['failures'])).toEqual(first);
  });

  it('are listed the most recent first on request, and as many as asked for', () => {
    const place = createPlace();
    playSessions(place, [
      { ...AUTHENTICATION, daysAgo: 60 },
      { ...REDIS, daysAgo: 50 },
    ]);
    playSessions(place, [
      { ...AUTHENTICATION, sessionId: 'auth-2', daysAgo: 45, done: AUTHENTICATION.done.slice(1, 2) },
    ]);
    playSessions(place, [{ ...REDIS, sessionId: 'redis-2', daysAgo: 40, done: REDIS.done.slice(0, 1) }]);
    playSessions(place, [
      { ...AUTHENTICATION, sessionId: 'auth-3', daysAgo: 39, done: AUTHENTICATION.done.slice(0, 1) },
    ]);
    playSessions(place, [
      { ...AUTHENTICATION, sessionId: 'auth-4', daysAgo: 38, done: AUTHENTICATION.done.slice(1, 2) },
    ]);
    const names = (...options: string[]) =>
      (yoreJson(place, ['failures', ...options]) as Failures).past.failures.map(({ what }) => what);
    expect(names('--limit', '1')).toEqual(['authgen init']);
    expect(names('--sort', 'recent', '--limit', '2')).toEqual(['authgen init', 'npm install passport-magic']);
    expect(names('--sort', 'recent').at(-1)).toBe('npm run auth:setup');
    const { stdout } = yore(place, ['failures', '--limit', '2'], { env: UTF8 });
    expect(stdout).toMatch(/^No active warnings in my-app: the last failure was on [\d-]+, more than 7 days ago\.$/m);
    expect(stdout).toContain('Past failures · 8 failures of 4 different calls');
    expect(stdout).toMatch(/3x\s+authgen init/);
    expect(stdout).toContain('2 of 4: --limit 8');
  });

  it('are counted by call and for all time, known failures by cause and since it last worked', () => {
    const place = createPlace();
    const failed = { ...REDIS, done: REDIS.done.slice(0, 1) };
    const worked = { ...REDIS, done: [{ command: 'npm install redis-node', output: 'added 1 package' }] };
    playSessions(place, [
      { ...failed, sessionId: 'first', daysAgo: 5 },
      { ...worked, sessionId: 'worked', daysAgo: 4 },
      { ...failed, sessionId: 'again', daysAgo: 3 },
      { ...failed, sessionId: 'lately', daysAgo: 2 },
    ]);
    const { stdout } = yore(place, ['failures', '--all'], { env: UTF8 });
    expect(stdout).toContain('Known failures · counted by cause since it last worked, without archived ones');
    expect(stdout).toContain('3 failures of 1 different call, however long ago');
    expect(stdout).toMatch(/ 2x .*npm install redis-node[\s\S]*3x {2}npm install redis-node/);
  });

  it('are not active when the missing file exists now', () => {
    const place = createPlace();
    const error = "python3: can't open file 'scripts/build.py': [Errno 2] No such file or directory";
    const read = { ...REDIS, done: [{ command: 'python3 scripts/build.py', error }] };
    playSessions(place, [read, { ...read, sessionId: 'again' }]);
    const active = () => (yoreJson(place, ['failures']) as Failures).failures.length;
    const before = active();
    mkdirSync(join(place.cwd, 'scripts'));
    writeFileSync(join(place.cwd, 'scripts', 'build.py'), '');
    expect([before, active()]).toEqual([1, 0]);
    expect(yoreJson(place, ['failures'])).toMatchObject({ past: { total: 1, calls: 2 } });
  });

  it('are nothing to avoid when the missing file exists now', () => {
    const place = createPlace();
    const home = openHome({ home: place.home });
    const recorder = home.openProject(place.cwd).recorder();
    for (const [index, sessionId] of ['one', 'two'].entries()) {
      const timestamp = new Date(Date.now() - (3 - index) * 86_400_000).toISOString();
      const input = { file_path: join(place.cwd, 'docs', 'plan.md') };
      const output = 'File does not exist.';
      recorder.record(
        { sessionId, callId: 'c', agent: 'claude-code', tool: 'Read', input, timestamp },
        {
          status: 'error',
          output,
        },
      );
    }
    home.close();
    const avoided = () => (yoreJson(place, ['knowledge']) as { antiPatterns: { pattern: string }[] }).antiPatterns;
    expect(avoided()).toMatchObject([{ pattern: expect.stringContaining('docs/plan.md') }]);
    mkdirSync(join(place.cwd, 'docs'));
    writeFileSync(join(place.cwd, 'docs', 'plan.md'), '# Plan\n');
    expect(avoided()).toEqual([]);
    expect(yoreJson(place, ['failures'])).toMatchObject({ total: 0, past: { total: 1, calls: 2 } });
  });

  it('answer the question which commands keep failing, in MCP too', async () => {
    const place = createPlace();
    writeOldTranscripts(place);
    yore(place, ['import']);
    const { call: callTool } = await connect(place);
    const { data, text } = await callTool('failures');
    expect(data).toMatchObject({ active: [], calls: 4, past: [{ what: 'npm test', count: 3 }, { count: 1 }] });
    expect(text).toContain('`npm test`: 3 times');
    const { stdout } = yore(place, ['chat'], { input: 'which commands keep failing here?\n' });
    expect(stdout).toContain('`npm test` failed 3 times');
    expect(stdout).toContain('`npm install ioredis` worked instead');
  });
});

describe('counts', () => {
  it('of failures, successes and sessions are the same in every list', async () => {
    const served = newPlace();
    const place: Place = { ...served, folder: served.home };
    playSessions(place, [
      { ...AUTHENTICATION, daysAgo: 40 },
      { ...AUTHENTICATION, sessionId: 'auth-2', daysAgo: 35, feedback: 'that failed again' },
      REDIS,
    ]);
    yore(place, ['remember', '--avoid', 'npm: this project uses bun']);
    yore(place, ['remember', 'Migrations run with make migrate']);
    const totals = { failures: 7, successes: 9 };
    const status = yoreJson(place, ['status']);
    expect(status).toMatchObject({ sessions: 3, ...totals });
    expect(yoreJson(place, ['doctor'])).toMatchObject({ sessions: 3, ...totals });
    const { past, total: activeTotal } = yoreJson(place, ['failures']) as Failures;
    expect(activeTotal).toBe(1);
    const sum = (items: readonly object[], name: string) =>
      items.reduce((total, item) => total + Number(Object.entries(item).find(([key]) => key === name)?.[1]), 0);
    expect([past.calls, sum(past.failures, 'count')]).toEqual([7, 7]);
    const { sessions } = yoreJson(place, ['sessions']) as { sessions: { failures: number; successes: number }[] };
    expect({ failures: sum(sessions, 'failures'), successes: sum(sessions, 'successes') }).toEqual(totals);
    const { days } = yoreJson(place, ['timeline']) as { days: { failures: number; successes: number }[] };
    expect({ failures: sum(days, 'failures'), successes: sum(days, 'successes') }).toEqual(totals);
    expect(yoreJson(place, ['recap'])).toMatchObject({ totals: { sessions: 3, failures: 7 } });

    const server = await serve({ place: served });
    const { current: project = '' } = await call(server, 'project.list', {});
    const overview = await call(server, 'project.overview', { project });
    expect(overview.totals).toMatchObject({ sessions: 3, ...totals });
    expect(sum(overview.days, 'failures')).toBe(7);
    expect((await call(server, 'project.timeline', { project })).total).toBe(3);
    const memory = await call(server, 'memory.get', { project });
    expect(memory.antiPatterns.map(({ kind }) => kind)).toEqual(['note', 'failure']);
    expect(memory.past).toEqual({ total: past.total, calls: 7, failures: past.failures });
    const { call: callTool } = await connect(place);
    expect((await callTool('recap', { days: 90 })).data).toMatchObject({ totals: { sessions: 3, failures: 7 } });
    expect((await callTool('failures')).data).toMatchObject({ active: [{}], calls: 7, total: past.total });
  });
});
