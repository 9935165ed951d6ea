import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openSegmentPath, rewriteSegment, rotate } from '../../../src/log/index.ts';
import { removeDigests } from '../../../src/memory/digest/book/head-file.ts';
import { DigestStore } from '../../../src/memory/digest/digest-book.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { ProjectLog, writeRedisStory } from './project-log.ts';

const NOW = Date.parse('2025-11-20T12:00:00.000Z');

function bookOf(folder: string): DigestStore {
  const book = DigestStore.open(folder);
  book.update();
  return book;
}

function fileNames(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('digest'));
}

test('a session is told by its request, the steps that decided it, its failure with what worked instead, files and commits', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  expect(bookOf(folder).digest('redis')).toEqual({
    sessionId: 'redis',
    agent: 'claude-code',
    branch: 'main',
    startedAt: '2025-11-18T15:01:00.000Z',
    endedAt: '2025-11-18T15:08:00.000Z',
    requests: [
      {
        at: '2025-11-18T15:01:00.000Z',
        text: 'Add Redis caching to the API',
        tags: expect.arrayContaining(['redis', 'dependency']),
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
        kind: 'missing',
        signature: 'sh npm install redis-node',
        resolution: 'bun add ioredis',
        open: false,
      },
    ],
    commands: [
      { at: '2025-11-18T15:03:00.000Z', kind: 'install', text: 'bun add ioredis', count: 1 },
      { at: '2025-11-18T15:07:00.000Z', kind: 'test', text: 'bun test', count: 1 },
    ],
    files: ['src/cache/redis.ts'],
    commits: [{ at: '2025-11-18T15:08:00.000Z', message: 'Cache answers in Redis' }],
    counts: { attempts: 7, failures: 1 },
    hours: [{ at: '2025-11-18T15:00:00.000Z', successes: 6, failures: 1 }],
  });
});

test('what worked before a failure, or for another request, did not solve it; the same call later did', () => {
  const folder = temporaryFolder();
  const [context, other] = ['Start the development server', 'Check the types of everything'];
  new ProjectLog(folder)
    .succeeds('a', { command: 'npm run serve', kind: 'run', context })
    .fails('a', { command: 'npm run dev', error: 'Missing script: "dev"', kind: 'usage', context })
    .succeeds('a', { command: 'npm run types', kind: 'lint', context: other })
    .fails('a', { command: 'make types', error: '2 errors', kind: 'state', context: other })
    .succeeds('a', { command: 'make types', kind: 'lint', context: other });
  const failures = bookOf(folder).digest('a')?.failures;
  expect(failures?.map(({ what, open, resolution }) => [what, open, resolution])).toEqual([
    ['npm run dev', true, undefined],
    ['make types', false, undefined],
  ]);
});

test('files outside the project are not told', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (const path of [
    '/tmp/scratch.ts',
    '../other/x.ts',
    '~/notes.md',
    'C:\\temp\\x.ts',
    '..',
    'src/in.ts',
    '.github/ci.yml',
  ]) {
    log.succeeds('a', { tool: 'Write', path, kind: 'create' });
  }
  expect(bookOf(folder).digest('a')?.files).toEqual(['.github/ci.yml', 'src/in.ts']);
});

test('a project without logs gets no files', () => {
  const folder = temporaryFolder();
  const book = bookOf(folder);
  expect(book.sessionCount).toBe(0);
  expect(book.all()).toEqual([]);
  expect(book.recent(3, NOW)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  expect(DigestStore.open(join(folder, 'missing')).update()).toMatchObject({ changed: [], rebuilt: false });
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

test('an update names the sessions that changed and leaves the others alone', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  const book = DigestStore.open(folder);
  expect(book.update()).toEqual({ changed: ['redis'], rebuilt: true, records: 8, skipped: 0 });
  expect(book.update()).toEqual({ changed: [], rebuilt: false, records: 0, skipped: 0 });
  log.asks('next', 'Write the release notes');
  expect(book.update()).toEqual({ changed: ['next'], rebuilt: false, records: 1, skipped: 0 });
  expect(book.sessionCount).toBe(2);
});

test('a book that another process updated is continued from there', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  const first = bookOf(folder);
  const second = bookOf(folder);
  log.asks('next', 'Write the release notes');
  second.update();
  log.asks('third', 'Translate the error messages');
  expect(first.update().changed).toEqual(['third']);
  expect(first.all().map(({ sessionId }) => sessionId)).toEqual(['redis', 'next', 'third']);
});

test.skipIf(process.platform === 'win32')('derived files are for their owner only', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  bookOf(folder);
  for (const name of fileNames(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('lines that cannot be read are skipped and counted', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  appendFileSync(
    openSegmentPath(folder, 'failures'),
    'garbage\n{"v":1}\n\u0000\u0001\n{"v":99,"id":"1"}\n[]\n"text"\n',
  );
  log.fails('redis', { command: 'make', error: 'no rule', kind: 'usage' });
  const update = DigestStore.open(folder).update();
  expect(update).toMatchObject({ records: 9, skipped: 6 });
});

test('a forgotten session is gone from the digests, and what comes after counts', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  log.asks('other', 'Write the release notes');
  const book = bookOf(folder);
  log.forgets('redis');
  expect(book.update().rebuilt).toBe(true);
  expect(book.all().map(({ sessionId }) => sessionId)).toEqual(['other']);
  expect(book.tally.failures.ranked()).toEqual([]);
  expect(
    fileNames(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join(''),
  ).not.toContain('ioredis');
  log.asks('redis', 'Start over with another cache');
  book.update();
  expect(book.digest('redis')?.requests.map(({ text }) => text)).toEqual(['Start over with another cache']);
});

test('records of a forgotten session that come late are passed over', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder, '2025-11-19T10:00:00.000Z')
    .forgets('redis')
    .asks('other', 'Write release notes');
  const book = bookOf(folder);
  writeRedisStory(log.at('2025-11-18T10:00:00.000Z'));
  expect(book.update()).toMatchObject({ changed: [], rebuilt: false });
  expect(book.all().map(({ sessionId }) => sessionId)).toEqual(['other']);
});

test('when lines were removed from the logs, everything is read again', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  log.succeeds('other', { command: 'make build', kind: 'build' });
  const book = bookOf(folder);
  const closed = rotate(folder, 'successes') ?? '';
  rewriteSegment(closed, (line) => line.includes('"redis"'));
  log.succeeds('other', { command: 'make test', kind: 'test' });
  expect(book.update().rebuilt).toBe(true);
  expect(book.digest('redis')?.commands).toEqual([]);
  expect(book.digest('other')?.commands.map(({ text }) => text)).toEqual(['make build', 'make test']);
});

test('another generation of the project means that everything is read again', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  const book = DigestStore.open(folder);
  book.update({ generation: 3 });
  expect(book.update({ generation: 3 }).rebuilt).toBe(false);
  expect(book.update({ generation: 4 })).toMatchObject({ rebuilt: true, changed: ['redis'] });
  expect(book.update({ generation: 4 }).rebuilt).toBe(false);
});

test('failures in the archive count, whether they were read before they were moved there or not', () => {
  const [grown, late] = [temporaryFolder(), temporaryFolder()];
  const books = [bookOf(grown), DigestStore.open(late)];
  for (const folder of [grown, late]) {
    const log = writeRedisStory(new ProjectLog(folder, '2025-09-01T10:00:00.000Z'));
    if (folder === grown) bookOf(folder);
    const closed = rotate(folder, 'failures') ?? '';
    log
      .at('2025-11-18T10:00:00.000Z')
      .fails('new', { command: 'make x', error: 'no rule to make target', kind: 'usage' });
    if (folder === grown) bookOf(folder);
    mkdirSync(join(folder, 'archive'));
    renameSync(closed, join(folder, 'archive', basename(closed)));
  }
  const updates = [DigestStore.open(grown), DigestStore.open(late)].map((book) => book.update());
  expect(updates.map(({ rebuilt, changed }) => [rebuilt, changed.length])).toEqual([
    [false, 0],
    [true, 2],
  ]);
  const [one, other] = [grown, late].map((folder) => DigestStore.open(folder));
  expect(one?.all()).toEqual(other?.all());
  expect(one?.tally.toJSON()).toEqual(other?.tally.toJSON());
  expect(one?.digest('redis')?.failures).toHaveLength(1);
  expect(one?.update()).toEqual({ changed: [], rebuilt: false, records: 0, skipped: 0 });
  expect(books[0]?.update().rebuilt).toBe(false);
});

test('what was moved to the archive before it was read is read there', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder, '2025-09-01T10:00:00.000Z'));
  const book = bookOf(folder);
  log.fails('redis', { command: 'make x', error: 'no rule to make target', kind: 'usage' });
  const closed = rotate(folder, 'failures') ?? '';
  mkdirSync(join(folder, 'archive'));
  renameSync(closed, join(folder, 'archive', basename(closed)));
  book.update();
  expect(book.digest('redis')?.counts.failures).toBe(2);
});

test.each([
  ['the head is gone', (folder: string) => rmSync(join(folder, 'digest.json'))],
  ['the head is cut off', (folder: string) => truncate(join(folder, 'digest.json'))],
  ['the head is empty', (folder: string) => writeFileSync(join(folder, 'digest.json'), '')],
  [
    'a letter of the head is another',
    (folder: string) => damage(join(folder, 'digest.json'), 'redis', 'rodis'),
  ],
  [
    'the head is of another version',
    (folder: string) => writeFileSync(join(folder, 'digest.json'), '["0",{"v":99}]\n'),
  ],
  ['the data is gone', (folder: string) => rmSync(join(folder, 'digest-1.jsonl'))],
  ['the data is cut off', (folder: string) => truncate(join(folder, 'digest-1.jsonl'))],
  [
    'a letter of the state is another',
    (folder: string) => damage(join(folder, 'digest-1.jsonl'), 'groups', 'groupz'),
  ],
])('the digests are made anew when %s', (_, harm) => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  bookOf(folder);
  harm(folder);
  log.succeeds('redis', { command: 'bun run build', kind: 'build' });
  const update = DigestStore.open(folder).update();
  expect(update).toMatchObject({ rebuilt: true, changed: ['redis'] });
  const fresh = temporaryFolder();
  for (const name of ['history', 'failures', 'successes'] as const) {
    writeFileSync(openSegmentPath(fresh, name), readFileSync(openSegmentPath(folder, name)));
  }
  expect(DigestStore.open(folder).all()).toEqual(bookOf(fresh).all());
});

test('a digest that is damaged is left out, the others are read', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  bookOf(folder);
  log.asks('next', 'Write the release notes');
  bookOf(folder);
  damage(join(folder, 'digest-1.jsonl'), '"steps"', '"stops"');
  expect(
    DigestStore.open(folder)
      .all()
      .map(({ sessionId }) => sessionId),
  ).toEqual(['next']);
});

test('what an update that was broken off left in the data is overwritten', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  bookOf(folder);
  appendFileSync(join(folder, 'digest-1.jsonl'), 'half of a li');
  log.asks('redis', 'Measure the cache hit rate');
  const book = DigestStore.open(folder);
  expect(book.update().rebuilt).toBe(false);
  expect(DigestStore.open(folder).digest('redis')?.requests).toHaveLength(2);
});

test('data that is mostly of former states is written anew, and readers of the old file find their way', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (let index = 0; index < 150; index++) {
    log.succeeds('long', {
      command: `make part-${index} ${'x'.repeat(180)}`,
      kind: 'run',
      context: `Build part number ${index}`,
    });
  }
  const reader = bookOf(folder);
  const writer = DigestStore.open(folder);
  for (let round = 0; fileNames(folder).includes('digest-1.jsonl'); round++) {
    expect(round).toBeLessThan(200);
    log.succeeds('long', { command: 'make all', kind: 'build' });
    writer.update();
  }
  expect(fileNames(folder)).toEqual(['digest-2.jsonl', 'digest.json']);
  expect(reader.digest('long')).toEqual(writer.digest('long'));
  log.succeeds('long', { command: 'make all', kind: 'build' });
  expect(DigestStore.open(folder).update().rebuilt).toBe(false);
});

test('removing the digests removes all of their files and nothing else', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  bookOf(folder);
  removeDigests(folder);
  expect(readdirSync(folder).sort()).toEqual(['failures.jsonl', 'history.jsonl', 'successes.jsonl']);
  removeDigests(join(folder, 'missing'));
});

test('the latest sessions are those that ended last, and a clock that ran ahead does not make one the latest', () => {
  const folder = temporaryFolder();
  new ProjectLog(folder, '2025-11-19T10:00:00.000Z')
    .asks('second', 'Write the release notes')
    .at('2025-11-18T10:00:00.000Z')
    .asks('first', 'Translate the error messages')
    .at('2099-01-01T00:00:00.000Z')
    .asks('future', 'Sort the list of users');
  const book = bookOf(folder);
  expect(book.recent(2, NOW).map(({ sessionId }) => sessionId)).toEqual(['second', 'first']);
  expect(book.recent(9, NOW).map(({ sessionId }) => sessionId)).toEqual(['second', 'first', 'future']);
});

function truncate(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
}

function damage(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}
