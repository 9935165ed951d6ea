import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHAT_AGENT, ChatService, MemoryResponder } from '../../src/chat/index.ts';
import { suggestedCommands } from '../../src/context/turns/suggested-commands.ts';
import { AUTHENTICATION, REDIS } from '../cli/built/agent.ts';
import { FAILED, memoryOf } from './remembering.ts';

describe('a question with a secret', () => {
  it('is answered without repeating it', async () => {
    const secret = ['topsecret', '42'].join('');
    const text = await memoryOf([REDIS]).ask(`why does kafka reject DB_PASSWORD=${secret} here?`);
    expect(text).toMatch(/^Nothing about /);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('redacted');
  });
});

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

  it('for a time without work says so and shows the most recent work', async () => {
    const text = await memoryOf([REDIS]).ask('what have we worked on today?');
    expect(text).toMatch(/^Nothing is recorded for that time\./);
    expect(text).toContain('Add Redis caching');
  });

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

describe('counts in answers', () => {
  it('about the files of a time is answered with the recap of that time', async () => {
    const text = await memoryOf([REDIS]).ask('which files did claude change on February 10, 2019?');
    expect(text).toMatch(/^Nothing is recorded for that time\. The most recent work:/);
    expect(text).toContain('changed: `src/cache/redis.ts`');
  });

  it('of further sessions count one of several days once', async () => {
    const days = [3, 2, 1].flatMap((daysAgo) =>
      Array.from({ length: 4 }, (_, index) => ({
        ...REDIS,
        sessionId: `s${index}`,
        daysAgo,
        request: `Add Redis caching, part ${4 - daysAgo}`,
      })),
    );
    const text = await memoryOf([...days, { ...REDIS, sessionId: 'last', daysAgo: 9 }]).ask('What have we worked on?');
    expect(text).toMatch(/\n1 more session: `yore recap`\.$/);
  });

  it('of runs that worked are those of the best practices', async () => {
    const run = { ...REDIS, done: Array.from({ length: 3 }, () => ({ command: 'mise run test', output: 'ok' })) };
    const sessions = [5, 4, 3, 2].map((daysAgo) => ({ ...run, sessionId: `s${daysAgo}`, daysAgo }));
    const { ask, project } = memoryOf(sessions);
    const [practice] = project.memory.synthesise().knowledge.bestPractices;
    expect(practice).toMatchObject({ pattern: 'mise run test', evidence: expect.stringContaining('worked 12 times') });
    expect(await ask('how do I run the tests?')).toContain('worked 12 times, last on');
  });
});

describe('a question about failures', () => {
  it.each([
    'which commands keep failing here?',
    'What fails most often?',
    'which command failed repeatedly',
    'recurring errors?',
  ])('lists what failed most often, however old: "%s"', async (question) => {
    const again = { ...AUTHENTICATION, sessionId: 'auth-2', daysAgo: 80, done: AUTHENTICATION.done.slice(1, 2) };
    const text = await memoryOf([{ ...AUTHENTICATION, daysAgo: 90 }, again, { ...REDIS, daysAgo: 60 }]).ask(question);
    expect(text).toMatch(/- `authgen init` failed 2 times from .* last in session auth-2: .*command not found/);
    expect(text.indexOf('authgen init')).toBeLessThan(text.indexOf('npm install redis-node'));
    expect(text).toContain('`bun add ioredis` worked instead.');
    expect(text).toMatch(/5 failures of 4 different calls in all: `yore failures`\.$/);
  });

  it('gives date, session, reason and what worked instead', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('what failed?');
    expect(text).toMatch(FAILED);
    expect(text).toContain('`npm run auth:setup`');
    expect(suggestedCommands(text)).toEqual([]);
  });

  it('is limited to the time that is named', async () => {
    const memory = memoryOf([{ ...AUTHENTICATION, daysAgo: 20 }, REDIS]);
    const text = await memory.ask('what failed in the last 5 days?');
    expect(text).toContain('redis-node');
    expect(text).not.toContain('auth:setup');
    expect(await memory.ask('what failed today?')).toContain('No failures are recorded for that time.');
  });

  it('is limited to the dates that are named', async () => {
    const memory = memoryOf([REDIS]);
    expect(await memory.ask('list all failures from January 2019')).toMatch(
      /^No failures are recorded for that time\./,
    );
  });

  it('lists failures that worked later after open ones', async () => {
    const text = await memoryOf([
      REDIS,
      {
        sessionId: 'build-1',
        daysAgo: 0,
        request: 'Make the build pass',
        done: [
          { command: 'npm run build', error: 'src/a.ts(1,1): error TS2304: Cannot find name x.' },
          { writes: 'src/a.ts' },
          { command: 'npm run build', output: 'built' },
        ],
      },
    ]).ask('what failed?');
    expect(text.indexOf('redis-node')).toBeLessThan(text.indexOf('Failed, but worked later:'));
    expect(text.indexOf('npm run build')).toBeGreaterThan(text.indexOf('Failed, but worked later:'));
  });

  it('leaves out dismissed failures', async () => {
    const memory = memoryOf([REDIS]);
    const [failure] = memory.project.memory.failures();
    memory.project.memory.choose('dismiss', failure?.id ?? '');
    expect(await memory.ask('what failed?')).not.toContain('npm install redis-node');
  });

  it('explains why something failed, and nothing else', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('Why did redis-node fail?');
    expect(text).toContain('Package not found: redis-node');
    expect(text).not.toContain('auth');
  });

  it('understands "it" as the last failure', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('why did it fail?');
    expect(text).toContain('npm install redis-node');
    expect(text.split('\n')).toHaveLength(1);
  });
});

describe('a question about a command', () => {
  it('is answered with what worked here before, as a suggestion', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('How do I run the tests?');
    expect(text).toMatch(/^- `bun test`: worked on \d{4}-\d\d-\d\d \(session redis-1\)$/m);
    expect(text).toContain('`npm test`');
    expect(suggestedCommands(text)).toEqual(['bun test']);
  });

  it("prefers what the project's files declare", async () => {
    const memory = memoryOf([REDIS]);
    const manifest = { name: 'my-app', scripts: { build: 'vite build', test: 'vitest run' } };
    writeFileSync(join(memory.folder, 'package.json'), JSON.stringify(manifest));
    expect(suggestedCommands(await memory.ask('what is the build command?'))).toEqual(['npm run build']);
    expect(await memory.ask('how to build this?')).toContain('package.json');
  });

  it('may be phrased as an order', async () => {
    expect(suggestedCommands(await memoryOf([REDIS]).ask('run the tests please'))).toEqual(['bun test']);
  });

  it('is not answered with a guess', async () => {
    const text = await memoryOf([REDIS]).ask('how do I deploy?');
    expect(text).toMatch(/^Nothing about “deploy” is in this project’s history\./);
    expect(suggestedCommands(text)).toEqual([]);
  });
});

describe('a question about a file, a day or a repair', () => {
  it('says who changed a file, when and why', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('who changed src/cache/redis.ts and why?');
    expect(text).toMatch(
      /^`src\/cache\/redis.ts` was changed in:\n\n- .* for “Add Redis caching” \(\d{4}-\d{2}-\d{2}, session redis-1\)/,
    );
    expect(text).toContain('`yore show redis-1`');
  });

  it('says what was done on a day', async () => {
    const memory = memoryOf([AUTHENTICATION, REDIS]);
    expect(await memory.ask('what did the agent do today?')).not.toContain('Nothing about');
    expect(await memory.ask('what did the agent do on February 30?')).toContain('Nothing about');
  });

  it('takes how something was fixed as a question about the past, not about a command', async () => {
    const text = await memoryOf([AUTHENTICATION, REDIS]).ask('how did we fix the flaky test?');
    expect(suggestedCommands(text)).toEqual([]);
  });
});

describe('an order', () => {
  it.each([['install redis-node'], ['npm install redis-node'], ['please run npm install redis-node']])(
    '"%s" that failed before is answered with when, why, and the command that worked instead',
    async (order) => {
      const text = await memoryOf([AUTHENTICATION, REDIS]).ask(order);
      expect(text.split('\n')[0]).toMatch(FAILED);
      expect(suggestedCommands(text)).toEqual(['bun add ioredis']);
    },
  );

  it('about something unknown suggests nothing', async () => {
    expect(suggestedCommands(await memoryOf([REDIS]).ask('install left-pad'))).toEqual([]);
  });
});

describe('the project', () => {
  it('is described by what is known about it', async () => {
    const memory = memoryOf([AUTHENTICATION, REDIS]);
    memory.project.memory.remember('All money is in cents');
    const text = await memory.ask('what is this project?');
    expect(text).toMatch(/^my-app: 2 sessions, the last on \d{4}-\d\d-\d\d about “Add Redis caching”\./);
    expect(text).toContain('All money is in cents (noted on');
    expect(text).toContain('`npm install redis-node`');
  });

  it.each([
    ['what is this project?'],
    ['what have we worked on?'],
    ['what failed?'],
    ['how do I run the tests?'],
    ['did we ever use redis?'],
  ])('without a history answers "%s" with how to get one', async (question) => {
    const memory = memoryOf();
    memory.project.history.append({
      sessionId: 'asking',
      role: 'user',
      content: question,
      agent: CHAT_AGENT,
    });
    const text = await memory.ask(question);
    expect(text).toMatch(/^Nothing is recorded for my-app yet\./);
    expect(text).toContain('yore import');
  });

  it('answers a greeting with what can be asked', async () => {
    const text = await memoryOf().ask('Hello!');
    expect(text).toContain('I am the memory of my-app. No model is set');
    expect(text).toContain('what failed?');
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
