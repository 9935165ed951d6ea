import { existsSync } from 'node:fs';
import type { InstallScope, Machine, Part, Target } from '../agents/installation.ts';
import { YoreError } from '../record/index.ts';
import { type Edit, planInstall, planRemoval } from './edit-file.ts';
import type { InstallableAgent } from './find-agents.ts';
import type { FileRecord, InstallRecord } from './install-record.ts';
import { checkWritable, readSettings, readSettingsText } from './settings-file.ts';

/** What is to be done to one file. */
export interface FilePlan {
  readonly target: Target;
  readonly edit: Exclude<Edit, { readonly kind: 'problem' }>;
  /** Whether the file exists now. */
  readonly exists: boolean;
}

/** What is to be done for one agent. */
export interface AgentPlan {
  readonly agent: InstallableAgent;
  readonly files: readonly FilePlan[];
  /** Why this agent is left as it is; a sentence. `files` is empty then. */
  readonly problem?: string;
  /** Why there is nothing to do, other than that it is done already; a sentence. */
  readonly note?: string;
}

/** Where something is installed, and what was installed before. */
export interface InstallContext {
  readonly machine: Machine;
  readonly scope: InstallScope;
  readonly record: InstallRecord;
}

/** Plans what `yore init` does for agents. Reads their settings files, changes nothing. */
export function planInstallation(
  agents: readonly InstallableAgent[],
  { machine, scope, record }: InstallContext,
): readonly AgentPlan[] {
  return agents.map((agent) => {
    const otherSetup = scope.kind === 'user' ? findOtherSetup(agent, machine) : undefined;
    if (otherSetup !== undefined) return { agent, files: [], note: otherSetup };
    const targets = resolveTargets(agent, machine, scope);
    const plan = planFiles(agent, targets, (target) => planFile(target, record.files.get(target.path)));
    if (targets.length > 0 || plan.problem !== undefined) return plan;
    return { ...plan, note: agent.limitation ?? 'There is nothing to install here.' };
  });
}

/**
 * Plans what `yore init --uninstall` does: for the given agents, everything that is recorded or found in their files; only
 * in one checkout when the scope is a project. Changes nothing.
 */
export function planUninstallation(
  agents: readonly InstallableAgent[],
  { machine, scope, record }: InstallContext,
): readonly AgentPlan[] {
  return agents.map((agent) => {
    const own = agent.targets(machine, scope).flatMap(listAlternatives);
    const targets = new Map(own.map((target) => [target.path, target]));
    for (const [path, file] of record.files) {
      const isInScope = scope.kind === 'user' || file.project === scope.root;
      if (file.agent === agent.name && isInScope && !targets.has(path)) targets.set(path, toTarget(path, file));
    }
    return planFiles(agent, [...targets.values()], (target) =>
      planFile(target, record.files.get(target.path), planRemoval),
    );
  });
}

/** Whether a part of an agent's installation is in place. `taken`: somebody else's entry has its place. */
export type PartState = 'installed' | 'missing' | 'changed' | 'taken';

/** Checks a part over all files that serve it; undefined when the agent has no such part. Changes nothing. */
export function checkPart(
  agent: InstallableAgent,
  part: Part,
  { machine, scope, record }: InstallContext,
): PartState | undefined {
  const targets = resolveTargets(agent, machine, scope).filter((target) => servesPart(target, part));
  if (targets.length === 0) return undefined;
  const states = targets.map((target): PartState => {
    const { text } = readSettingsText(target.path);
    const edit = planInstall(target, text, record.files.get(target.path));
    if (edit.kind === 'problem') throw new YoreError('CONFIG', `${target.path} cannot be read: ${edit.problem}.`);
    if (edit.kind !== 'delete' && edit.conflicts.includes(part)) return 'taken';
    if (edit.kind === 'none') return 'installed';
    if (text === undefined) return 'missing';
    const removal = planRemoval(limitToPart(target, part), text, undefined);
    return removal.kind === 'none' ? 'missing' : 'changed';
  });
  return states.find((state) => state !== 'installed') ?? 'installed';
}

/** The edit of one file, from its text as it is now. Default of `plan`: {@link planInstall}. */
export function planFile(
  target: Target,
  record: FileRecord | undefined,
  plan: typeof planInstall = planInstall,
): PlannedFile {
  const file = readSettingsText(target.path);
  const edit = plan(target, file.text, record);
  if (edit.kind === 'write') checkWritable(target.path, file);
  return { target, edit, exists: file.text !== undefined };
}

type PlannedFile = Omit<FilePlan, 'edit'> & { readonly edit: Edit };

function planFiles(
  agent: InstallableAgent,
  targets: readonly Target[],
  plan: (target: Target) => PlannedFile,
): AgentPlan {
  const files: FilePlan[] = [];
  try {
    for (const target of targets) {
      const { edit, ...rest } = plan(target);
      if (edit.kind === 'problem') {
        return { agent, files: [], problem: `${target.path} cannot be changed: ${edit.problem}.` };
      }
      files.push({ ...rest, edit });
    }
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    return { agent, files: [], problem: error.message };
  }
  return { agent, files };
}

/** The targets on this machine: the alternative that exists, and none where the required folder is missing. */
function resolveTargets(agent: InstallableAgent, machine: Machine, scope: InstallScope): readonly Target[] {
  return agent.targets(machine, scope).flatMap((target): readonly Target[] => {
    if (target.kind !== 'json') return [target];
    if (target.requiredFolder !== undefined && !existsSync(target.requiredFolder)) return [];
    const alternative = existsSync(target.path) ? undefined : target.alternatives?.find(existsSync);
    return alternative === undefined ? [target] : [{ ...target, path: alternative }];
  });
}

function listAlternatives(target: Target): readonly Target[] {
  if (target.kind !== 'json') return [target];
  return [target, ...(target.alternatives ?? []).map((path) => ({ ...target, path }))];
}

/** A file that was changed when it was somewhere else, for example because of an environment variable. */
function toTarget(path: string, file: FileRecord): Target {
  if (file.kind === 'own') return { kind: 'own', path, parts: [], text: '' };
  if (file.kind === 'json') return { kind: 'json', path, additions: [] };
  return { kind: 'toml', path, part: 'mcp', table: ['mcp_servers', 'yore'], lines: [] };
}

function servesPart(target: Target, part: Part): boolean {
  if (target.kind === 'json') return target.additions.some((addition) => addition.part === part);
  return target.kind === 'toml' ? target.part === part : target.parts.includes(part);
}

function limitToPart(target: Target, part: Part): Target {
  if (target.kind !== 'json') return target;
  return { ...target, additions: target.additions.filter((addition) => addition.part === part) };
}

function findOtherSetup(agent: InstallableAgent, machine: Machine): string | undefined {
  try {
    return agent.findOtherSetup?.(readSettings, machine);
  } catch {
    return undefined; // planning reads the file again and reports what is wrong with it
  }
}
