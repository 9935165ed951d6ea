import type { Connection } from './connection.ts';
import { documentCount, readState, writeState } from './schema.ts';
import { recountTerms } from './term-counts.ts';

/** The full-text tables are merged when the index has grown by this share and by at least MIN_MERGE_GROWTH documents. */
const MERGE_GROWTH = 0.5;
const MIN_MERGE_GROWTH = 2_000;
/** Pages per merge transaction, so that other processes can write in between and the write-ahead log stays small. */
const MERGE_PAGES = 500;

/**
 * Merges the segments of the full-text tables, which makes queries of several words almost twice as fast. Only when the
 * index has grown a lot, so that the total cost stays low.
 */
export function mergeGrownTables(connection: Connection): void {
  const documents = documentCount(connection);
  const merged = readState(connection, 'merged');
  if (documents - merged < Math.max(MIN_MERGE_GROWTH, merged * MERGE_GROWTH)) return;
  mergeTable(connection, 'fts');
  mergeTable(connection, 'piece');
  connection.transaction(() => writeState(connection, 'merged', documents));
}

/**
 * Makes sure that nothing of removed documents is left in the file: not in the full-text tables, not among the terms, not in
 * the write-ahead log. Unused pages are empty: SQLite overwrites what it deletes. False if another process still reads what
 * was removed. Slow on a large index.
 */
export function purge(connection: Connection): boolean {
  mergeTable(connection, 'fts');
  connection.transaction(() => recountTerms(connection));
  mergeTable(connection, 'piece');
  return connection.get<{ readonly busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
}

function mergeTable(connection: Connection, table: 'fts' | 'piece'): void {
  const sql = `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`;
  // FTS5: a negative number starts a merge of everything, a positive one continues it; fewer than two changes mean that
  // there was nothing left to do.
  for (let pages = -MERGE_PAGES; ; pages = MERGE_PAGES) {
    const changes = connection.transaction(() => {
      const start = totalChanges(connection);
      connection.run(sql, pages);
      return totalChanges(connection) - start;
    });
    if (changes < 2) return;
  }
}

function totalChanges(connection: Connection): number {
  return connection.get<{ readonly count: number }>('SELECT total_changes() AS count')?.count ?? 0;
}
