import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NO_RECORDS, type SessionRecords } from '../history/index.ts';
import { type Problem, type SessionSummary, summariseProblems, type Warning } from '../record/index.ts';
import { type CatchUpOptions, type CatchUpReport, catchUp } from './index/catch-up.ts';
import type { Connection } from './index/connection.ts';
import { dumpIndex } from './index/dump.ts';
import { IndexStore } from './index/index-store.ts';
import { type IndexState, inspectIndex, pendingBytes } from './index/pending-changes.ts';
import { purge, removeProject, removeSession } from './index/remove-documents.ts';
import {
  countRecords,
  forgottenAt,
  listSessions,
  type RecordCounts,
  readSession,
  type SessionFilter,
  type SessionPage,
  sessionsBeginningWith,
  sessionsNamed,
} from './index/sessions.ts';
import { knownProblems, type ProjectSource } from './index/tracked-files.ts';
import { searchIndex } from './query/index-search.ts';
import { type ParsedQuery, parseQuery } from './query/parse-query.ts';
import { type FoundDocument, groupBySession, rankFound, toHit } from './rank/hits.ts';
import { allFiles, scanFiles, scanForSessions, unindexedFiles } from './scan.ts';
import { DEFAULT_LIMIT, type SearchQuery, type SearchResult } from './search-types.ts';

/** More than this is not read to make up for an index that is behind. */
const MOST_UNINDEXED_BYTES = 32 * 1024 * 1024;

/** What is recorded of a session, and when it was forgotten, if it was. */
export interface RecordedSession extends SessionRecords {
  /** ISO 8601. */
  readonly forgottenAt?: string;
}

/**
 * The index over the logs of all projects, in `search.db` of yore's home. A cache: it is made from the logs, made
 * anew when it is damaged, and where it cannot be used the logs are read instead. Several processes may use it at
 * once. Call {@link catchUp} before asking it.
 */
export class SearchIndex {
  readonly #store: IndexStore;
  #projects: readonly ProjectSource[] = [];
  #isComplete = true;

  private constructor(path: string) {
    this.#store = new IndexStore(path, (connection) => catchUp(connection, this.#projects));
  }

  /** The index of a home. Nothing is opened, or created, before it is needed. */
  static open(home: string): SearchIndex {
    return new SearchIndex(join(home, 'search.db'));
  }

  /**
   * Notes what is to be asked about, and whether the index has all of it. For a thread that leaves catching up to another
   * one: nothing is written, and no log is read.
   */
  look(projects: readonly ProjectSource[]): boolean {
    this.#projects = projects;
    const isMissing = !this.#exists();
    const seen = isMissing
      ? undefined
      : this.#store.use((connection) => ({
          bytes: connection.snapshot(() => pendingBytes(connection, projects, Date.now())) ?? 0,
        }));
    this.#isComplete = isMissing ? allFiles(projects).length === 0 : seen?.bytes === 0;
    return this.#isComplete;
  }

  /** Takes in what the logs of these projects hold and the index does not. Reads only the new bytes. */
  catchUp(projects: readonly ProjectSource[], options: CatchUpOptions = {}): CatchUpReport {
    this.#projects = projects;
    const nothing = { bytesRead: 0, documents: 0, complete: true };
    if (!existsSync(this.#store.path) && allFiles(projects).length === 0) return nothing;
    const report = this.#store.use((connection) => catchUp(connection, projects, options));
    this.#isComplete = report?.complete ?? false;
    return report ?? { ...nothing, complete: false };
  }

  /** Searches what the last {@link catchUp} covered. Never throws because of the text of a query. */
  search(query: SearchQuery): SearchResult {
    const parsed = parseQuery(query.text);
    const limit = Math.floor(query.limit ?? DEFAULT_LIMIT);
    if (parsed.typed === '' || !(limit > 0) || query.projects?.length === 0) {
      return { hits: [], sessions: [], source: 'index', warnings: [] };
    }
    const indexed =
      this.#exists() && this.#store.use((connection) => this.#searchIndex(connection, parsed, query, limit));
    if (indexed) return indexed;
    const files = allFiles(this.#projects);
    const { found, problems } = scanFiles(files, parsed, query, limit);
    const source = files.length > 0 ? 'scan' : 'index';
    return toResult(found, source, [...this.#store.warnings, ...summariseProblems(problems)]);
  }

  /** Sessions, most recently active first. */
  listSessions(filter: SessionFilter = {}): SessionPage {
    return this.knownSessions(filter) ?? scanForSessions(this.#projects, filter);
  }

  /** Sessions as the index has them; undefined when there is none that can be used. Reads no log. */
  knownSessions(filter: SessionFilter = {}): SessionPage | undefined {
    return this.#exists() ? this.#store.use((connection) => listSessions(connection, filter)) : undefined;
  }

  /** What the index says of some sessions, in any order; nothing of those that it does not know. */
  sessionsNamed(
    wanted: readonly { readonly project: string; readonly sessionId: string }[],
  ): readonly SessionSummary[] {
    return (
      (this.#exists() ? this.#store.use((connection) => sessionsNamed(connection, wanted)) : undefined) ?? []
    );
  }

  /** Sessions whose id begins with a text, most recently active first. */
  findSessions(prefix: string, limit = 10): readonly SessionSummary[] {
    const indexed =
      this.#exists() && this.#store.use((connection) => sessionsBeginningWith(connection, prefix, limit));
    if (indexed) return indexed;
    const { sessions } = scanForSessions(this.#projects, { limit: Number.MAX_SAFE_INTEGER });
    return sessions.filter(({ sessionId }) => sessionId.startsWith(prefix)).slice(0, limit);
  }

  /**
   * The records of one session, read without reading the rest of the logs. Undefined when the index cannot say: then
   * the logs must be read.
   */
  readSession(project: string, sessionId: string): SessionRecords | undefined {
    if (!this.#exists() || !this.#isComplete) return undefined;
    return this.#store.use((connection) => readSession(connection, project, sessionId));
  }

  /**
   * What was recorded of a session as of the last {@link catchUp}: nothing of one that is not known. Undefined when the
   * index cannot say: then the logs must be read.
   */
  recordedSession(project: string, sessionId: string): RecordedSession | undefined {
    if (!this.#isComplete) return undefined;
    if (!this.#exists()) return NO_RECORDS;
    return this.#store.use((connection) => {
      const forgotten = forgottenAt(connection, project, sessionId);
      return {
        ...(readSession(connection, project, sessionId) ?? NO_RECORDS),
        ...(forgotten === undefined ? {} : { forgottenAt: forgotten }),
      };
    });
  }

  /** How much there is, in one project or in all. Undefined when there is no index. */
  counts(project?: string): RecordCounts | undefined {
    return this.#exists() ? this.#store.use((connection) => countRecords(connection, project)) : undefined;
  }

  /** What a person should know: lines that could not be used, and the state of the index itself. */
  warnings(): readonly Warning[] {
    return [...this.#store.warnings, ...summariseProblems(this.problems())];
  }

  /** Lines of the logs that could not be used. */
  problems(): readonly Problem[] {
    return (this.#exists() ? this.#store.use(knownProblems) : undefined) ?? [];
  }

  /** Makes the index anew from the logs of these projects. */
  rebuild(projects: readonly ProjectSource[], options: CatchUpOptions = {}): CatchUpReport {
    this.#store.recreate('');
    return this.catchUp(projects, options);
  }

  /** Takes one session out of the index for good. It stays out only if its records leave the logs, or are hidden. */
  removeSession(project: string, sessionId: string): void {
    if (!this.#exists()) return;
    this.#store.use((connection) => {
      connection.transaction(() => removeSession(connection, project, sessionId));
      purge(connection);
    });
  }

  /** Takes a project out of the index for good. */
  removeProject(project: string): void {
    if (!this.#exists()) return;
    this.#store.use((connection) => {
      connection.transaction(() => removeProject(connection, project));
      purge(connection);
    });
  }

  /** Makes sure that nothing of what was removed is left in the file. */
  purge(): void {
    if (this.#exists()) this.#store.use(purge);
  }

  /** Whether the index is usable and up to date with these projects. Changes nothing. */
  state(projects: readonly ProjectSource[]): { readonly state: IndexState; readonly bytes: number } {
    return inspectIndex(this.#store.path, projects);
  }

  /** Everything that the index says about the logs, for comparing it with another. */
  dump(): readonly string[] {
    return (this.#exists() ? this.#store.use(dumpIndex) : undefined) ?? [];
  }

  /** Lets go of the file. The index can be used again afterwards. */
  close(): void {
    this.#store.close();
  }

  #searchIndex(connection: Connection, parsed: ParsedQuery, query: SearchQuery, limit: number): SearchResult {
    const { found, problems, isExhaustive } = searchIndex(connection, parsed, query, limit);
    const warnings = [...this.#store.warnings, ...summariseProblems(problems)];
    if (!isExhaustive) warnings.push(NOT_EXHAUSTIVE);
    if (this.#isComplete) return toResult(found, 'index', warnings);
    const { files, bytes } = unindexedFiles(connection, this.#projects);
    if (bytes > MOST_UNINDEXED_BYTES) return toResult(found, 'index', [...warnings, stillIndexing(bytes)]);
    const more = scanFiles(files, parsed, query, limit);
    return toResult(rankFound([...found, ...more.found], limit), 'index', warnings);
  }

  #exists(): boolean {
    return existsSync(this.#store.path);
  }
}

const NOT_EXHAUSTIVE: Warning = {
  code: 'scanned',
  message:
    'Very many records may contain this; only the newest of them were checked. Add a word to find older ones.',
};

function stillIndexing(bytes: number): Warning {
  const megabytes = Math.round(bytes / 1024 / 1024);
  return {
    code: 'scanned',
    message: `Another process is indexing; ${megabytes} MB are not searched yet. Try again in a moment.`,
  };
}

function toResult(
  found: readonly FoundDocument[],
  source: SearchResult['source'],
  warnings: readonly Warning[],
): SearchResult {
  const hits = found.map(toHit);
  return { hits, sessions: groupBySession(hits), source, warnings };
}
