import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AntiPattern } from '../../src/ask/anti-patterns.ts';
import type { KnownFailure } from '../../src/ask/guard/known-failure.ts';
import { appendRecord, openSegmentPath } from '../../src/log/index.ts';
import { PostgresStore, parseAddress } from '../../src/postgres/index.ts';
import { openHome } from '../../src/project/index.ts';
import type { Attempt, Message } from '../../src/record/index.ts';
import type { SearchQuery } from '../../src/search/index.ts';
import { joinTeam, shareProject, syncHome } from '../../src/team/index.ts';
import { projectKey } from '../../src/team/shared-records.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { hasPostgres, type PostgresServer } from './postgres-server.ts';
import { describeStore, message, NOW, REDIS, START } from './store-contract.ts';
import { usePostgres } from './use-postgres.ts';

const DAYS = 7;
const DAY = 86_400_000;
const PROJECT = 'a-project';
const SEEN = {
  ...{ attemptId: 'a1', line: 'E404', errorSignature: 'E404', what: 'npm install redis-node' },
  signature: 'sh npm install redis-node',
};

function logOf(record: Message | Attempt): 'history' | 'failures' | 'successes' {
  if (!('outcome' in record)) return 'history';
  return record.outcome === 'success' ? 'successes' : 'failures';
}

/** A project in files of its own. */
function openFiles() {
  const folder = temporaryFolder();
  const home = openHome({ home: join(folder, 'home'), now: () => NOW });
  const project = home.openProject(folder);
  const add = (records: readonly (Message | Attempt)[]): void => {
    for (const record of records) appendRecord(openSegmentPath(project.directory, logOf(record)), record);
  };
  return { home, project, add };
}

describe('the store in files', () => {
  describeStore(async () => {
    const { home, project, add } = openFiles();
    return {
      add: async (records) => add(records),
      sessions: async () => home.listSessions().sessions,
      read: async (sessionId) => toTexts(project.history.getSessionRecords(sessionId)),
      find: async (query) => home.search(query).hits.map(({ id }) => id),
      failures: async () => project.memory.failures({ all: true }).map(({ what, fix }) => [what, fix] as const),
      knowledge: async () => toPatterns(project.memory.knowledge().knowledge),
      forget: async (sessionId) => void home.forgetSession(project, sessionId),
      close: async () => home.close(),
    };
  });
});

describe.skipIf(!hasPostgres)('the store on PostgreSQL', () => {
  let server: PostgresServer;
  let teams = 0;
  usePostgres((started) => {
    server = started;
  });

  // As in practice: records are appended to files, and a sync sends them.
  describeStore(async () => {
    const { url, author, team } = await server.invite(`team ${teams++}`);
    const { home, project, add } = openFiles();
    await joinTeam(home, url);
    shareProject(home, project, 'messages', 'contract');
    const store = await PostgresStore.open(parseAddress(url), 'reader');
    const key = projectKey(team, project.info, 'contract') ?? '';
    const sync = () => syncHome(home, { now: () => NOW });
    return {
      add: async (records) => {
        add(records);
        await sync();
      },
      sessions: async () =>
        (await store.listSessions([key])).map((each) => ({ ...each, sessionId: plainId(each.sessionId) })),
      read: async (sessionId) => toTexts(await store.readSession(key, `${sessionId}@${author}`)),
      find: async (query) => (await store.search([key], query)).hits.map(({ id }) => id),
      failures: async () =>
        (await store.failures(key, NOW, DAYS)).flatMap(({ occurrences, fix }) =>
          Object.values(occurrences).map(({ what }) => [what, fix] as const),
        ),
      knowledge: async () => toPatterns(await store.knowledge(key)),
      forget: async (sessionId) => {
        home.forgetSession(project, sessionId);
        await sync();
      },
      close: async () => {
        await store.close();
        home.close();
      },
    };
  });

  const openStore = async () => {
    const store = await PostgresStore.open(parseAddress((await server.invite(`team ${teams++}`)).url), 'machine-1');
    const until = new Date(NOW).toISOString();
    return {
      store,
      add: (records: readonly (Message | Attempt)[]) =>
        store.push(
          PROJECT,
          records.map((record) => ({ log: logOf(record), record })),
        ),
      find: async (query: SearchQuery) => (await store.search([PROJECT], query)).hits.map(({ id }) => id),
      forget: (sessionId: string) =>
        store.forget(PROJECT, { sessions: [sessionId], ids: [], everything: false, until }),
    };
  };

  it('stores a record once, however often it is pushed', async () => {
    const { store } = await openStore();
    const records = REDIS.map((record) => ({ log: logOf(record), record }));
    expect(await store.push(PROJECT, [...records, ...records])).toBe(2);
    expect(await store.push(PROJECT, records)).toBe(0);
    expect(await store.lastSeq(PROJECT)).toBe(2);
    await store.close();
  });

  it('does not take back what was forgotten, but does take what came later', async () => {
    const { store } = await openStore();
    const push = (record: Message) => store.push(PROJECT, [{ log: 'history', record }]);
    await push(message(1, 'A secret plan'));
    const until = message(2, '').timestamp;
    expect(await store.forget(PROJECT, { sessions: ['one'], ids: [], everything: false, until })).toBe(1);
    expect(await push(message(1, 'A secret plan'))).toBe(0);
    expect(await push(message(3, 'Another plan'))).toBe(1);
    await store.close();
  });

  it('removes words from the vocabulary that only forgotten records had', async () => {
    const { store, forget, add } = await openStore();
    const { team } = await store.whoAmI();
    await add([message(1, 'xylophone and caching'), message(2, 'caching', { sessionId: 'two' })]);
    await forget('one');
    const words = await server.ownerQuery<{ term: string }>('SELECT term FROM yore.term WHERE team = $1', [team]);
    expect(words.map(({ term }) => term)).toEqual(['caching']);
    await store.close();
  });

  it('gives each machine what others pushed, in order, and never skips a record that is committed late', async () => {
    const team = `team ${teams++}`;
    const first = await server.openStore(team, 'machine-1');
    const second = await server.openStore(team, 'machine-2');
    const reader = await server.openStore(team, 'machine-3');
    const seen: number[] = [];
    let after = 0;
    let isDone = false;
    const read = async (): Promise<void> => {
      while (!isDone || (await reader.lastSeq(PROJECT)) > after) {
        const page = await reader.pull(PROJECT, after, 50);
        seen.push(...page.rows.map(({ seq }) => seq));
        after = page.next;
      }
    };
    const write = async (store: PostgresStore, from: number): Promise<void> => {
      for (let n = from; n < from + 60; n++) {
        const records = Array.from({ length: 1 + (n % 7) }, (_, k) => message(n * 10 + k, `text ${n}`));
        await store.push(
          PROJECT,
          records.map((record) => ({ log: 'history' as const, record })),
        );
      }
    };
    const reading = read();
    await Promise.all([write(first, 0), write(second, 1000)]);
    isDone = true;
    await reading;
    const last = await reader.lastSeq(PROJECT);
    expect(seen).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect((await first.pull(PROJECT, 0, 10_000)).rows.every(({ author }) => author !== undefined)).toBe(true);
    await Promise.all([first, second, reader].map((store) => store.close()));
  });

  it('puts records of wrong clocks where they do not disturb others', async () => {
    const { store } = await openStore();
    const odd = ['1970-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z', '2026-03-02T10:00:00.000Z'];
    const records = odd.map((timestamp, n) => ({
      log: 'history' as const,
      record: { ...message(n, 'odd'), timestamp },
    }));
    expect(await store.push(PROJECT, records)).toBe(3);
    expect(await store.push(PROJECT, records)).toBe(0);
    expect((await store.search([PROJECT], { text: 'odd' })).hits).toHaveLength(3);
    await store.close();
  });

  it('takes texts with NUL characters, lone surrogates and quotes', async () => {
    const { store, find } = await openStore();
    const content = "it's \0 a \ud800 \\ 'quoted' text";
    expect(await store.push(PROJECT, [{ log: 'history', record: message(1, content) }])).toBe(1);
    expect(await find({ text: "it's" })).toEqual(['m1']);
    expect((await store.pull(PROJECT, 0, 10)).rows).toEqual([]);
    await store.close();
  });

  const failure = (key: string, daysAgo: number): KnownFailure => ({
    ...{
      key,
      class: 'missing',
      count: 1,
      sessions: ['one'],
      worktrees: [],
      agents: [],
      circumstances: [],
      relapses: 0,
    },
    lastAt: NOW - daysAgo * DAY,
    subjects: [],
    calls: 1,
    occurrences: { shell: { ...SEEN, at: NOW - daysAgo * DAY } },
  });

  it('knows the failures of all members within the lookback, newest first, by author', async () => {
    const team = `team ${teams++}`;
    const [first, second] = [await server.openStore(team, 'machine-1'), await server.openStore(team, 'machine-2')];
    const none = { antiPatterns: [], bestPractices: [] };
    await first.publish(PROJECT, { ...none, failures: [failure('call:a', 3), failure('call:old', 30)] }, NOW);
    await second.publish(PROJECT, { ...none, failures: [failure('call:b', 1)] }, NOW);
    const found = await first.failures(PROJECT, NOW, DAYS);
    expect(found.map(({ key }) => key)).toEqual(['call:b', 'call:a']);
    expect(found[0]?.occurrences.shell?.author).toBe((await second.whoAmI()).author);
    // Each machine replaces its own.
    await first.publish(PROJECT, { ...none, failures: [] }, NOW);
    expect((await first.failures(PROJECT, NOW, DAYS)).map(({ key }) => key)).toEqual(['call:b']);
    await Promise.all([first.close(), second.close()]);
  });

  it('adds up what several members have learned', async () => {
    const team = `team ${teams++}`;
    const [first, second] = [await server.openStore(team, 'machine-1'), await server.openStore(team, 'machine-2')];
    const avoid = { pattern: 'npm install redis-node', reason: 'E404', confidence: 0.3 };
    const [older, newer] = ['2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z'];
    const fix = 'npm install ioredis';
    const learn = (store: PostgresStore, antiPattern: AntiPattern) =>
      store.publish(PROJECT, { failures: [], bestPractices: [], antiPatterns: [antiPattern] }, NOW);
    await learn(first, { ...avoid, occurredAt: older, count: 2, fix });
    await learn(second, { ...avoid, occurredAt: newer, count: 1 });
    const { antiPatterns } = await second.knowledge(PROJECT);
    expect(antiPatterns).toMatchObject([{ occurredAt: newer, count: 3, confidence: 1, fix }]);
    expect(antiPatterns[0]?.authors).toHaveLength(2);
    await Promise.all([first.close(), second.close()]);
  });

  /** Records with words of every frequency: alone, together, and in some part of the time only. */
  const varied = (count: number, timeOf: (n: number) => number): Message[] =>
    Array.from({ length: count }, (_, n) => ({
      ...message(
        n,
        [
          'common',
          `with${n % 3}`,
          n % 97 === 0 && n < 0.75 * count ? 'seldom' : 'usual',
          n % 40 === 0 ? 'fortieth' : '',
          n % 41 === 0 ? 'fortyfirst' : '',
          n < 0.2 * count ? 'former' : '',
          n === 7 ? 'ancient' : '',
        ].join(' '),
      ),
      timestamp: new Date(timeOf(n)).toISOString(),
    }));

  it.each<[string, (n: number) => number]>([
    ['at regular times', (n) => START - (5_000 - n) * 3_600_000],
    ['at a few times in bursts', (n) => START - Math.floor((5_000 - n) / 700) * 30 * DAY - (5_000 - n)],
    ['many at the same time', (n) => START - Math.floor((5_000 - n) / 900) * 60_000],
  ])(
    'finds the newest records, however common, old or seldom together their words are: records %s',
    async (_name, timeOf) => {
      const { store, add } = await openStore();
      const records = varied(5_000, timeOf);
      await add(records);
      const queries = [
        ...['common', 'wit', 'seldom', 'ancient', 'former', 'forti', 'ommo'],
        ...['ancient wit', 'fortieth with1', 'fortieth fortyfirst', 'former seldom com', 'common with2'],
      ];
      for (const text of queries) {
        const { hits } = await store.search([PROJECT], { text, limit: 20 });
        const matching = records.filter(({ content }) => text.split(' ').every((word) => content.includes(word)));
        // The best of the newest matches, of which twice as many are compared.
        const newest = matching
          .map(({ timestamp }) => timestamp)
          .sort()
          .slice(-40);
        expect(hits.length, text).toBe(Math.min(matching.length, 20));
        expect(
          hits.filter(({ timestamp }) => timestamp < (newest[0] ?? '')),
          text,
        ).toEqual([]);
        expect(new Set(hits.map(({ id }) => id)).size, text).toBe(hits.length);
      }
      const { hits } = await store.search([PROJECT], {
        text: 'common fort',
        until: timeStampOf(records, 2_500),
        limit: 20,
      });
      expect(hits.every(({ timestamp }) => timestamp <= timeStampOf(records, 2_500))).toBe(true);
      expect(hits).toHaveLength(20);
      await store.close();
    },
  );

  it('finds a word of two letters as a word and as a beginning, but not inside another', async () => {
    const { store, add, find } = await openStore();
    await add([message(1, 'use io here'), message(2, 'use ioredis here'), message(3, 'use audio here')]);
    expect([...(await find({ text: 'io' }))].sort()).toEqual(['m1', 'm2']);
    expect(await find({ text: 'udi' })).toEqual(['m3']);
    await store.close();
  });

  it('searches several projects at once, the best matches first', async () => {
    const { store, add } = await openStore();
    await add([message(1, 'redis alone')]);
    await store.push('another', [{ log: 'history', record: message(2, 'the redis cache') }]);
    const { hits } = await store.search([PROJECT, 'another'], { text: 'redis cache' });
    expect(hits.map(({ project, id }) => [project, id])).toContainEqual(['another', 'm2']);
    expect(hits[0]).toMatchObject({ project: 'another', match: 'literal' });
    expect(await store.projects()).toEqual([PROJECT, 'another']);
    await store.close();
  });

  it('filters by session, author included', async () => {
    const team = `team ${teams++}`;
    const [first, second] = [await server.openStore(team, 'machine-1'), await server.openStore(team, 'machine-2')];
    await first.push(PROJECT, [{ log: 'history', record: message(1, 'redis of the first') }]);
    await second.push(PROJECT, [{ log: 'history', record: message(2, 'redis of the second') }]);
    const sessionId = `one@${(await second.whoAmI()).author}`;
    expect((await first.search([PROJECT], { text: 'redis', sessionId })).hits.map(({ id }) => id)).toEqual(['m2']);
    await Promise.all([first.close(), second.close()]);
  });
});

function timeStampOf(records: readonly Message[], n: number): string {
  return records[n]?.timestamp ?? '';
}

function plainId(sessionId: string): string {
  return sessionId.slice(0, sessionId.lastIndexOf('@'));
}

function toPatterns({
  bestPractices,
  antiPatterns,
}: {
  readonly bestPractices: readonly { readonly pattern: string }[];
  readonly antiPatterns: readonly { readonly pattern: string; readonly fix?: string }[];
}) {
  return {
    practices: bestPractices.map(({ pattern }) => pattern),
    avoid: antiPatterns.map(({ pattern, fix }) => [pattern, fix] as const),
  };
}

function toTexts({ messages, attempts }: { messages: readonly Message[]; attempts: readonly Attempt[] }) {
  return { messages: messages.map(({ content }) => content), attempts: attempts.map(({ command = '' }) => command) };
}
