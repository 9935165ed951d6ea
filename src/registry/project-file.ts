import { appendFileSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, readIfExists, readRegularFile, storageError, writeFileAtomic } from '../files/file-access.ts';
import { YoreError } from '../record/error.ts';
import { type JsonObject, parseObject } from '../record/object.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import { RECORD_VERSION } from '../record/record.ts';
import type { RunGit } from './git-repository.ts';
import { type Identity, parseIdentity } from './identity.ts';

/** Whether a value is an id of a project. Strict, because ids are used as folder names. */
export function isProjectId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8,64}$/.test(value);
}

/** Reads `index.json` of a project; undefined when it does not exist, `damaged` when it is invalid. */
export function readProjectInfo(directory: string): ProjectInfo | 'damaged' | undefined {
  let text: string;
  try {
    text = readRegularFile(infoFile(directory)).toString('utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw storageError('read', infoFile(directory), error);
  }
  const fields = parseObject(text);
  return fields && isProjectInfo(fields) ? (fields as unknown as ProjectInfo) : 'damaged';
}

/** Writes `index.json`. Unknown fields are preserved, and a file of a newer version is left alone. */
export function writeProjectInfo(directory: string, info: ProjectInfo): void {
  const before = readProjectInfo(directory);
  const current = before === 'damaged' ? undefined : before;
  if (current && current.v > RECORD_VERSION) return;
  writeFileAtomic(infoFile(directory), `${JSON.stringify({ ...current, ...info }, null, 2)}\n`);
}

/** The ids of the projects in a `projects` folder. */
export function listProjectIds(folder: string): readonly string[] {
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

function isProjectInfo(fields: JsonObject): boolean {
  return (
    TEXT_FIELDS.every((key) => typeof fields[key] === 'string') &&
    isProjectId(fields.projectHash) &&
    typeof fields.v === 'number' &&
    typeof fields.generation === 'number'
  );
}

const TEXT_FIELDS = ['projectPath', 'identity', 'displayName', 'firstSeen', 'lastActiveAt'] as const;

/** The info of a project that is seen for the first time. */
export function createProjectInfo(id: string, identity: string, found: Identity, now: number): ProjectInfo {
  const time = new Date(now).toISOString();
  return {
    v: RECORD_VERSION,
    projectPath: found.mainRoot,
    projectHash: id,
    identity,
    displayName: found.displayName,
    firstSeen: time,
    lastActiveAt: time,
    generation: 0,
  };
}

/** Updates a known project from a folder of it: its path when it was moved, its identity when more is known now. */
export function updateProjectInfo(
  before: ProjectInfo,
  found: Identity,
  { isMoved, others }: { readonly isMoved: boolean; readonly others: readonly ProjectInfo[] },
): ProjectInfo {
  const gain = identityStrength(found.identity) - identityStrength(before.identity);
  const isFree = !others.some(
    ({ identity, projectHash }) => identity === found.identity && projectHash !== before.projectHash,
  );
  const identity = isFree && (gain > 0 || (gain === 0 && isMoved)) ? found.identity : before.identity;
  if (!isMoved || before.projectPath === found.mainRoot) return { ...before, identity };
  return { ...before, identity, projectPath: found.mainRoot, displayName: found.displayName };
}

/** Higher for identities that survive more changes, such as moving the folder. */
function identityStrength(identity: string): number {
  const parts = parseIdentity(identity);
  if (!parts || parts.kind === 'folder') return 0;
  if (parts.kind === 'gitDir') return 1;
  return parts.rootCommit === undefined ? 2 : parts.remote === undefined ? 3 : 4;
}

/** The first 8 hexadecimal characters of the SHA-256 of an identity, or more if another project has that id. */
export function chooseProjectId(identity: string, others: readonly ProjectInfo[]): string {
  // Loaded on demand, since most processes meet no new project.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(identity).digest('hex');
  const taken = new Set(others.filter((info) => info.identity !== identity).map((info) => info.projectHash));
  let length = 8;
  while (taken.has(hash.slice(0, length)) && length < hash.length) length += 4;
  return hash.slice(0, length);
}

const FOLDER = '.yore';

/** The data folder of a project with `storage: "repo"`; undefined for a bare repository, which has no worktree. */
export function repoStorageFolder(identity: Identity): string | undefined {
  return identity.repository?.isBare ? undefined : join(identity.mainRoot, FOLDER);
}

/**
 * Adds `.yore/` to `.gitignore`, unless it is mentioned there already, before anything is stored in it. Throws STORAGE
 * when `.yore` is a link, or is committed: then it came with a clone, and its content is not trusted.
 */
export function prepareRepoStorage(identity: Identity, git: RunGit | undefined): void {
  const directory = join(identity.mainRoot, FOLDER);
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) {
    throw refusedError(directory, 'is a link, and yore does not write through links. Remove it');
  }
  if (!identity.repository) return;
  if (found && git?.(identity.repository.gitDir, ['ls-files', '--', FOLDER])) {
    throw refusedError(directory, 'is committed to the repository. Remove it with `git rm -r --cached .yore`');
  }
  const file = join(identity.mainRoot, '.gitignore');
  const exclude = join(identity.repository.commonDir, 'info', 'exclude');
  try {
    const text = readIfExists(file) ?? '';
    if (mentionsFolder(text) || mentionsFolder(readIfExists(exclude) ?? '')) return;
    appendFileSync(file, lineToAppend(text));
  } catch (error) {
    throw storageError('add .yore/ to', file, error);
  }
}

function refusedError(directory: string, why: string): YoreError {
  return new YoreError('STORAGE', `${directory} ${why}, or set storage to "home".`);
}

/** Whether a line already ignores the folder, or explicitly does not. */
function mentionsFolder(text: string): boolean {
  return text.split(/\r?\n/).some((line) => /^!?(?:\*\*\/|\/)?\.yore(?:\/(?:\*\*?)?)?\s*$/.test(line));
}

function lineToAppend(text: string): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : lineBreak;
  return `${start}${FOLDER}/${lineBreak}`;
}
