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
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
  /** The checkout that it was done for; none for the whole user. */
  readonly project?: string;
}

/** What `yore init` did, by the path of the file as the agent knows it. */
export type InstallRecord = ReadonlyMap<string, FileRecord>;

const VERSION = 1;
const KINDS: readonly Target['kind'][] = ['json', 'toml', 'own'];

/** Reads `install.json` of yore's home. What is missing or damaged counts as nothing: files tell what is ours too. */
export function readInstallRecord(home: string): InstallRecord {
  const record = new Map<string, FileRecord>();
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(fileIn(home), 'utf8'));
  } catch {
    return record;
  }
  const { version, files } = fieldsOf(content);
  if (version !== VERSION) return record;
  for (const [path, value] of Object.entries(fieldsOf(files))) {
    const file = fileRecord(value);
    if (file) record.set(path, file);
  }
  return record;
}

/** Writes `install.json`, or deletes it when there is nothing to say. */
export function writeInstallRecord(home: string, record: InstallRecord): void {
  if (record.size === 0) return rmSync(fileIn(home), { force: true });
  const content = { version: VERSION, files: Object.fromEntries(record) };
  writeFileAtomic(fileIn(home), `${JSON.stringify(content, undefined, 2)}\n`);
}

function fileIn(home: string): string {
  return join(home, 'install.json');
}

function fileRecord(value: unknown): FileRecord | undefined {
  const { agent, kind, hash, inserted, containers, isNew, folders, project } = fieldsOf(value);
  const name = AGENT_NAMES.find((each) => each === agent);
  const known = KINDS.find((each) => each === kind);
  if (name === undefined || known === undefined || typeof hash !== 'string') return undefined;
  return {
    agent: name,
    kind: known,
    hash,
    inserted: Array.isArray(inserted) ? inserted.filter(isSpan) : [],
    containers: Array.isArray(containers) ? containers.filter(isTexts) : [],
    isNew: isNew === true,
    folders: isTexts(folders) ? folders : [],
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
