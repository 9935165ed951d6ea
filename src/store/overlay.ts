import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statIfExists } from '../files/file-access.ts';
import { readLogLines } from '../log/read.ts';
import { getOrAdd, once } from '../record/once.ts';
import type { Attempt } from '../record/record.ts';
import { openReadOnlyDatabase } from '../sqlite/database.ts';
import { Connection } from './connection.ts';
import { FactRows } from './fact-rows.ts';
import { openEmptyStore } from './index-store.ts';
import { type PendingCall, type ProjectRows, type RowSource, rowsOfProject } from './project-rows.ts';
import { schemaVersion } from './schema.ts';
import { parseRecord } from './searchable.ts';
import { isLogTooLarge, SCHEMA_VERSION, storePath } from './store-files.ts';
import { compareFiles, isArchived, type LogChanges, type ProjectSource, trackedFiles } from './tracked-files.ts';
import { saveWarningLine } from './warning-rows.ts';

/** What a {@link OverlaidStore} needs to know. */
export interface OverlaidStoreOptions {
  /** yore's home. */
  readonly home: string;
  readonly project: ProjectSource;
  /** Calls that have ended and are not in the logs yet. Without it, the rows are as of the last catch-up. */
  readonly pending?: () => readonly PendingCall[];
  readonly now: () => number;
}

/** More of the logs than this takes too long to understand while an agent waits. */
const MAX_TAIL_BYTES = 512 * 1024;
/** Failures that are older are archived, and nobody is warned of them. */
const MAX_AGE_MS = 30 * 86_400_000;
/** Tables that are overlaid: temporary tables of the same shape hold what the store lacks, and views join the two. */
const OVERLAID = [
  ...['session', 'call', 'used', 'failure', 'blamed', 'proved', 'request', 'reply', 'feedback', 'note'],
  ...['statement', 'proposal', 'fix', 'gitCommit', 'warning', 'override', 'choice'],
] as const;
const NEW = 'temp.new_';
const NEW_TABLES = OVERLAID.map(
  (table) => `CREATE TEMP TABLE new_${table} AS SELECT * FROM main.${table} LIMIT 0;
    CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} UNION ALL SELECT * FROM ${NEW}${table};`,
).join('');

/**
 * The rows of a project for a process that an agent waits for. Opens the store read-only, waits for nobody, and lays over it
 * what has been recorded since: the new lines of the logs, and calls that are not in the logs yet. Knows nothing if that
 * would take too long. Only for questions that look rows up: SQLite joins views by reading them whole.
 */
export class OverlaidStore implements RowSource {
  readonly #options: OverlaidStoreOptions;

  constructor(options: OverlaidStoreOptions) {
    this.#options = options;
  }

  ask<T>(work: (rows: ProjectRows) => T, needsAll: (rows: ProjectRows) => boolean = () => true): T | undefined {
    const connection = openStore(this.#options.home);
    if (connection === undefined) return undefined;
    try {
      const { project, pending, now } = this.#options;
      const rows = rowsOfProject(connection, project.id);
      const changes = compareFiles(trackedFiles(connection, rows.project), project.directory, now());
      // The logs were rewritten, so that rows may say what has been deleted.
      if (changes.removed.length > 0 || tailBytes(changes, now()) > MAX_TAIL_BYTES) return undefined;
      if (pending !== undefined) {
        const calls = [...readTail(changes, now()), ...pending()];
        const warnings = changes.pending.filter(({ found }) => found.log === 'warnings');
        overlay(connection, rows, { calls, warnings, needsAll });
      }
      return work(rows);
    } finally {
      connection.close();
    }
  }
}

/** Undefined when there is no store that can be read at once, or what it holds is being deleted. */
function openStore(home: string): Connection | undefined {
  if (isDeleting(home)) return undefined;
  const path = storePath(home);
  if (isLogTooLarge(path)) return undefined;
  // Nothing was ever indexed: what matters is in the logs.
  if (statIfExists(path) === undefined) return openEmptyStore();
  try {
    const database = openReadOnlyDatabase(path);
    if (schemaVersion(database) === SCHEMA_VERSION) return new Connection(database);
    database.close();
  } catch {} // Without a write-ahead log that can be shared, SQLite cannot read it.
  return undefined;
}

/** Whether a deletion has begun that is not finished, also where the process that began it was killed. */
function isDeleting(home: string): boolean {
  const folder = join(home, 'deletions');
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'));
}

function isAttemptLog(log: string): log is 'failures' | 'successes' {
  return log === 'failures' || log === 'successes';
}

/**
 * The files with attempts that matter for warnings, as far as the store lacks some. Older files do not: there are no warnings
 * of failures that are as old, and nothing in them shows that a later failure is solved.
 */
function pendingAttempts({ pending }: LogChanges, now: number) {
  return pending.flatMap(({ found: { log, path, size, mtime }, known }) =>
    isAttemptLog(log) && !isArchived(path) && now - mtime < MAX_AGE_MS
      ? [{ log, path, size, from: known?.offset ?? 0 }]
      : [],
  );
}

function tailBytes(changes: LogChanges, now: number): number {
  return pendingAttempts(changes, now).reduce((sum, { size, from }) => sum + Math.max(0, size - from), 0);
}

/** The calls that the logs have gained. */
function* readTail(changes: LogChanges, now: number): Generator<PendingCall> {
  for (const { log, path, from } of pendingAttempts(changes, now)) {
    for (const { text } of readLogLines(path, { from })) {
      const parsed = parseRecord(log, text);
      if (!parsed.ok) continue;
      const attempt = parsed.record as Attempt;
      const { tool, timestamp, outcome } = attempt;
      if (tool !== undefined)
        yield { time: Date.parse(timestamp), hasFailed: outcome === 'failure', toAttempt: () => attempt };
    }
  }
}

/** What the store lacks. */
interface Missing {
  readonly calls: readonly PendingCall[];
  readonly warnings: LogChanges['pending'];
  readonly needsAll: (rows: ProjectRows) => boolean;
}

function overlay(connection: Connection, rows: ProjectRows, { calls, warnings, needsAll }: Missing): void {
  const createTables = once(() => connection.exec(NEW_TABLES));
  const sessions = new Map<string, number>();
  const add = (placed: readonly PlacedCall[]): void => {
    if (placed.length === 0) return;
    createTables();
    const added = new FactRows();
    for (const { time, document, toAttempt } of placed) {
      const record = toAttempt();
      const session = getOrAdd(sessions, record.sessionId, () => findSession(connection, rows, record, sessions.size));
      added.add({ project: rows.project, projectId: rows.projectId, session, document, time }, record);
    }
    added.save(connection, NEW);
  };
  for (const { found, known } of warnings) {
    createTables();
    for (const line of readLogLines(found.path, { from: known?.offset ?? 0 }))
      saveWarningLine(connection, { id: known?.id ?? 0, project: rows.project }, line, NEW);
  }
  const placed = calls.toSorted((a, b) => a.time - b.time).map((call, index) => ({ ...call, document: -1 - index }));
  add(placed.filter(({ hasFailed }) => hasFailed));
  const others = placed.filter(({ hasFailed }) => !hasFailed);
  if (others.length > 0 && needsAll(rows)) add(others);
}

/** Documents have negative numbers here, which decrease with time as those of the store do. */
type PlacedCall = PendingCall & { readonly document: number };

/** The row of a session, added if the store does not know it. */
function findSession(
  connection: Connection,
  { project }: ProjectRows,
  { sessionId, agent }: Attempt,
  count: number,
): number {
  const sql = 'SELECT id FROM main.session WHERE name = ? AND project = ?';
  const known = connection.get<{ readonly id: number }>(sql, sessionId, project)?.id;
  if (known !== undefined) return known;
  const id = -1 - count;
  connection.run(
    `INSERT INTO ${NEW}session (id, project, name, lastAgent, lastTime) VALUES (?, ?, ?, ?, ?)`,
    ...[id, project, sessionId, agent ?? null, Number.MAX_SAFE_INTEGER],
  );
  return id;
}
