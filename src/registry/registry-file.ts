import { existsSync, readFileSync, statSync } from 'node:fs';
import { errorCode, storageError } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import { inodeOf, markerOf, type Repository } from './repository.ts';

/** A folder and the project it is of. */
export interface FolderEntry {
  /** Real path. */
  readonly path: string;
  /** Id of the project. */
  readonly project: string;
  /** What was a repository; without it, anything at that path is the project. */
  readonly git?: GitMark;
  /** Git was run and had no root commit to tell: it is not run again. */
  readonly asked?: boolean;
}

/** By which a repository is recognised without running git. The numbers are those of the file system. */
export interface GitMark {
  readonly marker: string;
  readonly commonDir: string;
  readonly commonInode: string;
}

/** The content of `registry.json`. */
export interface RegistryData {
  readonly folders: readonly FolderEntry[];
  /** Where projects are kept that are not in yore's home, by id. */
  readonly directories: Readonly<Record<string, string>>;
}

/** The version of `registry.json` that this yore writes. */
const REGISTRY_VERSION = 1;

/** Ids name folders, so nothing else than an id may pass for one. */
export function isProjectId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8,64}$/.test(value);
}

/** What reading the file gave: `missing` and `corrupt` ask for a rebuild. */
export type RegistryRead =
  | { readonly state: 'read'; readonly data: RegistryData; readonly version: number }
  | { readonly state: 'missing' }
  | { readonly state: 'corrupt' };

/** Reads `registry.json`. Entries that make no sense are left out. */
export function readRegistryFile(path: string): RegistryRead {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { state: 'missing' };
    throw storageError('read', path, error);
  }
  const content = parseObject(text);
  if (!content || typeof content.v !== 'number' || !Array.isArray(content.folders))
    return { state: 'corrupt' };
  const directories = Object.entries(isObject(content.directories) ? content.directories : {});
  return {
    state: 'read',
    version: content.v,
    data: {
      folders: content.folders.filter(isFolderEntry),
      directories: Object.fromEntries(
        directories.filter(
          (entry): entry is [string, string] => isProjectId(entry[0]) && typeof entry[1] === 'string',
        ),
      ),
    },
  };
}

/** Throws NEWER_VERSION when the file is not this yore's to change. */
export function checkRegistryVersion(path: string, read: RegistryRead): void {
  if (read.state !== 'read' || read.version <= REGISTRY_VERSION) return;
  throw new YoreError(
    'NEWER_VERSION',
    `${path} was written by a newer yore (format ${read.version}, this one knows ${REGISTRY_VERSION}). Update yore to record here.`,
  );
}

/** The text of `registry.json`: one line per folder, so that it can be read and compared. */
export function formatRegistry({ folders, directories }: RegistryData): string {
  const lines = folders.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  return `{\n  "v": ${REGISTRY_VERSION},\n  "folders": [\n${lines}\n  ],\n  "directories": ${JSON.stringify(directories)}\n}\n`;
}

/** Whether what is at the entry's path now is what was registered. A folder that is gone still counts. */
export function isCurrent({ path, git }: FolderEntry): boolean {
  if (!git) return true;
  const marker = markerOf(path);
  return marker === undefined ? !existsSync(path) : marker === git.marker;
}

/** Whether the repository or folder of an entry still exists. */
export function isStillThere({ path, git }: FolderEntry): boolean {
  if (git) return inodeOf(git.commonDir) === git.commonInode;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The mark of a repository; undefined while its git folder cannot be read. */
export function markOf({ root, commonDir }: Repository): GitMark | undefined {
  const marker = markerOf(root);
  const commonInode = inodeOf(commonDir);
  return marker === undefined || commonInode === undefined ? undefined : { marker, commonDir, commonInode };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFolderEntry(value: unknown): value is FolderEntry {
  if (!isObject(value) || typeof value.path !== 'string' || !isProjectId(value.project)) return false;
  if (value.git === undefined) return true;
  return isObject(value.git) && ['marker', 'commonDir', 'commonInode'].every((key) => isText(value.git, key));
}

function isText(value: unknown, key: string): boolean {
  return isObject(value) && typeof value[key] === 'string';
}
