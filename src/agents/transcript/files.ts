import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '../../files/file-access.ts';
import { reasonOf, YoreError } from '../../record/error.ts';
import { parseObject } from '../../record/object.ts';
import { compareText } from '../../text/compare-text.ts';
import type { AgentName } from '../agent-name.ts';
import type { Fields } from './fields.ts';
import { type FileContent, openContent, readLines } from './file-lines.ts';
import type { TranscriptSource } from './transcript.ts';

/** The source for a single file; undefined when it does not exist or cannot be accessed. */
export function fileSource(agent: AgentName, path: string): TranscriptSource | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile()) return undefined;
    return { agent, path, size: found.size, stamp: `${found.size}-${found.mtimeMs}` };
  } catch {
    return undefined;
  }
}

const HEAD_BYTES = 64 * 1024;

/** The first 64 KB of a file as text; empty when it cannot be read. */
export function fileHead(path: string): string {
  try {
    const content = openContent(path);
    try {
      const buffer = Buffer.alloc(Math.min(HEAD_BYTES, content.size));
      return buffer.toString('utf8', 0, content.read(buffer, 0));
    } finally {
      content.close();
    }
  } catch {
    return '';
  }
}

/**
 * The lines that begin in the first 64 KB of a file, up to the length that transcripts may have; blank ones are left out.
 * Nothing when it cannot be read.
 */
function* firstLines(path: string): Generator<string> {
  let content: FileContent | undefined;
  try {
    content = openContent(path);
    for (const { offset, bytes } of readLines(content, 0, false)) {
      if (offset >= HEAD_BYTES) return;
      if (bytes !== undefined) yield bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
    }
  } catch {
    // It is no transcript that anybody could read.
  } finally {
    content?.close();
  }
}

const BYTE_ORDER_MARK = /^\ufeff/;

/** Whether one of the {@link firstLines} of a file fits. */
export function hasLine(path: string, fits: (line: string) => boolean): boolean {
  for (const line of firstLines(path)) if (fits(line)) return true;
  return false;
}

/** The JSON object in the first line of a file; undefined if there is none. */
export function firstFields(path: string): Fields | undefined {
  const { value } = firstLines(path).next();
  return typeof value === 'string' ? parseObject(value) : undefined;
}

/** Larger documents are not read: they would have to be in memory as a whole. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/**
 * The object or list in a JSON file, or why there is none: a few words for the report. Throws STORAGE when the file cannot
 * be read.
 */
export function readJsonFile(path: string): object | string {
  let text: string;
  try {
    if (statSync(path).size > MAX_DOCUMENT_BYTES) return 'document of more than 64 MB';
    text = readBytes(path).toString('utf8');
  } catch (error) {
    throw toReadError(path, error);
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : 'not a JSON object';
  } catch {
    return 'broken JSON';
  }
}

/** The object or list in a JSON file; undefined when it does not exist or is not valid. */
export function readJsonFileIfValid(path: string): object | undefined {
  try {
    const content = readJsonFile(path);
    return typeof content === 'string' ? undefined : content;
  } catch {
    return undefined;
  }
}

/** An item of a folder. */
interface FolderItem {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/** The files and folders in a folder, sorted by name, without links; empty for a folder that cannot be read. */
export function listFolder(folder: string): readonly FolderItem[] {
  let found: Dirent[];
  try {
    found = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return found
    .filter((item) => item.isFile() || item.isDirectory())
    .map((item) => ({ name: item.name, path: join(folder, item.name), isFolder: item.isDirectory() }))
    .sort((a, b) => compareText(a.name, b.name));
}

/** The files in a folder and `depth` levels of its sub-folders whose name fits. */
export function listTranscriptFiles(folder: string, fits: (name: string) => boolean, depth: number): readonly string[] {
  return listFolder(folder).flatMap((item) => {
    if (!item.isFolder) return fits(item.name) ? [item.path] : [];
    return depth > 0 ? listTranscriptFiles(item.path, fits, depth - 1) : [];
  });
}

/** The names in a folder, sorted; empty for a folder that does not exist or cannot be read. */
export function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The STORAGE error for a transcript that cannot be read. */
export function toReadError(path: string, cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause;
  return new YoreError('STORAGE', `Cannot read ${path}: ${reasonOf(cause)}. Make it readable for you and try again.`, {
    cause,
  });
}
