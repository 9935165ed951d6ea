import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRecap, recap } from '../../src/ask/recap.ts';
import { timeline } from '../../src/ask/timeline.ts';
import type { ProjectRows } from '../../src/store/project-rows.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ProjectLog, rowsOf, writeRedisStory } from './project-log.ts';

function rowsAfter(write: (log: ProjectLog) => unknown): ProjectRows {
  const folder = temporaryFolder();
  write(new ProjectLog(folder));
  return rowsOf(folder);
}

/** Monday: caching. Tuesday and Wednesday: a session about the login that continues overnight. */
function writeDays(log: ProjectLog): void {
  writeRedisStory(log);
  const context = 'Fix the login form';
  log
    .at('2025-11-19T22:00:00.000Z')
    .asks('login', context, { branch: 'fix/login' })
    .succeeds('login', { tool: 'Edit', path: 'src/login.ts', kind: 'edit', context })
    .at('2025-11-20T08:00:00.000Z')
    .asks('login', 'Add a test for the login form')
    .succeeds('login', {
      tool: 'Write',
      path: 'test/login.test.ts',
      kind: 'create',
      context: 'Add a test for the login form',
    })
    .fails('login', { command: 'npm run e2e', error: 'Error: browser not installed', kind: 'environment' });
}

test('groups work by day and session, the latest day first', () => {
  const { days, totals } = recap(rowsAfter(writeDays));
  expect(days.map(({ date, sessions }) => [date, sessions.map(({ sessionId }) => sessionId)])).toEqual([
    ['2025-11-20', ['login']],
    ['2025-11-19', ['login']],
    ['2025-11-18', ['redis']],
  ]);
  expect(totals).toEqual({ sessions: 2, requests: 3, commits: 1, failures: 2, files: 3 });
});

test('splits a session of several days', () => {
  const { days } = recap(rowsAfter(writeDays));
  expect(days[0]?.sessions[0]).toMatchObject({
    branch: 'fix/login',
    requests: [{ text: 'Add a test for the login form' }],
    files: ['test/login.test.ts'],
    failures: [{ what: 'npm run e2e', open: true }],
  });
  expect(days[1]?.sessions[0]).toMatchObject({
    requests: [{ text: 'Fix the login form' }],
    files: ['src/login.ts'],
    failures: [],
  });
});

test('has the times and the branch of each day, and the branch of each commit', () => {
  const commit = { kind: 'commit', command: 'git commit -am "Log in"' };
  const rows = rowsAfter((log) => {
    log
      .at('2025-11-19T22:00:00.000Z')
      .asks('login', 'Fix the login form')
      .succeeds('login', { ...commit, branch: 'fix/login' })
      .succeeds('login', { ...commit, command: 'git commit -am "Log out"', branch: 'fix/logout' })
      .at('2025-11-20T08:00:00.000Z')
      .asks('login', 'Merge it', { branch: 'main' })
      .succeeds('login', { command: 'npm test', kind: 'test', branch: 'main' });
  });
  expect(recap(rows).days.map(({ sessions }) => sessions[0])).toMatchObject([
    { startedAt: '2025-11-20T08:01:00.000Z', endedAt: '2025-11-20T08:02:00.000Z', branch: 'main', commits: [] },
    {
      startedAt: '2025-11-19T22:01:00.000Z',
      endedAt: '2025-11-19T22:03:00.000Z',
      branch: 'fix/logout',
      commits: [{ message: 'Log in', branch: 'fix/login' }, { message: 'Log out' }],
    },
  ]);
  expect(formatRecap(recap(rows), 1000)).toContain('  commit: "Log in" on "fix/login"\n  commit: "Log out"');
});

test('includes only the time span', () => {
  const since = Date.parse('2025-11-19T00:00:00.000Z');
  const until = Date.parse('2025-11-20T00:00:00.000Z');
  const rows = rowsAfter(writeDays);
  expect(recap(rows, { since, until }).days.map(({ date }) => date)).toEqual(['2025-11-19']);
  expect(recap(rows, { days: 2 }).days.map(({ date }) => date)).toEqual(['2025-11-20', '2025-11-19']);
  expect(recap(rows, { until: 0 })).toEqual({
    days: [],
    totals: { sessions: 0, requests: 0, commits: 0, failures: 0, files: 0 },
  });
});

test("uses the days of the person's time zone", () => {
  const rows = rowsAfter(writeDays);
  expect(recap(rows, { timeZone: 'Asia/Tokyo' }).days.map(({ date }) => date)).toEqual(['2025-11-20', '2025-11-19']);
  expect(recap(rows, { timeZone: 'No/Such' })).toEqual(recap(rows));
  expect(timeline(rows, { timeZone: 'America/New_York' }).map(({ date }) => date)).toEqual([
    '2025-11-18',
    '2025-11-19',
    '2025-11-20',
  ]);
});

test('formats a recap as text', () => {
  expect(formatRecap(recap(rowsAfter(writeDays)), 10_000)).toBe(
    [
      '2 sessions, 3 requests, 1 commit, 2 failures on 3 days.',
      '## 2025-11-20',
      'Session login (claude-code, "fix/login")',
      '- "Add a test for the login form"',
      '  files: `test/login.test.ts`',
      '  failed: `npm run e2e`: "Error: browser not installed" (open)',
      '## 2025-11-19',
      'Session login (claude-code, "fix/login")',
      '- "Fix the login form"',
      '  files: `src/login.ts`',
      '## 2025-11-18',
      'Session redis (claude-code, "main")',
      '- "Add Redis caching to the API" → "Cache answers in Redis"',
      '  commit: "Cache answers in Redis"',
      '  files: `src/cache/redis.ts`',
      '  failed: `npm install redis-node`: "npm error 404 Not Found: redis-node is not in this registry" (resolved by `bun add ioredis`)',
    ].join('\n'),
  );
  expect(formatRecap(recap(rowsAfter(() => undefined)), 1000)).toBe('Nothing was recorded in that period.');
});

test('truncates the text at the end of a line', () => {
  const recapped = recap(rowsAfter(writeDays));
  const whole = formatRecap(recapped, 10_000);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_200 }), (limit) => {
      const text = formatRecap(recapped, limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(`${whole}\n`.startsWith(text === '' ? '' : `${text}\n`)).toBe(true);
    }),
  );
});

test('counts each day of the timeline, the earliest first', () => {
  expect(timeline(rowsAfter(writeDays))).toEqual([
    { date: '2025-11-18', sessions: 1, successes: 6, failures: 1, commits: 1 },
    { date: '2025-11-19', sessions: 1, successes: 1, failures: 0, commits: 0 },
    { date: '2025-11-20', sessions: 1, successes: 1, failures: 1, commits: 0 },
  ]);
  expect(timeline(rowsAfter(() => undefined))).toEqual([]);
});

test('tolerates a clock that jumps', () => {
  const rows = rowsAfter((log) => {
    log
      .asks('a', 'Sort the list of users')
      .at('1970-01-01T00:00:00.000Z')
      .succeeds('a', { command: 'make', kind: 'build' });
    log.at('2099-12-31T23:59:00.000Z').fails('a', { command: 'make x', error: 'no rule', kind: 'usage' });
  });
  expect(timeline(rows).map(({ date }) => date)).toEqual(['1970-01-01', '2025-11-18', '2100-01-01']);
  expect(recap(rows).days.map(({ date }) => date)).toEqual(['2100-01-01', '2025-11-18']);
});
