import { describe, expect, it } from 'vitest';
import { PostgresStore, parseAddress } from '../../src/postgres/index.ts';
import { projectKey } from '../../src/team/shared-records.ts';
import { hasPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { INSTALLED, Machine, NOT_FOUND } from './machine.ts';

describe.skipIf(!hasPostgres)("commands that ask the team's server", () => {
  let server: PostgresServer;
  let teams = 0;
  usePostgres((started) => {
    server = started;
  });

  /** Ana has failed, solved it and synced. The other machine is a member and has received nothing. */
  const begin = async () => {
    const team = `team ${teams++}`;
    const [first, second] = [await server.invite(team), await server.invite(team)];
    const [a, b] = [new Machine(), new Machine()];
    await a.join(first.url, 'messages', 'Ana');
    expect(b.yore(['team', 'join', second.url]).code).toBe(0);
    const session = a.session();
    await session.fire('UserPromptSubmit', { prompt: 'Add a redis cache to the catalogue' });
    await session.run('npm install redis-node', NOT_FOUND);
    await session.run('npm install ioredis', INSTALLED);
    await session.fire('Stop');
    await a.sync();
    return { a, b, first };
  };

  it('search, list and show sessions of a project that this machine has never received', async () => {
    const { b } = await begin();
    expect(b.yore(['search', 'ioredis']).stdout).toContain('No results');
    const found = b.yore(['team', 'search', 'ioredis']);
    expect(found.stdout, found.stderr).toMatch(/^project [0-9a-f]{6} .*Ana/);
    expect(found.stdout).toContain('npm install ioredis');
    const { hits } = JSON.parse(b.yore(['team', 'search', 'redis', '--outcome', 'failure', '--json']).stdout);
    expect(hits).toMatchObject([{ kind: 'attempt', outcome: 'failure', author: 'Ana' }]);
    expect(b.yore(['team', 'search', 'kubernetes']).stdout).toContain('No results for "kubernetes"');
    expect(b.yore(['team', 'search', ' '])).toMatchObject({ code: 2, stderr: expect.stringContaining('empty') });

    const { sessions } = JSON.parse(b.yore(['team', 'sessions', '--json']).stdout);
    expect(sessions).toMatchObject([{ sessionId: hits[0].sessionId, author: 'Ana', failures: 1, successes: 1 }]);
    expect(b.yore(['team', 'sessions']).stdout).toContain(sessions[0].sessionId);
    const shown = b.yore(['team', 'show', sessions[0].sessionId]);
    for (const text of ['Ana', 'Add a redis cache to the catalogue', 'npm install redis-node', 'npm install ioredis']) {
      expect(shown.stdout, shown.stderr).toContain(text);
    }
    expect(JSON.parse(b.yore(['team', 'show', sessions[0].sessionId, '--json']).stdout).entries).toHaveLength(3);
    expect(b.yore(['team', 'show', 'none@member-000000']).stderr).toContain('There is no session');
  });

  it('show failures with what worked instead, by whom, and what was learned', async () => {
    const { a, b } = await begin();
    const failures = b.yore(['team', 'failures']);
    expect(failures.stdout, failures.stderr).toContain('npm install redis-node');
    expect(failures.stdout).toContain('on the machine of Ana');
    expect(JSON.parse(b.yore(['team', 'failures', '--json']).stdout).failures).toMatchObject([
      { what: 'npm install redis-node', fix: 'npm install ioredis', author: 'Ana' },
    ]);
    expect(b.yore(['team', 'knowledge']).stdout).toContain('redis-node');
    expect(a.yore(['remember', 'Run the migrations first']).code).toBe(0);
    a.yore(['sync']);
    const { bestPractices } = JSON.parse(b.yore(['team', 'knowledge', '--json']).stdout);
    expect(bestPractices).toContainEqual(
      expect.objectContaining({ pattern: 'Run the migrations first', authors: ['Ana'] }),
    );
  });

  it('redact and sanitise what a hostile client has stored', async () => {
    const { a, b, first } = await begin();
    const key = await a.use((_, project) => projectKey(first.team, project.info) ?? '');
    const token = ['ghp_R8xq2LmV7t', 'Yc4ZpK1nWs', '9BdF3hJg6Q', 'aUe0Xo'].join('');
    const store = await PostgresStore.open(parseAddress(first.url), 'hostile');
    const record = { v: 1, id: 'm1', sessionId: 'evil', timestamp: new Date().toISOString(), role: 'user' as const };
    await store.push(key, [{ log: 'history', record: { ...record, content: `quagga ${token} \u001b]0;title\u0007` } }]);
    await store.close();
    const { hits } = JSON.parse(b.yore(['team', 'search', 'quagga', '--json']).stdout);
    for (const args of [
      ['search', 'quagga'],
      ['search', 'quagga', '--json'],
      ['sessions'],
      ['show', hits[0].sessionId],
    ]) {
      const { stdout } = b.yore(['team', ...args]);
      expect(stdout).toMatch(/quagga \[redacted/i);
      expect(stdout).not.toContain(token);
      expect(stdout.includes('\u001b') || stdout.includes('\u0007')).toBe(false);
    }
  });

  it('say so when there is no team, or its server cannot be reached', async () => {
    const { b } = await begin();
    expect(new Machine().yore(['team', 'search', 'x'])).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('belongs to no team'),
    });
    await server.kill();
    for (const args of [['search', 'redis'], ['sessions'], ['failures'], ['knowledge'], ['show', 'x']]) {
      const { code, stderr } = b.yore(['team', ...args]);
      expect(code).toBe(9);
      expect(stderr).toContain('yore search');
      expect(stderr).not.toContain('postgres://');
    }
    await server.start();
    expect(b.yore(['team', 'search', 'ioredis']).stdout).toContain('npm install ioredis');
  });
});
