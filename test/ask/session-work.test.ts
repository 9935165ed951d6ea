import { expect, test } from 'vitest';
import { recap } from '../../src/ask/recap.ts';
import { countWork, readLatestWork, readSessionWork } from '../../src/ask/session-work.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ProjectLog, rowsOf, writeRedisStory } from './project-log.ts';

const NOW = Date.parse('2025-11-20T12:00:00.000Z');

test('says what a session was about: requests, decisive steps, failures with their fix, files and commits', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  expect(readSessionWork(rowsOf(folder), 'redis')).toEqual({
    sessionId: 'redis',
    title: 'Add Redis caching to the API',
    agent: 'claude-code',
    branch: 'main',
    startedAt: '2025-11-18T15:01:00.000Z',
    endedAt: '2025-11-18T15:08:00.000Z',
    requests: [
      {
        at: '2025-11-18T15:01:00.000Z',
        text: 'Add Redis caching to the API',
        steps: [
          { at: '2025-11-18T15:03:00.000Z', kind: 'install', text: 'bun add ioredis', count: 1 },
          { at: '2025-11-18T15:05:00.000Z', kind: 'create', text: 'src/cache/redis.ts', count: 2 },
          { at: '2025-11-18T15:07:00.000Z', kind: 'test', text: 'bun test', count: 1 },
          { at: '2025-11-18T15:08:00.000Z', kind: 'commit', text: 'Cache answers in Redis', count: 1 },
        ],
        decision: 'Cache answers in Redis',
      },
    ],
    failures: [
      {
        at: '2025-11-18T15:02:00.000Z',
        what: 'npm install redis-node',
        error: 'npm error 404 Not Found: redis-node is not in this registry',
        count: 1,
        class: 'missing',
        fix: 'bun add ioredis',
        solvedAt: '2025-11-18T15:03:00.000Z',
        open: false,
        isLeftOpen: false,
      },
    ],
    commands: [
      { at: '2025-11-18T15:03:00.000Z', kind: 'install', text: 'bun add ioredis', count: 1 },
      { at: '2025-11-18T15:07:00.000Z', kind: 'test', text: 'bun test', count: 1 },
    ],
    files: ['src/cache/redis.ts'],
    commits: [{ at: '2025-11-18T15:08:00.000Z', message: 'Cache answers in Redis', hash: '1a2b3c4' }],
    counts: { successes: 6, failures: 1 },
  });
});

test('a failure is open until what it needs works, in whatever session', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder)
    .fails('a', { command: 'npm run dev', error: 'npm error Missing script: "dev"' })
    .fails('a', { command: 'make types', error: 'error TS2304: Cannot find name' })
    .succeeds('a', { command: 'make types' });
  const failures = () => readSessionWork(rowsOf(folder), 'a')?.failures.map(({ what, open, fix }) => [what, open, fix]);
  expect(failures()).toEqual([
    ['npm run dev', true, undefined],
    ['make types', false, undefined],
  ]);
  log.succeeds('b', { command: 'npm run dev' });
  expect(failures()?.[0]).toEqual(['npm run dev', false, undefined]);
});

test('leaves out files outside the project', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (const path of [
    '/tmp/scratch.ts',
    '../other/x.ts',
    '~/notes.md',
    'C:\\temp\\x.ts',
    'src/in.ts',
    '.github/ci.yml',
  ])
    log.succeeds('a', { tool: 'Write', path });
  expect(readSessionWork(rowsOf(folder), 'a')?.files).toEqual(['.github/ci.yml', 'src/in.ts']);
});

test('takes the outcome of a request from the replies before the next one', () => {
  const folder = temporaryFolder();
  new ProjectLog(folder)
    .asks('a', 'Why does the index lock stay behind after a commit?')
    .replies('a', 'The root cause is that two commits run at once.')
    .asks('a', 'Write the answers of the server as JSON instead')
    .replies('a', 'I changed the encoder so that all answers are JSON now.');
  expect(readSessionWork(rowsOf(folder), 'a')?.requests.map(({ decision }) => decision)).toEqual([
    'The root cause is that two commits run at once.',
    'I changed the encoder so that all answers are JSON now.',
  ]);
});

test('a slash command that calls served is a request of its own, others are none', () => {
  const folder = temporaryFolder();
  new ProjectLog(folder)
    .asks('a', 'Merge main into the branch')
    .succeeds('a', { command: 'git push', context: 'Merge main into the branch' })
    .asks('a', '/clear')
    .asks('a', '/review-comments')
    .succeeds('a', { tool: 'Edit', path: 'src/a.ts', context: '/review-comments' });
  expect(readSessionWork(rowsOf(folder), 'a')?.requests).toMatchObject([
    { text: 'Merge main into the branch', steps: [{ text: 'git push' }] },
    { text: '/review-comments', steps: [{ text: 'src/a.ts' }] },
  ]);
});

test('credits a request with the replies to what agrees to it, but not with those after a question about what is next', () => {
  const folder = temporaryFolder();
  new ProjectLog(folder)
    .asks('a', 'Why does the index lock stay behind after a commit?')
    .asks('a', 'yes, do it')
    .replies('a', 'I removed the second commit of each turn.')
    .asks('a', "what's next?")
    .asks('a', 'ok, continue')
    .replies('a', 'I changed the encoder so that all answers are JSON now.')
    .succeeds('a', { tool: 'Write', path: 'src/encode.ts', context: 'ok, continue' });
  expect(readSessionWork(rowsOf(folder), 'a')?.requests).toMatchObject([
    { decision: 'I removed the second commit of each turn.', steps: [] },
    { text: '', steps: [{ text: 'src/encode.ts' }] },
  ]);
});

test('keeps what the user said last about a request', () => {
  const folder = temporaryFolder();
  const context = 'Fix the login form of the shop';
  const log = new ProjectLog(folder).asks('a', context).fails('a', { kind: 'feedback', tool: 'user', context });
  const outcome = () => readSessionWork(rowsOf(folder), 'a')?.requests[0]?.outcome;
  expect(outcome()).toBe('failed');
  log.succeeds('a', { kind: 'feedback', tool: 'user', context });
  expect(outcome()).toBe('worked');
});

test('lists no session that only asked about earlier work', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder).asks('work', 'Translate the error messages').replies('work', 'Translated.');
  for (const id of ['q1', 'q2', 'q3']) log.asks(id, 'What have we worked on?').replies(id, 'On the error messages.');
  const rows = rowsOf(folder);
  expect(readLatestWork(rows, { count: 2, now: NOW }).map(({ sessionId }) => sessionId)).toEqual(['work']);
  expect(JSON.stringify(recap(rows))).not.toMatch(/What have we|q1/);
});

test('lists the latest sessions first, and those of a clock that ran ahead last', () => {
  const folder = temporaryFolder();
  new ProjectLog(folder, '2025-11-19T10:00:00.000Z')
    .asks('second', 'Write the release notes')
    .at('2025-11-18T10:00:00.000Z')
    .asks('first', 'Translate the error messages')
    .at('2099-01-01T00:00:00.000Z')
    .asks('future', 'Sort the list of users');
  const rows = rowsOf(folder);
  const latest = (count: number) => readLatestWork(rows, { count, now: NOW }).map(({ sessionId }) => sessionId);
  expect(latest(2)).toEqual(['second', 'first']);
  expect(latest(9)).toEqual(['second', 'first', 'future']);
});

test('counts the work of the user: no sub-agents if asked for those started, no questions to the chat, no notes', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  log
    .asks('agent-a', 'Look for caches', { parentSessionId: 'redis' })
    .asks('chat', 'What have we worked on?', { agent: 'yore' })
    .succeeds('notes', { kind: 'note', pattern: 'Never edit generated files' })
    .asks('stranger', 'Delete everything', { foreign: true });
  const rows = rowsOf(folder);
  expect([countWork(rows), countWork(rows, { isStarted: true })]).toEqual([2, 1]);
  expect(countWork(rows, { except: 'redis' })).toBe(1);
  expect(countWork(rows, { until: Date.parse('2025-11-18T15:00:00.000Z') })).toBe(0);
});
