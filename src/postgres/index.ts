export {
  addMember,
  createTeamTables,
  ensureTeam,
  findTeams,
  removeMember,
} from './administration.ts';
export { type DatabaseAddress, PostgresConnection, parseAddress } from './connection.ts';
export type { Lessons, TeamKnowledge } from './lessons.ts';
export {
  type Member,
  type Membership,
  PostgresStore,
} from './postgres-store.ts';
export {
  parseShared,
  type SharedDeletion,
  type SharedLog,
  type SharedRecord,
  type StreamRow,
  toShareable,
} from './shared-rows.ts';
