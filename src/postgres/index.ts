export {
  addMember,
  createTables,
  ensureTeam,
  findTeams,
  removeMember,
} from './administration.ts';
export { Connection, parseAddress, type ServerAddress } from './connection.ts';
export type { Lessons, TeamKnowledge } from './lessons.ts';
export {
  type Member,
  type Membership,
  PostgresStore,
  type SharedDeletion,
  type SharedLog,
  type SharedRecord,
  type StreamRow,
} from './postgres-store.ts';
export { parseShared } from './shared-rows.ts';
