import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ChatEvent, STOPPED_MARK } from '../../src/chat/index.ts';
import { historyOf, newPlace, open, say, sentTexts, typesOf } from './chat-with-model.ts';
import { ModelServer } from './model-server.ts';
import { openChat } from './open-chat.ts';
import { ScriptedResponder } from './scripted-responder.ts';

describe('an exchange', () => {
  it('is streamed, kept, and sent to the model the next time', async () => {
    const server = await ModelServer.start();
    server.script(say('Use ', 'ioredis.'), say('Yes.'));
    const chatting = open(server);
    const { chat, events } = chatting;
    const reply = await chat.send('Which client?');
    expect(reply).toMatchObject({ text: 'Use ioredis.', cancelled: false, commands: [] });
    expect(typesOf(events)).toEqual(['asked', 'chunk', 'chunk', 'complete']);
    await chat.send('Sure?');
    expect(historyOf(chatting)).toEqual([
      ['user', 'Which client?'],
      ['assistant', 'Use ioredis.'],
      ['user', 'Sure?'],
      ['assistant', 'Yes.'],
    ]);
    expect(sentTexts(server)).toEqual(expect.arrayContaining(['Which client?', 'Use ioredis.', 'Sure?']));
    expect(chat.state()).toMatchObject({ streaming: false, messages: { length: 4 } });
  });

  it('writes its question to the history before the model is asked', async () => {
    const server = await ModelServer.start();
    let written = '';
    server.script([{ until: Promise.resolve() }, { say: 'ok' }]);
    const { chat, project } = open(server);
    chat.on((event) => {
      if (event.type === 'asked') written = readFileSync(join(project.directory, 'history.jsonl'), 'utf8');
    });
    await chat.send('Is this kept?');
    expect(written).toContain('Is this kept?');
    expect(server.requests).toHaveLength(1);
  });

  it('finds the commands that a reply suggests', async () => {
    const server = await ModelServer.start();
    server.script(say('Try\nCMD: bun add ioredis\n```\nCMD: not this\n```\nCMD: bun test'));
    const { chat } = open(server);
    expect((await chat.send('How?')).commands).toEqual(['bun add ioredis', 'bun test']);
  });

  it('is rejected while a reply is in progress, and without a message', async () => {
    const server = await ModelServer.start();
    let release = (): void => undefined;
    server.script([{ say: 'one' }, { until: new Promise<void>((resolve) => (release = resolve)) }, { say: ' two' }]);
    const { chat, events } = open(server);
    const first = chat.send('first');
    await expect(chat.send('second')).rejects.toMatchObject({ code: 'BUSY' });
    expect(() => chat.newSession()).toThrow(/A reply is in progress/);
    release();
    await expect(first).resolves.toMatchObject({ text: 'one two' });
    expect(events.filter(({ type }) => type === 'complete')).toHaveLength(1);
    await expect(chat.send('  ')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('keeps what has arrived when it is cancelled, with a mark', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'Half' }, { stall: true }]);
    const chatting = open(server);
    const { chat, events } = chatting;
    chat.on((event) => {
      if (event.type === 'chunk') chat.cancel();
    });
    expect(await chat.send('Long story?')).toMatchObject({ text: 'Half', cancelled: true });
    expect(historyOf(chatting).at(-1)).toEqual(['assistant', `Half\n\n${STOPPED_MARK}`]);
    expect(events.filter(({ type }) => type === 'complete' || type === 'failed')).toHaveLength(1);
    expect(chat.cancel()).toBe(false);
  });

  it('keeps only the question when it is cancelled before any text', async () => {
    const server = await ModelServer.start();
    server.script([{ until: new Promise(() => undefined) }]);
    const chatting = open(server);
    const asking = chatting.chat.send('Anyone?');
    await expect.poll(() => server.requests.length).toBe(1);
    chatting.chat.cancel();
    expect(await asking).toMatchObject({ text: '', cancelled: true });
    expect(historyOf(chatting)).toEqual([['user', 'Anyone?']]);
  });

  it('keeps only the question when the reply is interrupted, and the next one works', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'Half' }, { waitMs: 10 }, { breakOff: true }], say('Whole.'));
    const chatting = open(server);
    const { chat, events } = chatting;
    await expect(chat.send('one')).rejects.toMatchObject({ code: 'MODEL' });
    expect(events.filter(({ type }) => type === 'complete' || type === 'failed')).toHaveLength(1);
    expect(historyOf(chatting)).toEqual([['user', 'one']]);
    await expect(chat.send('two')).resolves.toMatchObject({ text: 'Whole.' });
  });

  it('writes nothing while recording is paused, but still remembers the session', async () => {
    const server = await ModelServer.start();
    server.script(say('one'), say('two'));
    const chatting = open(server, newPlace({ 'recording.enabled': 'false' }));
    await chatting.chat.send('first');
    await chatting.chat.send('second');
    expect(historyOf(chatting)).toEqual([]);
    expect(sentTexts(server)).toContain('first');
  });
});

describe('files', () => {
  it('are read again for each question, and reported when they are gone', async () => {
    const server = await ModelServer.start();
    const { chat, root, events } = open(server);
    writeFileSync(join(root, 'a.txt'), 'alpha');
    expect(chat.addFile('a.txt')).toBe('a.txt');
    await chat.send('one');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('alpha');
    writeFileSync(join(root, 'a.txt'), 'beta');
    await chat.send('two');
    const second = JSON.stringify(server.requests.at(-1)?.body);
    expect(second).toContain('beta');
    expect(second).not.toContain('alpha');
    rmSync(join(root, 'a.txt'));
    await chat.send('three');
    expect(events).toContainEqual({ type: 'notice', text: expect.stringContaining('a.txt') });
    expect(chat.state().files).toEqual([]);
  });

  it('outside the project are rejected', async () => {
    const { chat } = open(await ModelServer.start());
    expect(() => chat.addFile('../../etc/passwd')).toThrow();
    expect(() => chat.addFile('missing.txt')).toThrow(/missing\.txt/);
    expect(chat.dropFile('missing.txt')).toBe(false);
  });

  it('are recorded with the question, and not selected again after a restart', async () => {
    const server = await ModelServer.start();
    const place = newPlace();
    const { chat, root, project } = open(server, place);
    writeFileSync(join(root, 'a.txt'), 'alpha');
    chat.addFile('a.txt');
    await chat.send('one');
    const [question] = project.history.getSessionMessages(chat.state().sessionId ?? '');
    expect(question?.files).toEqual(['a.txt']);
    const next = open(server, place);
    next.chat.restoreLast();
    expect(next.chat.state()).toMatchObject({ messages: [{ content: 'one' }, {}], files: [] });
  });

  it('are no longer sent after they are dropped', async () => {
    const server = await ModelServer.start();
    const { chat, root } = open(server);
    writeFileSync(join(root, 'a.txt'), 'alpha');
    chat.addFile('a.txt');
    expect(chat.dropFile('a.txt')).toBe(true);
    await chat.send('one');
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('alpha');
  });
});

describe('a restart', () => {
  it('continues the last chat, however many sessions of other agents are newer', async () => {
    const server = await ModelServer.start();
    const place = newPlace();
    const first = open(server, place);
    await first.chat.send('remember me');
    for (let session = 0; session < 250; session++) {
      const sessionId = `other-${session}`;
      first.project.history.append({ role: 'user', content: 'newer', sessionId, agent: 'codex' });
    }
    const second = open(server, place);
    expect(second.chat.restoreLast()).toMatchObject({ sessionId: first.chat.state().sessionId });
    expect(second.chat.state().messages.map(({ content }) => content)).toEqual(['remember me', 'Hello.']);
    await second.chat.send('and now?');
    expect(sentTexts(server)).toContain('remember me');
    expect(historyOf(second)).toHaveLength(4);
  });

  it('forks a session of another agent, which stays as it is, and continues the copy later', async () => {
    const server = await ModelServer.start();
    const place = newPlace();
    const first = open(server, place);
    first.project.history.append({ role: 'user', content: 'to codex', sessionId: 'other', agent: 'codex' });
    await first.chat.send('a chat');
    const { sessionId, forkedFrom } = first.chat.loadSession('other');
    expect(forkedFrom).toBe('other');
    expect(sessionId).not.toBe('other');
    await first.chat.send('to the chat');
    expect(sentTexts(server)).toContain('to codex');
    expect(first.project.session('other').records).toHaveLength(1);
    const second = open(server, place);
    expect(second.chat.restoreLast()).toMatchObject({ sessionId });
    expect(
      second.chat
        .state()
        .messages.map(({ content }) => content)
        .slice(0, 2),
    ).toEqual(['to codex', 'to the chat']);
  });

  it('keeps the question but no reply after a crash in the middle of it', async () => {
    const server = await ModelServer.start();
    const place = newPlace();
    server.script([{ say: 'never ' }, { stall: true }]);
    const first = open(server, place);
    const asking = first.chat.send('lost?');
    await expect.poll(() => first.events.some(({ type }) => type === 'chunk')).toBe(true);
    const second = open(server, place);
    second.chat.restoreLast();
    expect(second.chat.state().messages).toEqual([{ role: 'user', content: 'lost?' }]);
    first.chat.cancel();
    await asking;
  });

  it('starts empty without an earlier chat', async () => {
    const { chat } = open(await ModelServer.start());
    expect(chat.restoreLast()).toBeUndefined();
    expect(chat.state()).toMatchObject({ sessionId: undefined, messages: [] });
  });

  it('rejects an unknown session and changes nothing', async () => {
    const { chat } = open(await ModelServer.start());
    await chat.send('stay');
    const before = chat.state();
    expect(() => chat.loadSession('sess_none')).toThrow(/no session/);
    expect(chat.state()).toEqual(before);
  });

  it('starts a new session on request, which is recorded with its first message', async () => {
    const { chat, project } = open(await ModelServer.start());
    await chat.send('one');
    const before = chat.state().sessionId;
    const sessionId = chat.newSession();
    expect(sessionId).not.toBe(before);
    expect(chat.state()).toMatchObject({ sessionId, messages: [] });
    expect(project.history.listSessions()).toHaveLength(1);
    await chat.send('two');
    expect(project.history.getSessionMessages(sessionId)).toHaveLength(2);
  });
});

describe('commands', () => {
  it('are recorded, warned about the next time, and reported to the model', async () => {
    const server = await ModelServer.start();
    const { chat, project } = open(server);
    await chat.send('Please check');
    const command = 'yore-no-such-program --fast';
    expect(chat.commands.warn(command)).toBeUndefined();
    expect(await chat.commands.run(command)).toMatchObject({ status: 'error', exitCode: 127 });
    expect(project.memory.failures()).toMatchObject([{ what: command }]);
    await chat.send('And?');
    expect(sentTexts(server).at(-1)).toMatch(/I ran `yore-no-such-program --fast`: exit code 127/);
    chat.newSession();
    expect(chat.commands.warn(command)?.failed).toBe(command);
  });
});

describe('a search', () => {
  it('covers the history, and the current messages if nothing is recorded', async () => {
    const server = await ModelServer.start();
    server.script(say('The frobnicator is broken.'));
    const kept = open(server);
    await kept.chat.send('What is broken?');
    expect(await kept.chat.search('frobnicator')).toMatchObject({ result: { hits: [{ kind: 'message' }] }, turns: [] });
    const unkept = open(server, newPlace({ 'recording.enabled': 'false' }));
    await unkept.chat.send('What is broken?');
    expect(await unkept.chat.search('FROBNICATOR')).toMatchObject({
      turns: [{ role: 'assistant', content: 'The frobnicator is broken.' }],
    });
    expect(await unkept.chat.search(' ')).toMatchObject({ turns: [] });
  });
});

describe('the end of a request', () => {
  it('is reported once, even if a listener throws', async () => {
    const { chat } = openChat(new ScriptedResponder());
    const ends: string[] = [];
    chat.on(({ type }) => {
      if (type !== 'complete' && type !== 'failed') return;
      ends.push(type);
      throw new Error('listener');
    });
    await expect(chat.send('Hello there')).rejects.toThrow('listener');
    expect(ends).toEqual(['complete']);
    expect(chat.isStreaming).toBe(false);
  });

  it('is awaited when the chat is closed', async () => {
    const { chat, project } = openChat(new ScriptedResponder('A long reply.'));
    const asking = chat.send('Tell me something long');
    await new Promise((resolve) => setImmediate(resolve));
    await chat.close();
    expect(chat.isStreaming).toBe(false);
    expect(await asking).toMatchObject({ cancelled: true });
    const { sessionId = '' } = chat.state();
    expect(project.history.getSessionMessages(sessionId)[0]?.content).toBe('Tell me something long');
  });
});

describe('the end of a compaction', () => {
  it('is reported even if nothing was removed', async () => {
    const { chat } = openChat(new ScriptedResponder());
    const events: ChatEvent[] = [];
    await chat.send('One short question');
    chat.on((event) => events.push(event));
    expect(await chat.compact()).toBe(false);
    expect(events).toMatchObject([
      { type: 'compaction-start' },
      { type: 'compaction-complete', case: 'none', summary: '' },
    ]);
  });
});

describe('the status of a chat', () => {
  it('lists the cache tiers of the last prompt as it was sent', async () => {
    const responder = new ScriptedResponder();
    const { chat, root } = openChat(responder);
    writeFileSync(join(root, 'a.ts'), 'export const value = 1;\n');
    writeFileSync(join(root, 'b.ts'), 'export const other = 2;\n');
    expect(chat.status().tiers).toBeUndefined();
    for (const path of ['a.ts', 'b.ts']) chat.addFile(path);
    for (let question = 0; question < 8; question++) {
      await chat.send(`Question ${question} ${'and more '.repeat(300)}`);
      const { tiers } = chat.status();
      const texts = responder.requests.at(-1)?.messages.map(({ content }) => JSON.stringify(content)) ?? [];
      const isReference = texts.some((text) => text.includes('Reference Files') && text.includes('a.ts'));
      const cachedItems = Object.entries(tiers ?? {}).flatMap(([name, { items }]) => (name === 'active' ? [] : items));
      expect(cachedItems.some((items) => items > 0)).toBe(isReference);
      // The question and its reply were not in this prompt as history.
      const items = Object.values(tiers ?? {}).reduce((sum, tier) => sum + tier.items, 0);
      expect(items).toBe(2 * question + 2);
      // A change is the occasion to move what has been stable.
      if (question === 5) writeFileSync(join(root, 'b.ts'), 'export const other = 3;\n');
    }
    const cached = Object.values(chat.status().tiers ?? {}).filter((tier) => tier.cached);
    expect(cached).not.toHaveLength(0);
    chat.newSession();
    expect(chat.status().tiers).toBeUndefined();
  });
});

describe('a selected file', () => {
  it('can be dropped by any spelling of its path', async () => {
    const { root } = openChat(new ScriptedResponder());
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${root}/a.txt`, 'text');
    const { chat } = openChat(new ScriptedResponder(), root);
    for (const path of ['a.txt', './a.txt', `${root}/a.txt`]) {
      expect(chat.addFile('a.txt')).toBe('a.txt');
      expect(chat.dropFile(path)).toBe(true);
      expect(chat.state().files).toEqual([]);
      expect(chat.dropFile(path)).toBe(false);
    }
  });
});
