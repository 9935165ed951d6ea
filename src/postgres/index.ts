export {
  addMember,
  createTables,
  ensureTeam,
  findTeams,
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
  type StreamRow,
} from './postgres-store.ts';
