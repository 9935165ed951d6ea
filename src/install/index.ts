export type { AgentUnit } from './agent-unit.ts';
export { type AppliedPlan, applyInstallation, applyUninstallation, type ChangedFile } from './apply.ts';
export { type AgentCheck, checkAgents, type Examined, type Seen } from './check-agents.ts';
export { type FoundAgent, findAgents } from './find-agents.ts';
export { type InstallRecord, readInstallRecord } from './install-record.ts';
export { type Machine, type Scope, serverFile } from './machine.ts';
export { type AgentPlan, type FilePlan, planInstallation, planUninstallation, unitsNamed } from './plan.ts';
export { type ServerTarget, writeServerShim } from './server-shim.ts';
export type { Part, Target } from './target.ts';
