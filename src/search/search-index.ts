import { existsSync } from 'node:fs';
import { NO_RECORDS, type SessionRecords } from '../history/index.ts';
import {
  type Diagnostic,
  omitUndefined,
  type Problem,
  type SessionSummary,
  summariseProblems,
  YoreError,
} from '../record/index.ts';
import { type CatchUpOptions, type CatchUpReport, catchUp } from '../store/catch-up.ts';
import type { Connection } from '../store/connection.ts';
import { hasFilter } from '../store/filters.ts';
import { purge } from '../store/full-text.ts';
import { IndexStore, openEmptyStore } from '../store/index-store.ts';
import { type IndexState, inspectIndex, pendingBytes } from '../store/pending-changes.ts';
import { type ProjectRows, rowsOfProject } from '../store/project-rows.ts';
import {
  type ActivityCounts,
  countByChoice,
  countByProject,
  countRecords,
  findSessionsByTitle,
  type RecordCounts,
  type SessionFacets,
} from '../store/session-counts.ts';
import type { SessionConditions } from '../store/session-filters.ts';
import {
  findDeletionTime,
  findSessionsById,
  findSessionsByPrefix,
  listSessions,
  readSession,
  type SessionFilter,
  type SessionPage,
} from '../store/sessions.ts';
import { removeOtherStores, storePath } from '../store/store-files.ts';
import { listProblems, type ProjectSource } from '../store/tracked-files.ts';
import { searchIndex } from './query/index-search.ts';
import type { ParsedQuery } from './query/parse-query.ts';
import { isQuestion, parseSearch } from './query/question.ts';
import { rankDocuments } from './rank/hits.ts';
import { pickBest } from './rank/question-rank.ts';
import { allFiles, scanFiles, scanForSessions, unindexedFiles } from './scan.ts';
import { toResult } from './search-result.ts';
import { DEFAULT_LIMIT, type SearchQuery, type SearchResult } from './search-types.ts';

/** More unindexed bytes than this are not scanned during a search. */
const MAX_SCANNED_BYTES = 32 * 1024 * 1024;

/** The records of a session, and when it was deleted, if it was. */
export interface RecordedSession extends SessionRecords {
  /** ISO 8601. */
  readonly deletedAt?: string;
}

/**
 * The full-text index over the logs of all projects, in the store of yore's home. A cache: it is built from the logs,
 * rebuilt when it is damaged, and where it cannot be used the logs are scanned instead. Several processes may use it at
 * once. Call {@link catchUp} before querying it.
 */
export class SearchIndex {
  readonly #store: IndexStore;
  #projects: readonly ProjectSource[] = [];
  #isComplete = true;

  private constructor(path: string) {
    this.#store = new IndexStore(path, (connection) => catchUp(connection, this.#projects));
  }

  /** The index of a home. Nothing is opened or created before it is needed. */
  static open(home: string): SearchIndex {
    return new SearchIndex(storePath(home));
  }

  /**
   * Sets the projects that are queried without indexing them, for a thread that leaves {@link catchUp} to another one.
   * Returns whether all their records are indexed. Writes nothing and reads no log.
   */
  selectProjects(projects: readonly ProjectSource[]): boolean {
    this.#projects = projects;
    if (!this.#exists()) {
      this.#isComplete = allFiles(projects).length === 0;
    } else {
      const bytes = this.#store.use((connection) =>
        connection.snapshot(() => pendingBytes(connection, projects, Date.now()) ?? 0),
      );
      this.#isComplete = bytes === 0;
    }
    return this.#isComplete;
  }

  /** Indexes what the logs of these projects have gained. Reads only the new bytes. */
  catchUp(projects: readonly ProjectSource[], options: CatchUpOptions = {}): CatchUpReport {
    this.#projects = projects;
    const nothing = { bytesRead: 0, documents: 0, complete: true };
    if (!this.#exists() && allFiles(projects).length === 0) return nothing;
    const report = this.#store.use((connection) => catchUp(connection, projects, options));
    this.#isComplete = report?.complete ?? false;
    return report ?? { ...nothing, complete: false };
  }

  /** Searches the projects of the last {@link catchUp}. No text of a query is an error. */
  search(query: SearchQuery): SearchResult {
    const parsed = parseSearch(query.text);
    const limit = Math.floor(query.limit ?? DEFAULT_LIMIT);
    if ((parsed.typed === '' && !hasFilter(query)) || !(limit > 0) || query.projects?.length === 0) {
      return { hits: [], sessions: [], isQuestion: false, source: 'index', missing: [], terms: [], warnings: [] };
    }
    const result =
      this.read((connection) => this.#searchIndex(connection, parsed, query, limit)) ??
      this.#scan(parsed, query, limit);
    const { embedding } = query;
    if (embedding === undefined || 'vector' in embedding) return result;
    return { ...result, warnings: [...result.warnings, { code: 'words', message: embedding.problem }] };
  }

  /** Whether a query is a question, which is also compared by its meaning if it has an embedding. */
  static isQuestion(text: string): boolean {
    return isQuestion(parseSearch(text));
  }

  /** Sessions, most recently active first. */
  listSessions(filter: SessionFilter = {}): SessionPage {
    return this.listIndexedSessions(filter) ?? scanForSessions(this.#projects, filter);
  }

  /** Sessions as the index has them; undefined when it cannot be used. Reads no log. */
  listIndexedSessions(filter: SessionFilter = {}): SessionPage | undefined {
    return this.read((connection) => listSessions(connection, filter));
  }

  /** The indexed sessions with these ids; with a filter, those that pass what records cannot be filtered by. */
  findSessionsById(
    wanted: readonly { readonly project: string; readonly sessionId: string }[],
    filter: SessionConditions = {},
  ): readonly SessionSummary[] {
    return this.read((connection) => findSessionsById(connection, wanted, filter)) ?? [];
  }

  /** Sessions whose id starts with a prefix, most recently active first. */
  findSessions(prefix: string, limit = 10): readonly SessionSummary[] {
    const indexed = this.read((connection) => findSessionsByPrefix(connection, prefix, limit));
    if (indexed) return indexed;
    const { sessions } = scanForSessions(this.#projects, { limit: Number.MAX_SAFE_INTEGER });
    return sessions.filter(({ sessionId }) => sessionId.startsWith(prefix)).slice(0, limit);
  }

  /**
   * The records of one session, without reading the rest of the logs; none for an unknown one. Undefined when the index
   * does not know.
   */
  readSession(project: string, sessionId: string): SessionRecords | undefined {
    if (!this.#isComplete) return undefined;
    return this.read((connection) => readSession(connection, project, sessionId));
  }

  /**
   * What was recorded of a session as of the last {@link catchUp}; no records for an unknown one. Undefined when the
   * index does not know, so that the logs must be read.
   */
  recordedSession(project: string, sessionId: string): RecordedSession | undefined {
    if (!this.#isComplete) return undefined;
    if (!this.#exists()) return NO_RECORDS;
    return this.#store.use((connection) => {
      const records = readSession(connection, project, sessionId);
      const deletedAt = findDeletionTime(connection, project, sessionId);
      return records && { ...records, ...omitUndefined({ deletedAt }) };
    });
  }

  /** Counts sessions and records, of one project or of all. Undefined without an index. */
  counts(project?: string): RecordCounts | undefined {
    return this.read((connection) => countRecords(connection, project));
  }

  /** Asks the rows of a project as of the last {@link catchUp}. Undefined when the index cannot be used. */
  ask<T>(project: string, work: (rows: ProjectRows) => T): T | undefined {
    if (!this.#exists()) return work(rowsOfProject(openEmptyStore(), project));
    return this.#store.use((connection) => connection.snapshot(() => work(rowsOfProject(connection, project))));
  }

  /** How much was done in each project, and its sessions by day since a time (epoch milliseconds). Empty without an index. */
  countByProject(since: number): readonly ActivityCounts[] {
    return this.read((connection) => countByProject(connection, since)) ?? [];
  }

  /** How many sessions each choice of a filter would list. Undefined without an index. */
  countByChoice(filter: SessionFilter = {}): SessionFacets | undefined {
    return this.read((connection) => countByChoice(connection, filter));
  }

  /** Sessions by words of their titles, the best matches first. Empty without an index. */
  findSessionsByTitle(
    text: string,
    options: { readonly projects?: readonly string[]; readonly limit: number },
  ): readonly SessionSummary[] {
    return this.read((connection) => findSessionsByTitle(connection, text, options)) ?? [];
  }

  /** What the user should know: unusable lines of the logs, and the state of the index itself. */
  diagnostics(): readonly Diagnostic[] {
    return [...this.#store.diagnostics, ...summariseProblems(this.problems())];
  }

  /** Lines of the logs that could not be indexed. */
  problems(): readonly Problem[] {
    return this.read(listProblems) ?? [];
  }

  /**
   * Rebuilds the index from the logs of these projects. Throws DISK_FULL or STORAGE when that is not possible, and BUSY
   * when another process is writing to it.
   */
  rebuild(projects: readonly ProjectSource[], options: CatchUpOptions = {}): CatchUpReport {
    // A home in which nothing is recorded has no folder yet.
    if (projects.length === 0 && !this.#exists()) return { bytesRead: 0, documents: 0, complete: true };
    this.#store.recreate('');
    const report = this.catchUp(projects, options);
    if (report.complete) return report;
    const { path, problem } = this.#store;
    if (problem === undefined) {
      throw new YoreError('BUSY', `Another process is writing to the search index ${path}. Try again in a moment.`);
    }
    const code = /\bfull\b/.test(problem) ? 'DISK_FULL' : 'STORAGE';
    throw new YoreError(code, `The search index ${path} could not be rebuilt: ${problem}. Nothing else is lost.`);
  }

  /**
   * Makes sure that nothing of what was removed is left in the file, or in those of other versions. False if it could not,
   * e.g. because it is in use.
   */
  purge(): boolean {
    const isPurged = !this.#exists() || (this.#store.use(purge) ?? false);
    return removeOtherStores(this.#store.path) && isPurged;
  }

  /** Whether the index is usable and up to date with these projects. Changes nothing. */
  state(projects: readonly ProjectSource[]): { readonly state: IndexState; readonly bytes: number } {
    return inspectIndex(this.#store.path, projects);
  }

  /** Closes the file. It is opened again when the index is used again. */
  close(): void {
    this.#store.close();
  }

  #scan(parsed: ParsedQuery, query: SearchQuery, limit: number): SearchResult {
    const files = allFiles(this.#projects);
    const { found, problems, sessions } = scanFiles(files, parsed, query, limit);
    const source = files.length > 0 ? 'scan' : 'index';
    return toResult(parsed, found, source, [...this.#store.diagnostics, ...summariseProblems(problems)], sessions);
  }

  #searchIndex(connection: Connection, parsed: ParsedQuery, query: SearchQuery, limit: number): SearchResult {
    const { found, problems, isExhaustive, lacksVectors, sessions } = searchIndex(connection, parsed, query, limit);
    const warnings = [...this.#store.diagnostics, ...summariseProblems(problems)];
    if (!isExhaustive) warnings.push(NOT_EXHAUSTIVE);
    if (lacksVectors) warnings.push(NO_VECTORS);
    if (this.#isComplete) return toResult(parsed, found, 'index', warnings, sessions);
    const { files, bytes } = unindexedFiles(connection, this.#projects);
    if (bytes > MAX_SCANNED_BYTES)
      return toResult(parsed, found, 'index', [...warnings, stillIndexing(bytes)], sessions);
    const scanned = scanFiles(files, parsed, query, limit);
    const all = [...found, ...scanned.found];
    if (sessions === undefined || scanned.sessions === undefined)
      return toResult(parsed, rankDocuments(all, limit), 'index', warnings);
    const merged = new Map([...sessions, ...scanned.sessions]);
    for (const [key, score] of sessions) merged.set(key, Math.max(score, merged.get(key) ?? score));
    return toResult(parsed, pickBest(all, merged, limit), 'index', warnings, merged);
  }

  /** Runs `work` on the index; undefined when there is none or it cannot be used. */
  read<T>(work: (connection: Connection) => T): T | undefined {
    return this.#exists() ? this.#store.use(work) : undefined;
  }

  /** The same for what the logs do not tell: `nothing` without an index, STORAGE when it cannot be used. */
  require<T>(work: (connection: Connection) => T, nothing: T): T {
    if (!this.#exists()) return nothing;
    const found = this.#store.use((connection) => ({ value: connection.snapshot(() => work(connection)) }));
    if (found !== undefined) return found.value;
    const { path, problem } = this.#store;
    throw new YoreError('STORAGE', `The search index ${path} cannot be used (${problem}). Run: yore reindex`);
  }

  #exists(): boolean {
    return existsSync(this.#store.path);
  }
}

const NOT_EXHAUSTIVE: Diagnostic = {
  code: 'scanned',
  message: 'Too many records may contain this text, so only the newest were checked. Add a word to find older ones.',
};

const NO_VECTORS: Diagnostic = {
  code: 'words',
  message:
    'No message has a vector of the embedding model yet, so only words were compared. To compute them all now: yore reindex --embeddings',
};

function stillIndexing(bytes: number): Diagnostic {
  const megabytes = Math.round(bytes / 1024 / 1024);
  return {
    code: 'scanned',
    message: `Another process is indexing; ${megabytes} MB are not searchable yet. Try again in a moment.`,
  };
}
