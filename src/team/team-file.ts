import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readIfExists, writeFileAtomic } from '../files/file-access.ts';
import { type DatabaseAddress, parseAddress } from '../postgres/index.ts';
import { parseObject, randomHex, YoreError } from '../record/index.ts';
import type { Environment } from '../registry/folders.ts';

/** The membership of this home in a team, stored in `team.json` of yore's home. */
export interface TeamMembership {
  /** Id of the team. */
  readonly team: string;
  readonly teamName: string;
  /** The pseudonym of this member. */
  readonly author: string;
  /** Tells this machine's records from those of others. */
  readonly machine: string;
  /** What this machine left on the server when it synced last. A copy of the home leaves another one. */
  readonly token?: string;
  /** The connection string. Undefined if it comes from the environment. */
  readonly url?: string;
}

/** The environment variable with the connection string. It is used instead of the stored one. */
export const URL_VARIABLE = 'YORE_TEAM_URL';

const VERSION = 1;

/** Reads the membership of a home; undefined without one. Throws TEAM if others can read the file. */
export function readMembership(home: string): TeamMembership | undefined {
  const file = teamFile(home);
  const { v, team, teamName, author, machine, token, url } = parseObject(readIfExists(file) ?? '') ?? {};
  if (v !== VERSION || typeof team !== 'string' || typeof author !== 'string' || typeof machine !== 'string') {
    return undefined;
  }
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new YoreError('TEAM', `Other users can read ${file}, which contains a password. Run: chmod 600 ${file}`);
  }
  return {
    team,
    teamName: typeof teamName === 'string' ? teamName : '',
    author,
    machine,
    ...(typeof token === 'string' ? { token } : {}),
    ...(typeof url === 'string' ? { url } : {}),
  };
}

/** Writes the membership of a home (0600). */
export function writeMembership(home: string, membership: TeamMembership): void {
  writeFileAtomic(teamFile(home), `${JSON.stringify({ v: VERSION, ...membership }, null, 2)}\n`);
}

/** Removes the membership of a home. */
export function removeMembership(home: string): void {
  rmSync(teamFile(home), { force: true });
}

/** A new name for a machine. */
export function newMachine(): string {
  return randomHex(12);
}

/** The server of a member: the one of the environment, else the stored one. Throws TEAM without either. */
export function findAddress({ url }: Pick<TeamMembership, 'url'>, env: Environment): DatabaseAddress {
  const found = env[URL_VARIABLE] || url;
  if (found === undefined) {
    throw new YoreError('TEAM', `There is no connection string. Set ${URL_VARIABLE}, or run yore team join URL.`);
  }
  return parseAddress(found);
}

function teamFile(home: string): string {
  return join(home, 'team.json');
}
