import type { Connection } from './connection.ts';

/** Documents in the index. Kept, because counting them takes milliseconds when there are many. */
export function documentCount(connection: Connection): number {
  return stateOf(connection, 'documents');
}

/** Notes that documents were added, or removed when negative. */
export function changeDocumentCount(connection: Connection, change: number): void {
  if (change !== 0) setState(connection, 'documents', documentCount(connection) + change);
}

/** A number that the index keeps about itself; 0 when it was never set. */
export function stateOf(connection: Connection, key: string): number {
  return connection.get<{ readonly value: number }>('SELECT value FROM state WHERE key = ?', key)?.value ?? 0;
}

/** Keeps a number. */
export function setState(connection: Connection, key: string, value: number): void {
  connection.run('INSERT OR REPLACE INTO state VALUES (?, ?)', key, value);
}
