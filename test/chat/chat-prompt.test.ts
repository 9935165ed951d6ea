import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ChatEvent, ChatService } from '../../src/chat/index.ts';
import { openHome } from '../../src/project/index.ts';
import { type Chatting, historyOf, newPlace, open, say, sentTexts, typesOf } from './chat-with-model.ts';
import { ModelServer } from './model-server.ts';
import { ScriptedResponder } from './scripted-responder.ts';

/** Text of about a thousand tokens. */
function long(topic: string): string {
  return Array.from({ length: 130 }, (_, index) => `${topic} detail ${index} of the work`).join('. ');
}

const SMALL = {
  'compaction.triggerTokens': '3200',
  'compaction.verbatimWindowTokens': '400',
  'compaction.minVerbatimExchanges': '1',
};

async function untilCompacted({ events }: Chatting): Promise<Extract<ChatEvent, { type: 'compaction-complete' }>> {
  const found = (): ChatEvent | undefined => events.find(({ type }) => type === 'compaction-complete');
  await expect.poll(found, { timeout: 5000 }).toBeDefined();
  return found() as Extract<ChatEvent, { type: 'compaction-complete' }>;
}

describe('a history that is too long', () => {
  it('is compacted after the reply, at the boundary that the small model found', async () => {
    const server = await ModelServer.start();
    const boundary = JSON.stringify({
      boundaryIndex: 4,
      reason: 'new task',
      confidence: 0.9,
      summary: 'login',
    });
    server.scriptOf('small', say(boundary));
    server.script(say(long('login')), say(long('login')), say(long('report')), say('Fine.'));
    const chatting = open(server, newPlace(SMALL));
    await chatting.chat.send('Fix the login');
    await chatting.chat.send('More');
    await chatting.chat.send('Now let us build the report page');
    const { case: how, turns, tokensBefore, tokensAfter } = await untilCompacted(chatting);
    expect(how).toBe('truncate');
    expect(tokensAfter).toBeLessThan(tokensBefore);
    expect(turns[0]).toEqual({ role: 'user', content: 'Now let us build the report page' });
    expect(server.requests.some(({ body }) => body.model === 'small')).toBe(true);
    await chatting.chat.send('Go on');
    expect(sentTexts(server).join()).not.toContain('login detail');
    expect(historyOf(chatting).some(([, content]) => content.includes('login detail'))).toBe(true);
  });

  it('is summarised when the small model fails, and stays so after a restart', async () => {
    const server = await ModelServer.start();
    const place = newPlace(SMALL);
    server.scriptOf('small', [{ status: 500, message: 'down' }]);
    server.script(say(long('login')));
    const chatting = open(server, place);
    for (const text of ['Fix src/login.ts', 'CMD: bun test login', 'Once more']) await chatting.chat.send(text);
    const done = await untilCompacted(chatting);
    expect(done.case).toBe('summarise');
    expect(done.turns[0]?.content).toMatch(/^\[History Summary - \d+ earlier messages\]/);
    const again = open(server, place);
    again.chat.restoreLast();
    expect(again.chat.state().messages).toEqual(chatting.chat.state().messages);
  });

  it('is compacted and sent once more when the model rejects the prompt as too long', async () => {
    const server = await ModelServer.start();
    const tooLong = [{ status: 400, message: 'maximum context length is 100 tokens' }] as const;
    server.scriptOf('small', say('{}'));
    server.script(say(long('one')), say(long('two')), tooLong, say('Now it fits.'));
    const { chat, events } = open(
      server,
      newPlace({ 'compaction.minVerbatimExchanges': '1', 'compaction.verbatimWindowTokens': '200' }),
    );
    await chat.send('first');
    await chat.send('second');
    await expect(chat.send('third')).resolves.toMatchObject({ text: 'Now it fits.' });
    expect(typesOf(events)).toContain('compaction-complete');
  });

  it('fails with OVERFLOW if compaction does not help', async () => {
    const server = await ModelServer.start();
    server.script([{ status: 400, message: 'maximum context length is 100 tokens' }]);
    const { chat, events } = open(server);
    await expect(chat.send('first')).rejects.toMatchObject({ code: 'OVERFLOW' });
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(1);
  });

  it('loses its oldest messages when compaction was not enough, and the user is told', async () => {
    const server = await ModelServer.start();
    server.script(say(long('one').repeat(2)), say(long('two').repeat(2)), say('Fine.'));
    const { chat, events } = open(server, newPlace({ ...SMALL, 'compaction.triggerTokens': '1000' }));
    await chat.send('first');
    await chat.send('second');
    await chat.send('third');
    expect(events).toContainEqual({
      type: 'notice',
      text: expect.stringContaining('oldest messages are no longer sent'),
    });
    expect(sentTexts(server).join()).not.toContain('one detail');
  });

  it('is compacted half a second after the reply, not at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { homeFolder, root } = newPlace(SMALL);
    const home = openHome({ home: homeFolder });
    const responder = new ScriptedResponder(long('one'), long('two'), long('three'), long('four'));
    const chat = new ChatService({ home, project: home.openProject(root), root, responder });
    const types: string[] = [];
    chat.on(({ type }) => types.push(type));
    for (const text of ['first', 'second', 'third', 'fourth']) await chat.send(text);
    const before = types.length;
    vi.advanceTimersByTime(499);
    expect(types.slice(before)).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(types.slice(before)).toEqual(['compaction-start']);
    await expect.poll(() => types.at(-1)).toBe('compaction-complete');
    await chat.close();
    home.close();
  });

  it('is compacted on request, unless there is nothing to remove', async () => {
    const server = await ModelServer.start();
    const { chat } = open(
      server,
      newPlace({ 'compaction.minVerbatimExchanges': '1', 'compaction.verbatimWindowTokens': '200' }),
    );
    expect(await chat.compact()).toBe(false);
    server.scriptOf('small', say('no JSON at all'));
    server.script(say(long('a')), say(long('b')), say('c'));
    for (const text of ['one', 'two', 'three']) await chat.send(text);
    expect(await chat.compact()).toBe(true);
  });
});

describe('the prompt', () => {
  it('carries cache markers for Anthropic once there is enough to cache', async () => {
    const server = await ModelServer.start();
    server.script(say('ok'));
    server.usage = { input: 10, output: 5, cacheRead: 90, cacheWrite: 0 };
    const { chat, root } = open(server, newPlace(), 'anthropic');
    writeFileSync(join(root, 'big.txt'), long('big').repeat(20));
    chat.addFile('big.txt');
    for (let times = 0; times < 6; times += 1) await chat.send(`question ${times}`);
    const markers = JSON.stringify(server.requests.at(-1)?.body).split('cache_control').length - 1;
    expect(markers).toBeGreaterThan(0);
    expect(markers).toBeLessThanOrEqual(4);
    expect(chat.status().cacheHitRate).toBeCloseTo(0.9, 2);
  });

  it('contains the briefing, and each recollection once', async () => {
    const server = await ModelServer.start();
    const { chat, project } = open(server);
    project.memory.remember('Run bun test before every commit');
    project.maintain();
    chat.newSession();
    await chat.send('hello');
    expect(JSON.stringify(server.requests.at(-1)?.body.messages[0])).toContain('bun test before every commit');
  });

  it('asks for shell commands on lines of their own that begin with CMD', async () => {
    const server = await ModelServer.start();
    const { chat } = open(server);
    await chat.send('hello');
    expect(server.requests[0]?.body.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/^You are yore, .*begins with exactly "CMD: "/s),
    });
  });

  it('contains the newest messages only when compaction is off, and the user is told how many are not', async () => {
    const server = await ModelServer.start();
    const { chat, events } = open(server, newPlace({ 'compaction.enabled': 'false', 'context.maxTurns': '4' }));
    for (const text of ['one', 'two', 'three', 'four']) await chat.send(text);
    expect(events).toContainEqual({ type: 'notice', text: 'The 2 oldest messages are no longer sent to the model.' });
    expect(sentTexts(server)).not.toContain('one');
    expect(sentTexts(server)).toEqual(expect.arrayContaining(['two', 'three', 'four']));
  });

  it('can be replaced in the settings', async () => {
    const server = await ModelServer.start();
    const { chat } = open(server, newPlace({ 'chat.systemPrompt': 'Answer in rhymes.' }));
    await chat.send('hello');
    expect(JSON.stringify(server.requests[0]?.body.messages[0])).toContain('Answer in rhymes.');
  });

  it('leaves out the largest file when it would be too long for the model, and the user is told', async () => {
    const server = await ModelServer.start();
    const { chat, root, events, project } = open(server);
    writeFileSync(join(root, 'small.txt'), 'a small file');
    writeFileSync(join(root, 'large.txt'), long('large').repeat(130));
    for (const path of ['small.txt', 'large.txt']) chat.addFile(path);
    await chat.send('What is in these?');
    expect(events).toContainEqual({
      type: 'notice',
      text: expect.stringMatching(/^large\.txt \(\d+ tokens\) was left out/),
    });
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('a small file');
    expect(sent).not.toContain('large detail');
    const [question] = project.history.getSessionMessages(chat.state().sessionId ?? '');
    expect(question?.files).toEqual(['small.txt']);
  });

  it('contains only the images of this question, and the history keeps them', async () => {
    const server = await ModelServer.start();
    const { chat, project } = open(server);
    const picture = `data:image/png;base64,${Buffer.from('\x89PNG picture').toString('base64')}`;
    await chat.send('Look', { images: [picture] });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('image_url');
    await chat.send('And?');
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('image_url');
    const [first] = project.history.getSessionMessages(chat.state().sessionId ?? '');
    expect(first?.images).toEqual([picture]);
  });
});
