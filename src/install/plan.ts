import { statSync } from 'node:fs';
import { YoreError } from '../record/index.ts';
import type { AgentUnit } from './agent-unit.ts';
import { AGENT_UNITS } from './agent-units.ts';
import { type Edit, planInstall, planRemoval } from './edit-file.ts';
import type { FileRecord, InstallRecord } from './install-record.ts';
import type { Machine, Scope } from './machine.ts';
import { checkWritable, readSettingsText } from './settings-file.ts';
import type { Part, Target } from './target.ts';
import { serves } from './target.ts';

/** What is to be done with one file. */
export interface FilePlan {
  readonly target: Target;
  readonly edit: Exclude<Edit, { readonly kind: 'problem' }>;
  readonly isThere: boolean;
}

/** What is to be done for one agent. */
export interface AgentPlan {
  readonly unit: AgentUnit;
  readonly files: readonly FilePlan[];
  /** Why this agent is left as it is; a sentence. `files` is empty then. */
  readonly problem?: string;
  /** Why there is nothing to do, where that is not because it is done; a sentence. */
  readonly note?: string;
}

/** What `yore init` would do for agents. Reads their settings files, changes nothing. */
export function planInstallation(
  units: readonly AgentUnit[],
  machine: Machine,
  scope: Scope,
  record: InstallRecord,
): readonly AgentPlan[] {
  return units.map((unit) => {
    const covered = scope.kind === 'user' ? coverOf(unit, machine) : undefined;
    if (covered !== undefined) return { unit, files: [], note: covered };
    const targets = targetsOf(unit, machine, scope);
    const plan = planFiles(unit, targets, (target) => planOne(target, record.files.get(target.path)));
    if (targets.length > 0 || plan.problem !== undefined) return plan;
    return { ...plan, note: unit.limit ?? 'There is nothing to wire here.' };
  });
}

/**
 * What `yore init --uninstall` would do: for the agents named, everything that is recorded or found in their files; in one
 * checkout only when `scope` is that. Changes nothing.
 */
export function planUninstallation(
  units: readonly AgentUnit[],
  machine: Machine,
  scope: Scope,
  record: InstallRecord,
): readonly AgentPlan[] {
  return units.map((unit) => {
    const targets = new Map(
      unit
        .targets(machine, scope)
        .flatMap(withRivals)
        .map((target) => [target.path, target]),
    );
    for (const [path, file] of record.files) {
      const isMeant = scope.kind === 'user' || file.project === scope.root;
      if (file.agent === unit.agent && isMeant && !targets.has(path))
        targets.set(path, recordedTarget(path, file));
    }
    return planFiles(unit, [...targets.values()], (target) => {
      const file = readSettingsText(target.path);
      const edit = planRemoval(target, file.text, record.files.get(target.path));
      if (edit.kind === 'write') checkWritable(target.path, file);
      return { target, edit, isThere: file.text !== undefined };
    });
  });
}

/** How a part of an agent's wiring stands. */
export type PartState = 'wired' | 'missing' | 'changed' | 'taken';

/** How a part is wired, over all files that serve it; undefined when the agent has no such part. Changes nothing. */
export function partState(
  unit: AgentUnit,
  part: Part,
  machine: Machine,
  scope: Scope,
  record: InstallRecord,
): PartState | undefined {
  const targets = targetsOf(unit, machine, scope).filter((target) => serves(target, part));
  if (targets.length === 0) return undefined;
  const states = targets.map((target): PartState => {
    const only =
      target.kind === 'json'
        ? { ...target, additions: target.additions.filter((each) => each.part === part) }
        : target;
    const { text } = readSettingsText(only.path);
    const edit = planInstall(target, text, record.files.get(target.path));
    if (edit.kind === 'problem')
      throw new YoreError('CONFIG', `${target.path} cannot be read: ${edit.problem}.`);
    if (edit.kind !== 'delete' && edit.taken.includes(part)) return 'taken';
    if (edit.kind === 'none') return 'wired';
    if (text === undefined) return 'missing';
    const removal = planRemoval(only, text, undefined);
    return removal.kind === 'none' ? 'missing' : 'changed';
  });
  return states.find((state) => state !== 'wired') ?? 'wired';
}

/** The unit of each name, in the order of the table. */
export function unitsNamed(names: readonly string[]): readonly AgentUnit[] {
  return AGENT_UNITS.filter(({ agent }) => names.includes(agent));
}

function planFiles(
  unit: AgentUnit,
  targets: readonly Target[],
  plan: (target: Target) => PlannedFile,
): AgentPlan {
  const files: FilePlan[] = [];
  try {
    for (const target of targets) {
      const { edit, isThere } = plan(target);
      if (edit.kind === 'problem') {
        return { unit, files: [], problem: `${target.path} cannot be changed: ${edit.problem}.` };
      }
      files.push({ target, edit, isThere });
    }
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    return { unit, files: [], problem: error.message };
  }
  return { unit, files };
}

interface PlannedFile {
  readonly target: Target;
  readonly edit: Edit;
  readonly isThere: boolean;
}

/** What has to be done with one file now. */
export function planOne(target: Target, record: FileRecord | undefined): PlannedFile {
  const file = readSettingsText(target.path);
  const edit = planInstall(target, file.text, record);
  if (edit.kind === 'write') checkWritable(target.path, file);
  return { target, edit, isThere: file.text !== undefined };
}

/** The targets as they are on this machine: the file that is used, and none where its folder is missing. */
function targetsOf(unit: AgentUnit, machine: Machine, scope: Scope): readonly Target[] {
  return unit.targets(machine, scope).flatMap((target): readonly Target[] => {
    if (target.kind !== 'json') return [target];
    if (target.onlyIn !== undefined && !isThere(target.onlyIn)) return [];
    const rival = isThere(target.path) ? undefined : target.rivals?.find(isThere);
    return rival === undefined ? [target] : [{ ...target, path: rival }];
  });
}

function withRivals(target: Target): readonly Target[] {
  if (target.kind !== 'json') return [target];
  return [target, ...(target.rivals ?? []).map((path) => ({ ...target, path }))];
}

/** A file that was changed when something else decided where it is, such as an environment variable. */
function recordedTarget(path: string, file: FileRecord): Target {
  if (file.kind === 'own') return { kind: 'own', path, parts: [], text: '' };
  if (file.kind === 'json') return { kind: 'json', path, additions: [] };
  return { kind: 'toml', path, part: 'mcp', table: ['mcp_servers', 'yore'], lines: [] };
}

function coverOf(unit: AgentUnit, machine: Machine): string | undefined {
  try {
    return unit.coveredBy?.((path) => readSettingsText(path).text, machine);
  } catch {
    return undefined; // the file is looked at again, and what is wrong with it is said then
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
