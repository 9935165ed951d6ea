import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { YoreError } from '../record/index.ts';
import { planRemoval } from './edit-file.ts';
import {
  type FileRecord,
  type InstallRecord,
  readInstallRecord,
  writeInstallRecord,
} from './install-record.ts';
import type { Scope } from './machine.ts';
import { type AgentPlan, type FilePlan, planOne } from './plan.ts';
import { checkWritable, deleteSettingsFile, readSettingsText, writeSettingsText } from './settings-file.ts';

/** A file that was changed. */
export interface ChangedFile {
  readonly path: string;
  readonly did: 'created' | 'changed' | 'deleted';
}

/** What became of an agent's plan. */
export interface AppliedPlan {
  readonly plan: AgentPlan;
  readonly changed: readonly ChangedFile[];
  /** Why it was not finished; a sentence. */
  readonly problem?: string;
}

/**
 * Does what a plan says, and notes it in `install.json` of yore's home first. Each file is read again right before it is
 * written, because agents write their settings too.
 */
export function applyInstallation(plan: AgentPlan, home: string, scope: Scope): AppliedPlan {
  return applyFiles(plan, (file) => {
    const { target } = file;
    const record = new Map(readInstallRecord(home));
    const { edit } = planOne(target, record.get(target.path));
    if (edit.kind === 'problem')
      throw new YoreError('CONFIG', `${target.path} cannot be changed: ${edit.problem}.`);
    if (edit.kind !== 'write') return undefined;
    const settings = readSettingsText(target.path);
    const before = record.get(target.path);
    const folders = settings.text === undefined ? missingFolders(settings.path) : (before?.folders ?? []);
    const entry: FileRecord = {
      agent: plan.unit.agent,
      kind: target.kind,
      ...edit.footprint,
      folders,
      ...(scope.kind === 'project' ? { project: scope.root } : {}),
    };
    writeInstallRecord(home, record.set(target.path, entry));
    writeSettingsText(settings, edit.text);
    return settings.text === undefined ? 'created' : 'changed';
  });
}

/** Takes yore's parts out of the files of a plan. */
export function applyUninstallation(plan: AgentPlan, home: string): AppliedPlan {
  return applyFiles(plan, ({ target }) => {
    const record = new Map(readInstallRecord(home));
    const entry = record.get(target.path);
    const settings = readSettingsText(target.path);
    const edit = planRemoval(target, settings.text, entry);
    if (edit.kind === 'problem')
      throw new YoreError('CONFIG', `${target.path} cannot be changed: ${edit.problem}.`);
    if (edit.kind === 'write') {
      checkWritable(target.path, settings);
      writeSettingsText(settings, edit.text);
    }
    if (edit.kind === 'delete') deleteSettingsFile(target.path, entry?.folders ?? []);
    if (record.delete(target.path)) writeInstallRecord(home, record);
    if (edit.kind === 'none') return undefined;
    return edit.kind === 'delete' ? 'deleted' : 'changed';
  });
}

/** Whether `yore init` has wired anything that is still noted. */
export function hasWiring(record: InstallRecord): boolean {
  return record.size > 0;
}

function applyFiles(plan: AgentPlan, apply: (file: FilePlan) => ChangedFile['did'] | undefined): AppliedPlan {
  const changed: ChangedFile[] = [];
  try {
    for (const file of plan.files) {
      const did = apply(file);
      if (did !== undefined) changed.push({ path: file.target.path, did });
    }
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    return { plan, changed, problem: error.message };
  }
  return plan.problem === undefined ? { plan, changed } : { plan, changed, problem: plan.problem };
}

function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}
