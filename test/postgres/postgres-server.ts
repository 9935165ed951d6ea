import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addMember,
  createTeamTables,
  ensureTeam,
  PostgresConnection,
  PostgresStore,
  parseAddress,
} from '../../src/postgres/index.ts';

const PASSWORD = 'owner-of-the-test-server';
const OWNER = 'owner';
/** PostgreSQL refuses to run as the superuser. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const START_TIMEOUT_MS = 30_000;

/** Whether PostgreSQL is installed; the test command installs it. */
export const hasPostgres: boolean = findPrograms() !== undefined;

/** A PostgreSQL server of its own on a free port of this machine. Stop it when the tests are over. */
export class PostgresServer {
  readonly port: number;
  readonly folder: string;
  readonly #programs: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(programs: string, folder: string, port: number, settings: readonly string[]) {
    this.#programs = programs;
    this.folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  /** Creates and starts a server. `settings` as in postgresql.conf: `ssl=on`. */
  static async start(settings: readonly string[] = []): Promise<PostgresServer> {
    const programs = findPrograms();
    if (programs === undefined) throw new Error('PostgreSQL is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'yore-postgres-'));
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, PASSWORD);
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    if (NOBODY.uid !== undefined)
      for (const name of ['', 'data', 'password']) chownSync(join(folder, name), NOBODY.uid, NOBODY.gid);
    execFileSync(
      join(programs, 'initdb'),
      [
        '-D',
        join(folder, 'data'),
        '-U',
        OWNER,
        '-A',
        'scram-sha-256',
        '--pwfile',
        passwordFile,
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '-N',
      ],
      { ...NOBODY, cwd: folder, stdio: 'pipe' },
    );
    const server = new PostgresServer(programs, folder, await freePort(), settings);
    await server.start();
    return server;
  }

  /** Starts the server again after {@link stop} or {@link kill}. */
  async start(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await this.#tryStart())) {
      // Processes of a killed server may still be ending.
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not start: ${this.log()}`);
      await sleep(100);
    }
  }

  async #tryStart(): Promise<boolean> {
    const options = [
      ...['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=${this.folder}`, 'max_connections=60'],
      ...['logging_collector=off', 'log_statement=none', ...this.#settings],
    ].flatMap((setting) => ['-c', setting]);
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        'exec "$0" "$@" >>log 2>&1',
        join(this.#programs, 'postgres'),
        '-D',
        join(this.folder, 'data'),
        '-p',
        String(this.port),
        ...options,
      ],
      { ...NOBODY, cwd: this.folder, stdio: 'ignore' },
    );
    this.#process = child;
    while (child.exitCode === null && child.signalCode === null) {
      const connection = await PostgresConnection.open(parseAddress(this.ownerUrl('postgres'))).catch(() => undefined);
      if (connection !== undefined) {
        await connection.close();
        return true;
      }
      await sleep(50);
    }
    return false;
  }

  /** Ends the server as a crash would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Stops the server and removes its files. */
  async stop(): Promise<void> {
    await this.#end('SIGINT');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  log(): string {
    const file = join(this.folder, 'log');
    return existsSync(file) ? readFileSync(file, 'utf8').slice(-2000) : '';
  }

  /** The connection string of whoever owns the server. */
  ownerUrl(database = 'yore'): string {
    return this.url(OWNER, PASSWORD, database);
  }

  url(user: string, password: string, database = 'yore'): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates an empty database. */
  async createDatabase(name = 'yore'): Promise<void> {
    const connection = await PostgresConnection.open(parseAddress(this.ownerUrl('postgres')));
    await connection.run(`CREATE DATABASE ${name}`);
    await connection.close();
  }

  /** Runs a statement as the owner. */
  async ownerQuery<T extends object>(
    sql: string,
    values: readonly unknown[] = [],
    database?: string,
  ): Promise<readonly T[]> {
    const connection = await PostgresConnection.open(parseAddress(this.ownerUrl(database)));
    try {
      return await connection.query<T>(sql, values);
    } finally {
      await connection.close();
    }
  }

  /** A new member of a team, which is created if it is new. Returns the member's connection string. */
  async invite(team = 'shop'): Promise<{ readonly url: string; readonly author: string; readonly team: string }> {
    const connection = await PostgresConnection.open(parseAddress(this.ownerUrl()));
    try {
      await createTeamTables(connection);
      const id = await ensureTeam(connection, team);
      const { role, password, author } = await addMember(connection, id);
      return { url: this.url(role, password), author, team: id };
    } finally {
      await connection.close();
    }
  }

  /** The store of a new member on a machine of its own. */
  async openStore(team = 'shop', machine = `machine-${Math.random()}`): Promise<PostgresStore> {
    return PostgresStore.open(parseAddress((await this.invite(team)).url), machine);
  }
}

/** Makes a certificate for a subject, such as `IP:127.0.0.1`. Returns the settings of a server that uses it. */
export function makeCertificate(folder: string, name: string, subject: string): readonly string[] {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  chmodSync(folder, 0o755);
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test'],
      ...['-addext', `subjectAltName=${subject}`, '-keyout', key, '-out', certificate],
    ],
    { stdio: 'pipe' },
  );
  chmodSync(key, 0o600);
  if (NOBODY.uid !== undefined) chownSync(key, NOBODY.uid, NOBODY.gid);
  return ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`];
}

/** The folder with PostgreSQL's programs, of the newest version. */
function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(root, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
