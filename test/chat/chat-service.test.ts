import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ChatEvent,
  ChatService,
  Ledger,
  ModelResponder,
  type ModelSettings,
  STOPPED_MARK,
  topicModel,
} from '../../src/chat/index.ts';
import { setSetting } from '../../src/config/index.ts';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ModelServer, type ServerStep } from './model-server.ts';

interface Chatting {
  readonly chat: ChatService;
  readonly home: Home;
  readonly project: Project;
  readonly root: string;
  readonly events: ChatEvent[];
}

interface Place {
  readonly homeFolder: string;
  readonly root: string;
}

function newPlace(settings: Readonly<Record<string, string>> = {}): Place {
  const homeFolder = join(temporaryFolder(), 'home');
  const root = temporaryFolder();
  mkdirSync(homeFolder, { mode: 0o700 });
  for (const [key, value] of Object.entries(settings)) {
    setSetting(join(homeFolder, 'config.json'), key, value, 'home');
  }
  return { homeFolder, root };
}

/** Opens a chat as `yore chat` does, over a server that speaks OpenAI's interface. */
function open(
  server: ModelServer,
  place: Place = newPlace(),
  provider: ModelSettings['provider'] = 'openai-compatible',
): Chatting {
  const home = openHome({ home: place.homeFolder });
  const project = home.openProject(place.root);
  const settings: ModelSettings = { provider, name: 'test-model', smallName: 'small', baseUrl: server.url };
  const surroundings = {
    env: { ANTHROPIC_API_KEY: 'k' },
    ledger: new Ledger(home.path),
    project: project.info.projectHash,
    patience: { firstWaitMs: 5, longestWaitMs: 10 },
  };
  const chat = new ChatService({
    home,
    project,
    root: place.root,
    responder: new ModelResponder(settings, surroundings),
    detector: topicModel(settings, surroundings),
    env: { PATH: process.env.PATH },
    compactionDelayMs: 5,
  });
  const events: ChatEvent[] = [];
  chat.on((event) => events.push(event));
  onTestFinished(async () => {
    await chat.close();
    home.close();
  });
  return { chat, home, project, root: place.root, events };
}

function say(...words: readonly string[]): readonly ServerStep[] {
  return words.map((word) => ({ say: word }));
}

function typesOf(events: readonly ChatEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

function historyOf({ chat, project }: Chatting): readonly (readonly [string, string])[] {
  const { sessionId } = chat.state();
  return project.history.getSessionMessages(sessionId ?? '').map(({ role, content }) => [role, content]);
}

/** The user's messages as the last request held them. */
function sentTexts(server: ModelServer): readonly string[] {
  return (
    server.requests.at(-1)?.body.messages.map(({ content }: { content: unknown }) => String(content)) ?? []
  );
}

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
    expect(() => chat.newSession()).toThrow(/A reply is being made/);
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

/** Text of about a thousand tokens. */
function long(topic: string): string {
  return Array.from({ length: 130 }, (_, index) => `${topic} detail ${index} of the work`).join('. ');
}

const SMALL = {
  'compaction.triggerTokens': '3200',
  'compaction.verbatimWindowTokens': '400',
  'compaction.minVerbatimExchanges': '1',
};

async function untilCompacted({
  events,
}: Chatting): Promise<Extract<ChatEvent, { type: 'compaction-complete' }>> {
  const found = (): ChatEvent | undefined => events.find(({ type }) => type === 'compaction-complete');
  await expect.poll(found, { timeout: 5000 }).toBeDefined();
  return found() as Extract<ChatEvent, { type: 'compaction-complete' }>;
}

describe('a history that grew too long', () => {
  it('is shortened after the reply, with the boundary the small model found', async () => {
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

  it('is summarised when the small model is broken, and stays so after a restart', async () => {
    const server = await ModelServer.start();
    const place = newPlace(SMALL);
    server.scriptOf('small', [{ status: 500, message: 'down' }]);
    server.script(say(long('login')));
    const chatting = open(server, place);
    for (const text of ['Fix src/login.ts', 'CMD: bun test login', 'Once more'])
      await chatting.chat.send(text);
    const done = await untilCompacted(chatting);
    expect(done.case).toBe('summarise');
    expect(done.turns[0]?.content).toMatch(/^\[History Summary - \d+ earlier messages\]/);
    const again = open(server, place);
    again.chat.restoreLast();
    expect(again.chat.state().messages).toEqual(chatting.chat.state().messages);
  });

  it('is shortened and sent once more when the model finds the prompt too long', async () => {
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

  it('fails with OVERFLOW when shortening does not help', async () => {
    const server = await ModelServer.start();
    server.script([{ status: 400, message: 'maximum context length is 100 tokens' }]);
    const { chat, events } = open(server);
    await expect(chat.send('first')).rejects.toMatchObject({ code: 'OVERFLOW' });
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(1);
  });

  it('can be shortened on request, and not when there is nothing to shorten', async () => {
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
  it('of Anthropic carries cache markers once there is enough to cache', async () => {
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

  it('tells what is known of the project, and says it of a question once', async () => {
    const server = await ModelServer.start();
    const { chat, project } = open(server);
    project.memory.remember('Run bun test before every commit');
    project.memory.synthesise();
    chat.newSession();
    await chat.send('hello');
    expect(JSON.stringify(server.requests.at(-1)?.body.messages[0])).toContain(
      'bun test before every commit',
    );
  });

  it('can be replaced by the settings', async () => {
    const server = await ModelServer.start();
    const { chat } = open(server, newPlace({ 'chat.systemPrompt': 'Answer in rhymes.' }));
    await chat.send('hello');
    expect(JSON.stringify(server.requests[0]?.body.messages[0])).toContain('Answer in rhymes.');
  });

  it('has the pictures of this question only, and the history keeps them', async () => {
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
