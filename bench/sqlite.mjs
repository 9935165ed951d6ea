import { createRequire } from 'node:module';

/** Opens a database as yore does: with Node's own SQLite if there is one, else with the package. @param {string} path */
export function openDatabase(path) {
  const sqlite = process.getBuiltinModule?.('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
  return new sqlite.DatabaseSync(path);
}
