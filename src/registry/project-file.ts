import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, storageError, writeFileAtomic } from '../files/index.ts';
import { type ProjectInfo, RECORD_VERSION } from '../record/index.ts';
import { isProjectId } from './registry-file.ts';

/** What `index.json` of a project says; undefined when there is none, `damaged` when it cannot be understood. */
export function readProjectInfo(directory: string): ProjectInfo | 'damaged' | undefined {
  let text: string;
  try {
    text = readFileSync(infoFile(directory), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw storageError('read', infoFile(directory), error);
  }
  try {
    const content: unknown = JSON.parse(text);
    return isProjectInfo(content) ? content : 'damaged';
  } catch {
    return 'damaged';
  }
}

/**
 * Writes `index.json`. What else it holds stays (others keep what they know of a project there too), and a
 * file of a newer yore is left alone.
 */
export function writeProjectInfo(directory: string, info: ProjectInfo): void {
  const before = readProjectInfo(directory);
  const known = before === 'damaged' ? undefined : before;
  if (known && known.v > RECORD_VERSION) return;
  writeFileAtomic(infoFile(directory), `${JSON.stringify({ ...known, ...info }, null, 2)}\n`);
}

/** Ids of the projects in a `projects` folder. */
export function projectIdsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(isProjectId);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw storageError('read', folder, error);
  }
}

function infoFile(directory: string): string {
  return join(directory, 'index.json');
}

function isProjectInfo(value: unknown): value is ProjectInfo {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return (
    TEXTS.every((key) => typeof fields[key] === 'string') &&
    isProjectId(fields.projectHash) &&
    typeof fields.v === 'number' &&
    typeof fields.generation === 'number'
  );
}

const TEXTS = ['projectPath', 'identity', 'displayName', 'firstSeen', 'lastActiveAt'] as const;
