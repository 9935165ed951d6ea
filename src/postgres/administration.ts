import { randomBytes, randomUUID } from 'node:crypto';
import { YoreError } from '../record/index.ts';
import type { PostgresConnection } from './connection.ts';
import { migrate } from './migrate.ts';
import { MEMBER_GRANTS } from './schema.ts';

/** A login that was just created. The password is stored nowhere else. */
interface NewMember {
  readonly role: string;
  readonly password: string;
  /** The pseudonym under which the member's records are shared. */
  readonly author: string;
}

const ROLE_PREFIX = 'yore_member_';

/** Creates the tables, or upgrades them. Needs the login of the database's owner. */
export async function createTeamTables(connection: PostgresConnection): Promise<void> {
  const sql = "SELECT current_setting('server_version_num')::int AS version";
  const [server] = await connection.query<{ readonly version: number }>(sql);
  if ((server?.version ?? 0) < 140_000) {
    throw new YoreError('TEAM', `The server at ${connection.label} is too old: yore needs PostgreSQL 14 or newer.`);
  }
  await migrate(connection);
}

/** The team with a name, created if there is none. Returns its id. */
export async function ensureTeam(connection: PostgresConnection, name: string): Promise<string> {
  const find = 'SELECT team FROM yore.team WHERE name = $1';
  const [known] = await connection.query<{ readonly team: string }>(find, [name]);
  if (known !== undefined) return known.team;
  const team = randomUUID();
  await connection.query('INSERT INTO yore.team (team, name) VALUES ($1, $2)', [team, name]);
  return team;
}

/** Creates a login for a new member: a role that can do nothing but call yore's functions and read its team's rows. */
export async function addMember(connection: PostgresConnection, team: string): Promise<NewMember> {
  const role = ROLE_PREFIX + randomBytes(6).toString('hex');
  const password = randomBytes(24).toString('base64url');
  const author = `member-${randomBytes(3).toString('hex')}`;
  await connection.transaction(async () => {
    // Names and password consist of letters, digits, hyphens and underscores.
    await connection.run(
      `CREATE ROLE ${role} LOGIN PASSWORD '${password}' NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 20`,
    );
    await connection.run(MEMBER_GRANTS.replaceAll('%I', role));
    await connection.query('INSERT INTO yore.member (role, team, author) VALUES ($1, $2, $3)', [role, team, author]);
  });
  return { role, password, author };
}

/** Takes access from a member, also where they are connected now. Their records stay. Throws NOT_FOUND. */
export async function removeMember(connection: PostgresConnection, team: string, author: string): Promise<void> {
  const sql =
    'UPDATE yore.member SET removed_at = now() WHERE team = $1 AND (author = $2 OR name = $2) AND removed_at IS NULL RETURNING role';
  const removed = await connection.query<{ readonly role: string }>(sql, [team, author]);
  if (removed.length === 0) throw new YoreError('NOT_FOUND', `There is no member ${author} in this team.`);
  for (const { role } of removed) {
    if (!/^yore_member_[0-9a-f]{12}$/.test(role)) continue;
    await connection.run(`ALTER ROLE ${role} NOLOGIN`);
    await connection.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
  }
}

/** All teams of the server. */
export async function findTeams(
  connection: PostgresConnection,
): Promise<readonly { readonly team: string; readonly name: string }[]> {
  return connection.query('SELECT team, name FROM yore.team ORDER BY name');
}
