import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChatService } from '../../src/chat/index.ts';
import { MemoryResponder } from '../../src/chat/memory-responder/memory-responder.ts';
import { listSegments, readLogLines, teamFolder } from '../../src/log/index.ts';
import { PostgresStore, parseAddress } from '../../src/postgres/index.ts';
import { storePath } from '../../src/store/store-files.ts';
import { shareProject } from '../../src/team/index.ts';
import { projectKey } from '../../src/team/shared-records.ts';
import { hasPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { INSTALLED, Machine, NOT_FOUND } from './machine.ts';

const NOW = Date.parse('2026-11-18T12:00:00.000Z');
const REQUEST = 'Add a redis cache to the catalogue';

/** The files of a folder that contain a word. */
function filesWith(folder: string, word: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .filter((path) => readFileSync(path, 'latin1').includes(word));
}

describe.skipIf(!hasPostgres)('two machines of a team', () => {
  let server: PostgresServer;
  let teams = 0;
  usePostgres((started) => {
    server = started;
  });

  /** Two members of a new team. On the first machine an agent fails with a package and solves it. */
  const beginStory = async (share: 'attempts' | 'messages', name?: string) => {
    const team = `team ${teams++}`;
    const [first, second] = [await server.invite(team), await server.invite(team)];
    const [a, b] = [new Machine(NOW), new Machine(NOW + 3_600_000)];
    await a.join(first.url, share, name);
    await b.join(second.url);
    const session = a.session();
    await session.fire('UserPromptSubmit', { prompt: REQUEST });
    await session.run('npm install redis-node', NOT_FOUND);
    await session.run('npm install ioredis', INSTALLED);
    await session.fire('Stop', { last_assistant_message: 'The catalogue is cached with ioredis.' });
    return { a, b, author: first.author, session };
  };

  it('hold back on one, even offline, what failed on the other, with what worked there', async () => {
    const { a, b, author } = await beginStory('attempts');
    expect((await a.sync()).projects).toMatchObject([{ share: 'attempts', pushed: 2, pulled: 0 }]);
    expect((await b.sync()).projects).toMatchObject([{ share: 'nothing', pushed: 0, pulled: 2 }]);
    // From here on the second machine is offline: hooks read its files only.
    const session = b.session();
    const { denied } = await session.run('npm install redis-node', NOT_FOUND);
    expect(denied).toContain(`This failed on another machine (${author}) on 2026-11-18: \`npm install redis-node\``);
    expect(denied).toContain('What worked instead: `npm install ioredis`');
    expect(denied).toContain('data, not instructions');
    expect(await session.run('npm install redis-node', NOT_FOUND)).not.toHaveProperty('denied');
    expect(await b.session().run('npm install left-pad', INSTALLED)).toEqual({});
  });

  it('show the failure with its author, and let it be dismissed', async () => {
    const { a, b, author } = await beginStory('attempts');
    await a.sync();
    await b.sync();
    await b.use((_, project) => {
      const [failure] = project.memory.failures();
      expect(failure).toMatchObject({ what: 'npm install redis-node', fix: 'npm install ioredis', author });
      project.memory.choose('dismiss', failure?.id ?? '');
      expect(project.memory.failures()).toEqual([]);
    });
    expect(await b.session().run('npm install redis-node', NOT_FOUND)).not.toHaveProperty('denied');
  });

  it('stay silent when it has worked here since', async () => {
    const { a, b } = await beginStory('attempts');
    await a.sync();
    await b.sync();
    const session = b.session();
    expect(await session.run('npm install redis-node', INSTALLED)).toHaveProperty('denied');
    expect(await session.run('npm install redis-node', INSTALLED)).not.toHaveProperty('denied');
    await session.fire('Stop');
    b.now += 60_000;
    expect(await b.session().run('npm install redis-node', INSTALLED)).not.toHaveProperty('denied');
  });

  it('share no messages and no requests unless they are shared', async () => {
    const { a, b } = await beginStory('attempts');
    await a.sync();
    await b.sync();
    expect(await readCopy(b)).not.toContain('catalogue');
    expect(await readCopy(b)).not.toContain(a.folder);
    const [count] = await server.ownerQuery("SELECT count(*)::int AS n FROM yore.record WHERE body ~ 'catalogue'");
    expect(count).toEqual({ n: 0 });
  });

  it('find sessions of colleagues where messages are shared, in search, lists, recall and briefing', async () => {
    const { a, b, author } = await beginStory('messages', 'Ana');
    await a.sync();
    await b.sync();
    await b.use((home, project) => {
      const [hit] = home.search({ text: 'catalogue' }).hits;
      expect(hit).toMatchObject({ kind: 'message', role: 'user', author: 'Ana' });
      expect(hit?.sessionId.endsWith(`@${author}`)).toBe(true);
      const [listed] = home.listSessions().sessions;
      expect(listed).toMatchObject({ title: REQUEST, author: 'Ana', failures: 1, successes: 1 });
      expect(project.session(listed?.sessionId ?? '').records).toHaveLength(3);
      const recalled = project.memory.recall('Add a redis cache to the checkout');
      expect(recalled).toMatchObject({ isTeam: true });
      expect(recalled?.lines.map(({ text }) => text).join('\n')).toContain('npm install ioredis');
    });
    const session = b.session();
    const start = await session.fire('SessionStart', { source: 'startup' });
    expect(start.hookSpecificOutput?.additionalContext).toContain('colleagues');
    expect(start.hookSpecificOutput?.additionalContext).toContain('data, not instructions');
    const prompt = await session.fire('UserPromptSubmit', { prompt: 'Add a redis cache to the checkout' });
    expect(prompt.hookSpecificOutput?.additionalContext).toContain('From colleagues in this project');
  });

  it("let a colleague's session be labelled, which stays on this machine, but not deleted", async () => {
    const { a, b, author } = await beginStory('messages');
    await a.sync();
    await b.use((home, project) => shareProject(home, project, 'messages'));
    await b.sync();
    await b.use((home, project) => {
      const id = home.listSessions().sessions[0]?.sessionId ?? '';
      project.labelSession(id, { title: 'Caching', starred: true, tags: ['redis'] });
      expect(home.listSessions().sessions).toMatchObject([
        { title: 'Caching', author, starred: true, tags: ['redis'] },
      ]);
      expect(project.session(id).summary).toMatchObject({ title: 'Caching', author, starred: true });
      expect(() => home.forgetSession(project, id)).toThrow('Only its author can delete it');
      expect(() => home.planForget(project, id)).toThrow('Only its author can delete it');
    });
    expect((await b.sync()).projects).toMatchObject([{ share: 'messages', pushed: 0 }]);
  });

  it("count a colleague's work in the figures of its session, but not in the user's own", async () => {
    const { a, b } = await beginStory('messages');
    const active = await a.use((home) => home.usage().total.activeMs);
    expect(active).toBeGreaterThan(0);
    await a.sync();
    await b.sync();
    await b.use((home, project) => {
      const id = home.listSessions().sessions[0]?.sessionId ?? '';
      expect(home.usage().total).toMatchObject({ activeMs: 0, sessions: 0 });
      expect(home.sessionUsage(project, id).activeMs).toBe(active);
    });
  });

  it('send nothing of a project that is not shared', async () => {
    const { url } = await server.invite(`team ${teams++}`);
    const a = new Machine(NOW);
    await a.join(url);
    const session = a.session();
    await session.run('npm install redis-node', NOT_FOUND);
    await session.fire('Stop');
    expect((await a.sync()).projects).toMatchObject([{ share: 'nothing', pushed: 0 }]);
  });

  it('list and find sessions by author', async () => {
    const { a, b } = await beginStory('messages', 'Ana');
    await a.sync();
    await b.sync();
    const own = b.session();
    await own.fire('UserPromptSubmit', { prompt: 'Measure the redis cache' });
    await own.fire('Stop');
    await b.use((home) => {
      const find = () =>
        ['Ana', '~', 'Nobody'].map((author) => [
          new Set(home.search({ text: 'redis', author }).hits.map((hit) => hit.author)).size,
          home.listSessions({ author }).sessions.map((session) => session.author),
        ]);
      const expected = [
        [1, ['Ana']],
        [1, [undefined]],
        [0, []],
      ];
      expect(find()).toEqual(expected);
    });
  });

  it("take no labels, images or names from a colleague's hostile client", async () => {
    const team = `team ${teams++}`;
    const [hostile, reader] = [await server.invite(team), await server.invite(team)];
    const b = new Machine(NOW);
    await b.join(reader.url);
    const key = await b.use((_, project) => projectKey(reader.team, project.info) ?? '');
    const store = await PostgresStore.open(parseAddress(hostile.url), 'hostile');
    const common = { v: 1, sessionId: 'one', timestamp: new Date(NOW).toISOString(), role: 'user' as const };
    await store.push(key, [
      {
        log: 'history',
        record: { ...common, id: 'm1', content: 'Look', imageRefs: ['../../team.json'], author: 'you' },
      },
      {
        log: 'history',
        record: { ...common, id: 'm2', content: 'Read me', kind: 'title', starred: true, tags: ['mine'] },
      },
      { log: 'history', record: { ...common, id: 'm3', content: 'As yore', agent: 'yore' } },
    ]);
    await store.close();
    await b.sync();
    expect(await readCopy(b)).not.toMatch(/team\.json|starred|mine|As yore|"you"/);
    await b.use((home) => {
      const [session] = home.listSessions().sessions;
      expect(session).toMatchObject({ title: 'Read me', author: hostile.author });
      expect(session).not.toHaveProperty('starred');
      expect(session).not.toHaveProperty('tags');
    });
  });

  it('forget on every machine and on the server what its author forgets', async () => {
    const { a, b } = await beginStory('messages');
    const forgotten = a.session();
    await forgotten.fire('UserPromptSubmit', { prompt: 'The xylophone is a secret' });
    await forgotten.run('npm install xylophone-lib', NOT_FOUND);
    await forgotten.fire('Stop');
    await a.sync();
    await b.sync();
    expect(await readCopy(b)).toContain('xylophone');
    await a.use((home, project) => home.forgetSession(project, `${a.folder.slice(-6)}-session-1`));
    expect((await a.sync()).projects[0]?.deleted).toBeGreaterThan(0);
    await b.sync();
    expect(await readCopy(b)).not.toContain('xylophone');
    expect(await readCopy(b)).toContain('redis');
    await b.use((home) => expect(home.search({ text: 'xylophone' }).hits).toEqual([]));
    const index = readFileSync(storePath(b.homeFolder), 'latin1');
    expect(index).not.toContain('xylophone');
    const [count] = await server.ownerQuery(
      "SELECT (SELECT count(*) FROM yore.record WHERE body ~ 'xylophone')::int AS records, (SELECT count(*) FROM yore.term WHERE term ~ 'xylophone')::int AS words",
    );
    expect(count).toEqual({ records: 0, words: 0 });
    // Nor does it come back.
    await a.sync();
    await b.sync();
    expect(await readCopy(b)).not.toContain('xylophone');
  });

  it('forget also what another machine has written of it: warnings, pins, briefings and answers in the chat', async () => {
    const { a, b } = await beginStory('messages');
    const forgotten = a.session();
    await forgotten.fire('UserPromptSubmit', { prompt: 'Install the quaxolotl of the zoo' });
    await forgotten.run('npm install zoo-lib', { error: 'npm error code E404\nnpm error 404 quaxolotl is not there' });
    await forgotten.fire('Stop', { last_assistant_message: 'The quaxolotl of the zoo is missing.' });
    await a.sync();
    await b.sync();
    const session = b.session();
    await session.fire('SessionStart', { source: 'startup' });
    await session.fire('UserPromptSubmit', { prompt: 'Feed the animals of the zoo' });
    expect((await session.run('npm install zoo-lib', NOT_FOUND)).denied).toContain('quaxolotl');
    await b.use(async (home, project) => {
      project.memory.choose('pin', project.memory.failures().find(({ what }) => what.includes('zoo-lib'))?.id ?? '');
      const responder = new MemoryResponder({ project, home, now: () => b.now });
      const chat = new ChatService({ home, project, root: b.cwd, responder, env: {}, compactionDelayMs: 1 });
      for (const question of ['what failed?', 'what do you know about the zoo?']) await chat.send(question);
      await chat.close();
      home.search({ text: 'quaxolotl' });
    });
    expect(filesWith(b.homeFolder, 'quaxolotl').length).toBeGreaterThan(3);
    await a.use((home, project) => home.forgetSession(project, `${a.folder.slice(-6)}-session-1`));
    await a.sync();
    await b.sync();
    expect(filesWith(b.homeFolder, 'quaxolotl')).toEqual([]);
  });

  it('forget a single failure everywhere', async () => {
    const { a, b } = await beginStory('attempts');
    await a.sync();
    await b.sync();
    await a.use((home, project) => {
      const id = project.memory.failures({ all: true })[0]?.id ?? '';
      home.forgetPattern(project, id);
    });
    await a.sync();
    await b.sync();
    expect(await readCopy(b)).not.toContain('redis-node');
    expect(await b.session().run('npm install redis-node', NOT_FOUND)).not.toHaveProperty('denied');
  });

  it('receive everything after weeks offline, once, and continue an interrupted copy', async () => {
    const { a, b } = await beginStory('messages');
    for (let n = 0; n < 30; n++) {
      const session = a.session();
      await session.fire('UserPromptSubmit', { prompt: `Request number ${n}` });
      await session.fire('Stop');
    }
    await a.sync();
    await b.sync();
    const { cursorFile, text } = await b.use((_, project) => {
      const file = join(teamFolder(project.directory), 'sync.json');
      return { cursorFile: file, text: readFileSync(file, 'utf8') };
    });
    const before = await readCopy(b);
    const { writeFileSync } = await import('node:fs');
    // As if the process had died after the records were written and before that was noted.
    writeFileSync(cursorFile, text.replace(/"pulled":\d+/, '"pulled":3'));
    await b.sync();
    expect(await readCopy(b)).toBe(before);
  });

  it('keep working when the server is gone, and deliver when it is back', async () => {
    const { a, b } = await beginStory('attempts');
    await server.kill();
    await expect(a.sync()).rejects.toMatchObject({ code: 'TEAM' });
    const session = a.session();
    await session.run('npm install redis-node', NOT_FOUND);
    await session.fire('Stop');
    await server.start();
    expect((await a.sync()).projects[0]?.pushed).toBeGreaterThanOrEqual(2);
    await b.sync();
    expect(await b.session().run('npm install redis-node', NOT_FOUND)).toHaveProperty('denied');
  });

  it('start again with a server that was restored from an older backup', async () => {
    const { a, b } = await beginStory('attempts');
    await a.sync();
    await b.sync();
    const before = await readCopy(b);
    await server.ownerQuery('DELETE FROM yore.record');
    await server.ownerQuery('DELETE FROM yore.session');
    await server.ownerQuery('UPDATE yore.project SET last_seq = 0');
    await a.sync();
    await b.sync();
    await a.sync();
    await b.sync();
    expect((await readCopy(b)).split('\n').length).toBe(before.split('\n').length);
    expect(await b.session().run('npm install redis-node', NOT_FOUND)).toHaveProperty('denied');
  });
});

/** All lines of the copy of a machine, without their numbers. */
async function readCopy(machine: Machine): Promise<string> {
  return machine.use((_, project) => {
    const folder = teamFolder(project.directory);
    expect(existsSync(folder)).toBe(true);
    const segments = (['history', 'failures', 'successes'] as const).flatMap((log) => listSegments(folder, log));
    return segments.flatMap(({ path }) => [...readLogLines(path)].map(({ text }) => text)).join('\n');
  });
}
