import { join } from 'node:path';
import { tryWithLockAsync } from '../files/lock.ts';
import type { PostgresStore } from '../postgres/index.ts';
import type { Home } from '../project/index.ts';
import { randomHex } from '../record/index.ts';
import { findAddress, newMachine, readMembership, type TeamMembership, writeMembership } from './team-file.ts';

const TOKEN_LENGTH = 24;

/**
 * Connects to the team's server as this machine. If the home was copied, the copy and the original show the same token,
 * and whoever comes second is given a new name: a machine receives only what machines of other names have sent.
 */
export async function openTeamStore(home: Home, membership: TeamMembership): Promise<PostgresStore> {
  const { PostgresStore } = await import('../postgres/index.ts');
  const store = await PostgresStore.open(findAddress(membership, home.env), membership.machine);
  try {
    // Undefined: another process of this home is checking in, which counts for both.
    const isAccepted = await tryWithLockAsync(join(home.path, 'team.lock'), () => checkIn(home.path, store));
    if (isAccepted !== false) return store;
  } catch (error) {
    await store.close();
    throw error;
  }
  await store.close();
  return openTeamStore(home, readMembership(home.path) ?? membership);
}

async function checkIn(home: string, store: PostgresStore): Promise<boolean> {
  const membership = readMembership(home);
  if (membership === undefined) return true;
  const token = randomHex(TOKEN_LENGTH);
  const isAccepted = await store.checkIn(membership.token ?? '', token);
  writeMembership(home, isAccepted ? { ...membership, token } : { ...membership, machine: newMachine() });
  return isAccepted;
}
