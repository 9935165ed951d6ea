import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countLogRecords } from '../../src/project/health.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { openDatabase } from '../../src/sqlite/database.ts';
import { storePath } from '../../src/store/store-files.ts';
import { type TestHome, testHome, timeOf } from './home.ts';

/** Three sessions of two agents on two branches, one of them without a message; and a note. */
function homeWithSessions(): TestHome {
  const home = testHome();
  const { write } = home;
  const say = (n: number, sessionId: string, content: string, more: object = {}) =>
    write({ sessionId, timestamp: timeOf(n), role: n % 2 ? 'assistant' : 'user', content, ...more });
  say(10, 'sess_a1', 'Add a cache\n\nwith   redis', { agent: 'codex', branch: 'main' });
  say(11, 'sess_a1', 'Done.', { agent: 'codex', branch: 'feature' });
  say(2, 'sess_b2', 'Hello', { agent: 'claude-code', branch: 'main' });
  say(30, 'sess_b2', 'Summary of the above', { kind: 'checkpoint' });
  write({ sessionId: 'sess_a1', timestamp: timeOf(12), outcome: 'failure', command: 'npm i' }, 'failures');
  write({ sessionId: 'sess_a1', timestamp: timeOf(13), outcome: 'success', command: 'npm t' }, 'successes');
  write({ sessionId: 'sess_c3', timestamp: timeOf(20), outcome: 'denied', command: 'rm -rf /' }, 'failures');
  write({ sessionId: 'notes', timestamp: timeOf(40), outcome: 'success', pattern: 'Use ioredis' }, 'successes');
  home.catchUp();
  return home;
}

const ids = (index: SearchIndex, filter: Parameters<SearchIndex['listSessions']>[0]) =>
  index.listSessions(filter).sessions.map(({ sessionId }) => sessionId);

describe.each(['index', 'scan'] as const)('sessions listed by %s', (way) => {
  function sessions(): SearchIndex {
    const { index, sources, home } = homeWithSessions();
    if (way === 'index') return index;
    const blocked = join(home, 'blocked');
    mkdirSync(join(storePath(blocked), 'in', 'the', 'way'), { recursive: true });
    const scanning = SearchIndex.open(blocked);
    scanning.catchUp(sources);
    return scanning;
  }

  it('are summarised, most recently active first', () => {
    expect(sessions().listSessions()).toEqual({
      total: 3,
      sessions: [
        {
          sessionId: 'sess_b2',
          project: 'p1',
          timestamp: timeOf(2),
          lastActivity: timeOf(30),
          messageCount: 1,
          title: 'Hello',
          preview: 'Hello',
          firstRole: 'user',
          agent: 'claude-code',
          branch: 'main',
          failures: 0,
          successes: 0,
        },
        {
          sessionId: 'sess_c3',
          project: 'p1',
          timestamp: timeOf(20),
          lastActivity: timeOf(20),
          messageCount: 0,
          title: 'rm -rf /',
          preview: 'rm -rf /',
          firstRole: 'user',
          failures: 0,
          successes: 0,
        },
        {
          sessionId: 'sess_a1',
          project: 'p1',
          timestamp: timeOf(10),
          lastActivity: timeOf(13),
          messageCount: 2,
          title: 'Add a cache',
          preview: 'Add a cache with redis',
          firstRole: 'user',
          agent: 'codex',
          branch: 'main',
          failures: 1,
          successes: 1,
        },
      ],
    });
  });

  it('respect the filters and the limit', () => {
    const index = sessions();
    expect(ids(index, { agent: 'codex' })).toEqual(['sess_a1']);
    expect(ids(index, { branch: 'main' })).toEqual(['sess_b2', 'sess_a1']);
    expect(ids(index, { branch: 'feature' })).toEqual(['sess_a1']);
    expect(ids(index, { since: timeOf(20) })).toEqual(['sess_b2', 'sess_c3']);
    expect(ids(index, { until: timeOf(10) })).toEqual(['sess_b2', 'sess_a1']);
    expect(ids(index, { projects: ['other'] })).toEqual([]);
    expect(ids(index, { projects: [] })).toEqual([]);
    expect(ids(index, { since: 'no date' })).toEqual([]);
    expect(index.listSessions({ limit: 1 })).toMatchObject({
      total: 3,
      sessions: [{ sessionId: 'sess_b2' }],
    });
    expect(index.listSessions({ limit: 0 })).toMatchObject({ total: 3, sessions: [] });
  });

  it('can be filtered by role and outcome', () => {
    const index = sessions();
    expect(ids(index, { role: 'user' })).toEqual(['sess_b2', 'sess_a1']);
    expect(ids(index, { role: 'assistant' })).toEqual(['sess_a1']);
    expect(ids(index, { outcome: 'failure' })).toEqual(['sess_a1']);
    expect(ids(index, { outcome: 'denied' })).toEqual(['sess_c3']);
    expect(ids(index, { outcome: 'denied', role: 'user' })).toEqual([]);
    expect(index.listSessions({ outcome: 'success', limit: 0 })).toEqual({ sessions: [], total: 1 });
  });

  it('are found by a prefix of their id', () => {
    const index = sessions();
    const found = (prefix: string) => index.findSessions(prefix).map(({ sessionId }) => sessionId);
    expect(found('sess_a')).toEqual(['sess_a1']);
    expect(found('sess_')).toEqual(['sess_b2', 'sess_c3', 'sess_a1']);
    expect(found('%')).toEqual([]);
  });
});

describe('one session', () => {
  it('is read from the logs in the order in which it was written', () => {
    const { index } = homeWithSessions();
    const records = index.readSession('p1', 'sess_a1');
    expect(records?.messages.map(({ content }) => content)).toEqual(['Add a cache\n\nwith   redis', 'Done.']);
    expect(records?.attempts.map(({ command }) => command)).toEqual(['npm i', 'npm t']);
    expect(index.readSession('p1', 'unknown')).toEqual({ messages: [], attempts: [] });
    expect(index.readSession('other', 'sess_a1')).toEqual({ messages: [], attempts: [] });
  });

  it('is counted', () => {
    const { index } = homeWithSessions();
    const counts = { sessions: 3, subAgents: 0, withoutWork: 0, messages: 3, failures: 1, successes: 1 };
    expect(index.counts()).toEqual(counts);
    expect(index.counts('p1')).toEqual(counts);
    expect(index.counts('other')).toEqual({
      sessions: 0,
      subAgents: 0,
      withoutWork: 0,
      messages: 0,
      failures: 0,
      successes: 0,
    });
  });
});

describe('a count of sessions', () => {
  it.each(['index', 'logs'])('has sub-agents and forks, and says how many are sub-agents, from the %s', (way) => {
    const { home, write, catchUp, index, sources } = testHome();
    write({ role: 'user', content: 'Build it', sessionId: 'first' });
    write({ role: 'user', content: 'Look for it', sessionId: 'helper', parentSessionId: 'first' });
    write(
      { outcome: 'success', tool: 'Bash', command: 'ls', sessionId: 'silent', parentSessionId: 'first' },
      'successes',
    );
    write({ role: 'user', content: 'Build it otherwise', sessionId: 'forked', parentSessionId: 'first', isFork: true });
    catchUp();
    const counts = way === 'index' ? index.counts() : countLogRecords(sources.map(({ directory }) => directory));
    expect(counts).toMatchObject({ sessions: 4, subAgents: 2 });
    expect(index.countByProject(0)).toMatchObject([{ sessions: 4 }]);
    const database = openDatabase(storePath(home));
    const parents = database.prepare('SELECT name, startedBy, forkedFrom FROM session ORDER BY name').all();
    database.close();
    expect(parents).toMatchObject([
      { name: 'first', startedBy: null, forkedFrom: null },
      { name: 'forked', startedBy: null, forkedFrom: 'first' },
      { name: 'helper', startedBy: 'first', forkedFrom: null },
      { name: 'silent', startedBy: 'first', forkedFrom: null },
    ]);
  });
});

describe('an index that another process keeps up to date', () => {
  it('says whether it is complete and can be queried as it is', () => {
    const { index, sources, home, write } = homeWithSessions();
    const reader = SearchIndex.open(home);
    expect(reader.selectProjects(sources)).toBe(true);
    write({ sessionId: 'sess_d4', timestamp: timeOf(40), role: 'user', content: 'something new' });
    expect(reader.selectProjects(sources)).toBe(false);
    expect(reader.listIndexedSessions()?.total).toBe(3);
    const wanted = ['sess_b2', 'sess_d4'].map((sessionId) => ({ project: 'p1', sessionId }));
    expect(reader.findSessionsById(wanted).map(({ sessionId }) => sessionId)).toEqual(['sess_b2']);
    expect(reader.search({ text: 'something new' }).hits).toMatchObject([{ sessionId: 'sess_d4' }]);
    index.catchUp(sources);
    expect(reader.selectProjects(sources)).toBe(true);
    expect(reader.listIndexedSessions()?.total).toBe(4);
    expect(reader.findSessionsById(wanted)).toHaveLength(2);
    reader.close();
  });

  it('is incomplete while it does not exist and the logs have records', () => {
    const { sources, home } = homeWithSessions();
    const elsewhere = SearchIndex.open(join(home, 'nowhere'));
    expect(elsewhere.selectProjects([])).toBe(true);
    expect(elsewhere.selectProjects(sources)).toBe(false);
    expect(elsewhere.listIndexedSessions()).toBeUndefined();
    expect(elsewhere.findSessionsById([{ project: 'p1', sessionId: 'sess_a1' }])).toEqual([]);
  });
});
