import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STOPPED_MARK } from '../../src/chat/index.ts';
import { historyOf, newPlace, open, say, sentTexts, typesOf } from './chatting.ts';
import { ModelServer } from './model-server.ts';

describe('an exchange', () => {
  it('is streamed, kept and told to the model the next time', async () => {
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

  it('has its question in the history before the model is asked', async () => {
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

  it('is refused while another is made, and when there is nothing to ask', async () => {
    const server = await ModelServer.start();
    let release = (): void => undefined;
    server.script([
      { say: 'one' },
      { until: new Promise<void>((resolve) => (release = resolve)) },
      { say: ' two' },
    ]);
    const { chat, events } = open(server);
    const first = chat.send('first');
    await expect(chat.send('second')).rejects.toMatchObject({ code: 'BUSY' });
    expect(() => chat.newSession()).toThrow(/A reply is in progress/);
    release();
    await expect(first).resolves.toMatchObject({ text: 'one two' });
    expect(events.filter(({ type }) => type === 'complete')).toHaveLength(1);
    await expect(chat.send('  ')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('that is cancelled keeps what was said, marked', async () => {
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

  it('that is cancelled before a word leaves only the question', async () => {
    const server = await ModelServer.start();
    server.script([{ until: new Promise(() => undefined) }]);
    const chatting = open(server);
    const asking = chatting.chat.send('Anyone?');
    await expect.poll(() => server.requests.length).toBe(1);
    chatting.chat.cancel();
    expect(await asking).toMatchObject({ text: '', cancelled: true });
    expect(historyOf(chatting)).toEqual([['user', 'Anyone?']]);
  });

  it('that breaks off leaves the question and no reply, and the next one works', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'Half' }, { waitMs: 10 }, { breakOff: true }], say('Whole.'));
    const chatting = open(server);
    const { chat, events } = chatting;
    await expect(chat.send('one')).rejects.toMatchObject({ code: 'MODEL' });
    expect(events.filter(({ type }) => type === 'complete' || type === 'failed')).toHaveLength(1);
    expect(historyOf(chatting)).toEqual([['user', 'one']]);
    await expect(chat.send('two')).resolves.toMatchObject({ text: 'Whole.' });
  });

  it('writes nothing of the session when recording is off, and still remembers it', async () => {
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
  it('are read anew for each question, and told of when they are gone', async () => {
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

  it('that leave the project are refused', async () => {
    const { chat } = open(await ModelServer.start());
    expect(() => chat.addFile('../../etc/passwd')).toThrow();
    expect(() => chat.addFile('missing.txt')).toThrow(/missing\.txt/);
    expect(chat.dropFile('missing.txt')).toBe(false);
  });

  it('that are dropped are not sent again', async () => {
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
  it('goes on with the last chat, not with sessions of other agents', async () => {
    const server = await ModelServer.start();
    const place = newPlace();
    const first = open(server, place);
    await first.chat.send('remember me');
    first.project.history.append({ role: 'user', content: 'newer', sessionId: 'other', agent: 'codex' });
    const second = open(server, place);
    expect(second.chat.restoreLast()).toMatchObject({ sessionId: first.chat.state().sessionId });
    expect(second.chat.state().messages.map(({ content }) => content)).toEqual(['remember me', 'Hello.']);
    await second.chat.send('and now?');
    expect(sentTexts(server)).toContain('remember me');
    expect(historyOf(second)).toHaveLength(4);
  });

  it('after a crash in the middle of a reply has the question and no reply', async () => {
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

  it('without any chat starts empty', async () => {
    const { chat } = open(await ModelServer.start());
    expect(chat.restoreLast()).toBeUndefined();
    expect(chat.state()).toMatchObject({ sessionId: undefined, messages: [] });
  });

  it('an unknown session is an error and changes nothing', async () => {
    const { chat } = open(await ModelServer.start());
    await chat.send('stay');
    const before = chat.state();
    expect(() => chat.loadSession('sess_none')).toThrow(/no session/);
    expect(chat.state()).toEqual(before);
  });

  it('a new session begins with the next message', async () => {
    const { chat } = open(await ModelServer.start());
    await chat.send('one');
    const { sessionId } = chat.state();
    chat.newSession();
    expect(chat.state()).toMatchObject({ sessionId: undefined, messages: [] });
    await chat.send('two');
    expect(chat.state().sessionId).not.toBe(sessionId);
  });
});

describe('commands', () => {
  it('are recorded, warned about the next time, and told to the model', async () => {
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
  it('looks through the history, and through the messages at hand where that is not kept', async () => {
    const server = await ModelServer.start();
    server.script(say('The frobnicator is broken.'));
    const kept = open(server);
    await kept.chat.send('What is broken?');
    expect(kept.chat.search('frobnicator')).toMatchObject({ source: 'history' });
    const unkept = open(server, newPlace({ 'recording.enabled': 'false' }));
    await unkept.chat.send('What is broken?');
    expect(unkept.chat.search('FROBNICATOR')).toEqual({
      source: 'context',
      turns: [{ role: 'assistant', content: 'The frobnicator is broken.' }],
    });
    expect(unkept.chat.search(' ')).toEqual({ source: 'context', turns: [] });
  });
});
