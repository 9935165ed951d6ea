import { YoreError } from '../record/index.ts';
import type { PostgresConnection } from './connection.ts';
import { MIGRATIONS, TEAM_SCHEMA_VERSION } from './schema.ts';

/** Any number that no other program is likely to lock. */
const LOCK = 7_306_001;

/**
 * Brings the tables up to date: in order, forward only, each step in a transaction of its own, one process at a time.
 * Returns the version. Throws NEWER_VERSION when a newer yore has created them.
 */
export async function migrate(connection: PostgresConnection): Promise<number> {
  for (;;) {
    const version = await connection.transaction(() => migrateOnce(connection));
    if (version === TEAM_SCHEMA_VERSION) return version;
  }
}

async function migrateOnce(connection: PostgresConnection): Promise<number> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await connection.run(`
    CREATE SCHEMA IF NOT EXISTS yore;
    CREATE TABLE IF NOT EXISTS yore.migration (
      version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now()
    )`);
  const before = await readVersion(connection);
  if (before > TEAM_SCHEMA_VERSION) throw newerServer(connection.label);
  const next = MIGRATIONS.find(({ version }) => version > before);
  if (next === undefined) return before;
  await connection.run(next.sql);
  await connection.query('INSERT INTO yore.migration (version) VALUES ($1)', [next.version]);
  return next.version;
}

/** Throws unless the server's tables are of the version that this yore works with. */
export async function checkVersion(connection: PostgresConnection): Promise<void> {
  const version = await readVersion(connection);
  if (version > TEAM_SCHEMA_VERSION) throw newerServer(connection.label);
  if (version < TEAM_SCHEMA_VERSION) {
    throw new YoreError(
      'TEAM',
      `The tables at ${connection.label} have version ${version}; this yore needs version ${TEAM_SCHEMA_VERSION}. Whoever runs the server upgrades them: yore team init URL`,
    );
  }
}

async function readVersion(connection: PostgresConnection): Promise<number> {
  const sql = 'SELECT coalesce(max(version), 0) AS version FROM yore.migration';
  const [row] = await connection.query<{ readonly version: number }>(sql);
  return row?.version ?? 0;
}

function newerServer(label: string): YoreError {
  return new YoreError(
    'NEWER_VERSION',
    `The tables at ${label} were created by a newer yore. Upgrade this one: npm install -g yore@latest`,
  );
}
