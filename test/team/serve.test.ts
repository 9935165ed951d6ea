import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { startServer } from '../../src/server/index.ts';
import { hasPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { INSTALLED, Machine, NOT_FOUND } from './machine.ts';

describe.skipIf(!hasPostgres)('yore serve in a home that belongs to a team', () => {
  let server: PostgresServer;
  usePostgres((started) => {
    server = started;
  });

  it('syncs in the background, and serves what colleagues did with their names', async () => {
    const [a, b] = [new Machine(), new Machine()];
    const { url, author } = await server.invite();
    await a.join(url, 'attempts');
    await b.join((await server.invite()).url);
    const session = a.session();
    await session.run('npm install redis-node', NOT_FOUND);
    await session.run('npm install ioredis', INSTALLED);
    await session.fire('Stop');
    await a.sync();
    const home = openHome({ home: b.homeFolder });
    const running = await startServer({
      home,
      cwd: b.cwd,
      port: 0,
      version: '0',
      openChat: () => {
        throw new Error('There is no chat in this test');
      },
      limits: { syncMs: 100 },
    });
    try {
      const call = async (method: string, params: object = {}): Promise<unknown> => {
        const response = await fetch(`http://127.0.0.1:${running.port}/rpc`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${running.token}` },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        });
        return ((await response.json()) as { readonly result?: unknown }).result;
      };
      await expect
        .poll(() => call('history.listSessions'), { timeout: 20_000 })
        .toMatchObject({ sessions: [{ author, failures: 1, successes: 1 }] });
      const { projectHash } = await b.use((_, project) => project.info);
      expect(await call('memory.get', { project: projectHash })).toMatchObject({
        antiPatterns: [{ pattern: 'npm install redis-node', fix: 'npm install ioredis', author }],
      });
    } finally {
      await running.close();
      home.close();
    }
  });
});
