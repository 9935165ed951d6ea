import { createRequire } from 'node:module';

/** SQLite as the product opens it: Node's own where there is one, else the package with the same interface. */
async function loadDatabase() {
  const own = process.getBuiltinModule?.('node:sqlite');
  if (own) return own.DatabaseSync;
  return createRequire(import.meta.url)('@photostructure/sqlite').DatabaseSync;
}

/**
 * What search is compared with: one FTS5 table with the tokenizer for words and the text stored in it, in a
 * file of its own, and nothing else.
 * @param {string} path
 */
export async function openBareIndex(path) {
  const Database = await loadDatabase();
  const database = new Database(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE VIRTUAL TABLE bare USING fts5(text, tokenize = 'unicode61');
    CREATE VIRTUAL TABLE vocabulary USING fts5vocab(bare, 'row');
  `);
  const insert = database.prepare('INSERT INTO bare (text) VALUES (?)');
  const find = database.prepare('SELECT rowid, text FROM bare WHERE bare MATCH ? ORDER BY rank LIMIT 50');
  return {
    /** @param {readonly string[]} texts @param {number} batch rows per transaction */
    insert(texts, batch) {
      for (let start = 0; start < texts.length; start += batch) {
        database.exec('BEGIN IMMEDIATE');
        for (let index = start; index < Math.min(start + batch, texts.length); index++)
          insert.run(texts[index]);
        database.exec('COMMIT');
      }
    },
    /** The best 50 by bm25, with their text. @param {string} match an FTS5 expression */
    search: (match) => find.all(match),
    /** How many texts have the word. @param {string} word */
    frequency: (word) => database.prepare('SELECT doc FROM vocabulary WHERE term = ?').get(word)?.doc ?? 0,
    /** Words of letters only that are in `least` to `most` texts, in alphabetical order. */
    wordsOfFrequency: (least, most) =>
      database
        .prepare(
          `SELECT term FROM vocabulary WHERE doc BETWEEN ? AND ? AND term GLOB '[a-z][a-z][a-z]*' AND term NOT GLOB '*[^a-z]*'`,
        )
        .all(least, most)
        .map((row) => row.term),
    close: () => database.close(),
  };
}
