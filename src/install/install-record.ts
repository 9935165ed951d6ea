import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NAMES, type AgentName } from '../agents/agent-name.ts';
import { writeFileAtomic } from '../files/index.ts';
import type { Footprint } from './edit-file.ts';
import type { Target } from './target.ts';
import type { Span } from './text/inserted-text.ts';

/** What `yore init` did to one file. */
export interface FileRecord extends Footprint {
  readonly agent: AgentName;
  readonly kind: Target['kind'];
  /** When, epoch milliseconds. */
  readonly at: number;
  /** The checkout that it was done for; none for the whole user. */
  readonly project?: string;
}

/** What `yore init` did. */
export interface InstallRecord {
  /** By the path of the file as the agent knows it. */
  readonly files: ReadonlyMap<string, FileRecord>;
  /** Folders that were made. */
  readonly folders: readonly string[];
}

const VERSION = 1;
const KINDS: readonly Target['kind'][] = ['json', 'toml', 'own'];

/** Reads `install.json` of yore's home. What is missing or damaged counts as nothing: files tell what is ours too. */
export function readInstallRecord(home: string): InstallRecord {
  const known = new Map<string, FileRecord>();
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(fileIn(home), 'utf8'));
  } catch {
    return { files: known, folders: [] };
  }
  const { version, files, folders } = fieldsOf(content);
  if (version !== VERSION) return { files: known, folders: [] };
  for (const [path, value] of Object.entries(fieldsOf(files))) {
    const file = fileRecord(value);
    if (file) known.set(path, file);
  }
  return { files: known, folders: isTexts(folders) ? folders : [] };
}

/** Writes `install.json`, or deletes it when there is nothing to say. */
export function writeInstallRecord(home: string, record: InstallRecord): void {
  if (record.files.size === 0) {
    rmSync(fileIn(home), { force: true });
    return;
  }
  const content = { version: VERSION, files: Object.fromEntries(record.files), folders: record.folders };
  writeFileAtomic(fileIn(home), `${JSON.stringify(content, undefined, 2)}\n`);
}

function fileIn(home: string): string {
  return join(home, 'install.json');
}

function fileRecord(value: unknown): FileRecord | undefined {
  const { agent, kind, at, hash, inserted, containers, isNew, project } = fieldsOf(value);
  const name = AGENT_NAMES.find((each) => each === agent);
  const known = KINDS.find((each) => each === kind);
  if (name === undefined || known === undefined || typeof hash !== 'string') return undefined;
  return {
    agent: name,
    kind: known,
    at: typeof at === 'number' ? at : 0,
    hash,
    inserted: Array.isArray(inserted) ? inserted.filter(isSpan) : [],
    containers: Array.isArray(containers) ? containers.filter(isTexts) : [],
    isNew: isNew === true,
    ...(typeof project === 'string' ? { project } : {}),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isSpan(value: unknown): value is Span {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
