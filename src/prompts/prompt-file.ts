import { chmodSync, closeSync, constants, copyFileSync, fstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, formatStamp, openRegularFile, storageError, writeFileAtomic } from '../files/file-access.ts';
import { YoreError } from '../record/error.ts';
import { isObject } from '../record/object.ts';
import { getOrAdd } from '../record/once.ts';
import { addUse, type PromptList, type PromptUse, type RankedPrompt } from './prompt-list.ts';

const VERSION = 1;
const HEAD = `{"v":${VERSION},"projects":{`;
const TAIL = '}}';
const SECTION = /^("(?:[^"\\]|\\.)*"):(\[.*\]),?$/;

/** The content of a prompt file: for each project its prompts as JSON text, which is decoded only when needed. */
interface PromptFileContent {
  readonly sections: ReadonlyMap<string, string>;
  /** Changes whenever the file does. */
  readonly stamp: string;
  /** Why some or all of the file could not be read. */
  readonly problem?: string;
}

/** A prompt file in memory. A project's prompts are decoded on first access and encoded only if changed. */
export class PromptDocument {
  readonly #sections: Map<string, string>;
  readonly #lists: Map<string, PromptList> = new Map();
  readonly #changed: Set<string> = new Set();
  readonly #problems: string[];

  constructor(file: PromptFileContent) {
    this.#sections = new Map(file.sections);
    this.#problems = file.problem === undefined ? [] : [file.problem];
  }

  /** Counts one use of a prompt in its project. */
  add(use: PromptUse): void {
    addUse(this.#list(use.project), use);
    this.#changed.add(use.project);
  }

  /** Removes prompts of a project by text, or all of them; returns how many. */
  remove(project: string, texts?: readonly string[]): number {
    const list = this.#list(project);
    const before = list.size;
    for (const text of texts ?? [...list.keys()]) list.delete(text);
    if (list.size < before) this.#changed.add(project);
    return before - list.size;
  }

  /** The prompts of all projects, sorted by project id. */
  get lists(): ReadonlyMap<string, PromptList> {
    const projects = new Set([...this.#sections.keys(), ...this.#lists.keys()]);
    return new Map([...projects].sort().map((project) => [project, this.#list(project)]));
  }

  /** Problems in the projects decoded so far. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Decodes everything and returns all problems. */
  findProblems(): readonly string[] {
    for (const project of this.#sections.keys()) this.#list(project);
    return this.#problems;
  }

  /** Whether it differs from the file. */
  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** The new content of the file; after this the document counts as saved. */
  encodeSections(): ReadonlyMap<string, string> {
    for (const project of this.#changed) {
      const list = this.#list(project);
      if (list.size === 0) this.#sections.delete(project);
      else this.#sections.set(project, encodeSection(list));
    }
    this.#changed.clear();
    this.#problems.length = 0;
    return this.#sections;
  }

  #list(project: string): PromptList {
    return getOrAdd(this.#lists, project, () => {
      const { list, dropped } = decodeSection(this.#sections.get(project) ?? '[]');
      if (dropped > 0) {
        this.#problems.push(`${dropped} of its prompts cannot be read`);
        this.#changed.add(project);
      }
      return list;
    });
  }
}

/** Reads a prompt file; a missing one is empty. Throws NEWER_VERSION when a newer yore wrote it. */
export function readPromptFile(path: string): PromptFileContent {
  let text: string;
  let stamp: string;
  try {
    const descriptor = openRegularFile(path);
    try {
      stamp = formatStamp(fstatSync(descriptor, { bigint: true }));
      text = readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { sections: new Map(), stamp: '' };
    throw storageError('read', path, error);
  }
  const sections = splitSections(text);
  return { ...(sections ? { sections } : parseDocument(path, text)), stamp };
}

/** Replaces a prompt file, with one project per line. */
export function writePromptFile(path: string, sections: ReadonlyMap<string, string>): void {
  const lines = [...sections].map(([project, list]) => `${JSON.stringify(project)}:${list}`);
  writeFileAtomic(path, `${HEAD}\n${lines.join(',\n')}\n${TAIL}\n`);
}

/** Decodes the prompts of one project; `dropped` counts invalid ones. */
function decodeSection(section: string): { readonly list: PromptList; readonly dropped: number } {
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

function encodeSection(list: PromptList): string {
  return JSON.stringify(
    Array.from(list, ([text, use]) => ({
      text,
      lastUsed: new Date(use.lastUsed).toISOString(),
      useCount: use.useCount,
    })),
  );
}

/** Copies a damaged file before it is replaced, and returns the path of the copy. */
export function keepDamagedCopy(path: string, now: number): string {
  const taken = listCopies(path);
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

/** Deletes what {@link listCopies} finds. The caller must hold the lock, since running writers have a `.tmp` file too. */
export function deleteCopies(path: string): void {
  for (const file of listCopies(path)) rmSync(file, { force: true });
}

/** Copies of damaged versions of a file, and temporary files of killed writers. */
export function listCopies(path: string): readonly string[] {
  const name = basename(path);
  const isCopy = (found: string): boolean =>
    found.startsWith(`${name}.corrupt-`) || (found.startsWith(`${name}.`) && found.endsWith('.tmp'));
  try {
    return readdirSync(dirname(path))
      .filter(isCopy)
      .map((found) => join(dirname(path), found));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw storageError('read', dirname(path), error);
  }
}

/** Splits a file that {@link writePromptFile} wrote into projects without parsing it; undefined for any other layout. */
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

function parseDocument(path: string, text: string): { sections: Map<string, string>; problem?: string } {
  const sections = new Map<string, string>();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { sections, problem: 'it is not valid JSON' };
  }
  if (!isObject(value) || typeof value.v !== 'number') return { sections, problem: 'it has no version' };
  if (value.v > VERSION) throw newerVersionError(path, value.v);
  if (!isObject(value.projects)) return { sections, problem: 'it has no projects' };
  for (const [project, list] of Object.entries(value.projects)) sections.set(project, JSON.stringify(list));
  return { sections };
}

function newerVersionError(path: string, version: number): YoreError {
  return new YoreError(
    'NEWER_VERSION',
    `${path} was written by a newer yore (version ${version}, this one reads ${VERSION}). ` +
      'It was left unchanged. Upgrade yore to read it: npm install -g yore@latest',
  );
}

type StoredPrompt = Pick<RankedPrompt, 'text' | 'lastUsed' | 'useCount'>;

function isStoredPrompt(value: unknown): value is StoredPrompt {
  if (!isObject(value)) return false;
  const { text, lastUsed, useCount } = value;
  if (typeof text !== 'string' || text === '') return false;
  if (typeof lastUsed !== 'string' || Number.isNaN(Date.parse(lastUsed))) return false;
  return typeof useCount === 'number' && Number.isInteger(useCount) && useCount > 0;
}
