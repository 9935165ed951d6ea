import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Client, ClientConfig, QueryResultRow } from 'pg';
import { messageOf, YoreError } from '../record/index.ts';
import { NOT_A_MEMBER } from './functions.ts';

/** A PostgreSQL server and a login, parsed from a connection string. */
export interface DatabaseAddress {
  /** `host:port/database`, for messages: without the user and the password. */
  readonly label: string;
  readonly config: ClientConfig;
}

const DEFAULT_PORT = 5432;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 120_000;
/** Modes of TLS that leave the connection open to others. */
const WEAK_MODES: ReadonlySet<string> = new Set(['disable', 'allow', 'prefer', 'no-verify', 'require', 'verify-ca']);

/**
 * Parses a connection string: `postgres://user:password@host:port/database`. Beyond this machine, TLS with a certificate
 * that fits the host name is required; `sslrootcert` names the file of an own authority. Throws USAGE; the message never
 * contains the string.
 */
export function parseAddress(url: string): DatabaseAddress {
  const parsed = parseUrl(url);
  const socket = parsed.searchParams.get('host') ?? '';
  const host = socket.startsWith('/') ? socket : decodeURIComponent(parsed.hostname).replace(/^\[|\]$/g, '');
  const database = decodeURIComponent(parsed.pathname.slice(1));
  const user = decodeURIComponent(parsed.username);
  if (host === '' || database === '' || user === '') {
    throw new YoreError('USAGE', `The connection string lacks a user, a host or a database. ${EXAMPLE}`);
  }
  const port = parsed.port === '' ? DEFAULT_PORT : Number(parsed.port);
  return {
    label: host.startsWith('/') ? `${host} (${database})` : `${host}:${port}/${database}`,
    config: {
      host,
      port,
      database,
      user,
      // Never undefined: then it would be looked for in PGPASSWORD and in files.
      password: decodeURIComponent(parsed.password),
      ssl: chooseTls(host, parsed.searchParams),
      application_name: 'yore',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
    },
  };
}

const EXAMPLE = 'It looks like this: postgres://user:password@host:5432/database';

function parseUrl(url: string): URL {
  try {
    const parsed = new URL(url.trim());
    if (parsed.protocol === 'postgres:' || parsed.protocol === 'postgresql:') return parsed;
  } catch {
    // The cause would quote the string, and with it the password.
  }
  throw new YoreError('USAGE', `This is not a connection string of PostgreSQL. ${EXAMPLE}`);
}

function chooseTls(host: string, parameters: URLSearchParams): ClientConfig['ssl'] {
  const mode = parameters.get('sslmode');
  const authority = parameters.get('sslrootcert');
  const isLocal = isThisMachine(host);
  if (isLocal && (mode === null || mode === 'disable') && authority === null) return false;
  if (!isLocal && mode !== null && WEAK_MODES.has(mode)) {
    throw new YoreError(
      'USAGE',
      `sslmode=${mode} does not protect the connection to ${host}. Leave it out: yore verifies the server's certificate. For an authority of your own, add sslrootcert=FILE.`,
    );
  }
  // A name is sent to the server only if it is one.
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { rejectUnauthorized: true, ...name, ...(authority === null ? {} : { ca: readAuthority(authority) }) };
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new YoreError('USAGE', `The certificate of the authority cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function isThisMachine(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** A connection to the server. */
export class PostgresConnection {
  readonly label: string;
  readonly #client: Client;
  #problem: Error | undefined;

  private constructor(client: Client, label: string) {
    this.#client = client;
    this.label = label;
    // Without a listener, a server that goes away ends the process.
    client.on('error', (error) => {
      this.#problem = error;
    });
  }

  /** Connects. Throws TEAM with what to do. */
  static async open({ config, label }: DatabaseAddress): Promise<PostgresConnection> {
    const { Client } = await import('pg');
    const client = new Client(config);
    const connection = new PostgresConnection(client, label);
    try {
      await client.connect();
      return connection;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw toTeamError(error, label);
    }
  }

  /** Runs a statement and returns its rows. */
  async query<T extends QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    if (this.#problem !== undefined) throw toTeamError(this.#problem, this.label);
    try {
      return (await this.#client.query<T>(sql, [...values])).rows;
    } catch (error) {
      throw toTeamError(error, this.label);
    }
  }

  /** Runs several statements, which have no parameters. */
  async run(sql: string): Promise<void> {
    try {
      await this.#client.query(sql);
    } catch (error) {
      throw toTeamError(error, this.label);
    }
  }

  /** Runs `work` in a transaction. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.run('BEGIN');
    try {
      const result = await work();
      await this.run('COMMIT');
      return result;
    } catch (error) {
      await this.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}

/** What goes wrong, by SQLSTATE or by the code of Node.js, and what to do. */
const ADVICE: readonly (readonly [codes: string, advice: (label: string) => string])[] = [
  [
    'ENOTFOUND EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ETIMEDOUT EPIPE ENOENT 57P01 57P02 57P03 08000 08003 08006',
    (label) => `The team's server at ${label} cannot be reached. Nothing is lost: it is synced the next time.`,
  ],
  [
    '28P01 28000',
    (label) =>
      `The team's server at ${label} does not accept this login. If you were removed or the password has changed, ask for a new invitation and run yore team join.`,
  ],
  [
    NOT_A_MEMBER,
    (label) =>
      `You are not a member of a team at ${label} any more. Ask for a new invitation and run yore team join, or run yore team leave.`,
  ],
  ['3D000', (label) => `There is no such database on the server: ${label}. Check the connection string.`],
  [
    '3F000 42P01 42883',
    (label) =>
      `There is no team of yore at ${label}, or its tables are older than this yore. Whoever runs the server creates or upgrades them: yore team init URL`,
  ],
  [
    '25006',
    (label) =>
      `The server at ${label} is read-only, such as a replica. Use the address of the primary server; nothing is lost.`,
  ],
  ['53100', (label) => `The disk of the server at ${label} is full. Free some space there; nothing is lost here.`],
  ['53200 53300', (label) => `The server at ${label} has no room for another connection. It is tried again later.`],
  [
    '42501',
    (label) =>
      `This login is not allowed to do that at ${label}. To create or change a team, use the login of whoever owns the database.`,
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID CERT_NOT_YET_VALID',
    (label) =>
      `The certificate of the server at ${label} is not valid for it, so nothing was sent. For an authority of your own, add ?sslrootcert=FILE to the connection string.`,
  ],
  ['57014', (label) => `The server at ${label} took too long. It is tried again later; nothing is lost.`],
];

const NO_TLS = /does not support SSL/i;
const LOST = /connection terminated|timeout expired|connection ended|not queryable|server closed/i;

/** An error with what to do. Never contains the connection string: messages of the server are quoted only if they are ours. */
function toTeamError(error: unknown, label: string): YoreError {
  if (error instanceof YoreError) return error;
  const code = findCode(error);
  const advice = ADVICE.find(([codes]) => codes.split(' ').includes(code))?.[1];
  if (advice !== undefined) return new YoreError('TEAM', advice(label), { cause: code });
  const message = messageOf(error);
  if (NO_TLS.test(message)) {
    return new YoreError(
      'TEAM',
      `The server at ${label} offers no TLS, so nothing was sent. Turn it on there (ssl = on in postgresql.conf).`,
    );
  }
  if (LOST.test(message)) {
    return new YoreError('TEAM', `The connection to ${label} was lost. Nothing is lost: it is synced the next time.`);
  }
  return new YoreError('TEAM', `The team's server at ${label} reports a problem (${code || 'unknown'}): ${message}`);
}

function findCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Several addresses of one name were tried.
  if (error instanceof AggregateError) return error.errors.map(findCode).find((code) => code !== '') ?? '';
  return '';
}
