export { type AppliedPlan, applyInstallation, applyUninstallation } from './apply.ts';
export { type AgentCheck, checkAgents, type Seen } from './check-agents.ts';
export { type FoundAgent, findAgents } from './find-agents.ts';
export { type InstallRecord, readInstallRecord } from './install-record.ts';
export type { Machine, Scope } from './machine.ts';
export { type AgentPlan, type FilePlan, planInstallation, planUninstallation, unitsNamed } from './plan.ts';
export { writeServerShim } from './server-shim.ts';
export type { Target } from './target.ts';
