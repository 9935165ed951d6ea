export {
  addMember,
  createTables,
  ensureTeam,
  findTeams,
  listMembers,
  type Member,
  type NewMember,
  removeMember,
} from './administration.ts';
export { Connection, parseAddress, type ServerAddress } from './connection.ts';
export {
  type Membership,
  PostgresStore,
  parseShared,
  type SharedDeletion,
  type SharedLog,
  type SharedRecord,
  type StreamPage,
  type StreamRow,
} from './postgres-store.ts';
