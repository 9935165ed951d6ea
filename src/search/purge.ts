import type { Connection } from './connection.ts';
import { recountTerms } from './term-table.ts';

/**
 * Makes sure that nothing of removed documents is left in the file: not in the index, not among its terms, not in
 * pages that are no longer used. Takes long on a large index.
 */
export function purge(connection: Connection): void {
  connection.transaction(() => {
    connection.run("INSERT INTO fts (fts) VALUES ('optimize')");
    recountTerms(connection);
    connection.run("INSERT INTO piece (piece) VALUES ('optimize')");
  });
  connection.exec('VACUUM');
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
