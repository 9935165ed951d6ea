import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasPostgres, makeCertificate, PostgresServer } from '../postgres/postgres-server.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { INSTALLED, Machine, NOT_FOUND, YORE } from './machine.ts';

interface Problem {
  readonly name: string;
  readonly code: number;
  /** What the message says, and what to do. */
  readonly says: RegExp;
  /** Statements of the server's owner that cause it, and that take it back. */
  readonly cause?: readonly string[];
  readonly remedy?: readonly string[];
  /** The connection string that causes it. */
  readonly url?: (url: string) => string;
}

const FULL = `CREATE FUNCTION yore.full() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`;

const PROBLEMS: readonly Problem[] = [
  {
    name: 'nobody answers at the address',
    code: 9,
    says: /cannot be reached/,
    url: (url) => url.replace(/:\d+\/yore/, ':1/yore'),
  },
  {
    name: 'the host does not exist',
    code: 9,
    says: /cannot be reached/,
    url: (url) => url.replace('127.0.0.1', 'team.invalid'),
  },
  {
    name: 'the database does not exist',
    code: 9,
    says: /no such database.*Check/,
    url: (url) => url.replace(/\/yore$/, '/other'),
  },
  {
    name: 'the string is for another program',
    code: 2,
    says: /not a connection string/,
    url: (url) => url.replace('postgres:', 'mysql:'),
  },
  {
    name: 'the password is wrong',
    code: 9,
    says: /does not accept this login.*yore team join/,
    url: (url) => url.replace(/:[^:@]+@/, ':hunter2secret@'),
  },
  {
    name: 'the tables are older',
    code: 9,
    says: /version 0.*yore team init/,
    cause: ['DELETE FROM yore.migration'],
    remedy: ['INSERT INTO yore.migration (version) VALUES (1)'],
  },
  {
    name: 'the tables are newer',
    code: 7,
    says: /newer yore.*npm install -g yore@latest/,
    cause: ['INSERT INTO yore.migration (version) VALUES (999)'],
    remedy: ['DELETE FROM yore.migration WHERE version = 999'],
  },
  {
    name: 'the server is read-only',
    code: 9,
    says: /read-only.*primary server/,
    cause: ['ALTER DATABASE yore SET default_transaction_read_only = on'],
    remedy: ['ALTER DATABASE yore RESET default_transaction_read_only'],
  },
  {
    name: 'its disk is full',
    code: 9,
    says: /disk.*full.*Free some space/,
    cause: [FULL, 'CREATE TRIGGER full_disk BEFORE INSERT ON yore.term FOR EACH ROW EXECUTE FUNCTION yore.full()'],
    remedy: ['DROP FUNCTION yore.full CASCADE'],
  },
];

describe.skipIf(!hasPostgres)('yore sync', () => {
  let server: PostgresServer;
  usePostgres((started) => {
    server = started;
  });

  /** As the owner, in a database that is not read-only. */
  const run = async (statements: readonly string[] = []): Promise<void> => {
    for (const sql of statements) await server.ownerQuery(sql, [], sql.startsWith('ALTER') ? 'postgres' : 'yore');
  };
  const countRecords = async (team: string): Promise<number> => {
    const sql =
      'SELECT count(*)::int AS n, count(DISTINCT (session, log, id))::int AS distinct FROM yore.record WHERE team = $1';
    const [row] = await server.ownerQuery<{ n: number; distinct: number }>(sql, [team]);
    expect(row?.n).toBe(row?.distinct);
    return row?.n ?? 0;
  };

  it.each(PROBLEMS)('says what to do when $name, and delivers everything when it is over', async (problem) => {
    const { url, team } = await server.invite(problem.name);
    const machine = new Machine();
    await machine.join(url, 'attempts');
    const session = machine.session();
    await session.run('npm install redis-node', NOT_FOUND);
    await run(problem.cause);
    const failed = machine.yore(
      ['sync', '--debug'],
      problem.url === undefined ? {} : { YORE_TEAM_URL: problem.url(url) },
    );
    expect(failed.code, failed.stderr).toBe(problem.code);
    expect(failed.stderr).toMatch(problem.says);
    const secrets = [decodeURIComponent(new URL(url).password), 'hunter2secret'];
    for (const secret of secrets) expect(failed.stdout + failed.stderr).not.toContain(secret);

    // Local work goes on: it is recorded, and the guard knows it.
    await session.run('npm install ioredis', INSTALLED);
    await session.fire('Stop');
    const other = await machine.session().run('npm install redis-node', NOT_FOUND);
    expect(other).toHaveProperty('denied');
    await run(problem.remedy);
    expect(machine.yore(['sync'])).toMatchObject({ code: 0, stdout: expect.stringContaining('2 records sent') });
    expect(await countRecords(team)).toBe(2);
  });

  it('stops when the member is removed meanwhile, loses nothing, and goes on with a new invitation', async () => {
    const { url, author, team } = await server.invite('removed');
    const machine = new Machine();
    await machine.join(url, 'messages');
    const directory = await machine.use((_, project) => project.directory);
    const total = 12_000;
    const lines = Array.from({ length: total }, (_, n) => {
      const timestamp = new Date(machine.now - (total - n) * 1_000).toISOString();
      return JSON.stringify({
        v: 1,
        id: `m${n}`,
        sessionId: `s${n % 50}`,
        timestamp,
        role: 'user',
        content: `Request ${n}`,
      });
    });
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'history.jsonl'), `${lines.join('\n')}\n`, { flag: 'a' });
    const child = spawn(process.execPath, [YORE, 'sync'], { cwd: machine.cwd, env: machine.env });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const ended = new Promise((resolve) => child.once('close', resolve));
    while (child.exitCode === null && (await countRecords(team)) === 0) await sleep(5);
    const removed = machine.yore(['team', 'remove', author, server.ownerUrl(), '--team', 'removed']);
    expect(removed.code, removed.stderr).toBe(0);
    expect(await ended).toBe(9);
    expect(stderr).toMatch(/Nothing is lost|yore team join/);
    const before = await countRecords(team);
    expect(before).toBeLessThan(total);
    expect(machine.yore(['sync'])).toMatchObject({ code: 9, stderr: expect.stringMatching(/yore team join/) });
    expect(machine.yore(['team', 'status']).stdout).toMatch(/does not accept this login/);

    expect(machine.yore(['team', 'join', (await server.invite('removed')).url]).code).toBe(0);
    expect(machine.yore(['sync'])).toMatchObject({ code: 0 });
    expect(await countRecords(team)).toBe(total);
    expect(machine.yore(['team', 'status']).stdout).toContain(`as ${author}`);
  });
});

describe.skipIf(!hasPostgres)('yore team join', () => {
  it('refuses a server whose certificate is for another host', async () => {
    const folder = temporaryFolder();
    const server = await PostgresServer.start(makeCertificate(folder, 'wrong', 'DNS:db.example.org'));
    try {
      await server.createDatabase();
      const { url } = await server.invite();
      const address = `${url}?sslmode=verify-full&sslrootcert=${join(folder, 'wrong.crt')}`;
      const joined = new Machine().yore(['team', 'join', address]);
      expect(joined).toMatchObject({ code: 9, stderr: expect.stringMatching(/certificate.*nothing was sent/) });
      expect(joined.stderr).not.toContain(decodeURIComponent(new URL(url).password));
    } finally {
      await server.stop();
    }
  });
});
