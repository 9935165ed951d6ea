import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { playSessions, REDIS } from '../cli/built/agent.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { Client, newPlace, serve } from './serving.ts';

const QUICK = { limits: { watchMs: 20 } };
const isChange = ({ method }: { readonly method: string }): boolean => method === 'history.changed';

describe('live notifications', () => {
  it('report new records by project and session, each once', async () => {
    const server = await serve(QUICK);
    const project = server.openedHome.openProject(server.place.cwd);
    project.history.append({ sessionId: 'before', role: 'user', content: 'was there' });
    const client = await Client.connect(server);
    const other = openHome({ home: server.place.home }).openProject(server.place.cwd);
    const { timestamp } = other.history.append({ sessionId: 'grows', role: 'user', content: 'is new' });
    const change = await client.waitFor(isChange);
    expect(change.params).toEqual({
      project: project.info.projectHash,
      sessionIds: ['grows'],
      newest: timestamp,
    });
    other.record({ sessionId: 'tries', outcome: 'failure', command: 'make', error: 'no rule' });
    await client.waitFor(({ params }) => params.sessionIds?.includes('tries'));
    const reported = client.notifications.filter(isChange).flatMap(({ params }) => params.sessionIds);
    expect(reported).toEqual(['grows', 'tries']);
    const { sessions } = await client.call('history.listSessions', {});
    expect(sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual(['before', 'grows', 'tries']);
  });

  it('follow a new project from its first record', async () => {
    const server = await serve(QUICK);
    const client = await Client.connect(server);
    const home = openHome({ home: server.place.home });
    const project = home.openProject(temporaryFolder());
    project.history.append({ sessionId: 'first', role: 'user', content: 'hello' });
    const { params } = await client.waitFor(isChange);
    expect(params).toMatchObject({ project: project.info.projectHash, sessionIds: ['first'] });
  });

  it('report warnings as they are given', async () => {
    const place = newPlace();
    const from = { folder: place.home, home: place.home, cwd: place.cwd };
    playSessions(from, [REDIS]);
    const server = await serve({ place, ...QUICK });
    const client = await Client.connect(server);
    playSessions(from, [{ sessionId: 'redis-2', daysAgo: 0.5, request: 'Again', done: REDIS.done.slice(0, 1) }]);
    const { params } = await client.waitFor(({ method }) => method === 'warning.given');
    expect(params.warning).toMatchObject({ sessionId: 'redis-2', command: 'npm install redis-node' });
    expect(params.warning.reason).toContain('redis-node');
  });

  it('report imports, rewritten logs and invalid lines without sessions', async () => {
    const server = await serve(QUICK);
    const project = server.openedHome.openProject(server.place.cwd);
    const client = await Client.connect(server);
    project.history.append({ sessionId: 'one', role: 'user', content: 'small' });
    await client.waitFor(isChange);
    const log = join(project.directory, 'history.jsonl');
    appendFileSync(log, `nonsense\n{"sessionId":7}\n"${'x'.repeat(2_500_000)}"\n`);
    await client.waitFor(({ params }) => params.sessionIds?.length === 0);
    project.history.append({ sessionId: 'two', role: 'user', content: 'small' });
    await client.waitFor(({ params }) => params.sessionIds?.includes('two'));
    server.openedHome.forgetSession(project, 'one');
    project.history.append({ sessionId: 'three', role: 'user', content: 'after a rewrite' });
    await client.waitFor(() => client.notifications.filter(({ params }) => params.sessionIds?.length === 0).length > 1);
    expect(server.errors).toEqual([]);
  });

  it('report an unreadable log once, and go on with the others', async () => {
    const server = await serve(QUICK);
    const client = await Client.connect(server);
    mkdirSync(join(server.place.home, 'projects', '00000000', 'history.jsonl'), { recursive: true });
    await expect.poll(() => server.errors).toMatchObject([{ code: 'STORAGE' }]);
    const project = server.openedHome.openProject(server.place.cwd);
    for (const sessionId of ['one', 'two']) {
      project.history.append({ sessionId, role: 'user', content: 'hello' });
      await client.waitFor(({ params }) => params.sessionIds?.includes(sessionId));
    }
    expect(server.errors).toHaveLength(1);
  });

  it('do not report what was recorded while nobody was connected', async () => {
    const server = await serve(QUICK);
    const project = server.openedHome.openProject(server.place.cwd);
    const first = await Client.connect(server);
    project.history.append({ sessionId: 'seen', role: 'user', content: 'hello' });
    await first.waitFor(isChange);
    first.socket.close();
    await first.closed();
    project.history.append({ sessionId: 'missed', role: 'user', content: 'hello' });
    const second = await Client.connect(server);
    await second.call('history.listSessions', {});
    project.history.append({ sessionId: 'next', role: 'user', content: 'hello' });
    const { params } = await second.waitFor(isChange);
    expect(params.sessionIds).toEqual(['next']);
  });
});
