import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { InstallScope } from '../agents/installation.ts';
import { resolveLinks } from '../files/index.ts';
import { omitUndefined, YoreError } from '../record/index.ts';
import { planRemoval } from './edit-file.ts';
import { type FileRecord, readInstallRecord, writeInstallRecord } from './install-record.ts';
import { type AgentPlan, type FilePlan, planFile } from './plan.ts';
import {
  checkWritable,
  deleteEmptyFolders,
  deleteSettingsFile,
  findMissingFolders,
  readSettingsText,
  writeSettingsText,
} from './settings-file.ts';

/** A file that was changed. */
interface ChangedFile {
  readonly path: string;
  readonly did: 'created' | 'changed' | 'deleted';
}

/** The result of applying an agent's plan. */
export interface AppliedPlan {
  readonly plan: AgentPlan;
  readonly changed: readonly ChangedFile[];
  /** Why it was not finished; a sentence. */
  readonly problem?: string;
}

/**
 * Installs what a plan says. Each file is recorded in `install.json` of yore's home before it is written, and is read again
 * right before that, because agents write their settings too.
 */
export function applyInstallation(plan: AgentPlan, home: string, scope: InstallScope, now: number): AppliedPlan {
  return applyToFiles(plan, ({ target }) => {
    const { files, folders } = readInstallRecord(home);
    const { edit } = planFile(target, files.get(target.path));
    if (edit.kind === 'problem') throw cannotChange(target.path, edit.problem);
    if (edit.kind !== 'write') return undefined;
    const settings = readSettingsText(target.path);
    if (scope.kind === 'project' && leadsOut(scope.root, settings.path)) {
      throw cannotChange(target.path, 'it is behind a link that leads out of the checkout');
    }
    const entry: FileRecord = {
      agent: plan.agent.name,
      kind: target.kind,
      at: files.get(target.path)?.at ?? now,
      ...edit.record,
      ...(scope.kind === 'project' ? { project: scope.root } : {}),
    };
    writeInstallRecord(home, {
      files: new Map(files).set(target.path, entry),
      folders: [...new Set([...folders, ...findMissingFolders(settings.path)])],
    });
    writeSettingsText(settings, edit.text);
    return settings.text === undefined ? 'created' : 'changed';
  });
}

/** Removes yore's entries from the files of a plan. */
export function applyUninstallation(plan: AgentPlan, home: string): AppliedPlan {
  return applyToFiles(plan, ({ target }) => {
    const { files, folders } = readInstallRecord(home);
    const settings = readSettingsText(target.path);
    const edit = planRemoval(target, settings.text, files.get(target.path));
    if (edit.kind === 'problem') throw cannotChange(target.path, edit.problem);
    if (edit.kind === 'write') {
      checkWritable(target.path, settings);
      writeSettingsText(settings, edit.text);
    }
    if (edit.kind === 'delete') deleteSettingsFile(target.path);
    const rest = new Map(files);
    if (rest.delete(target.path)) writeInstallRecord(home, { files: rest, folders: deleteEmptyFolders(folders) });
    if (edit.kind === 'none') return undefined;
    return edit.kind === 'delete' ? 'deleted' : 'changed';
  });
}

function applyToFiles(plan: AgentPlan, apply: (file: FilePlan) => ChangedFile['did'] | undefined): AppliedPlan {
  const { problem } = plan;
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
  return { plan, changed, ...omitUndefined({ problem }) };
}

/** Whether a file, with its links resolved, is not in a checkout: a repository may contain links to anywhere. */
function leadsOut(root: string, path: string): boolean {
  let folder = dirname(path);
  while (folder !== root && !existsSync(folder)) folder = dirname(folder);
  return !`${resolveLinks(folder)}${sep}`.startsWith(`${resolveLinks(root)}${sep}`);
}

function cannotChange(path: string, problem: string): YoreError {
  return new YoreError('CONFIG', `${path} cannot be changed: ${problem}.`);
}
