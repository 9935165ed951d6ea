import { openDatabase } from '../sqlite/index.ts';
import { Connection } from './connection.ts';
import { indexBytes } from './index-file.ts';
import { pendingBytes } from './pending.ts';
import { SCHEMA_VERSION, schemaVersion } from './schema.ts';
import type { ProjectSource } from './tracked-files.ts';

/**
 * Whether the index can be used as it is. `behind`: the logs hold more than it does, or an older yore made it, and
 * the next search sees to it. `corrupt`: it cannot be read.
 */
export type IndexState = 'ready' | 'behind' | 'missing' | 'corrupt';

/** Looks at the index without changing or repairing anything. */
export function inspectIndex(
  path: string,
  projects: readonly ProjectSource[],
): { readonly state: IndexState; readonly bytes: number } {
  const bytes = indexBytes(path);
  if (bytes === 0) return { state: 'missing', bytes };
  try {
    const database = openDatabase(path);
    try {
      return { state: stateOfTables(new Connection(database), schemaVersion(database), projects), bytes };
    } finally {
      database.close();
    }
  } catch {
    return { state: 'corrupt', bytes };
  }
}

function stateOfTables(
  connection: Connection,
  version: number,
  projects: readonly ProjectSource[],
): IndexState {
  if (version === 0) return 'missing';
  if (version > SCHEMA_VERSION) return 'corrupt';
  if (version < SCHEMA_VERSION) return 'behind';
  connection.get('SELECT rowid FROM fts WHERE fts MATCH ? LIMIT 1', '"a"');
  return connection.snapshot(() => pendingBytes(connection, projects, Date.now())) ? 'behind' : 'ready';
}
