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
import { DigestStore } from '../../../src/memory/digest/digest-store.ts';
import { removeDigests } from '../../../src/memory/digest/store/snapshot.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { ProjectLog, writeRedisStory } from './project-log.ts';

const NOW = Date.parse('2025-11-20T12:00:00.000Z');

function updatedStore(folder: string): DigestStore {
  const store = DigestStore.open(folder);
  store.update();
  return store;
}

function fileNames(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('digest'));
}

test('reports how many bytes of the logs it has read', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (let count = 0; count < 1_200; count++) log.asks(`s${count % 7}`, 'Add a cache');
  const seen: (readonly [number, number])[] = [];
  DigestStore.open(folder).update({ onProgress: (done, total) => seen.push([done, total]) });
  expect(seen).toHaveLength(2);
  const [[first = 0, total = 0] = [], [second = 0] = []] = seen;
  expect(first).toBeLessThan(second);
  expect(second).toBeLessThanOrEqual(total);
});

test('summarises a session by its request, decisive steps, failure with resolution, files and commits', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  expect(updatedStore(folder).digest('redis')).toEqual({
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
    counts: { successes: 6, failures: 1 },
    hours: [{ at: '2025-11-18T15:00:00.000Z', successes: 6, failures: 1 }],
  });
});

test('resolves a failure by the same call later, not by a success before it or for another request', () => {
  const folder = temporaryFolder();
  const [context, other] = ['Start the development server', 'Check the types of everything'];
  new ProjectLog(folder)
    .succeeds('a', { command: 'npm run serve', kind: 'run', context })
    .fails('a', { command: 'npm run dev', error: 'Missing script: "dev"', kind: 'usage', context })
    .succeeds('a', { command: 'npm run types', kind: 'lint', context: other })
    .fails('a', { command: 'make types', error: '2 errors', kind: 'state', context: other })
    .succeeds('a', { command: 'make types', kind: 'lint', context: other });
  const failures = updatedStore(folder).digest('a')?.failures;
  expect(failures?.map(({ what, open, resolution }) => [what, open, resolution])).toEqual([
    ['npm run dev', true, undefined],
    ['make types', false, undefined],
  ]);
});

test('leaves out files outside the project', () => {
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
  expect(updatedStore(folder).digest('a')?.files).toEqual(['.github/ci.yml', 'src/in.ts']);
});

test('writes no files for a project without logs', () => {
  const folder = temporaryFolder();
  const store = updatedStore(folder);
  expect(store.sessionCount).toBe(0);
  expect(store.all()).toEqual([]);
  expect(store.recent(3, NOW)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  expect(DigestStore.open(join(folder, 'missing')).update()).toMatchObject({ changed: [], rebuilt: false });
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

test('reports the sessions that changed and leaves the others alone', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  const store = DigestStore.open(folder);
  expect(store.update()).toEqual({ changed: ['redis'], rebuilt: true, records: 8, skipped: 0 });
  expect(store.update()).toEqual({ changed: [], rebuilt: false, records: 0, skipped: 0 });
  log.asks('next', 'Write the release notes');
  expect(store.update()).toEqual({ changed: ['next'], rebuilt: false, records: 1, skipped: 0 });
  expect(store.sessionCount).toBe(2);
});

test('continues from an update by another process', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  const first = updatedStore(folder);
  const second = updatedStore(folder);
  log.asks('next', 'Write the release notes');
  second.update();
  log.asks('third', 'Translate the error messages');
  expect(first.update().changed).toEqual(['third']);
  expect(first.all().map(({ sessionId }) => sessionId)).toEqual(['redis', 'next', 'third']);
});

test.skipIf(process.platform === 'win32')('writes files that only their owner can read', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  updatedStore(folder);
  for (const name of fileNames(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test('skips and counts unreadable lines', () => {
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

test('removes a deleted session, and counts later records', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  log.asks('other', 'Write the release notes');
  const store = updatedStore(folder);
  log.forgets('redis');
  expect(store.update().rebuilt).toBe(true);
  expect(store.all().map(({ sessionId }) => sessionId)).toEqual(['other']);
  expect(store.counts.failures.ranked()).toEqual([]);
  expect(
    fileNames(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join(''),
  ).not.toContain('ioredis');
  log.asks('redis', 'Start over with another cache');
  store.update();
  expect(store.digest('redis')?.requests.map(({ text }) => text)).toEqual(['Start over with another cache']);
});

test('ignores late records of a deleted session', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder, '2025-11-19T10:00:00.000Z').forgets('redis').asks('other', 'Write release notes');
  const store = updatedStore(folder);
  writeRedisStory(log.at('2025-11-18T10:00:00.000Z'));
  expect(store.update()).toMatchObject({ changed: [], rebuilt: false });
  expect(store.all().map(({ sessionId }) => sessionId)).toEqual(['other']);
});

test('reads everything again when lines were removed from the logs', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  log.succeeds('other', { command: 'make build', kind: 'build' });
  const store = updatedStore(folder);
  const closed = rotate(folder, 'successes') ?? '';
  rewriteSegment(closed, (line) => line.includes('"redis"'));
  log.succeeds('other', { command: 'make test', kind: 'test' });
  expect(store.update().rebuilt).toBe(true);
  expect(store.digest('redis')?.commands).toEqual([]);
  expect(store.digest('other')?.commands.map(({ text }) => text)).toEqual(['make build', 'make test']);
});

test('reads everything again for another generation of the project', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  const store = DigestStore.open(folder);
  store.update({ generation: 3 });
  expect(store.update({ generation: 3 }).rebuilt).toBe(false);
  expect(store.update({ generation: 4 })).toMatchObject({ rebuilt: true, changed: ['redis'] });
  expect(store.update({ generation: 4 }).rebuilt).toBe(false);
});

test('counts archived failures, whether they were read before they were moved or not', () => {
  const [grown, late] = [temporaryFolder(), temporaryFolder()];
  const stores = [updatedStore(grown), DigestStore.open(late)];
  for (const folder of [grown, late]) {
    const log = writeRedisStory(new ProjectLog(folder, '2025-09-01T10:00:00.000Z'));
    if (folder === grown) updatedStore(folder);
    const closed = rotate(folder, 'failures') ?? '';
    log
      .at('2025-11-18T10:00:00.000Z')
      .fails('new', { command: 'make x', error: 'no rule to make target', kind: 'usage' });
    if (folder === grown) updatedStore(folder);
    mkdirSync(join(folder, 'archive'));
    renameSync(closed, join(folder, 'archive', basename(closed)));
  }
  const updates = [DigestStore.open(grown), DigestStore.open(late)].map((store) => store.update());
  expect(updates.map(({ rebuilt, changed }) => [rebuilt, changed.length])).toEqual([
    [false, 0],
    [true, 2],
  ]);
  const [one, other] = [grown, late].map((folder) => DigestStore.open(folder));
  expect(one?.all()).toEqual(other?.all());
  expect(JSON.stringify(one?.counts)).toEqual(JSON.stringify(other?.counts));
  expect(one?.digest('redis')?.failures).toHaveLength(1);
  expect(one?.update()).toEqual({ changed: [], rebuilt: false, records: 0, skipped: 0 });
  expect(stores[0]?.update().rebuilt).toBe(false);
});

test('reads records in the archive that were moved there before they were read', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder, '2025-09-01T10:00:00.000Z'));
  const store = updatedStore(folder);
  log.fails('redis', { command: 'make x', error: 'no rule to make target', kind: 'usage' });
  const closed = rotate(folder, 'failures') ?? '';
  mkdirSync(join(folder, 'archive'));
  renameSync(closed, join(folder, 'archive', basename(closed)));
  store.update();
  expect(store.digest('redis')?.counts.failures).toBe(2);
});

test.each([
  ['the head is gone', (folder: string) => rmSync(join(folder, 'digest.json'))],
  ['the head is cut off', (folder: string) => truncate(join(folder, 'digest.json'))],
  ['the head is empty', (folder: string) => writeFileSync(join(folder, 'digest.json'), '')],
  ['a letter of the head is another', (folder: string) => damage(join(folder, 'digest.json'), 'redis', 'rodis')],
  [
    'the head is of another version',
    (folder: string) => writeFileSync(join(folder, 'digest.json'), '["0",{"v":99}]\n'),
  ],
  ['the data is gone', (folder: string) => rmSync(join(folder, 'digest-1.jsonl'))],
  ['the data is cut off', (folder: string) => truncate(join(folder, 'digest-1.jsonl'))],
  ['a letter of the state is another', (folder: string) => damage(join(folder, 'digest-1.jsonl'), 'groups', 'groupz')],
])('rebuilds the digests when %s', (_, harm) => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  updatedStore(folder);
  harm(folder);
  log.succeeds('redis', { command: 'bun run build', kind: 'build' });
  const update = DigestStore.open(folder).update();
  expect(update).toMatchObject({ rebuilt: true, changed: ['redis'] });
  const fresh = temporaryFolder();
  for (const name of ['history', 'failures', 'successes'] as const) {
    writeFileSync(openSegmentPath(fresh, name), readFileSync(openSegmentPath(folder, name)));
  }
  expect(DigestStore.open(folder).all()).toEqual(updatedStore(fresh).all());
});

test('leaves out a damaged digest and reads the others', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  updatedStore(folder);
  log.asks('next', 'Write the release notes');
  updatedStore(folder);
  damage(join(folder, 'digest-1.jsonl'), '"steps"', '"stops"');
  expect(
    DigestStore.open(folder)
      .all()
      .map(({ sessionId }) => sessionId),
  ).toEqual(['next']);
});

test('overwrites the data of an interrupted update', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  updatedStore(folder);
  appendFileSync(join(folder, 'digest-1.jsonl'), 'half of a li');
  log.asks('redis', 'Measure the cache hit rate');
  const store = DigestStore.open(folder);
  expect(store.update().rebuilt).toBe(false);
  expect(DigestStore.open(folder).digest('redis')?.requests).toHaveLength(2);
});

test('compacts data that is mostly obsolete, and readers of the old file find the new one', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (let index = 0; index < 150; index++) {
    log.succeeds('long', {
      command: `make part-${index} ${'x'.repeat(180)}`,
      kind: 'run',
      context: `Build part number ${index}`,
    });
  }
  const reader = updatedStore(folder);
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

test('removes all files of the digests and nothing else', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  updatedStore(folder);
  removeDigests(folder);
  expect(readdirSync(folder).sort()).toEqual(['failures.jsonl', 'history.jsonl', 'successes.jsonl']);
  removeDigests(join(folder, 'missing'));
});

test('sorts sessions by their end, and ignores a clock that ran ahead', () => {
  const folder = temporaryFolder();
  new ProjectLog(folder, '2025-11-19T10:00:00.000Z')
    .asks('second', 'Write the release notes')
    .at('2025-11-18T10:00:00.000Z')
    .asks('first', 'Translate the error messages')
    .at('2099-01-01T00:00:00.000Z')
    .asks('future', 'Sort the list of users');
  const store = updatedStore(folder);
  expect(store.recent(2, NOW).map(({ sessionId }) => sessionId)).toEqual(['second', 'first']);
  expect(store.recent(9, NOW).map(({ sessionId }) => sessionId)).toEqual(['second', 'first', 'future']);
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
