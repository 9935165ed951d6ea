export type { InstallScope, Machine, Target } from '../agents/installation.ts';
export { type AppliedPlan, applyInstallation, applyUninstallation } from './apply.ts';
export { type AgentActivity, type AgentCheck, checkAgents, findObstacle } from './check-agents.ts';
export { type FoundAgent, findAgents, loadInstallableAgents } from './find-agents.ts';
export { readInstallRecord } from './install-record.ts';
export {
  type AgentPlan,
  type FilePlan,
  type InstallContext,
  planInstallation,
  planUninstallation,
} from './plan.ts';
export { writeServerShim } from './server-shim.ts';
