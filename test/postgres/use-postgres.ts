import { afterAll, beforeAll } from 'vitest';
import { PostgresServer } from './postgres-server.ts';

/** Starts a server with an empty database before the tests of a suite, and stops it afterwards. */
export function usePostgres(onStart: (server: PostgresServer) => void): void {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.createDatabase();
    onStart(server);
  });
  afterAll(() => server?.stop());
}
