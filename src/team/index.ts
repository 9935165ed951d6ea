export {
  createTeam,
  expelMember,
  inviteMember,
  joinTeam,
  leaveTeam,
  readTeamStatus,
  shareProject,
  upgradeServer,
} from './membership.ts';
export type { ShareLevel } from './shared-records.ts';
export { type SyncReport, syncHome } from './sync.ts';
export { readMembership, URL_VARIABLE } from './team-file.ts';
export { TeamServer } from './team-server.ts';
