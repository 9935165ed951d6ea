import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { Client, call, newPlace, serve } from './serving.ts';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';

describe('history.newSession', () => {
  it('returns the session that the next message starts', async () => {
    const server = await serve();
    const client = await Client.connect(server);
    await client.call('chat.send', { prompt: 'An old question' });
    await client.waitFor(({ params }) => params.type === 'complete');
    const old = (await call(server, 'state.get', {})).sessionId;
    const { sessionId } = await call(server, 'history.newSession', {});
    expect(sessionId).toMatch(/^sess_\d+_[0-9a-f]{6}$/);
    expect(sessionId).not.toBe(old);
    expect(await call(server, 'state.get', {})).toMatchObject({ sessionId, messages: [] });
    await client.call('chat.send', { prompt: 'A new question' });
    await expect
      .poll(async () => (await call(server, 'history.listSessions', {})).sessions[0]?.sessionId)
      .toBe(sessionId);
  });
});

describe('images of a session', () => {
  it('are returned as data URIs by history.getSession and context.loadSession', async () => {
    const place = newPlace();
    const home = openHome({ home: place.home });
    const { history } = home.openProject(place.cwd);
    const { sessionId } = history.append({ role: 'user', content: 'Look', images: [PNG] });
    home.close();
    const server = await serve({ place });
    const { records } = await call(server, 'history.getSession', { id: sessionId });
    expect(records).toMatchObject(
      [{ type: 'message', message: { imageRefs: [/\.png$/], images: [PNG] } }].map(asMatch),
    );
    const without = await call(server, 'history.getSession', { id: sessionId, images: false });
    expect(without.records[0]).not.toHaveProperty('message.images');
    const loaded = await call(server, 'context.loadSession', { id: sessionId });
    expect(loaded).toMatchObject({ sessionId, messages: [{ content: 'Look', images: [PNG] }] });
  });
});

function asMatch(record: { type: string; message: { imageRefs: RegExp[]; images: string[] } }) {
  const { imageRefs, images } = record.message;
  return { ...record, message: { images, imageRefs: imageRefs.map((name) => expect.stringMatching(name)) } };
}

describe('history.search', () => {
  it('finds the messages of a chat that is not recorded', async () => {
    const place = newPlace();
    const home = openHome({ home: place.home });
    const project = home.openProject(place.cwd);
    project.history.append({ role: 'user', content: 'An old remark about zebras', sessionId: 'old' });
    project.setRecording(false);
    home.close();
    const server = await serve({ place });
    const client = await Client.connect(server);
    await client.call('chat.send', { prompt: 'Do you know Zebras and okapis?' });
    await client.waitFor(({ params }) => params.type === 'complete');
    const { sessionId } = await call(server, 'state.get', {});

    const okapis = await call(server, 'history.search', { query: 'OKAPIS', role: 'user' });
    expect(okapis).toMatchObject({ total: 1, sessions: [{ sessionId, isInMemory: true }] });
    const [hit] = okapis.sessions[0]?.hits ?? [];
    expect(hit).toMatchObject({ kind: 'message', role: 'user', match: 'literal' });
    const [from, to] = hit?.snippet.marks[0] ?? [0, 0];
    expect(hit?.snippet.text.slice(from, to)).toBe('okapis');

    const zebras = await call(server, 'history.search', { query: 'zebras' });
    expect(zebras.sessions.map((session) => session.sessionId)).toEqual(['old', sessionId]);
    expect((await call(server, 'history.search', { query: 'okapis', outcome: 'failure' })).total).toBe(0);
    expect((await call(server, 'history.search', { query: 'giraffe' })).total).toBe(0);
  });

  it('does not repeat what is recorded', async () => {
    const server = await serve();
    const client = await Client.connect(server);
    await client.call('chat.send', { prompt: 'Do you know okapis?' });
    await client.waitFor(({ params }) => params.type === 'complete');
    await expect.poll(async () => (await call(server, 'history.search', { query: 'okapis' })).total).toBe(2);
    const { sessions } = await call(server, 'history.search', { query: 'okapis' });
    expect(sessions.map(({ isInMemory }) => isInMemory)).toEqual([undefined]);
  });
});

describe('project.list', () => {
  it('is in the order of the latest message or attempt, whenever a project was registered or imported', async () => {
    const place = newPlace();
    const folder = temporaryFolder();
    const record = (name: string, registeredAt: string, activeAt: string): void => {
      mkdirSync(join(folder, name));
      const home = openHome({ home: place.home, now: () => Date.parse(registeredAt) });
      const { history } = home.openProject(join(folder, name));
      history.append({ role: 'user', content: `Work on ${name}`, sessionId: name, timestamp: activeAt });
      home.close();
    };
    record('early', '2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z');
    record('imported', '2026-05-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z');
    record('middle', '2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z');
    const server = await serve({ place });
    await call(server, 'history.listSessions', {});
    const { projects } = await call(server, 'project.list', {});
    expect(projects.map(({ name, lastActiveAt }) => [name, lastActiveAt.slice(0, 10)])).toEqual([
      ['early', '2026-03-01'],
      ['middle', '2026-02-01'],
      ['imported', '2025-06-01'],
    ]);
  });
});
