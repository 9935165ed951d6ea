const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Why SQLite refused. `busy`: another process writes. `corrupt`: the file is damaged. `failed`: anything else. */
export type SqliteFailure = 'busy' | 'corrupt' | 'failed';

/** What an error of SQLite means; undefined when it is not one. */
export function sqliteFailure(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  const code = error.errcode & 0xff;
  if (code === BUSY || code === LOCKED) return 'busy';
  return code === CORRUPT || code === NOT_A_DATABASE ? 'corrupt' : 'failed';
}
