export {
  createTeam,
  expelMember,
  type Invitation,
  inviteMember,
  joinTeam,
  type LeaveReport,
  leaveTeam,
  readMembers,
  readTeamStatus,
  shareProject,
  type TeamStatus,
  upgradeServer,
} from './membership.ts';
export type { ShareLevel } from './shared-records.ts';
export { type ProjectSync, type SyncOptions, type SyncReport, syncHome } from './sync.ts';
export { readMembership, URL_VARIABLE } from './team-file.ts';
