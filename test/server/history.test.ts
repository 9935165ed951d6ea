import { describe, expect, it } from 'vitest';
import type { SessionItem } from '../../src/server/rpc/api.ts';
import { AUTHENTICATION, playSessions, REDIS } from '../cli/built/agent.ts';
import { Client, call, newPlace, type Serving, serve } from './serving.ts';

/** A server over a home with two sessions of an agent. */
async function serveStories(): Promise<{ readonly server: Serving; readonly project: string }> {
  const place = newPlace();
  playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [AUTHENTICATION, REDIS]);
  const server = await serve({ place });
  const { current = '' } = await call(server, 'project.list', {});
  return { server, project: current };
}

function idOf(item: SessionItem | undefined): string | undefined {
  return item?.type === 'message' ? item.message.id : item?.attempt.id;
}

describe('history over RPC', () => {
  it('lists projects and sessions, newest first, in pages and by filters', async () => {
    const { server, project } = await serveStories();
    const { projects } = await call(server, 'project.list', {});
    expect(projects).toMatchObject([{ id: project, path: server.place.cwd }]);
    const all = await call(server, 'history.listSessions', {});
    expect(all).toMatchObject({ total: 2, sessions: [{ sessionId: 'redis-1' }, { sessionId: 'auth-1' }] });
    const second = await call(server, 'history.listSessions', { limit: 1, offset: 1 });
    expect(second).toEqual({ total: 2, complete: true, sessions: [all.sessions[1]] });
    expect(await call(server, 'history.listSessions', { offset: 5 })).toEqual({
      total: 2,
      complete: true,
      sessions: [],
    });
    const none = { total: 0, complete: true, sessions: [] };
    expect(await call(server, 'history.listSessions', { agent: 'codex' })).toEqual(none);
    expect(await call(server, 'history.listSessions', { project: 'deadbeef' })).toEqual(none);
    const since = new Date(Date.now() - 1.5 * 86_400_000).toISOString();
    expect(await call(server, 'history.listSessions', { since, project, agent: 'claude-code' })).toMatchObject({
      total: 1,
      sessions: [{ sessionId: 'redis-1' }],
    });
    expect(await call(server, 'history.listSessions', { role: 'user' })).toMatchObject({ total: 2 });
    expect(await call(server, 'history.listSessions', { role: 'assistant' })).toEqual(none);
    expect(await call(server, 'history.listSessions', { outcome: 'failure' })).toMatchObject({ total: 2 });
    expect(await call(server, 'history.listSessions', { outcome: 'interrupted' })).toEqual(none);
  });

  it('includes new records in the next list and search', async () => {
    const server = await serve();
    const { history } = server.openedHome.openProject(server.place.cwd);
    for (let index = 1; index <= 3; index += 1) {
      history.append({ sessionId: `s${index}`, role: 'user', content: `number ${index}`, agent: 'codex' });
      expect(await call(server, 'history.listSessions', {})).toMatchObject({ total: index, complete: true });
      const { sessions } = await call(server, 'history.search', { query: `number ${index}` });
      expect(sessions[0]?.sessionId).toBe(`s${index}`);
    }
  });

  it('finds messages and attempts by session, with marks', async () => {
    const { server, project } = await serveStories();
    const found = await call(server, 'history.search', { query: 'ioredis' });
    const [session] = found.sessions;
    expect(session).toMatchObject({
      sessionId: 'redis-1',
      project,
      summary: { sessionId: 'redis-1', preview: 'Add Redis caching', agent: 'claude-code', failures: 1 },
    });
    const [hit] = session?.hits ?? [];
    const [start = 0, end = 0] = hit?.snippet.marks[0] ?? [];
    expect(hit?.snippet.text.slice(start, end)).toBe('ioredis');
    expect(found.total).toBe(found.sessions.flatMap(({ hits }) => hits).length);
    const failed = await call(server, 'history.search', { query: 'install', outcome: 'failure', project });
    expect(failed.sessions.flatMap(({ hits }) => hits.map(({ outcome }) => outcome))).toEqual(
      expect.arrayContaining(['failure']),
    );
    expect(failed.sessions.flatMap(({ hits }) => hits).every(({ outcome }) => outcome === 'failure')).toBe(true);
    expect(await call(server, 'history.search', { query: '' })).toEqual({
      sessions: [],
      isQuestion: false,
      missing: [],
      terms: [],
      total: 0,
      warnings: [],
    });
    expect((await call(server, 'history.search', { query: 'ioredis', role: 'assistant' })).total).toBe(0);
    await call(server, 'history.label', { id: 'redis-1', starred: true, tags: ['cache'] });
    const search = async (filter: object) =>
      (await call(server, 'history.search', { query: 'install', ...filter })).sessions.map(
        ({ sessionId }) => sessionId,
      );
    expect(await search({})).toHaveLength(2);
    expect(await search({ starred: true })).toEqual(['redis-1']);
    expect(await search({ tag: 'cache', project })).toEqual(['redis-1']);
    expect(await search({ tag: 'other' })).toEqual([]);
    expect((await call(server, 'history.search', { query: 'install', limit: 1 })).total).toBe(1);
    const question = await call(server, 'history.search', { query: 'how did we add redis caching with zeppelin' });
    expect(question).toMatchObject({ isQuestion: true, missing: ['zeppelin'] });
  });

  it('returns the messages and attempts of a session in chronological order', async () => {
    const { server, project } = await serveStories();
    const session = await call(server, 'history.getSession', { id: 'redis-1', project });
    expect(session).toMatchObject({ offset: 0, total: 5, summary: { sessionId: 'redis-1', failures: 1 } });
    expect(session.records[0]).toMatchObject({ type: 'message', message: { content: 'Add Redis caching' } });
    expect(session.records[1]).toMatchObject({
      type: 'attempt',
      attempt: { command: 'npm install redis-node', outcome: 'failure' },
    });
    expect(await call(server, 'history.getSession', { id: 'redis-1' })).toEqual(session);
  });

  it('returns a long session in pages, also around a record or a time', async () => {
    const server = await serve();
    const { history } = server.openedHome.openProject(server.place.cwd);
    const ids: string[] = [];
    for (let index = 0; index < 1234; index += 1) {
      const timestamp = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
      const role = index % 2 === 0 ? 'user' : 'assistant';
      ids.push(history.append({ sessionId: 'long', role, content: `message ${index}`, timestamp }).id);
    }
    const seen: (string | undefined)[] = [];
    for (let offset = 0; ; ) {
      const page = await call(server, 'history.getSession', { id: 'long', offset, limit: 500 });
      expect(page).toMatchObject({ offset, total: 1234 });
      if (page.records.length === 0) break;
      seen.push(...page.records.map(idOf));
      offset += page.records.length;
    }
    expect(seen).toEqual(ids);
    const around = await call(server, 'history.getSession', { id: 'long', around: ids[777] ?? '' });
    expect(around.records).toHaveLength(200);
    expect(around.records.map(idOf)).toContain(ids[777]);
    expect(idOf(around.records[0])).toBe(ids[around.offset]);
    expect(around.around).toBe(ids[777]);
    const nowhere = await call(server, 'history.getSession', { id: 'long', around: 'nothing' });
    expect([nowhere.offset, nowhere.around]).toEqual([0, undefined]);
    const at = async (time: string) => (await call(server, 'history.getSession', { id: 'long', around: time })).around;
    expect(await at('2026-01-01T00:05:00.500Z')).toBe(ids[301]);
    expect(await at('2025-01-01')).toBe(ids[0]);
    expect(await at('2027-01-01')).toBe(ids[1233]);
    expect(await at('2026-99-99')).toBeUndefined();
    history.append({ sessionId: 'long', role: 'user', content: 'one more' });
    expect((await call(server, 'history.getSession', { id: 'long', offset: 1234 })).records).toHaveLength(1);
  });

  it('bounds the size of a page, but never leaves a record out', async () => {
    const server = await serve();
    const { history } = server.openedHome.openProject(server.place.cwd);
    const large = 'large '.repeat(150_000);
    const ids = Array.from({ length: 8 }, (_, index) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
      return history.append({ sessionId: 'large', role: 'user', content: large, timestamp }).id;
    });
    const first = await call(server, 'history.getSession', { id: 'large' });
    expect(first.records.length).toBeGreaterThan(0);
    expect(first.records.length).toBeLessThan(8);
    const last = await call(server, 'history.getSession', { id: 'large', around: ids[7] ?? '' });
    expect(last.records.map(idOf)).toContain(ids[7]);
    const rest = await call(server, 'history.getSession', { id: 'large', offset: first.records.length });
    expect(idOf(rest.records[0])).toBe(ids[first.records.length]);
  });
});

describe('projects over RPC', () => {
  it('do not count a question to the chat as a session of work', async () => {
    const { server, project } = await serveStories();
    const client = await Client.connect(server);
    await client.call('chat.send', { project, prompt: 'what did we do about redis?' });
    await client.waitFor(({ params }) => params.type === 'complete');
    expect((await call(server, 'history.listSessions', { project })).total).toBe(3);
    const overview = await call(server, 'project.overview', { project });
    expect(overview.totals.sessions).toBe(2);
    expect(overview.days.map(({ sessions }) => sessions)).toEqual([1, 1]);
    expect(await call(server, 'project.timeline', { project })).toMatchObject({
      total: 2,
      sessions: [{ sessionId: 'auth-1' }, { sessionId: 'redis-1' }],
    });
  });

  it('return an overview with totals and counts per day', async () => {
    const { server, project } = await serveStories();
    const overview = await call(server, 'project.overview', { project });
    expect(overview).toMatchObject({
      project: { id: project },
      totals: { sessions: 2, failures: 4 },
      antiPatterns: expect.arrayContaining([
        expect.objectContaining({ pattern: 'npm install redis-node', fix: 'bun add ioredis' }),
      ]),
    });
    expect(overview.notRecorded).toEqual([]);
    expect(typeof overview.summary).toBe('string');
    expect(overview.days.map(({ sessions, failures }) => [sessions, failures])).toEqual([
      [1, 3],
      [1, 1],
    ]);
  });

  it('return the timeline of a span with requests, failures and resolutions', async () => {
    const { server, project } = await serveStories();
    const whole = await call(server, 'project.timeline', { project });
    expect(whole.total).toBe(2);
    expect(whole.sessions.map(({ sessionId }) => sessionId)).toEqual(['auth-1', 'redis-1']);
    const redis = whole.sessions[1];
    expect(redis).toMatchObject({ preview: 'Add Redis caching', agent: 'claude-code' });
    const marks = redis?.marks ?? [];
    expect(marks.map(({ at }) => at)).toEqual(marks.map(({ at }) => at).toSorted());
    const failure = marks.find(({ type }) => type === 'failure');
    expect(failure?.text).toContain('npm install redis-node');
    const resolution = marks.find(({ type }) => type === 'resolution');
    expect(resolution).toMatchObject({ text: 'bun add ioredis', resolves: failure?.id });
    const since = redis?.from ?? '';
    const later = await call(server, 'project.timeline', { project, since });
    expect(later).toMatchObject({ total: 1, sessions: [{ sessionId: 'redis-1' }], days: [{ failures: 1 }] });
    const earlier = await call(server, 'project.timeline', { project, until: since });
    expect(earlier).toMatchObject({ total: 1, sessions: [{ sessionId: 'auth-1' }] });
    expect((await call(server, 'project.timeline', { project, limit: 1 })).sessions).toHaveLength(1);
  });

  it('call a session on the timeline what lists call it, whatever was said in it', async () => {
    const { server, project } = await serveStories();
    const said = { sessionId: 'short-1', agent: 'codex' };
    const { history } = server.openedHome.findProjectByName(project);
    history.append({ ...said, role: 'user', content: 'continue' });
    history.append({ ...said, role: 'assistant', content: 'There is nothing left to do.' });
    const listed = (await call(server, 'history.listSessions', { project })).sessions;
    const { sessions } = await call(server, 'project.timeline', { project });
    const titles = (all: readonly { readonly sessionId: string }[], key: string) =>
      Object.fromEntries(all.map((session) => [session.sessionId, Reflect.get(session, key)]));
    expect(titles(sessions, 'preview')).toEqual(titles(listed, 'title'));
  });
});

describe('memory over RPC', () => {
  it('lists failures with evidence, practices and warnings, and applies choices', async () => {
    const { server, project } = await serveStories();
    const memory = server.openedHome.findProjectByName(project).memory;
    memory.remember('Never push on Fridays', { avoid: true });
    memory.remember('Use bun for everything');
    const got = await call(server, 'memory.get', { project });
    const redis = got.antiPatterns.find(({ pattern }) => pattern === 'npm install redis-node');
    expect(redis).toMatchObject({
      kind: 'failure',
      state: 'active',
      fix: 'bun add ioredis',
      sessions: ['redis-1'],
    });
    const note = got.antiPatterns.find(({ kind }) => kind === 'note');
    expect(note).toMatchObject({ pattern: 'Never push on Fridays', confidence: 1 });
    const practice = got.bestPractices.find(({ pattern }) => pattern === 'Use bun for everything');
    expect(practice?.id).toBeDefined();

    const id = redis?.id ?? '';
    const { evidence } = await call(server, 'memory.evidence', { project, id });
    expect(evidence).toMatchObject([{ sessionId: 'redis-1', text: expect.stringContaining('Package not found') }]);
    const shown = await call(server, 'history.getSession', { id: 'redis-1', project });
    expect(shown.records.map(idOf)).toContain(evidence[0]?.id);
    expect(await call(server, 'memory.evidence', { project, id: 'nothing' })).toEqual({ evidence: [] });

    const stateOf = async (wanted: string) =>
      (await call(server, 'memory.get', { project })).antiPatterns.find((other) => other.id === wanted)?.state;
    const other = got.antiPatterns.find(({ pattern }) => pattern.includes('passport-magic'))?.id ?? '';
    await call(server, 'memory.pin', { project, id: other });
    expect(await stateOf(other)).toBe('pinned');
    await call(server, 'memory.dismiss', { project, id });
    expect(await stateOf(id)).toBe('dismissed');
    await call(server, 'memory.reset', { project, id });
    expect(await stateOf(id)).toBe('active');
    await call(server, 'memory.forget', { project, id });
    expect(await stateOf(id)).toBeUndefined();
    await call(server, 'memory.forget', { project, id: note?.id ?? '' });
    const left = await call(server, 'memory.get', { project });
    expect(left.antiPatterns.some(({ kind }) => kind === 'note')).toBe(false);
    expect((await call(server, 'history.search', { query: 'redis-node', outcome: 'failure' })).total).toBe(0);
  });

  it('says how warnings ended', async () => {
    const place = newPlace();
    const again = { sessionId: 'redis-2', daysAgo: 0.5, request: 'Again', done: REDIS.done.slice(0, 1) };
    playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [REDIS, again]);
    const server = await serve({ place });
    const { current = '' } = await call(server, 'project.list', {});
    const { warnings } = await call(server, 'memory.get', { project: current });
    expect(warnings).toMatchObject([
      { sessionId: 'redis-2', command: 'npm install redis-node', ended: 'overridden-failed' },
    ]);
  });
});
