import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHAT_AGENT, ChatService, MemoryResponder } from '../../src/chat/index.ts';
import { suggestedCommands } from '../../src/context/turns/suggested-commands.ts';
import { AUTHENTICATION, REDIS, RELAY, startOf } from '../cli/built/agent.ts';
import { CACHE_REPLY, FAILED, memoryOf, withReply } from './remembering.ts';

const RESULTS = /^(?:Nothing mentions .*\. )?Search results, the most likely first:\n\n- /;

describe('a question about past work', () => {
  it('lists days and sessions, latest first, with failures and what worked instead', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('What have we worked on?');
    expect(text).toContain('“Add Redis caching” (session redis-1, claude-code)');
    expect(text).toContain('“Add authentication”, which worked (session auth-1, claude-code)');
    expect(text.indexOf('redis-1')).toBeLessThan(text.indexOf('auth-1'));
    expect(text).toContain('changed: `src/cache/redis.ts`');
    expect(text).toContain(
      'failed: `npm install redis-node` (Package not found: redis-node); `bun add ioredis` worked instead',
    );
  });

  it.each(['what did the agent do', 'what happened', 'which files did claude change', 'what have we worked on'])(
    'is limited to the day that is named: "%s on …"',
    async (question) => {
      const memory = memoryOf([AUTHENTICATION, REDIS], () => Date.parse('2030-01-10T12:00:00Z'));
      expect(await memory.ask(`${question} on January 5?`)).toMatch(/^Nothing is recorded for that time\./);
      const day = new Date(startOf(REDIS));
      const text = await memory.ask(`${question} on ${day.toLocaleDateString('en', { dateStyle: 'long' })}?`);
      expect(text).toContain('redis-1');
      expect(text).not.toContain('auth-1');
    },
  );

  it('ignores the question itself and earlier questions to the memory', async () => {
    const memory = memoryOf([REDIS]);
    for (const [sessionId, content] of [
      ['chat-1', 'what failed?'],
      ['asking', 'what have we worked on?'],
    ] as const) {
      memory.project.history.append({ sessionId, role: 'user', content, agent: CHAT_AGENT });
    }
    const text = await memory.ask('what have we worked on?');
    expect(text).toContain('redis-1');
    expect(text).not.toContain('chat-1');
    expect(text).not.toContain('asking');
  });
});

describe('a question about the latest session', () => {
  it.each([
    'what did I do last?',
    'What was the last session about?',
    'where did we leave off?',
    'latest session',
    'what were we working on?',
  ])('is answered with what it was and what became of it: "%s"', async (question) => {
    const memory = withReply(memoryOf([AUTHENTICATION, REDIS]), 'redis-1', CACHE_REPLY);
    const text = await memory.ask(question);
    expect(text).toMatch(/^The latest session, “Add Redis caching” \(\d{4}-\d\d-\d\d, session redis-1, claude-code/);
    expect(text).toContain('“Add Redis caching”');
    expect(text).toContain('- changed: `src/cache/redis.ts`');
    expect(text).toContain('`bun add ioredis` worked instead');
    expect(text).not.toContain('auth-1');
  });

  it('is no question about a subject', async () => {
    expect(await memoryOf([REDIS]).ask('what did we do about the redis package?')).toMatch(RESULTS);
  });
});

describe('a question about what was used', () => {
  const priced = () => {
    const memory = memoryOf([REDIS]);
    const usage = { inputTokens: 1_000_000, outputTokens: 500 };
    const reply = {
      role: 'assistant',
      content: 'Done.',
      agent: 'claude-code',
      model: 'claude-sonnet-4-5',
      usage,
    } as const;
    memory.project.history.append({ sessionId: 'redis-1', ...reply });
    return memory;
  };

  it.each([
    'what did it cost?',
    'how much did we spend this month?',
    'How many tokens did we use so far?',
    'what did the last session cost?',
    'how much did this month cost?',
    'costs',
  ])('is answered as `yore usage` does: "%s"', async (question) => {
    const memory = priced();
    const { total } = memory.home.usage({});
    expect(await memory.ask(question)).toMatch(
      new RegExp(`: 1,000,500 tokens, about \\$${total.cost?.toFixed(2)} by list prices of `),
    );
  });

  it('says when nothing was reported', async () => {
    expect(await priced().ask('what did it cost in January 2019?')).toMatch(/^No agent reported what it used/);
    expect(await memoryOf([REDIS]).ask('what did it cost?')).toMatch(/^No agent reported what it used/);
  });
});

describe('a question about one failure', () => {
  it.each([
    'why did `npm install redis-node` fail?',
    'Why did npm install redis-node fail last time?',
    'why does npm install keep failing?',
  ])('is answered with when and why it failed, and what worked instead: "%s"', async (question) => {
    expect(await memoryOf([REDIS]).ask(question)).toMatch(FAILED);
  });

  it('is searched for when it names no call', async () => {
    expect(await memoryOf([REDIS]).ask('why did the release fail?')).not.toMatch(/ failed on /);
  });
});

describe('a question about failures', () => {
  it.each(['what failed?', 'What fails most often?', 'which commands keep failing here?', 'list all failures'])(
    'lists active warnings, then past failures, as `yore failures` does: "%s"',
    async (question) => {
      const again = { ...AUTHENTICATION, sessionId: 'auth-2', daysAgo: 80, done: AUTHENTICATION.done.slice(1, 2) };
      const memory = memoryOf([{ ...AUTHENTICATION, daysAgo: 90 }, again, REDIS]);
      const text = await memory.ask(question);
      expect(text).toMatch(/^Active warnings:\n\n- `npm install redis-node` failed/);
      expect(text).toMatch(FAILED);
      expect(text).toMatch(
        /Past failures:\n\n- `authgen init` failed 2 times, last on .* \(session auth-2\): .*command not found/,
      );
      expect(text).toMatch(/\n5 failures of 4 different calls in all: `yore failures`\.$/);
      expect(suggestedCommands(text)).toEqual([]);
    },
  );

  it('is limited to the time that is named', async () => {
    const memory = memoryOf([{ ...AUTHENTICATION, daysAgo: 20 }, REDIS]);
    const text = await memory.ask('what failed in the last 5 days?');
    expect(text).toMatch(FAILED);
    expect(text).not.toContain('auth:setup');
    for (const question of ['what failed on Feb 10, 2019?', 'list all failures from January 2019'])
      expect(await memory.ask(question)).toMatch(/^No such failures are recorded\./);
  });
});

describe("a question about a command of the project's", () => {
  it.each(['what is the build command?', 'how do I build this?', 'run the build please'])(
    'is answered with the command, its evidence, and an offer to run it: "%s"',
    async (question) => {
      const memory = memoryOf([REDIS]);
      const manifest = { name: 'my-app', scripts: { build: 'vite build', test: 'vitest run' } };
      writeFileSync(join(memory.folder, 'package.json'), JSON.stringify(manifest));
      const text = await memory.ask(question);
      expect(text).toMatch(/^- `npm run build`: in `package\.json`\n/);
      expect(suggestedCommands(text)).toEqual(['npm run build']);
    },
  );

  it('says how often it worked', async () => {
    const run = { ...REDIS, done: Array.from({ length: 3 }, () => ({ command: 'npm test', output: 'ok' })) };
    const memory = memoryOf([run]);
    writeFileSync(join(memory.folder, 'package.json'), JSON.stringify({ scripts: { test: 'vitest run' } }));
    expect(await memory.ask('how do I run the tests?')).toContain('worked 3 times, last on');
  });

  it('is not answered with a guess', async () => {
    const text = await memoryOf([AUTHENTICATION]).ask('what is the lint command?');
    expect(text).toMatch(/^Nothing /);
    expect(suggestedCommands(text)).toEqual([]);
  });
});

describe('a question about a file', () => {
  it.each([
    'who changed src/cache/redis.ts and why?',
    'src/cache/redis.ts',
    'when did we last edit src/cache/redis.ts',
  ])('says who changed it, when and for which request: "%s"', async (question) => {
    expect(await memoryOf([AUTHENTICATION, REDIS]).ask(question)).toMatch(
      /^`src\/cache\/redis.ts` was changed by:\n\n- claude-code for “Add Redis caching” \(\d{4}-\d{2}-\d{2}, session redis-1\)\n/,
    );
  });

  it('that is not known is searched for', async () => {
    expect(await memoryOf([AUTHENTICATION, REDIS]).ask('who changed redis.ts?')).toMatch(RESULTS);
  });
});

describe('a command', () => {
  it('that failed before is answered with when, why, and the command that worked instead', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('npm install redis-node');
    expect(text).toMatch(/^- This failed on \d{4}-\d\d-\d\d: `npm install redis-node`\n- Reason: "Package not found/);
    expect(text).toContain('Evidence: session redis-1');
    expect(suggestedCommands(text)).toEqual(['bun add ioredis']);
  });

  it('that is not known is not suggested', async () => {
    expect(suggestedCommands(await memoryOf([REDIS]).ask('npm install left-pad'))).toEqual([]);
  });
});

describe('the project', () => {
  it.each(['what is this project?', 'what do you remember?', 'What do you know about this project?'])(
    'is described by what is known about it: "%s"',
    async (question) => {
      const memory = memoryOf([AUTHENTICATION, REDIS]);
      memory.project.memory.remember('All money is in cents');
      const text = await memory.ask(question);
      expect(text).toContain('- All money is in cents (noted on');
      expect(text).toMatch(/- `npm install redis-node` \(\d{4}-\d\d-\d\d\): .*; `bun add ioredis` worked instead/);
    },
  );

  it.each([
    ['what is this project?'],
    ['what have we worked on?'],
    ['what failed?'],
    ['how do I run the tests?'],
    ['did we ever use redis?'],
  ])('without a history answers "%s" with how to get one', async (question) => {
    const memory = memoryOf();
    memory.project.history.append({ sessionId: 'asking', role: 'user', content: question, agent: CHAT_AGENT });
    const text = await memory.ask(question);
    expect(text).toMatch(/^Nothing is recorded for my-app yet\./);
    expect(text).toContain('yore import');
  });
});

describe('any other message', () => {
  it.each([['did we ever use redis?'], ['which package did we use for caching?'], ['tell me about the redis cache']])(
    '"%s" is answered with search results, said to be that, each with its date and session',
    async (question) => {
      const text = await withReply(memoryOf([AUTHENTICATION, REDIS]), 'redis-1', CACHE_REPLY).ask(question);
      expect(text).toMatch(RESULTS);
      expect(text).toMatch(
        /- “Add Redis caching” \(\d{4}-\d\d-\d\d, session redis-1\)\n {2}- claude-code said on \d{4}-\d\d-\d\d: “Redis caching is in\. .*”/,
      );
      expect(text).toContain('`yore show SESSION`');
    },
  );

  it('says what a call did and how it ended', async () => {
    expect(await memoryOf([AUTHENTICATION, REDIS]).ask('Why did redis-node fail?')).toMatch(
      /session redis-1\)\n {2}- ran npm install redis-node, which failed on .*: “Package not found: redis-node/,
    );
  });

  it('says which of its words nothing mentions', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('did we ever use ioredis with kestrel?');
    expect(text).toMatch(/^Nothing mentions "kestrel"\. Search results/);
    expect(text).toContain('bun add ioredis');
  });

  it("finds the user's notes", async () => {
    const memory = memoryOf();
    memory.project.memory.remember('Deployments go through the staging cluster first');
    expect(await memory.ask('what about deployments to staging?')).toMatch(
      /- “Deployments go through the staging cluster first” \(\d{4}-\d\d-\d\d, a note\)/,
    );
  });

  it('is not answered with itself, earlier questions, or earlier answers of the memory', async () => {
    const memory = memoryOf([REDIS]);
    const chat = { agent: CHAT_AGENT, sessionId: 'chat-1' };
    const { history } = memory.project;
    history.append({ ...chat, role: 'user', content: 'Is there a kafka broker in this setup?' });
    history.append({ ...chat, role: 'assistant', content: 'Nothing is known about kafka.', systemEvent: true });
    history.append({ role: 'user', content: 'where is the kafka broker', sessionId: 'asking', agent: CHAT_AGENT });
    expect(await memory.ask('where is the kafka broker?')).toMatch(
      /^Nothing in this project’s history is a good match/,
    );
  });

  it('about something unknown says so, and what to do', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('Who won the world cup in 1990?');
    expect(text).toMatch(/^Nothing in this project’s history is a good match\./);
    expect(text).toContain('yore search');
  });

  it('without a subject says that it needs one', async () => {
    const memory = memoryOf([REDIS]);
    for (const message of ['and why?', 'tell me more', 'perfect, thanks'])
      expect(await memory.ask(message)).toMatch(/^Each message is answered by itself\./);
  });

  it('that is a greeting is answered with what can be asked', async () => {
    const text = await memoryOf().ask('Hello!');
    expect(text).toContain('No model is set, so replies come from the history of my-app.');
    expect(text).toContain('what failed?');
    expect(text).toContain('model.provider');
  });

  it('with a secret is answered without repeating it', async () => {
    const secret = ['topsecret', '42'].join('');
    const text = await memoryOf([REDIS]).ask(`why did installing redis-node fail with DB_PASSWORD=${secret} here?`);
    expect(text).toMatch(RESULTS);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('redacted');
  });

  it('gets an answer, whatever it is', async () => {
    const memory = memoryOf([REDIS]);
    for (const question of ['?', '`', '"', '* * *', '\u0000\u001b[31m', 'x'.repeat(100_000), 'a '.repeat(20_000)]) {
      expect(await memory.ask(question)).not.toBe('');
    }
  });
});

describe('the memory responder', () => {
  it('streams, completes once, and is not used as evidence later', async () => {
    const { home, project, folder } = memoryOf([REDIS]);
    const responder = new MemoryResponder({ home, project, now: Date.now });
    const chat = new ChatService({ home, project, root: folder, responder });
    const types: string[] = [];
    chat.on(({ type }) => types.push(type));
    const first = await chat.send('did we ever use redis?');
    expect(types.filter((type) => type === 'chunk').length).toBeGreaterThan(2);
    expect(types.filter((type) => type === 'complete')).toHaveLength(1);
    expect(first.message).toMatchObject({ model: 'memory', systemEvent: true, agent: CHAT_AGENT });
    chat.newSession();
    const again = await chat.send('did we ever use redis?');
    expect(again.text).toBe(first.text);
    await chat.close();
  });

  it('stops when it is cancelled', async () => {
    const { home, project, folder } = memoryOf([REDIS]);
    const responder = new MemoryResponder({ home, project, now: Date.now });
    const chat = new ChatService({ home, project, root: folder, responder });
    chat.on(({ type }) => type === 'chunk' && chat.cancel());
    const reply = await chat.send('what have we worked on?');
    expect(reply.cancelled).toBe(true);
    expect(reply.text.length).toBeLessThan(100);
    await chat.close();
  });
});

describe('a question about what was decided', () => {
  it.each(['what did we decide about the port of the relay?', 'Why do we use port 9000 for the relay?'])(
    'is answered with what holds, its session and what it replaced: "%s"',
    async (question) => {
      const text = await memoryOf([...RELAY, REDIS]).ask(question);
      expect(text).toMatch(
        /^Decided and corrected:\n\n- Which port does the relay use\? 9000 \([\d-]+, session relay-2; was /,
      );
      expect(text).not.toContain('traces');
    },
  );

  it('lists all of it without a subject', async () => {
    const text = await memoryOf([...RELAY, REDIS]).ask('what have we decided?');
    expect(text).toContain('traces of the gateway');
    expect(text).toContain('`yore decisions`');
    expect(await memoryOf([REDIS]).ask('decisions')).toContain('`yore remember TEXT`');
  });

  it('is searched for when nothing was decided about it', async () => {
    expect(await memoryOf([...RELAY, REDIS]).ask('why did we add redis caching?')).toMatch(RESULTS);
  });
});
