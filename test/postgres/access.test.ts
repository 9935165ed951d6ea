import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createTeamTables,
  PostgresConnection,
  PostgresStore,
  parseAddress,
  removeMember,
} from '../../src/postgres/index.ts';
import { YoreError } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { hasPostgres, makeCertificate, PostgresServer } from './postgres-server.ts';
import { message } from './store-contract.ts';
import { usePostgres } from './use-postgres.ts';

const PROJECT = 'a-project';

async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no problem';
  } catch (error) {
    return error instanceof YoreError ? `${error.code}: ${error.message}` : String(error);
  }
}

describe('connection strings', () => {
  it.each([
    ['not a URL', 'the server in the cellar'],
    ['another protocol', 'https://user:hunter2secret@db.example.org/yore'],
    ['no database', 'postgres://user:hunter2secret@db.example.org'],
    ['no user', 'postgres://db.example.org/yore'],
    ['TLS turned off for another machine', 'postgres://user:hunter2secret@db.example.org/yore?sslmode=disable'],
    ['TLS without verification', 'postgres://user:hunter2secret@db.example.org/yore?sslmode=no-verify'],
    ['a missing certificate', 'postgres://user:hunter2secret@db.example.org/yore?sslrootcert=/none.pem'],
  ])('are refused with %s, and never quoted', async (_name, url) => {
    const problem = await problemOf((async () => parseAddress(url))());
    expect(problem).toMatch(/^USAGE: /);
    expect(problem).not.toContain('hunter2secret');
  });

  it('require a verified certificate beyond this machine', () => {
    expect(parseAddress('postgres://u:p@db.example.org/yore').config.ssl).toMatchObject({ rejectUnauthorized: true });
    expect(parseAddress('postgres://u:p@10.0.0.7/yore').config.ssl).toMatchObject({ rejectUnauthorized: true });
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(parseAddress(`postgres://u:p@${host}/yore`).config.ssl).toBe(false);
    }
  });
});

describe.skipIf(!hasPostgres)("a member's access to the server", () => {
  let server: PostgresServer;
  usePostgres((started) => {
    server = started;
  });

  it("reads nothing of another team with any statement over the member's own role", async () => {
    const blue = await server.openStore('blue', 'machine-1');
    await blue.push(PROJECT, [{ log: 'history', record: message(1, 'A secret plan') }]);
    const red = await server.invite('red');
    const connection = await PostgresConnection.open(parseAddress(red.url));
    for (const table of ['record', 'session', 'project']) {
      expect(await connection.query(`SELECT * FROM yore.${table}`), table).toEqual([]);
    }
    expect(await connection.query('SELECT author FROM yore.member')).toEqual([{ author: red.author }]);
    for (const table of ['team', 'term', 'forgotten', 'lesson', 'machine', 'record_2026_03', 'record_other']) {
      expect(await problemOf(connection.query(`SELECT * FROM yore.${table}`)), table).toContain('not allowed');
    }
    expect(
      await connection.query(
        "SELECT * FROM yore.search('a-project', '''1:secret''', NULL, NULL, NULL, NULL, NULL, NULL, 10)",
      ),
    ).toEqual([]);
    expect(await connection.query("SELECT * FROM yore.words_like('a-project', ARRAY['%'], 10)")).toEqual([]);
    expect(await connection.query("SELECT * FROM yore.failures('a-project', '-infinity', 10)")).toEqual([]);
    expect(await connection.query("SELECT * FROM yore.knowledge('a-project', 10)")).toEqual([]);
    expect(await connection.query('SELECT author FROM yore.members()')).toEqual([{ author: red.author }]);
    const everything = "SELECT * FROM yore.read_newest('true', 'true', '-infinity', 'infinity', 10)";
    expect(await problemOf(connection.query(everything))).toContain('not allowed');
    expect(await connection.query("SELECT yore.last_seq('a-project') AS last")).toEqual([{ last: '0' }]);
    // An attempt to smuggle a function into the condition that the server checks.
    await problemOf(
      connection.run(
        "CREATE FUNCTION pg_temp.leak(text) RETURNS boolean COST 0.0001 LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$",
      ),
    );
    expect(await connection.query('SELECT * FROM yore.record WHERE pg_temp.leak(body)')).toEqual([]);
    await connection.close();
    await blue.close();
  });

  it.each([
    'INSERT INTO yore.record SELECT * FROM yore.record',
    "UPDATE yore.record SET body = ''",
    'DELETE FROM yore.record',
    'TRUNCATE yore.record',
    "UPDATE yore.member SET team = 'x'",
    'SELECT role FROM yore.member',
    'CREATE TABLE yore.mine (a int)',
    'DROP TABLE yore.record',
    'CREATE ROLE somebody',
    'SET ROLE owner',
    'SET SESSION AUTHORIZATION owner',
    'ALTER TABLE yore.record DISABLE ROW LEVEL SECURITY',
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "SELECT pg_read_file('/etc/passwd')",
  ])('is not enough for %s', async (sql) => {
    const connection = await PostgresConnection.open(parseAddress((await server.invite('blue')).url));
    expect(await problemOf(connection.run(sql))).toMatch(/^TEAM: .*not allowed/);
    await connection.close();
  });

  it('cannot delete what belongs to a colleague', async () => {
    const mine = await server.openStore('colleagues', 'machine-1');
    const other = await server.openStore('colleagues', 'machine-2');
    await mine.push(PROJECT, [{ log: 'history', record: message(1, 'Mine') }]);
    const deletion = { sessions: ['one'], ids: ['m1'], everything: true, until: new Date().toISOString() };
    expect(await other.forget(PROJECT, deletion)).toBe(0);
    expect((await other.search([PROJECT], { text: 'mine' })).hits).toHaveLength(1);
    await Promise.all([mine.close(), other.close()]);
  });

  it('ends when the member is removed, also in the middle of a sync', async () => {
    const { url, author, team } = await server.invite('leaving');
    const store = await PostgresStore.open(parseAddress(url), 'machine-1');
    await store.push(PROJECT, [{ log: 'history', record: message(1, 'Before') }]);
    const owner = await PostgresConnection.open(parseAddress(server.ownerUrl()));
    await removeMember(owner, team, author);
    await owner.close();
    const push = store.push(PROJECT, [{ log: 'history', record: message(2, 'After') }]);
    expect(await problemOf(push)).toMatch(/^TEAM: .*(lost|reached|member)/);
    expect(await problemOf(PostgresStore.open(parseAddress(url), 'machine-1'))).toMatch(/^TEAM: .*yore team join/);
    await store.close();
    const [count] = await server.ownerQuery('SELECT count(*)::int AS n FROM yore.record WHERE team = $1', [team]);
    expect(count).toEqual({ n: 1 });
  });

  it('says what to do when the server cannot be used', async () => {
    const { url } = await server.invite('problems');
    const open = (address: string): Promise<string> => problemOf(PostgresStore.open(parseAddress(address), 'm'));
    const changed = (from: RegExp, to: string): string => url.replace(from, to);
    expect(await open(changed(/:\d+\/yore/, ':1/yore'))).toMatch(/^TEAM: .*cannot be reached.*Nothing is lost/);
    expect(await open(changed(/:[^:@]+@/, ':wrong-password@'))).toMatch(/^TEAM: .*login.*yore team join/);
    expect(await open(changed(/\/yore$/, '/other'))).toMatch(/^TEAM: .*no such database/);
    expect(await open(server.ownerUrl('postgres'))).toMatch(/^TEAM: .*yore team init/);
    for (const problem of [await open(changed(/:[^:@]+@/, ':wrong-password@'))]) {
      expect(problem).not.toContain('wrong-password');
    }
  });

  it('says who has to upgrade when the tables are older or newer', async () => {
    const { url } = await server.invite('versions');
    const open = (): Promise<string> => problemOf(PostgresStore.open(parseAddress(url), 'm').then((s) => s.close()));
    await server.ownerQuery('INSERT INTO yore.migration (version) VALUES (999)');
    expect(await open()).toMatch(/^NEWER_VERSION: .*npm install -g yore@latest/);
    const owner = await PostgresConnection.open(parseAddress(server.ownerUrl()));
    expect(await problemOf(createTeamTables(owner))).toMatch(/^NEWER_VERSION/);
    await owner.close();
    await server.ownerQuery('DELETE FROM yore.migration');
    expect(await open()).toMatch(/^TEAM: .*version 0.*yore team init/);
    await server.ownerQuery('INSERT INTO yore.migration (version) VALUES (1)');
    expect(await open()).toBe('no problem');
  });

  it('reports a read-only server and a full disk, and stores nothing by halves', async () => {
    const { url, team } = await server.invite('limits');
    const store = await PostgresStore.open(parseAddress(url), 'machine-1');
    const push = (n: number) => store.push(PROJECT, [{ log: 'history', record: message(n, `text ${n}`) }]);
    await server.ownerQuery('ALTER DATABASE yore SET default_transaction_read_only = on');
    const readOnly = await PostgresStore.open(parseAddress(url), 'machine-1');
    expect(await problemOf(readOnly.push(PROJECT, [{ log: 'history', record: message(1, 'x') }]))).toMatch(
      /^TEAM: .*read-only/,
    );
    await readOnly.close();
    const owner = await PostgresConnection.open(parseAddress(server.ownerUrl('postgres')));
    await owner.run('ALTER DATABASE yore RESET default_transaction_read_only');
    await owner.close();
    await server.ownerQuery(`CREATE FUNCTION yore.full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
    await server.ownerQuery(
      'CREATE TRIGGER full_disk BEFORE INSERT ON yore.term FOR EACH ROW EXECUTE FUNCTION yore.full()',
    );
    expect(await problemOf(push(2))).toMatch(/^TEAM: .*disk of the server.*full/);
    await server.ownerQuery('DROP FUNCTION yore.full CASCADE');
    const [count] = await server.ownerQuery('SELECT count(*)::int AS n FROM yore.record WHERE team = $1', [team]);
    expect(count).toEqual({ n: 0 });
    expect(await push(2)).toBe(1);
    await store.close();
  });

  it('creates the tables once when several administrators do it at the same time', async () => {
    await server.createDatabase('busy');
    const owners = await Promise.all(
      Array.from({ length: 5 }, () => PostgresConnection.open(parseAddress(server.ownerUrl('busy')))),
    );
    await Promise.all(owners.map(createTeamTables));
    const [first] = owners;
    expect(await first?.query('SELECT version FROM yore.migration')).toEqual([{ version: 1 }]);
    await Promise.all(owners.map((owner) => owner.close()));
  });
});

describe.skipIf(!hasPostgres)('TLS', () => {
  it('accepts only a certificate that fits the server', async () => {
    const folder = temporaryFolder();
    const settings = {
      right: makeCertificate(folder, 'right', 'IP:127.0.0.1'),
      wrong: makeCertificate(folder, 'wrong', 'DNS:db.example.org'),
    };
    for (const name of ['right', 'wrong'] as const) {
      const server = await PostgresServer.start(settings[name]);
      try {
        const url = `${server.ownerUrl('postgres')}?sslmode=verify-full`;
        expect(await problemOf(PostgresConnection.open(parseAddress(url)))).toMatch(
          /^TEAM: .*certificate.*sslrootcert/,
        );
        const trusted = `${url}&sslrootcert=${join(folder, `${name}.crt`)}`;
        const problem = await problemOf(PostgresConnection.open(parseAddress(trusted)).then((c) => c.close()));
        expect(problem).toMatch(name === 'right' ? /^no problem$/ : /^TEAM: .*certificate/);
      } finally {
        await server.stop();
      }
    }
  });

  it('is required: a server without it gets nothing', async () => {
    const server = await PostgresServer.start();
    try {
      const url = `${server.ownerUrl('postgres')}?sslmode=verify-full`;
      expect(await problemOf(PostgresConnection.open(parseAddress(url)))).toMatch(/^TEAM: .*no TLS/);
    } finally {
      await server.stop();
    }
  });
});
