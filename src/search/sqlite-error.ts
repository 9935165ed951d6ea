const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Why SQLite refused. `busy`: another process writes. `corrupt`: the file is damaged. `failed`: anything else. */
export type SqliteFailure = 'busy' | 'corrupt' | 'failed';

/** What an error of SQLite means; undefined when it is not one. */
export function sqliteFailure(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (!('errcode' in error) || typeof error.errcode !== 'number') return withoutNumber(error);
  const code = error.errcode & 0xff;
  if (code === BUSY || code === LOCKED) return 'busy';
  return code === CORRUPT || code === NOT_A_DATABASE ? 'corrupt' : 'failed';
}

/** Errors that the package meets while it steps through rows carry SQLite's words, but not its number. */
function withoutNumber(error: Error): SqliteFailure | undefined {
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  if (/\b(locked|busy)\b/.test(error.message)) return 'busy';
  return /malformed|not a database/.test(error.message) ? 'corrupt' : 'failed';
}
