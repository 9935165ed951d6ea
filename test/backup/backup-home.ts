import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { backupHome } from '../../src/backup/backup.ts';
import { YoreError } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** A home with one file of each kind. */
export function createHome(files: Readonly<Record<string, string>> = FILES): string {
  const home = join(temporaryFolder(), 'home');
  mkdirSync(home);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

/** What a backup of {@link FILES} contains. */
export const KEPT = {
  'config.json': '{}\n',
  'registry.json': '{"v":1}\n',
  'prompts.json': '{"日本": "é"}\n',
  'empty.json': '',
  'bin/yore': '#!/bin/sh\n',
  'projects/1a2b3c4d/index.json': '{}',
  'projects/1a2b3c4d/history.jsonl': '{"n":1}\n{"n":2}\n',
  'projects/1a2b3c4d/history-1.jsonl': '{"n":0}\n',
  'projects/1a2b3c4d/archive/failures-1.jsonl': '{"n":1}\n',
  'projects/1a2b3c4d/spool.newer': '{"v":99}\n',
  'projects/1a2b3c4d/images/0123456789ab.png': 'not really',
  [`projects/1a2b3c4d/images/${'long-'.repeat(30)}name.png`]: 'long',
};
/** The files of a home, including some that are not backed up. */
export const FILES = {
  ...KEPT,
  'store-20.db': 'derived',
  'store-20.db-wal': 'derived',
  'search.db': 'derived',
  'serve.json': '{"token":"secret"}',
  'team.json': '{"url":"postgres://member:secret@db.example.org/yore"}',
  'projects/1a2b3c4d/team/failures.jsonl': '{"n":1}\n',
  'projects/1a2b3c4d/spool.taken': '{"derived":1}\n',
  'projects/1a2b3c4d/guard.bin': 'derived',
  'projects/1a2b3c4d/guard.live.jsonl': '{"derived":1}\n',
  'projects/1a2b3c4d/maintenance.lock': '{}',
  'registry.json.77-abcdef01.tmp': 'half',
  'log/yore.log': 'diagnostics',
};

/** All files below a folder with their content. */
export function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
}

/** The error that `work` rejects with. */
export async function errorOf(work: Promise<unknown>): Promise<YoreError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof YoreError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** A path for a file that does not exist yet. */
export function newFile(name = 'yore.tar.gz'): string {
  return join(temporaryFolder(), name);
}

/** A backup of a home. */
export async function backedUp(home: string): Promise<string> {
  const file = newFile();
  await backupHome(home, file);
  return file;
}
