import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { setSetting } from '../../src/config/index.ts';
import { openHome } from '../../src/project/index.ts';
import { ModelServer } from '../chat/model-server.ts';
import { createPlace, type Place } from '../cli/built/run-yore.ts';
import { startServeJson } from '../cli/built/serving-process.ts';
import { Client } from './serving.ts';

/** A home whose chat asks a model of the test. */
function placeWith(model: ModelServer, settings: Readonly<Record<string, string>> = {}): Place {
  const place = createPlace();
  mkdirSync(place.home, { mode: 0o700 });
  const all = {
    'model.provider': 'openai-compatible',
    'model.name': 'large',
    'model.smallName': 'small',
    'model.baseUrl': model.url,
    ...settings,
  };
  for (const [key, value] of Object.entries(all)) {
    setSetting(join(place.home, 'config.json'), key, value, 'home');
  }
  return place;
}

async function serving(place: Place) {
  const { server, info } = await startServeJson(place);
  const client = await Client.connect(info);
  const kill = async (): Promise<void> => {
    const gone = client.closed();
    server.signal('SIGKILL');
    await Promise.all([gone, server.ended]);
  };
  return { info, client, kill };
}

const isEvent =
  (type: string) =>
  ({ method, params }: { readonly method: string; readonly params: { readonly type?: string } }): boolean =>
    method === 'chat.event' && params.type === type;

/** What the history has on disk, by role. */
function recorded({ home, cwd }: Place): readonly (readonly [string, string])[] {
  const opened = openHome({ home });
  try {
    const { history } = opened.openProject(cwd);
    return history
      .listSessions()
      .flatMap(({ sessionId }) => history.getSessionMessages(sessionId))
      .map(({ role, content }) => [role, content.slice(0, 20)]);
  } finally {
    opened.close();
  }
}

it('a server that was killed during a reply restarts with every message once', async () => {
  const model = await ModelServer.start();
  model.script([{ say: 'the beginning of ' }, { say: 'a reply' }, { stall: true }], [{ say: 'a whole reply' }]);
  const place = placeWith(model);
  const before = await serving(place);
  await before.client.call('chat.send', { prompt: 'before the end' });
  await before.client.waitFor(isEvent('chunk'));
  const { sessionId } = await before.client.call('state.get', {});
  await before.kill();
  expect(recorded(place)).toEqual([['user', 'before the end']]);

  const after = await serving(place);
  expect([after.info.port, after.info.token]).toEqual([before.info.port, before.info.token]);
  const state = await after.client.call('state.get', {});
  expect(state).toMatchObject({
    sessionId,
    streaming: null,
    messages: [{ role: 'user', content: 'before the end' }],
  });
  await after.client.call('chat.send', { prompt: 'after it' });
  await after.client.waitFor(isEvent('complete'));
  const { messages } = await after.client.call('state.get', {});
  expect(messages.map(({ content }) => content)).toEqual(['before the end', 'after it', 'a whole reply']);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
  expect(messages[0]?.id).toBe(state.messages[0]?.id);
  expect(await after.client.call('history.listSessions', {})).toMatchObject({ total: 1 });
  await after.kill();
  expect(recorded(place)).toEqual([
    ['user', 'before the end'],
    ['user', 'after it'],
    ['assistant', 'a whole reply'],
  ]);
});

it('a server that was killed during a compaction restarts with the whole history, and can compact it', async () => {
  const model = await ModelServer.start();
  model.script([{ say: 'understood' }]);
  model.scriptOf('small', [{ stall: true }]);
  const place = placeWith(model, {
    'compaction.verbatimWindowTokens': '200',
    'compaction.minVerbatimExchanges': '1',
  });
  const before = await serving(place);
  const prompts = ['first', 'second', 'third'].map((word) => `${word} matter, in many words. `.repeat(60).trim());
  for (const [index, prompt] of prompts.entries()) {
    await before.client.call('chat.send', { prompt });
    const completed = () => before.client.chatEvents().filter((type) => type === 'complete').length;
    await expect.poll(completed).toBe(index + 1);
  }
  before.client.call('chat.compact', {}).catch(() => undefined);
  await before.client.waitFor(isEvent('compaction-start'));
  await expect.poll(() => model.requests.some(({ body }) => body.model === 'small')).toBe(true);
  expect(await before.client.call('state.get', {})).toMatchObject({ compacting: true });
  await before.kill();
  expect(recorded(place)).toHaveLength(6);

  model.scriptOf('small', [{ status: 400, message: 'no' }]);
  const after = await serving(place);
  const state = await after.client.call('state.get', {});
  expect(state.compacting).toBe(false);
  expect(state.messages.map(({ content }) => content)).toEqual(prompts.flatMap((prompt) => [prompt, 'understood']));
  expect(await after.client.call('chat.compact', {})).toEqual({ compacted: true });
  const shortened = await after.client.call('state.get', {});
  expect(shortened.messages.length).toBeLessThan(6);
  await after.client.call('chat.send', { prompt: 'and now?' });
  await after.client.waitFor(isEvent('complete'));
  await after.kill();
  const last = await serving(place);
  const { messages } = await last.client.call('state.get', {});
  expect(messages.slice(-2).map(({ content }) => content)).toEqual(['and now?', 'understood']);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
});
