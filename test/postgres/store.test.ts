import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRecord, openSegmentPath } from '../../src/log/index.ts';
import { PostgresStore, parseAddress } from '../../src/postgres/index.ts';
import { openHome } from '../../src/project/index.ts';
import type { Attempt, Message } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { hasPostgres, PostgresServer } from './postgres-server.ts';
import { attempt, type ContractStore, describeStore, message, NOW, REDIS, START } from './store-contract.ts';

const DAYS = 7;
const PROJECT = 'a-project';

function logOf(record: Message | Attempt): 'history' | 'failures' | 'successes' {
  if (!('outcome' in record)) return 'history';
  return record.outcome === 'success' ? 'successes' : 'failures';
}

describe('the store in files', () => {
  describeStore(async () => {
    const folder = temporaryFolder();
    const home = openHome({ home: join(folder, 'home'), now: () => NOW });
    const project = home.openProject(folder);
    return {
      add: async (records) => {
        for (const record of records) appendRecord(openSegmentPath(project.directory, logOf(record)), record);
      },
      sessions: async () => home.listSessions().sessions,
      read: async (sessionId) => toTexts(project.history.getSessionRecords(sessionId)),
      find: async (query) => home.search(query).hits.map(({ id }) => id),
      failures: async () =>
        project.memory.failures({ all: true }).map(({ what, resolution }) => [what, resolution] as const),
      forget: async (sessionId) => void home.forgetSession(project, sessionId),
      close: async () => home.close(),
    };
  });
});

describe.skipIf(!hasPostgres)('the store on PostgreSQL', () => {
  let server: PostgresServer;
  let teams = 0;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.createDatabase();
  });
  afterAll(() => server.stop());

  const openStore = async (): Promise<ContractStore & { readonly store: PostgresStore }> => {
    const { url, author } = await server.invite(`team ${teams++}`);
    const store = await PostgresStore.open(parseAddress(url), 'machine-1');
    return {
      store,
      add: async (records) => {
        await store.push(
          PROJECT,
          records.map((record) => ({ log: logOf(record), record })),
        );
      },
      sessions: async () =>
        (await store.listSessions(PROJECT)).map((each) => ({ ...each, sessionId: plainId(each.sessionId) })),
      read: async (sessionId) => toTexts(await store.readSession(PROJECT, `${sessionId}@${author}`)),
      find: async (query) => (await store.search(PROJECT, query)).hits.map(({ id }) => id),
      failures: async () =>
        (await store.failures(PROJECT, NOW, DAYS)).flatMap(({ occurrences, resolution }) =>
          Object.values(occurrences).map(({ what }) => [what, resolution?.what] as const),
        ),
      forget: async (sessionId) => {
        const until = new Date(NOW).toISOString();
        await store.forget(PROJECT, { sessions: [sessionId], ids: [], everything: false, until });
      },
      close: () => store.close(),
    };
  };

  describeStore(openStore);

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
    expect((await store.search(PROJECT, { text: 'odd' })).hits).toHaveLength(3);
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

  it('knows no more failures than those within the lookback', async () => {
    const { store } = await openStore();
    const old = { ...attempt(1, {}), ...REDIS[0], timestamp: new Date(START - 30 * 86_400_000).toISOString() };
    await store.push(PROJECT, [{ log: 'failures', record: old as Attempt }]);
    expect(await store.failures(PROJECT, NOW, DAYS)).toEqual([]);
    await store.close();
  });
});

function plainId(sessionId: string): string {
  return sessionId.slice(0, sessionId.lastIndexOf('@'));
}

function toTexts({ messages, attempts }: { messages: readonly Message[]; attempts: readonly Attempt[] }) {
  return { messages: messages.map(({ content }) => content), attempts: attempts.map(({ command = '' }) => command) };
}
