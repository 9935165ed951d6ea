import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '../agent-name.ts';
import { type Fields, parseFields } from './fields.ts';
import { openContent } from './file-lines.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** The source that is one file. Undefined when there is no such file or it cannot be looked at. */
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

/** The object in the first line of a file, if the line is no longer than 64 KB and holds one. */
export function firstFields(path: string): Fields | undefined {
  const [line = ''] = fileHead(path).split('\n', 1);
  return parseFields(line);
}

/** A file or folder in a folder. */
interface FolderItem {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/** What is in a folder, by name; links are left out, and nothing is in a folder that cannot be read. */
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
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The files in a folder and the folders in it, at most `depth` deep, whose name fits. */
export function listFiles(folder: string, fits: (name: string) => boolean, depth: number): readonly string[] {
  return listFolder(folder).flatMap((item) => {
    if (!item.isFolder) return fits(item.name) ? [item.path] : [];
    return depth > 0 ? listFiles(item.path, fits, depth - 1) : [];
  });
}

/** The names in a folder, sorted; none when there is no such folder or it cannot be read. */
export function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
