import { describe, expect, it } from 'vitest';
import { CHAT_AGENT } from '../../src/chat/index.ts';
import { AUTHENTICATION, REDIS } from '../cli/built/agent.ts';
import { CACHE_REPLY, FAILED, memoryOf, withReply } from './remembering.ts';

describe('a question about a topic', () => {
  it.each([['did we ever use redis?'], ['which package did we use for caching?']])(
    '"%s" is answered with what was done, how, and where that is written',
    async (question) => {
      const text = await withReply(memoryOf([AUTHENTICATION, REDIS]), 'redis-1', CACHE_REPLY).ask(question);
      expect(text).toMatch(/^- (?:Done before|May be related) \(.*session redis-1\): "Add Redis caching"/);
      expect(text).toContain('installed with `bun add ioredis`');
      expect(text).toContain('`yore show redis-1` shows the whole session.');
      expect(text).not.toContain('auth');
    },
  );

  it('is answered without duplicates', async () => {
    const text = await withReply(memoryOf([REDIS]), 'redis-1', CACHE_REPLY).ask('did we ever use redis?');
    expect(text.match(/npm install redis-node/g)).toHaveLength(1);
    expect(text.match(/The package redis-node does not exist/g)).toHaveLength(1);
    expect(text.match(/src\/cache\/redis\.ts opens/g)).toHaveLength(1);
  });

  it('about a decision starts with what was decided', async () => {
    const memory = memoryOf([AUTHENTICATION, REDIS]);
    memory.project.history.append({
      sessionId: 'talk-1',
      role: 'user',
      content: 'Let us be clear about auth.\nWe decided to use short-lived tokens for auth, never cookies.',
      agent: 'claude-code',
    });
    const text = await memory.ask('what did I decide about auth?');
    expect(text.split('\n')[0]).toBe(
      `- you said “We decided to use short-lived tokens for auth, never cookies.” (${new Date().toISOString().slice(0, 10)}, session talk-1)`,
    );
    expect(text).toContain('`authgen init` failed on');
  });

  it("is answered with the user's notes", async () => {
    const memory = memoryOf();
    memory.project.memory.remember('Deployments go through the staging cluster first');
    expect(await memory.ask('what about deployments to staging?')).toMatch(
      /^- Deployments go through the staging cluster first \(noted on \d{4}-\d\d-\d\d\)/,
    );
  });

  it('is not answered with itself, earlier questions, or earlier answers of the memory', async () => {
    const memory = memoryOf([REDIS]);
    const chat = { agent: CHAT_AGENT, sessionId: 'chat-1' };
    const { history } = memory.project;
    history.append({ ...chat, role: 'user', content: 'Is there a kafka broker in this setup?' });
    history.append({
      ...chat,
      role: 'assistant',
      content: 'Nothing is known about kafka.',
      systemEvent: true,
    });
    history.append({
      role: 'user',
      content: 'where is the kafka broker',
      sessionId: 'asking',
      agent: 'yore',
    });
    expect(await memory.ask('where is the kafka broker?')).toMatch(/^Nothing about /);
  });

  it('quotes no JSON, no numbered lines and no whole paragraphs', async () => {
    const memory = withReply(
      memoryOf([REDIS]),
      'redis-1',
      `{"queue": "rabbit"}\n  12→ const queue = rabbit;\n${'Other things. '.repeat(40)}The rabbit queue holds jobs. ${'And more. '.repeat(40)}`,
    );
    const text = await memory.ask('what is the rabbit queue for?');
    expect(text).toContain('claude-code said “The rabbit queue holds jobs. And more.');
    expect(text).not.toMatch(/\{"|→ const/);
    expect(text.length).toBeLessThan(500);
  });

  it('is not answered with what is about its other words only', async () => {
    const memory = memoryOf([AUTHENTICATION, REDIS]);
    for (const question of ['how did we fix the flaky test?', 'why did we fix the kubernetes tests?']) {
      expect(await memory.ask(question)).toMatch(
        /^Nothing about “(?:flaky|kubernetes)” is in this project’s history\./,
      );
    }
  });

  it('says which of its words nothing mentions, and answers with the others', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('did we ever use ioredis with kestrel?');
    expect(text).toMatch(/^Nothing here mentions “kestrel”\. With the other words:\n\n- /);
    expect(text).toContain('`bun add ioredis`');
  });

  it('is answered with what comes closest when nothing is about all of it', async () => {
    const memory = withReply(memoryOf([AUTHENTICATION, REDIS]), 'redis-1', 'The kestrel was slow, so it is gone.');
    withReply(memory, 'auth-1', 'A falcon signs the tokens.');
    expect(await memory.ask('was the kestrel a falcon with authorship and tokens?')).toMatch(
      /^I am not sure\. What comes closest:\n\n- .* \(\d{4}-\d\d-\d\d, `yore show \S+`\)/,
    );
  });

  it('is about its subject, not about how it is asked', async () => {
    const memory = memoryOf([AUTHENTICATION, REDIS]);
    for (const question of ['when did we last touch ioredis?', 'has anyone written ioredis code?'])
      expect(await memory.ask(question)).toContain('`bun add ioredis`');
    expect(await memory.ask('what broke the install of redis-node?')).toMatch(FAILED);
  });

  it('without a subject says that it needs one', async () => {
    const memory = memoryOf([REDIS]);
    for (const question of ['and why?', 'tell me more'])
      expect(await memory.ask(question)).toMatch(/^I answer each question by itself\./);
  });

  it('about something unknown says so, and what to do', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('Who won the world cup in 1990?');
    expect(text).toMatch(/^Nothing about “world”, “cup”, “1990” is in this project’s history\./);
    expect(text).toContain('yore search');
    expect(text).toContain('model.provider');
  });

  it('gets an answer, whatever it is', async () => {
    const memory = memoryOf([REDIS]);
    for (const question of ['?', '`', '"', '* * *', '\u0000\u001b[31m', 'x'.repeat(100_000), 'a '.repeat(20_000)]) {
      expect(await memory.ask(question)).not.toBe('');
    }
  });
});
