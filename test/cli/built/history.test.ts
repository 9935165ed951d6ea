import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { openHome } from '../../../src/project/index.ts';
import { createPlace, yore, yoreJson } from './run-yore.ts';
import { seed } from './seed.ts';

const UTF8 = { LANG: 'C.UTF-8' };

describe('yore', () => {
  it('shows counts and the latest sessions of the project', () => {
    const place = createPlace();
    const { redis } = seed(place);
    const { code, stdout, stderr } = yore(place, [], { env: UTF8 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('my-app');
    expect(stdout).toContain('2 sessions · 3 messages · ✓ 1 success · ✗ 1 failure');
    expect(stdout).toContain('Add Redis caching');
    expect(stdout).toContain(redis.slice(0, 8));
    expect(yoreJson(place, ['status'])).toMatchObject({
      project: { name: 'my-app', path: place.cwd },
      recording: true,
      sessions: 2,
      messages: 3,
      failures: 1,
      successes: 1,
      lastSessions: [{ agent: 'codex' }, { sessionId: redis }],
    });
  });

  it('says what to do when nothing is recorded, and writes nothing', () => {
    const place = createPlace();
    const { code, stdout, stderr } = yore(place, []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Nothing is recorded for');
    expect(stdout).toContain('yore demo');
    expect(yoreJson(place, [])).toMatchObject({ home: place.home, project: null });
    expect(yore(place, ['search', 'x']).stdout).toContain('Nothing is recorded yet');
    expect(yore(place, ['sessions']).stdout).toContain('No sessions yet');
    expect(yore(place, ['prompts']).stdout).toContain('No prompts yet');
    expect(yore(place, ['export'])).toMatchObject({ code: 0, stdout: '' });
    expect(yoreJson(place, ['search', 'x'])).toMatchObject({ hits: [], sessions: [] });
    expect(yoreJson(place, ['sessions'])).toMatchObject({ total: 0, sessions: [] });
    expect(yoreJson(place, ['prompts'])).toEqual({ prompts: [] });
    expect(yore(place, ['doctor']).code).toBe(0);
    expect(() => openHome({ home: place.home }).projects()).not.toThrow();
    expect(openHome({ home: place.home }).projects()).toEqual([]);
  });
});

describe('yore search', () => {
  it('says what was done once in each line, with how often', () => {
    const place = createPlace();
    const home = openHome({ home: place.home });
    const project = home.openProject(place.cwd);
    const call = { sessionId: 's1', outcome: 'success', tool: 'Bash', command: 'rm -f .git/index.lock' } as const;
    for (const n of [1, 2, 3]) project.record({ ...call, callId: `c${n}`, kind: 'edit' });
    const { stdout } = yore(place, ['search', 'index.lock'], { env: UTF8 });
    expect(stdout).toMatch(/^\s+✓ worked\s+ran rm -f \.git\/index\.lock · 3 times$/m);
    expect(stdout.match(/ran/g)).toHaveLength(1);
  });

  it('says that there is no good match for a question that is about nothing that is recorded', () => {
    const place = createPlace();
    seed(place);
    const { stdout } = yore(place, ['search', 'recipe', 'for', 'chocolate', 'cake', 'with', 'redis', 'icing']);
    expect(stdout).toMatch(/^No good match for "recipe for chocolate cake with redis icing"\.\n/);
  });

  it('takes filters in the query', () => {
    const place = createPlace();
    const { redis } = seed(place);
    const found = (query: string) => yoreJson(place, ['search', query]) as { hits: readonly { sessionId: string }[] };
    expect(found(`session:${redis}`).hits.length).toBeGreaterThan(3);
    expect(found('agent:codex redis').hits).toEqual([]);
    expect(found('agent:claude install').hits.length).toBeGreaterThan(0);
    expect(found('file:redis.ts').hits).toMatchObject([{ sessionId: redis }]);
    expect(found('redis before:today').hits.length).toBeGreaterThan(0);
    expect(found('redis after:today').hits).toEqual([]);
    expect(found('redis branch:main project:my-app').hits.length).toBeGreaterThan(0);
    expect(found('redis project:elsewhere').hits).toEqual([]);
  });

  it('finds messages and attempts, grouped by session, with marks and signs', () => {
    const place = createPlace();
    const { redis } = seed(place);
    const { code, stdout, stderr } = yore(place, ['search', 'redis'], { env: UTF8 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/sess_\w+/g)).toEqual([expect.stringMatching(/^sess_.{3,}/)]);
    expect(redis).toContain(/sess_\w+/.exec(stdout)?.[0]);
    expect(stdout).toMatch(/✗ failed\s+.*npm install redis-node/);
    expect(stdout).toContain('claude-code');
    expect(stdout).toMatch(/[23] days ago/);
    expect(stdout).toMatch(/\d matches in 1 session$/m);
  });

  it('says why each hit was found, and that answers to a question are the most likely ones', () => {
    const place = createPlace();
    seed(place);
    const exact = yore(place, ['search', 'redis'], { env: UTF8 }).stdout;
    expect(exact).toMatch(/ran npm install redis-node|output of npm install redis-node/);
    const { stdout } = yore(place, ['search', 'how did we install redis for the cache'], { env: UTF8 });
    expect(stdout).toMatch(/^Most likely first:$/m);
    expect(stdout).not.toContain('No exact matches');
    expect(stdout).toMatch(/(?:you|claude-code) said on [A-Z]\w\w \d+/);
    expect(yoreJson(place, ['search', 'how did we install redis for the cache'])).toMatchObject({ isQuestion: true });
  });

  it('shows three hits of each session for a question, and says what nothing mentions', () => {
    const place = createPlace();
    const home = openHome({ home: place.home, env: {} });
    const { history } = home.openProject(place.cwd);
    for (const content of [
      'Add a cache',
      'Redis it is',
      'How large?',
      'The cache holds 9 MB',
      'Install it',
      'Installed',
    ])
      history.append({ sessionId: 'caching', role: 'user', content });
    home.close();
    const question = ['search', 'how did we install the kestrel redis cache'];
    const { stdout } = yore(place, question, { env: UTF8 });
    expect(stdout).toMatch(/^Nothing mentions "kestrel"\.\nWith the other words, most likely first:\n\n/);
    expect(stdout.match(/^ {2}user .*$/gm)).toHaveLength(3);
    expect(stdout).toMatch(/^ {2}[23] more in this session: --session caching$/m);
    const all = yore(place, [...question, '--session', 'caching'], { env: UTF8 }).stdout;
    expect(all.match(/^ {2}user .*$/gm)?.length).toBeGreaterThan(4);
    expect(yoreJson(place, question)).toMatchObject({ isQuestion: true, missing: ['kestrel'] });
  });

  it('gives the same as JSON with offsets of the matches', () => {
    const place = createPlace();
    const { redis } = seed(place);
    const result = yoreJson(place, ['search', 'ioredis', '--role', 'assistant']) as {
      hits: { snippet: { text: string; marks: [number, number][] } }[];
    };
    expect(result).toMatchObject({
      query: 'ioredis',
      source: 'index',
      hits: [{ kind: 'message', role: 'assistant', sessionId: redis, projectName: 'my-app', match: 'literal' }],
      sessions: [{ sessionId: redis, projectName: 'my-app' }],
    });
    const { text = '', marks = [] } = result.hits[0]?.snippet ?? {};
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['ioredis']);
  });

  it.each([
    [['--outcome', 'failure'], 1],
    [['--outcome', 'success'], 1],
    [['--role', 'user'], 1],
    [['--agent', 'codex'], 0],
    [['--since', '1d'], 0],
    [['--until', 'today'], 4],
    [['--branch', 'main'], 1],
    [['--project', 'my-app'], 4],
    [['--project', '.'], 4],
    [['--limit', '2'], 2],
  ])('filters by %j', (filter, count) => {
    const place = createPlace();
    seed(place);
    const { hits } = yoreJson(place, ['search', 'redis', ...filter]) as { hits: unknown[] };
    expect(hits).toHaveLength(count);
  });

  it('accepts several words, other scripts, and text that starts with a dash', () => {
    const place = createPlace();
    const { redis, login } = seed(place);
    const found = (...query: string[]) =>
      (yoreJson(place, ['search', ...query]) as { sessions: { sessionId: string }[] }).sessions.map(
        ({ sessionId }) => sessionId,
      );
    expect(found('redis', 'caching')).toContain(redis);
    expect(found('テスト')).toEqual([login]);
    expect(found('redis', '--session', redis.slice(0, -2))).toEqual([redis]);
    expect(yore(place, ['search', '--json', '--', '--no-verify']).code).toBe(0);
  });

  it('sanitises hostile text', () => {
    const place = createPlace();
    const home = openHome({ home: place.home });
    home.openProject(place.cwd).history.append({
      role: 'user',
      content: 'needle \x1b]0;owned\x07\x1b[31mred\x1b[0m \u202etxt.exe\r\x9b2J',
      agent: 'a\x1b[2J',
      branch: 'b\x07',
    });
    home.close();
    for (const args of [
      ['search', 'needle'],
      ['sessions'],
      [],
      ['show', 'sess_'],
      ['export'],
      ['search', 'needle', '--json'],
    ]) {
      const { code, stdout } = yore(place, args);
      expect({ args, code }).toEqual({ args, code: 0 });
      expect(stdout.toLowerCase()).toContain('needle');
      expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
    for (const listing of ['prompts', 'projects']) {
      const { stdout } = yore(place, [listing, 'none \x1b]0;owned\x07\x1b[31m\u202e']);
      expect(stdout).toMatch(/none <U\+202E>"/);
      expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
  });

  it.each([30, 40, 80, 200])('fits into %i columns', (columns) => {
    const place = createPlace();
    const { redis } = seed(place);
    const env = { ...UTF8, COLUMNS: String(columns), FORCE_COLOR: '1' };
    for (const args of [['search', 'redis'], ['sessions'], [], ['show', redis], ['prompts'], ['config']]) {
      for (const line of yore(place, args, { env }).stdout.split('\n'))
        expect({ line, width: displayWidth(line) }).toMatchObject({
          width: expect.toSatisfy((width: number) => width <= columns),
        });
    }
  });
});

describe('yore projects', () => {
  it('lists projects with their counts, the most recently active first, and filters them', () => {
    const place = createPlace();
    expect(yore(place, ['projects']).stdout).toContain('No projects yet');
    seed(place);
    const other = join(place.folder, 'elsewhere', 'my-app');
    mkdirSync(other, { recursive: true });
    yore({ ...place, cwd: other }, ['remember', 'Use', 'tabs']);
    const { projects } = yoreJson(place, ['projects']) as { projects: { path: string }[] };
    expect(projects).toMatchObject([
      { name: 'my-app', path: other, sessions: 0 },
      { name: 'my-app', sessions: 2, failures: 1, successes: 1, activeWarnings: 1, agents: ['claude-code', 'codex'] },
    ]);
    const { stdout } = yore(place, ['projects'], { env: UTF8 });
    expect(stdout).toMatch(/^elsewhere\/my-app .*\n.*\/my-app .* 2 sessions {2}✓1 ✗1 {2}⚠ 1 /);
    expect(yore(place, ['status', '--project', 'my-app']).stderr).toMatch(/Several projects match.*elsewhere\/my-app/);
    expect(yoreJson(place, ['status', '--project', 'elsewhere/my-app'])).toMatchObject({ project: { path: other } });
    expect(yore(place, ['projects', 'ELSEWHERE']).stdout.trim().split('\n')).toHaveLength(1);
    expect(yore(place, ['projects', 'nowhere']).stdout).toContain('No project matches "nowhere"');
  });
});

describe('yore sessions', () => {
  it('lists one line per session, the most recent first', () => {
    const place = createPlace();
    const { redis, login } = seed(place);
    const lines = yore(place, ['sessions']).stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('+1 x1');
    const shown = lines.map((line) => line.split(' ')[0] ?? '');
    expect(shown.every((id) => id.length >= 8 && id.length < redis.length)).toBe(true);
    const opened = shown.map((id) => (yoreJson(place, ['show', id]) as { session: { sessionId: string } }).session);
    expect(opened).toMatchObject([{ sessionId: login }, { sessionId: redis }]);
  });

  it('filters and limits', () => {
    const place = createPlace();
    const { redis, login } = seed(place);
    const listed = (...filter: string[]) =>
      (yoreJson(place, ['sessions', ...filter]) as { sessions: { sessionId: string }[] }).sessions.map(
        ({ sessionId }) => sessionId,
      );
    expect(listed('--agent', 'codex')).toEqual([login]);
    expect(listed('--branch', 'main')).toEqual([redis]);
    expect(listed('--since', '1d')).toEqual([login]);
    expect(listed('--until', '1d')).toEqual([redis]);
    expect(listed('--limit', '1')).toEqual([login]);
    expect(yore(place, ['sessions', '--limit', '1']).stdout).toContain('1 of 2 sessions');
    expect(yore(place, ['sessions', '--agent', 'nobody']).stdout).toContain('No matching sessions');
  });

  it('shows and filters by titles, stars and tags that were given by the start of an id', () => {
    const place = createPlace();
    const { redis, login } = seed(place);
    const start = redis.slice(0, -2);
    const label = (...args: string[]) => {
      const { code, stderr } = yore(place, ['sessions', ...args]);
      expect(code, stderr).toBe(0);
    };
    const listed = (...filter: string[]) =>
      (yoreJson(place, ['sessions', ...filter]) as { sessions: { sessionId: string; title: string }[] }).sessions;
    label('rename', start, 'Faster', 'pages');
    label('star', start);
    label('tag', start, 'cache', 'deploy');
    expect(yore(place, ['show', redis]).stdout).toMatch(/^Faster pages\n/);
    expect(yore(place, ['search', 'faster pages']).stdout).toMatch(/titled on .* Faster pages/);
    for (const filter of [['--starred'], ['--tag', 'deploy']])
      expect(listed(...filter)).toMatchObject([{ sessionId: redis, title: 'Faster pages' }]);
    label('tag', start, 'deploy', '--undo');
    label('star', start, '--undo');
    expect([listed('--tag', 'deploy'), listed('--starred')]).toEqual([[], []]);
    expect(listed('--tag', 'cache')).toHaveLength(1);
    expect(listed()).toMatchObject([{ sessionId: login }, { sessionId: redis }]);
    expect(yore(place, ['sessions', 'rename', 'sess_none', 'X'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('sess_none'),
    });
  });
});

describe('yore show', () => {
  it('prints messages with the attempts between them', () => {
    const place = createPlace();
    const { redis } = seed(place);
    const { code, stdout } = yore(place, ['show', redis], { env: UTF8 });
    expect(code).toBe(0);
    const order = [
      'Add Redis caching',
      '✗ npm install redis-node (exit 1)',
      'Package not found',
      '✓ bun add ioredis',
      'Done with ioredis',
      'changed: src/cache/redis.ts',
    ];
    let at = 0;
    for (const text of order) {
      const found = stdout.indexOf(text, at);
      expect({ text, isThere: found >= at }).toEqual({ text, isThere: true });
      at = found;
    }
  });

  it('accepts the start of an id and prints JSON', () => {
    const place = createPlace();
    const { redis } = seed(place);
    expect(yoreJson(place, ['show', redis.slice(0, 18)])).toMatchObject({
      session: { sessionId: redis, projectName: 'my-app', failures: 1, successes: 1 },
      entries: [
        { type: 'message', role: 'user' },
        { type: 'attempt', outcome: 'failure' },
        { type: 'attempt', outcome: 'success' },
        { type: 'message', role: 'assistant' },
      ],
      warnings: [],
    });
  });
});

describe('yore prompts', () => {
  it('lists and filters prompts, the most recent first', () => {
    const place = createPlace();
    seed(place);
    const { stdout } = yore(place, ['prompts']);
    expect(stdout.indexOf('ログイン')).toBeLessThan(stdout.indexOf('Add Redis caching'));
    expect(yoreJson(place, ['prompts', 'redis'])).toMatchObject({
      prompts: [{ text: 'Add Redis caching', useCount: 1 }],
    });
    expect(yoreJson(place, ['prompts', '--limit', '1'])).toMatchObject({
      prompts: [{ text: 'ログインのテストを直して' }],
    });
    expect(yoreJson(place, ['prompts', '--project', 'my-app'])).toMatchObject({ prompts: [{}, {}] });
    expect(yore(place, ['prompts', 'nothing']).stdout).toContain('No prompts contain "nothing"');
  });
});
