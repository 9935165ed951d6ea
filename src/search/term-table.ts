import type { SqlValue } from '../sqlite/index.ts';
import type { Connection } from './connection.ts';
import type { TermCounter } from './term-counter.ts';

/** Terms that one statement adds: with one each, half of the time goes into calling. */
const PER_STATEMENT = 100;

/**
 * Adds what was counted to the terms that the index knows. The pieces of new terms come last and all at once: FTS5
 * writes out what it has gathered before any statement that could fail half-way.
 */
export function addTerms(connection: Connection, counter: TermCounter): void {
  const last = connection.get<{ readonly id: number | null }>('SELECT max(id) AS id FROM term')?.id ?? 0;
  addCounts(connection, counter);
  connection.run(
    'INSERT INTO piece (rowid, ended) SELECT id, ended FROM term WHERE id > ? AND length(term) > 1',
    last,
  );
}

function addCounts(connection: Connection, counter: TermCounter): void {
  let values: SqlValue[] = [];
  for (const { term, documents } of counter.counts()) {
    values.push(term, documents);
    if (values.length < PER_STATEMENT * 2) continue;
    connection.run(insertion(PER_STATEMENT), ...values);
    values = [];
  }
  for (let at = 0; at < values.length; at += 2) {
    connection.run(insertion(1), values[at] ?? null, values[at + 1] ?? null);
  }
}

function insertion(rows: number): string {
  const values = Array.from({ length: rows }, () => '(?, ?)').join(', ');
  return `INSERT INTO term (term, documents) VALUES ${values} ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents`;
}

/**
 * Counts the terms anew after documents were removed. Walks the whole index: for deletions, not for every day.
 */
export function recountTerms(connection: Connection): void {
  connection.exec(`
    CREATE VIRTUAL TABLE temp.indexedTerm USING fts5vocab (main, fts, row);
    CREATE TEMP TABLE counted AS SELECT term, doc FROM indexedTerm WHERE substr(term, 1, 1) <> '§';
    DROP TABLE temp.indexedTerm;
    CREATE UNIQUE INDEX temp.countedTerm ON counted (term);
    DELETE FROM term WHERE term NOT IN (SELECT term FROM counted);
    UPDATE term SET documents = counted.doc FROM counted WHERE counted.term = term.term AND documents <> counted.doc;
    DROP TABLE temp.counted;
    DELETE FROM state WHERE key = 'removed';
  `);
}
