import type { Connection } from './connection.ts';
import { documentCount, setState, stateOf } from './state.ts';

/** An index that grew by this part since it was last tidied is tidied again. */
const GROWTH = 0.5;
/** Below this many new documents it does not matter. */
const LEAST_GROWTH = 2_000;
/** Pages that one step merges: others can write between steps. */
const STEP_PAGES = 2_000;
const TABLES = ['fts', 'piece'] as const;

/**
 * Merges what FTS5 wrote in many parts into one, which makes queries of several words almost twice as fast. Does it
 * only when the index has grown a lot, so that it takes little time on the whole. In short transactions.
 */
export function tidyIndex(connection: Connection): void {
  const documents = documentCount(connection);
  const before = stateOf(connection, 'tidied');
  if (documents - before < Math.max(LEAST_GROWTH, before * GROWTH)) return;
  for (const table of TABLES) mergeAll(connection, table);
  connection.transaction(() => setState(connection, 'tidied', documents));
}

function mergeAll(connection: Connection, table: (typeof TABLES)[number]): void {
  const sql = `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`;
  // A negative number begins to merge everything, a positive one goes on. FTS5 says by the number of changes
  // whether there was anything to do.
  for (let pages = -STEP_PAGES; ; pages = STEP_PAGES) {
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
