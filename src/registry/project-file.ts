import { closeSync, constants, existsSync, lstatSync, readdirSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode, openFile, readBytes, readIfExists, storageError, writeFileAtomic } from '../files/file-access.ts';
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
    text = readBytes(infoFile(directory)).toString('utf8');
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

/** The settings of a project: always in yore's home, because what is in a repository is nobody's setting. */
export function projectConfigFile(home: string, id: string): string {
  return join(home, 'projects', id, 'config.json');
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
  if (!isMoved || !isBetterPlace(found, before)) return { ...before, identity };
  return { ...before, identity, projectPath: found.mainRoot, displayName: found.displayName };
}

/**
 * Whether a project that is in no known place is rather in a folder that was found: one that exists, or, where none does, one
 * with the name of the repository, as the main checkout mostly has it and a worktree has not.
 */
function isBetterPlace({ root, mainRoot, displayName }: Identity, { projectPath }: ProjectInfo): boolean {
  return existsSync(root) || (basename(mainRoot) === displayName && basename(projectPath) !== displayName);
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
const KEY_FILE = 'repo-storage.key';
const KEY_BYTES = 32;
const NAME_LENGTH = 32;

/**
 * The data folder of a project with `storage: "repo"`: `.yore/<name>/` of the repository. The name is derived from a key
 * in yore's home, so that nothing that comes with a checkout or an archive can be in it. Undefined for a bare repository,
 * which has no worktree.
 */
export function repoDataFolder(home: string, identity: Identity, id: string): string | undefined {
  if (identity.repository?.isBare) return undefined;
  return join(identity.mainRoot, FOLDER, folderName(readKey(home) ?? createKey(home), id));
}

/** The infos of the projects that this home has stored in a repository. */
export function findInfosInRepository(home: string, identity: Identity): readonly ProjectInfo[] {
  const folder = join(identity.mainRoot, FOLDER);
  if (identity.repository?.isBare || !lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const key = readKey(home);
  if (key === undefined) return [];
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{32}$/.test(name))
    .flatMap((name) => {
      const info = tryReadInfo(join(folder, name));
      return info !== undefined && name === folderName(key, info.projectHash) ? [info] : [];
    });
}

function tryReadInfo(directory: string): ProjectInfo | undefined {
  try {
    const info = readProjectInfo(directory);
    return info === 'damaged' ? undefined : info;
  } catch {
    return undefined;
  }
}

function folderName(key: string, id: string): string {
  const { createHmac } = process.getBuiltinModule('node:crypto');
  return createHmac('sha256', key).update(id).digest('hex').slice(0, NAME_LENGTH);
}

function readKey(home: string): string | undefined {
  return readIfExists(join(home, KEY_FILE))?.trim() || undefined;
}

/** Creates the key of a home when it is first needed. The caller must hold the lock of the registry. */
function createKey(home: string): string {
  const key = process.getBuiltinModule('node:crypto').randomBytes(KEY_BYTES).toString('hex');
  writeFileAtomic(join(home, KEY_FILE), `${key}\n`);
  return key;
}

/**
 * Adds `.yore/` to `.gitignore`, unless it is mentioned there already, before anything is stored in it. Throws STORAGE
 * when `.yore` is a link, or is committed.
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
    const isPlain = lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
    const text = isPlain ? (readIfExists(file) ?? '') : '';
    const excluded = readIfExists(exclude) ?? '';
    if (mentionsFolder(text) || mentionsFolder(excluded)) return;
    // A `.gitignore` that is a link may lead anywhere.
    if (isPlain) appendTo(file, lineToAppend(text));
    else appendTo(exclude, lineToAppend(excluded));
  } catch (error) {
    throw storageError('add .yore/ to', file, error);
  }
}

/** Appends to a file with the usual mode, and not through a link. */
function appendTo(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const descriptor = openFile(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o666);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
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
