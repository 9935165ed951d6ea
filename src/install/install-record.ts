import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '../agents/agent-name.ts';
import type { Target } from '../agents/installation.ts';
import { findAgent } from '../agents/registry.ts';
import { tryReadText, writeFileAtomic } from '../files/index.ts';
import { isObject, parseObject } from '../record/object.ts';
import type { InsertionRecord } from './edit-file.ts';
import type { JsonSpan } from './json-edit.ts';

/** What `yore init` did to one file. */
export interface FileRecord extends InsertionRecord {
  readonly agent: AgentName;
  readonly kind: Target['kind'];
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** The checkout it was done for; left out for the user everywhere. */
  readonly project?: string;
}

/** What `yore init` did. */
export interface InstallRecord {
  /** By the path of the file as the agent knows it. */
  readonly files: ReadonlyMap<string, FileRecord>;
  /** Folders that were created. */
  readonly folders: readonly string[];
}

const VERSION = 1;
const KINDS: readonly Target['kind'][] = ['json', 'toml', 'own'];

/**
 * Reads `install.json` of yore's home. A missing or damaged file counts as empty: yore's entries can be recognised in the
 * settings files themselves.
 */
export function readInstallRecord(home: string): InstallRecord {
  const known = new Map<string, FileRecord>();
  const { version, files, folders } = parseObject(tryReadText(recordPath(home)) ?? '') ?? {};
  if (version !== VERSION) return { files: known, folders: [] };
  for (const [path, value] of Object.entries(isObject(files) ? files : {})) {
    const file = parseFileRecord(value);
    if (file) known.set(path, file);
  }
  return { files: known, folders: isStringList(folders) ? folders : [] };
}

/** Writes `install.json`, or deletes it when no file is recorded. */
export function writeInstallRecord(home: string, record: InstallRecord): void {
  if (record.files.size === 0) {
    rmSync(recordPath(home), { force: true });
    return;
  }
  const content = { version: VERSION, files: Object.fromEntries(record.files), folders: record.folders };
  writeFileAtomic(recordPath(home), `${JSON.stringify(content, undefined, 2)}\n`);
}

function recordPath(home: string): string {
  return join(home, 'install.json');
}

function parseFileRecord(value: unknown): FileRecord | undefined {
  const { agent, kind, at, hash, inserted, containers, isNew, project } = isObject(value) ? value : {};
  const known = findAgent(String(agent));
  const knownKind = KINDS.find((each) => each === kind);
  if (known === undefined || knownKind === undefined || typeof hash !== 'string') return undefined;
  return {
    agent: known.name,
    kind: knownKind,
    at: typeof at === 'number' ? at : 0,
    hash,
    inserted: Array.isArray(inserted) ? inserted.filter(isSpan) : [],
    containers: Array.isArray(containers) ? containers.filter(isStringList) : [],
    isNew: isNew === true,
    ...(typeof project === 'string' ? { project } : {}),
  };
}

function isSpan(value: unknown): value is JsonSpan {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
