import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, storageError, writeFileAtomic } from '../files/index.ts';
import { YoreError } from '../record/index.ts';
import type { PromptList } from './prompt-list.ts';

const VERSION = 1;
const HEAD = `{"v":${VERSION},"projects":{`;
const TAIL = '}}';
const SECTION = /^("(?:[^"\\]|\\.)*"):(\[.*\]),?$/;

/**
 * What a prompt file holds: each project's prompts as the JSON text they are stored as, so that recording one
 * prompt decodes and encodes one project only. `problem` says why some or all of it could not be read.
 */
export interface PromptFile {
  readonly sections: ReadonlyMap<string, string>;
  /** Differs whenever the file does. */
  readonly stamp: string;
  readonly problem?: string;
}

/** The stamp of the file at `path` now; empty when there is none. */
export function stampOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false, bigint: true });
  return status ? stamp(status) : '';
}

/** Reads the file at `path`. A missing one is empty. Throws NEWER_VERSION for one that a newer yore wrote. */
export function readPromptFile(path: string): PromptFile {
  let text: string;
  let read: string;
  try {
    const descriptor = openSync(path, 'r');
    try {
      read = stamp(fstatSync(descriptor, { bigint: true }));
      text = readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { sections: new Map(), stamp: '' };
    throw storageError('read', path, error);
  }
  const sections = splitSections(text);
  return sections ? { sections, stamp: read } : { ...parseWhole(path, text), stamp: read };
}

/** Replaces the file at `path`, one project per line. */
export function writePromptFile(path: string, sections: ReadonlyMap<string, string>): void {
  const lines = [...sections].map(([project, list]) => `${JSON.stringify(project)}:${list}`);
  writeFileAtomic(path, `${HEAD}\n${lines.join(',\n')}\n${TAIL}\n`);
}

/** Reads one project's prompts; `dropped` counts what was no prompt. */
export function decodeSection(section: string): { readonly list: PromptList; readonly dropped: number } {
  const list: PromptList = new Map();
  let values: unknown;
  try {
    values = JSON.parse(section);
  } catch {
    return { list, dropped: 1 };
  }
  if (!Array.isArray(values)) return { list, dropped: 1 };
  let dropped = 0;
  for (const value of values as unknown[]) {
    if (isStoredPrompt(value)) {
      list.set(value.text, { lastUsed: Date.parse(value.lastUsed), useCount: value.useCount });
    } else dropped++;
  }
  return { list, dropped };
}

/** One project's prompts as they are stored. */
export function encodeSection(list: PromptList): string {
  return JSON.stringify(
    Array.from(list, ([text, use]) => ({
      text,
      lastUsed: new Date(use.lastUsed).toISOString(),
      useCount: use.useCount,
    })),
  );
}

/** Copies a damaged file beside itself before it is replaced, and returns the path of the copy. */
export function keepCopy(path: string, now: number): string {
  const taken = copiesOf(path);
  let copy = `${path}.corrupt-${now}`;
  for (let number = 2; taken.includes(copy); number++) copy = `${path}.corrupt-${now}-${number}`;
  try {
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, 0o600);
  } catch (error) {
    throw storageError('copy', path, error);
  }
  return copy;
}

/** Deletes {@link copiesOf} the file. Hold the lock: a living writer has such a file too. */
export function deleteCopies(path: string): void {
  for (const file of copiesOf(path)) rmSync(file, { force: true });
}

/** Copies kept of damaged files, and what a writer that was killed left behind. */
export function copiesOf(path: string): readonly string[] {
  const name = basename(path);
  try {
    return readdirSync(dirname(path))
      .filter(
        (found) =>
          found.startsWith(`${name}.corrupt-`) || (found.startsWith(`${name}.`) && found.endsWith('.tmp')),
      )
      .map((found) => join(dirname(path), found));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storageError('read', dirname(path), error);
  }
}

/** Cuts a file of exactly our layout into its lines without parsing them; undefined for any other. */
function splitSections(text: string): Map<string, string> | undefined {
  const lines = text.split('\n');
  if (lines[0] !== HEAD || lines.pop() !== '' || lines.pop() !== TAIL) return undefined;
  const sections = new Map<string, string>();
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line === '' && lines.length === 2) return sections;
    const [, project, list] = SECTION.exec(line) ?? [];
    if (project === undefined || list === undefined) return undefined;
    sections.set(JSON.parse(project) as string, list);
  }
  return sections;
}

function parseWhole(path: string, text: string): { sections: Map<string, string>; problem?: string } {
  const sections = new Map<string, string>();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { sections, problem: 'it is not valid JSON' };
  }
  if (!isFields(value) || typeof value.v !== 'number') return { sections, problem: 'it has no version' };
  if (value.v > VERSION) throw newerVersion(path, value.v);
  if (!isFields(value.projects)) return { sections, problem: 'it has no projects' };
  for (const [project, list] of Object.entries(value.projects)) sections.set(project, JSON.stringify(list));
  return { sections };
}

function newerVersion(path: string, version: number): YoreError {
  return new YoreError(
    'NEWER_VERSION',
    `${path} was written by a newer yore (version ${version}, this one reads ${VERSION}). ` +
      'It was left as it is. Upgrade yore to read it: npm install -g yore@latest',
  );
}

interface StoredPrompt {
  readonly text: string;
  readonly lastUsed: string;
  readonly useCount: number;
}

function isStoredPrompt(value: unknown): value is StoredPrompt {
  if (!isFields(value)) return false;
  const { text, lastUsed, useCount } = value;
  if (typeof text !== 'string' || text === '') return false;
  if (typeof lastUsed !== 'string' || Number.isNaN(Date.parse(lastUsed))) return false;
  return typeof useCount === 'number' && Number.isInteger(useCount) && useCount > 0;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function stamp(status: { readonly ino: bigint; readonly mtimeNs: bigint; readonly size: bigint }): string {
  return `${status.ino} ${status.mtimeNs} ${status.size}`;
}
