import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setSetting } from '../config/index.ts';
import { teamFolder } from '../log/index.ts';
import {
  addMember,
  createTeamTables,
  ensureTeam,
  findTeams,
  type Member,
  type Membership,
  PostgresConnection,
  PostgresStore,
  parseAddress,
  removeMember,
} from '../postgres/index.ts';
import type { Home, Project } from '../project/index.ts';
import { messageOf, omitUndefined, YoreError } from '../record/index.ts';
import { projectKey, type ShareLevel } from './shared-records.ts';
import { readSyncState } from './sync.ts';
import {
  findAddress,
  newMachine,
  readMembership,
  removeMembership,
  type TeamMembership,
  URL_VARIABLE,
  writeMembership,
} from './team-file.ts';

/** An invitation: whoever has it is a member. */
interface Invitation {
  readonly team: string;
  /** The connection string of the new member, with a password that is stored nowhere else. */
  readonly url: string;
  readonly author: string;
}

/**
 * Creates yore's tables and a team on a server, or upgrades the tables, and invites a member. `adminUrl` is the login of
 * the database's owner; it is not stored.
 */
export async function createTeam(adminUrl: string, teamName: string): Promise<Invitation> {
  return withAdmin(adminUrl, async (connection) => {
    await createTeamTables(connection);
    return inviteTo(connection, adminUrl, await ensureTeam(connection, teamName), teamName);
  });
}

/** Upgrades the tables of a server. */
export async function upgradeServer(adminUrl: string): Promise<void> {
  await withAdmin(adminUrl, createTeamTables);
}

/** Creates the login of a new member. `teamName` may be left out if the server has one team. */
export async function inviteMember(adminUrl: string, teamName?: string): Promise<Invitation> {
  return withAdmin(adminUrl, async (connection) => {
    const { team, name } = await chooseTeam(connection, teamName);
    return inviteTo(connection, adminUrl, team, name);
  });
}

/** Takes access from a member, by pseudonym or name. Their records stay. */
export async function expelMember(adminUrl: string, author: string, teamName?: string): Promise<void> {
  await withAdmin(adminUrl, async (connection) => {
    await removeMember(connection, (await chooseTeam(connection, teamName)).team, author);
  });
}

async function withAdmin<T>(adminUrl: string, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
  const connection = await PostgresConnection.open(parseAddress(adminUrl));
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function inviteTo(
  connection: PostgresConnection,
  adminUrl: string,
  team: string,
  name: string,
): Promise<Invitation> {
  const { role, password, author } = await addMember(connection, team);
  const url = new URL(adminUrl.trim());
  url.username = role;
  url.password = password;
  return { team: name, url: url.href, author };
}

async function chooseTeam(
  connection: PostgresConnection,
  wanted: string | undefined,
): Promise<{ readonly team: string; readonly name: string }> {
  const teams = await findTeams(connection);
  const found = wanted === undefined ? teams : teams.filter(({ name }) => name === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const names = teams.map(({ name }) => name).join(', ');
  if (teams.length === 0) throw new YoreError('NOT_FOUND', 'There is no team on this server. Run yore team init URL.');
  throw new YoreError('USAGE', `Which team? Use --team with one of these: ${names}`);
}

/**
 * Makes a home a member of a team. `name` is shown to the team instead of the pseudonym. The connection string is stored
 * in `team.json`, unless `isStored` is false, because it comes from the environment. Throws USAGE if the home belongs to
 * another team.
 */
export async function joinTeam(
  home: Home,
  url: string,
  { name, isStored = true }: { readonly name?: string; readonly isStored?: boolean } = {},
): Promise<Membership> {
  const before = readMembership(home.path);
  const machine = before?.machine ?? newMachine();
  const store = await PostgresStore.open(parseAddress(url), machine);
  try {
    let found = await store.whoAmI();
    if (before !== undefined && before.team !== found.team) {
      throw new YoreError('USAGE', `This home belongs to the team ${before.teamName}. Leave it first: yore team leave`);
    }
    // Who is invited again stays who they were: otherwise their records would be sent again as somebody else's.
    const isReturning = before?.token !== undefined && before.author !== found.author;
    if (isReturning && (await store.continueAs(before.author, before.token))) found = await store.whoAmI();
    if (name !== undefined) await store.setName(name === '' ? undefined : name);
    const { team, teamName, author } = found;
    const token = before?.author === author ? before.token : undefined;
    writeMembership(home.path, {
      ...{ team, teamName, author, machine },
      ...omitUndefined({ token, url: isStored ? url.trim() : undefined }),
    });
    return { ...found, ...omitUndefined({ name }) };
  } finally {
    await store.close();
  }
}

/** What {@link leaveTeam} did. */
interface LeaveReport {
  readonly team: string;
  /** Records that were deleted from the server. */
  readonly deleted: number;
  /** Why the server could not be told. */
  readonly problem?: string;
}

/**
 * Ends the membership of a home, and deletes the copies of what colleagues shared. `isForgetting`: first deletes all that
 * was shared from the server and from the machines of colleagues, and throws TEAM if that is not possible.
 */
export async function leaveTeam(
  home: Home,
  { isForgetting = false, now = Date.now }: { readonly isForgetting?: boolean; readonly now?: () => number } = {},
): Promise<LeaveReport> {
  const membership = requireMembership(home);
  let deleted = 0;
  let problem: string | undefined;
  try {
    const store = await PostgresStore.open(findAddress(membership, home.env), membership.machine);
    try {
      if (isForgetting) deleted = await forgetAll(home, store, membership, now());
      await store.leave();
    } finally {
      await store.close();
    }
  } catch (error) {
    if (isForgetting || !(error instanceof YoreError)) throw error;
    problem = error.message;
  }
  for (const { directory } of home.allProjects()) rmSync(teamFolder(directory), { recursive: true, force: true });
  removeMembership(home.path);
  home.purgeIndex();
  return { team: membership.teamName, deleted, ...omitUndefined({ problem }) };
}

async function forgetAll(home: Home, store: PostgresStore, { team }: TeamMembership, now: number): Promise<number> {
  let deleted = 0;
  const until = new Date(now).toISOString();
  for (const project of home.allProjects()) {
    const key = projectKey(team, project.info, project.config.get('team.project'));
    if (key !== undefined) deleted += await store.forget(key, { sessions: [], ids: [], everything: true, until });
  }
  return deleted;
}

/** Chooses what of a project is shared from the next sync on. `name`: how colleagues call a project without a repository. */
export function shareProject(home: Home, project: Project, level: ShareLevel, name?: string): void {
  const { team } = requireMembership(home);
  if (name !== undefined) setSetting(project.configFile, 'team.project', name, 'project');
  if (projectKey(team, project.info, project.config.get('team.project')) === undefined) {
    throw new YoreError(
      'USAGE',
      `${project.info.displayName} has no repository by which colleagues' machines could recognise it. Agree on a name: yore team share ${level} --as NAME`,
    );
  }
  setSetting(project.configFile, 'team.share', level, 'project');
}

/** The state of a home's membership. */
interface TeamStatus {
  readonly membership: Omit<TeamMembership, 'url' | 'token'> | undefined;
  /** `host:port/database`. */
  readonly server?: string;
  /** In the order in which they joined. Undefined if the server cannot be used; then `problem` says why. */
  readonly members?: readonly Member[];
  readonly name?: string;
  readonly problem?: string;
  readonly projects: readonly {
    readonly project: string;
    readonly name: string;
    readonly share: ShareLevel;
    /** Whether colleagues' machines can recognise it. */
    readonly isRecognised: boolean;
    /** ISO 8601. */
    readonly syncedAt?: string;
  }[];
}

/** Reads the state of a home's membership, and asks the server. */
export async function readTeamStatus(home: Home): Promise<TeamStatus> {
  const membership = readMembership(home.path);
  if (membership === undefined) return { membership, projects: [] };
  const { url: _url, token: _token, ...shown } = membership;
  const projects = home.allProjects().map((project) => ({
    project: project.info.projectHash,
    name: project.info.displayName,
    share: project.config.get('team.share'),
    isRecognised: projectKey(membership.team, project.info, project.config.get('team.project')) !== undefined,
    ...omitUndefined({ syncedAt: readSyncTime(project.directory) }),
  }));
  return { membership: shown, projects, ...(await askServer(home, membership)) };
}

async function askServer(
  home: Home,
  membership: TeamMembership,
): Promise<Pick<TeamStatus, 'server' | 'members' | 'name' | 'problem'>> {
  try {
    const address = findAddress(membership, home.env);
    try {
      const store = await PostgresStore.open(address, membership.machine);
      try {
        const members = await store.members();
        const name = members.find(({ author }) => author === membership.author)?.name;
        return { server: address.label, members, ...omitUndefined({ name }) };
      } finally {
        await store.close();
      }
    } catch (error) {
      return { server: address.label, problem: messageOf(error) };
    }
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function readSyncTime(directory: string): string | undefined {
  if (readSyncState(directory) === undefined) return undefined;
  return statSync(join(teamFolder(directory), 'sync.json')).mtime.toISOString();
}

/** The membership of a home. Throws TEAM without one. */
export function requireMembership(home: Home): TeamMembership {
  const membership = readMembership(home.path);
  if (membership !== undefined) return membership;
  throw new YoreError(
    'TEAM',
    `This home belongs to no team. Run yore team join URL, or set ${URL_VARIABLE} and run yore team join.`,
  );
}
