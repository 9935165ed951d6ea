import type { Database } from '../sqlite/database.ts';
import type { Connection, ReadConnection } from './connection.ts';
import { SCHEMA_VERSION } from './store-files.ts';

/** Memory in which FTS5 collects terms before it writes them. With its default of 1 MB, merging takes twice as long. */
const FTS_HASH_BYTES = 8 * 1024 * 1024;

/** Columns that sessions are filtered by and counted from. As part of the indexes they spare reading the rows. */
const FILTER_COLUMNS =
  'messages, failures, successes, kinds, firstTime, firstAgent, lastAgent, firstBranch, lastBranch, author';

/**
 * - `document.id` decreases with time (see `DocumentIds`), so that FTS5 returns the newest matches first without sorting.
 *   `fts.rowid` is the same number. The texts stay in the logs: `file`, `start` and `length` say where.
 * - `fts` has the words of what was said, of what was done and of the output of a call, the parts of identifiers and symbols, and what
 *   a document is filtered by.
 * - `term.documentCount` counts the documents that were added with the term. Removing documents does not lower it until
 *   the terms are counted again, so it is an upper bound, which is enough for planning.
 * - `piece` finds terms by any three consecutive characters, where a dollar stands for their end.
 * - `sessionByTitle` has all that titles are searched by, so that most rows need not be read.
 * - `session.startedBy` names the session that started it as a sub-agent, `forkedFrom` the one that it was forked from. No
 *   column holds JSON or a text without a limit: the logs have the whole.
 * - `session.kinds` has a bit for each role and outcome of its records (see `recordBits`).
 * - `branch` has all branches of a session; `session.lastBranch` is the one that lists show.
 * - `path` has the files that sessions changed, with how often and when last: counted when they change.
 * - `change` has the files that a record changed: those of a call, or of a reply or a commit as a whole (`isCall` is 0).
 * - `gitCommit` has the calls that made a commit, with its hash and message, if they are known.
 * - `call` has every tool call with the id of its record and what summaries of sessions show of it (`stepKind`, `step`),
 *   `failure` and `blamed` why it failed, `fix` the later calls of the session that solved it. `proved` says when calls of a session first
 *   and last showed that a cause of failures was absent; `blamed` and `proved` are looked up by the number of the cause
 *   (see `causeId`).
 * - `used` has the commands for testing, building and so on that calls used in a checkout. `document` decreases with time, so
 *   that the latest come first.
 * - `request`, `reply`, `feedback` and `note` have what was asked, done, said about it and asked to be remembered. The same
 *   requests have the same `task`, whatever their numbers (see `taskWords()`).
 * - `statement` has the decisions and corrections that a record states, with the words that they rest on. Whether one is still
 *   in force is asked of all of them (`ask/conclusions.ts`). `proposal` has what replies of agents proposed: a statement
 *   that `picks` is a reply to one, and one that `needsContext` is told with the request before it.
 * - `warning`, `override` and `choice` are the lines of the log of warnings.
 * - `usage` has the tokens of a session by hour and model, `activity` its active time by hour, `hour` what was done in
 *   each hour that has a record (see `usage-rows.ts`).
 */
const TABLES = `
CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE project (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folderTime REAL NOT NULL
);
CREATE TABLE file (
  id INTEGER PRIMARY KEY, project INTEGER NOT NULL, log TEXT NOT NULL, path TEXT NOT NULL,
  segmentOrder INTEGER NOT NULL, offset INTEGER NOT NULL, lines INTEGER NOT NULL, size INTEGER NOT NULL,
  mtime REAL NOT NULL, inode INTEGER NOT NULL, head INTEGER NOT NULL, headLength INTEGER NOT NULL, tail INTEGER NOT NULL, tailOpen INTEGER NOT NULL
);
CREATE INDEX fileOfProject ON file (project);
CREATE TABLE document (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
  session INTEGER NOT NULL, time INTEGER NOT NULL
);
CREATE INDEX documentOfSession ON document (session, time);
CREATE TABLE session (
  id INTEGER PRIMARY KEY, project INTEGER NOT NULL, name TEXT NOT NULL, startedBy TEXT, forkedFrom TEXT,
  messages INTEGER NOT NULL, failures INTEGER NOT NULL, successes INTEGER NOT NULL,
  firstIsMessage INTEGER, firstDocument INTEGER, firstTime INTEGER, timestamp TEXT, preview TEXT,
  title TEXT, titleName TEXT, titleNameRank INTEGER, titleNameTime INTEGER, titleNameDocument INTEGER,
  titleResult TEXT, titleResultRank INTEGER, titleResultTime INTEGER, titleResultDocument INTEGER,
  starred INTEGER NOT NULL, tags TEXT, labelsTime INTEGER, labelsDocument INTEGER, role TEXT,
  firstAgent TEXT, firstBranch TEXT,
  lastDocument INTEGER, lastTime INTEGER, lastActivity TEXT, lastAgent TEXT, lastBranch TEXT, author TEXT, kinds INTEGER NOT NULL
);
CREATE UNIQUE INDEX sessionByName ON session (name, project);
CREATE INDEX sessionByTime ON session (lastTime DESC, name, project, ${FILTER_COLUMNS});
CREATE INDEX sessionByProject ON session (project, lastTime DESC, name, ${FILTER_COLUMNS});
CREATE INDEX sessionByFirstAgent ON session (firstAgent);
CREATE INDEX sessionByLastAgent ON session (lastAgent);
CREATE INDEX sessionByTitle ON session (lastTime DESC, title, preview, name, messages, project);
CREATE TABLE branch (session INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (session, name)) WITHOUT ROWID;
CREATE INDEX branchByName ON branch (name);
CREATE TABLE path (
  id INTEGER PRIMARY KEY, project INTEGER NOT NULL, name TEXT NOT NULL,
  sessions INTEGER NOT NULL, changes INTEGER NOT NULL, changedAt INTEGER NOT NULL, UNIQUE (project, name)
);
CREATE TABLE change (
  path INTEGER NOT NULL, session INTEGER NOT NULL, document INTEGER NOT NULL, at INTEGER NOT NULL,
  isCall INTEGER NOT NULL,
  PRIMARY KEY (path, session, document)
) WITHOUT ROWID;
CREATE INDEX changeOfSession ON change (session);
CREATE TABLE gitCommit (
  document INTEGER PRIMARY KEY, project INTEGER NOT NULL, session INTEGER NOT NULL, hash TEXT, message TEXT
);
CREATE INDEX commitByHash ON gitCommit (project, hash) WHERE hash IS NOT NULL;
CREATE INDEX commitOfSession ON gitCommit (session);
CREATE TABLE call (
  document INTEGER PRIMARY KEY, project INTEGER NOT NULL, id TEXT NOT NULL, session INTEGER NOT NULL, at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  action TEXT NOT NULL, family TEXT NOT NULL, what TEXT NOT NULL, path TEXT, signature INTEGER NOT NULL,
  request TEXT, stepKind TEXT, step TEXT, branch TEXT, checkout INTEGER
);
CREATE INDEX callOfSession ON call (session, at, outcome);
CREATE INDEX callBySignature ON call (project, signature, outcome, at);
CREATE INDEX stepOfProject ON call (project, document) WHERE stepKind IS NOT NULL;
CREATE TABLE used (
  project INTEGER NOT NULL, document INTEGER NOT NULL, position INTEGER NOT NULL, session INTEGER NOT NULL, at INTEGER NOT NULL,
  fact TEXT NOT NULL, value TEXT NOT NULL, ecosystem TEXT NOT NULL, isScript INTEGER NOT NULL, checkout TEXT,
  PRIMARY KEY (project, document, position)
) WITHOUT ROWID;
CREATE INDEX usedOfSession ON used (session);
CREATE TABLE failure (
  document INTEGER PRIMARY KEY, session INTEGER NOT NULL, class TEXT NOT NULL, line TEXT NOT NULL,
  errorSignature TEXT NOT NULL, signature TEXT NOT NULL, context TEXT, tags TEXT, checkout TEXT NOT NULL,
  agent TEXT NOT NULL, branch TEXT, circumstances TEXT NOT NULL, subjects TEXT NOT NULL, missing TEXT, suggestion TEXT,
  likeness INTEGER, author TEXT
);
CREATE INDEX failureOfSession ON failure (session);
CREATE INDEX failureByLikeness ON failure (likeness) WHERE likeness IS NOT NULL;
CREATE TABLE blamed (
  cause INTEGER NOT NULL, document INTEGER NOT NULL, session INTEGER NOT NULL, at INTEGER NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (cause, document)
) WITHOUT ROWID;
CREATE INDEX blamedOfDocument ON blamed (document);
CREATE TABLE proved (
  cause INTEGER NOT NULL, session INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (cause, session)
) WITHOUT ROWID;
CREATE TABLE fix (
  failed INTEGER NOT NULL, session INTEGER NOT NULL, worked INTEGER NOT NULL, PRIMARY KEY (failed, worked)
) WITHOUT ROWID;
CREATE INDEX fixOfSession ON fix (session);
CREATE TABLE request (
  session INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, isMessage INTEGER NOT NULL,
  isFollowUp INTEGER NOT NULL, task INTEGER NOT NULL, PRIMARY KEY (session, key)
) WITHOUT ROWID;
CREATE INDEX requestByTask ON request (task);
CREATE TABLE reply (document INTEGER PRIMARY KEY, session INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX replyOfSession ON reply (session, at);
CREATE TABLE feedback (
  document INTEGER PRIMARY KEY, session INTEGER NOT NULL, at INTEGER NOT NULL, request TEXT NOT NULL, outcome TEXT NOT NULL
);
CREATE INDEX feedbackOfSession ON feedback (session);
CREATE TABLE note (
  document INTEGER PRIMARY KEY, session INTEGER NOT NULL, project INTEGER NOT NULL, at INTEGER NOT NULL,
  pattern TEXT NOT NULL, description TEXT NOT NULL, isWarning INTEGER NOT NULL, isByAgent INTEGER NOT NULL
);
CREATE TABLE statement (
  document INTEGER NOT NULL, position INTEGER NOT NULL, record TEXT NOT NULL, session INTEGER NOT NULL, project INTEGER NOT NULL,
  at INTEGER NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL, quote TEXT NOT NULL,
  life TEXT NOT NULL, branch TEXT, needsContext INTEGER NOT NULL, picks TEXT, PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX statementOfProject ON statement (project, at);
CREATE INDEX statementOfSession ON statement (session);
CREATE TABLE proposal (
  session INTEGER NOT NULL, at INTEGER NOT NULL, document INTEGER NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (session, at, document, label)
) WITHOUT ROWID;
CREATE TABLE warning (
  file INTEGER NOT NULL, project INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL,
  cause TEXT NOT NULL, agent TEXT, signature TEXT NOT NULL, attempt TEXT NOT NULL, confidence REAL NOT NULL,
  what TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX warningOfProject ON warning (project, at);
CREATE TABLE override (
  file INTEGER NOT NULL, project INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, session TEXT NOT NULL,
  cause TEXT NOT NULL, warning TEXT NOT NULL, succeeded INTEGER NOT NULL
);
CREATE INDEX overrideOfProject ON override (project);
CREATE TABLE choice (
  file INTEGER NOT NULL, project INTEGER NOT NULL, at INTEGER NOT NULL, position INTEGER NOT NULL, cause TEXT NOT NULL, kind TEXT NOT NULL,
  text TEXT
);
CREATE INDEX choiceOfCause ON choice (project, cause, at);
CREATE TABLE usage (
  session INTEGER NOT NULL, hour INTEGER NOT NULL, model TEXT NOT NULL, replies INTEGER NOT NULL,
  inputTokens INTEGER NOT NULL, outputTokens INTEGER NOT NULL,
  cacheReadTokens INTEGER NOT NULL, cacheWriteTokens INTEGER NOT NULL,
  cacheHourTokens INTEGER NOT NULL, incompleteReplies INTEGER NOT NULL,
  PRIMARY KEY (session, hour, model)
) WITHOUT ROWID;
CREATE TABLE activity (
  session INTEGER NOT NULL, hour INTEGER NOT NULL, activeMs INTEGER NOT NULL, PRIMARY KEY (session, hour)
) WITHOUT ROWID;
CREATE TABLE hour (
  session INTEGER NOT NULL, hour INTEGER NOT NULL, successes INTEGER NOT NULL, failures INTEGER NOT NULL,
  commits INTEGER NOT NULL, PRIMARY KEY (session, hour)
) WITHOUT ROWID;
CREATE TABLE tombstone (project INTEGER NOT NULL, session TEXT NOT NULL, time INTEGER NOT NULL, file INTEGER NOT NULL);
CREATE INDEX tombstoneOfSession ON tombstone (project, session);
CREATE TABLE problem (file INTEGER NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL);
CREATE INDEX problemOfFile ON problem (file);
CREATE TABLE term (
  id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, documentCount INTEGER NOT NULL,
  ended TEXT GENERATED ALWAYS AS (term || '$') VIRTUAL
);
CREATE VIRTUAL TABLE fts USING fts5 (said, did, output, parts, filters, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE piece USING fts5 (
  ended, content = 'term', content_rowid = 'id', tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0
);
CREATE TRIGGER termRemoved AFTER DELETE ON term WHEN length(old.term) > 1 BEGIN
  INSERT INTO piece (piece, rowid, ended) VALUES ('delete', old.id, old.ended);
END;
INSERT INTO fts (fts, rank) VALUES ('hashsize', ${FTS_HASH_BYTES});
INSERT INTO piece (piece, rank) VALUES ('hashsize', ${FTS_HASH_BYTES});
`;

/** Creates the tables in an empty database. Call inside a transaction. */
export function createTables(database: Database): void {
  database.exec(TABLES);
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** The version of the tables; 0 when there are none. */
export function schemaVersion(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  return row.user_version;
}

/** A number that the index stores about itself; 0 when it was never written. */
export function readState(connection: ReadConnection, key: string): number {
  return connection.get<{ readonly value: number }>('SELECT value FROM state WHERE key = ?', key)?.value ?? 0;
}

/** Stores a number that {@link readState} returns. */
export function writeState(connection: Connection, key: string, value: number): void {
  connection.run('INSERT OR REPLACE INTO state VALUES (?, ?)', key, value);
}

/** Number of documents in the index. Stored, because counting many takes milliseconds. */
export function documentCount(connection: ReadConnection): number {
  return readState(connection, 'documents');
}

/** Adds to the stored number of documents; negative for removed ones. */
export function changeDocumentCount(connection: Connection, change: number): void {
  if (change !== 0) writeState(connection, 'documents', documentCount(connection) + change);
}
