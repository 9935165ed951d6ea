import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setSetting } from '../../src/config/index.ts';
import { YoreError } from '../../src/record/index.ts';
import { Client, call, newPlace, type Script, serve } from './serving.ts';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Replies "one", waits until the test calls `goOn`, and replies "two". */
function inTwoParts(): { readonly script: Script; readonly goOn: () => void } {
  let goOn = (): void => undefined;
  const allowed = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* script(_prompt: string, signal: AbortSignal): AsyncIterable<string> {
    yield 'one ';
    await Promise.race([allowed, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    yield 'two';
  }
  return { script, goOn };
}

const isEvent =
  (type: string) =>
  ({ method, params }: { readonly method: string; readonly params: { readonly type: string } }): boolean =>
    method === 'chat.event' && params.type === type;

describe('chat over RPC', () => {
  it('sends the events of a reply to all clients in order, and includes it in the state', async () => {
    const server = await serve();
    const [asking, watching] = [await Client.connect(server), await Client.connect(server)];
    const { requestId } = await asking.call('chat.send', { prompt: 'hello there' });
    for (const client of [asking, watching]) {
      await client.waitFor(isEvent('complete'));
      expect(client.chatEvents()).toEqual(['asked', 'chunk', 'chunk', 'complete']);
      const events = client.notifications.filter(({ method }) => method === 'chat.event').map(({ params }) => params);
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
      expect(events[1]).toMatchObject({ requestId, text: 'hello ', offset: 0 });
      expect(events[2]).toMatchObject({ requestId, text: 'there ', offset: 6 });
      expect(events[3]).toMatchObject({ reply: { requestId, text: 'hello there ', cancelled: false } });
    }
    const state = await asking.call('state.get', {});
    expect(state).toMatchObject({
      messages: [
        { role: 'user', content: 'hello there' },
        { role: 'assistant', content: 'hello there ' },
      ],
      earlier: 0,
      streaming: null,
      compacting: false,
      readOnly: false,
      sequence: 4,
      status: { responder: 'test/scripted', messageCount: 2 },
    });
    const asked = asking.notifications.find(isEvent('asked'));
    const complete = asking.notifications.find(isEvent('complete'));
    expect(state.messages.map(({ id }) => id)).toEqual([asked?.params.message.id, complete?.params.reply.message.id]);
    expect(await asking.call('prompts.recall', {})).toEqual({ prompts: ['hello there'] });
    expect(await asking.call('prompts.suggest', { prefix: 'hel' })).toEqual({ prompts: ['hello there'] });
  });

  it('gives a client that connects during a reply the text so far, then the rest', async () => {
    const { script, goOn } = inTwoParts();
    const server = await serve({ script });
    const first = await Client.connect(server);
    const { requestId } = await first.call('chat.send', { prompt: 'count' });
    await first.waitFor(isEvent('chunk'));
    const second = await Client.connect(server);
    const state = await second.call('state.get', {});
    expect(state).toMatchObject({
      messages: [{ role: 'user', content: 'count' }],
      streaming: { requestId, text: 'one ' },
      sequence: 2,
    });
    await expect(second.call('chat.send', { prompt: 'another' })).rejects.toThrow(/BUSY/);
    await expect(second.call('history.newSession', {})).rejects.toThrow(/BUSY/);
    goOn();
    const { params } = await second.waitFor(isEvent('chunk'));
    expect(params).toMatchObject({ text: 'two', offset: 4, sequence: 3 });
    await second.waitFor(isEvent('complete'));
    expect((await second.call('state.get', {})).messages).toHaveLength(2);
  });

  it('cancels a reply on request, but not when its client disconnects', async () => {
    const { script, goOn } = inTwoParts();
    const server = await serve({ script });
    const client = await Client.connect(server);
    await client.call('chat.send', { prompt: 'count' });
    await client.waitFor(isEvent('chunk'));
    expect(await client.call('chat.cancel', {})).toEqual({ cancelled: true });
    const { params } = await client.waitFor(isEvent('complete'));
    expect(params.reply).toMatchObject({ cancelled: true, text: 'one ' });
    expect(await client.call('chat.cancel', {})).toEqual({ cancelled: false });
    await client.call('chat.send', { prompt: 'count again' });
    client.socket.terminate();
    goOn();
    const back = await Client.connect(server);
    await expect.poll(async () => (await back.call('state.get', {})).messages.at(-1)?.content).toBe('one two');
  });

  it('sends a failure as an event, keeps the question, and answers the next one', async () => {
    let isDown = true;
    const server = await serve({
      script: async function* (prompt) {
        if (isDown) throw new YoreError('MODEL', 'The model is down. Try later.');
        yield prompt;
      },
    });
    const client = await Client.connect(server);
    const { requestId } = await client.call('chat.send', { prompt: 'hello' });
    const { params } = await client.waitFor(isEvent('failed'));
    expect(params).toMatchObject({
      requestId,
      error: { code: 'MODEL', message: 'The model is down. Try later.' },
    });
    expect(await client.call('state.get', {})).toMatchObject({
      streaming: null,
      messages: [{ content: 'hello' }],
    });
    isDown = false;
    await client.call('chat.send', { prompt: 'again' });
    await client.waitFor(isEvent('complete'));
    expect((await client.call('state.get', {})).messages.map(({ content }) => content)).toEqual([
      'hello',
      'again',
      'again',
    ]);
  });

  it('stores images of a question by name, and refuses invalid ones', async () => {
    const server = await serve();
    const client = await Client.connect(server);
    await client.call('chat.send', { prompt: 'look', images: [PIXEL] });
    await client.waitFor(isEvent('complete'));
    const { messages } = await client.call('state.get', {});
    expect(messages[0]?.imageRefs).toEqual([expect.stringMatching(/^[0-9a-f]{12}\.png$/)]);
    await expect(client.call('chat.send', { prompt: 'look', images: ['nonsense'] })).rejects.toThrow(/USAGE/);
    const large = `data:image/png;base64,${'A'.repeat(7_200_000)}`;
    await expect(client.call('chat.send', { prompt: 'look', images: [large] })).rejects.toThrow(/at most 5 MB/);
  });

  it('begins, loads and compacts sessions, and notifies clients', async () => {
    const place = newPlace();
    const configFile = join(place.home, 'config.json');
    setSetting(configFile, 'compaction.minVerbatimExchanges', '1', 'home');
    setSetting(configFile, 'compaction.verbatimWindowTokens', '200', 'home');
    const server = await serve({ place });
    const client = await Client.connect(server);
    for (const subject of ['first', 'second', 'third']) {
      const prompt = `the ${subject} question `.repeat(60).trim();
      await client.call('chat.send', { prompt });
      await client.waitFor(({ params }) => params.reply?.text === `${prompt} `);
    }
    const { sessionId = '' } = await client.call('state.get', {});
    const begun = await client.call('history.newSession', {});
    expect((await client.waitFor(isEvent('session'))).params).toMatchObject(begun);
    expect(await client.call('state.get', {})).toMatchObject({ ...begun, messages: [] });
    expect(await client.call('context.loadSession', { id: sessionId })).toMatchObject({
      sessionId,
      messageCount: 6,
    });
    expect((await client.call('state.get', {})).messages).toHaveLength(6);
    const { compacted } = await client.call('chat.compact', {});
    expect(compacted).toBe(true);
    expect(client.chatEvents().slice(-2)).toEqual(['compaction-start', 'compaction-complete']);
    const after = await client.call('state.get', {});
    expect(after.compacting).toBe(false);
    expect(after.messages.length).toBeLessThan(6);
    const [summary] = after.messages;
    if (summary?.kind === 'checkpoint') expect(summary.content).not.toBe('');
    expect(after.messages.slice(1).every(({ kind }) => kind === undefined)).toBe(true);
    expect(await client.call('history.status', {})).toEqual(after.status);
  });

  it('finds, selects and drops files', async () => {
    const server = await serve();
    writeFileSync(join(server.place.cwd, 'Notes about Redis.md'), 'notes');
    expect(await call(server, 'files.list', {})).toEqual({ files: ['Notes about Redis.md', 'secret.txt'] });
    expect(await call(server, 'files.list', { query: 'redis NOTES' })).toEqual({
      files: ['Notes about Redis.md'],
    });
    expect(await call(server, 'files.add', { path: 'secret.txt' })).toEqual({ files: ['secret.txt'] });
    expect((await call(server, 'state.get', {})).files).toEqual(['secret.txt']);
    expect(await call(server, 'files.drop', { path: 'secret.txt' })).toEqual({ files: [] });
  });

  it('keeps the state of the chat, but no prompts, while recording is paused', async () => {
    const server = await serve();
    server.openedHome.openProject(server.place.cwd).setRecording(false);
    const client = await Client.connect(server);
    await client.call('chat.send', { prompt: 'off the record' });
    await client.waitFor(isEvent('complete'));
    const { messages } = await client.call('state.get', {});
    expect(messages.map(({ content }) => content)).toEqual(['off the record', 'off the record ']);
    expect((await client.call('prompts.recall', {})).prompts).toEqual([]);
  });

  it('sends the end of a long session', async () => {
    const place = newPlace();
    const server = await serve({ place });
    const { history } = server.openedHome.openProject(place.cwd);
    for (let index = 0; index < 300; index += 1) {
      history.append({
        sessionId: 'long',
        agent: 'yore',
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: `m${index}`,
      });
    }
    const { messages, earlier } = await call(server, 'state.get', {});
    expect([messages.length, earlier, messages.at(-1)?.content]).toEqual([200, 100, 'm299']);
  });
});

describe('a server that was killed', () => {
  it('is replaced by one on the same port, where clients find every message once', async () => {
    const { script } = inTwoParts();
    const server = await serve({ script });
    const { place } = server;
    const client = await Client.connect(server);
    await client.call('chat.send', { prompt: 'before the end' });
    await client.waitFor(isEvent('chunk'));
    // A process that is killed now leaves these files.
    cpSync(place.home, `${place.home}.killed`, { recursive: true });
    const gone = client.closed();
    await server.close();
    expect(await gone).toBe(1001);
    rmSync(place.home, { recursive: true });
    renameSync(`${place.home}.killed`, place.home);

    const next = await serve({ place, choosesPort: true });
    expect([next.port, next.token]).toEqual([server.port, server.token]);
    const back = await Client.connect(next);
    const state = await back.call('state.get', {});
    expect(state).toMatchObject({ streaming: null, messages: [{ role: 'user', content: 'before the end' }] });
    await back.call('chat.send', { prompt: 'after it' });
    await back.waitFor(isEvent('complete'));
    const { messages } = await back.call('state.get', {});
    expect(messages.map(({ content }) => content)).toEqual(['before the end', 'after it', 'after it ']);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
    expect((await back.call('history.listSessions', {})).total).toBe(1);
  });
});
