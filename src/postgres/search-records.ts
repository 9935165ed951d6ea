import { redactValue } from '../redact/redact.ts';
import { parseQuery } from '../search/query/parse-query.ts';
import { groupBySession, toHit } from '../search/rank/hits.ts';
import { type ScannedRecord, scanRecords } from '../search/scan.ts';
import { DEFAULT_LIMIT, type SearchQuery, type SearchResult } from '../search/search-types.ts';
import type { PostgresConnection } from './connection.ts';
import { QueryBuilder, type RecordQuery, toSubstringQuery } from './query.ts';
import { parseSharedRow, type StoredRow, splitSessionId } from './shared-rows.ts';

/** A project as the server knows it. */
interface SearchedProject {
  readonly key: string;
  /** Starts its terms. */
  readonly number: string;
}

/** Rows that are looked at to find the best hits. */
const CANDIDATES_PER_HIT = 2;
const MAX_WORDS = 50;

/**
 * Searches the records of some projects: all words, substrings of words, and where there are none, some of the words. Hits
 * are the best of the newest matches of each project, redacted as if they had been received.
 */
export async function searchRecords(
  connection: PostgresConnection,
  projects: readonly SearchedProject[],
  query: SearchQuery,
): Promise<Pick<SearchResult, 'hits' | 'sessions'>> {
  const parsed = parseQuery(query.text);
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (parsed.typed === '' || limit <= 0) return { hits: [], sessions: [] };
  const records: ScannedRecord[] = [];
  for (const project of projects) {
    const rows = await new ProjectSearch(connection, project, query, limit).findRows();
    const found = rows
      .flatMap(parseSharedRow)
      .map(({ log, record }) => [`${log} ${record.sessionId} ${record.id}`, { project: project.key, record }] as const);
    records.push(...new Map(found).values());
  }
  const found = scanRecords(records, parsed, query, limit);
  const redacted = found.map(({ document: { project, record } }) => ({ project, record: redactValue(record) }));
  const isSame = redacted.every(({ record }, index) => record === found[index]?.document.record);
  const hits = (isSame ? found : scanRecords(redacted, parsed, query, limit)).map(toHit);
  return { hits, sessions: groupBySession(hits) };
}

/** A search in one project. */
class ProjectSearch {
  readonly #connection: PostgresConnection;
  readonly #project: SearchedProject;
  readonly #query: SearchQuery;
  readonly #limit: number;

  constructor(connection: PostgresConnection, project: SearchedProject, query: SearchQuery, limit: number) {
    this.#connection = connection;
    this.#project = project;
    this.#query = query;
    this.#limit = limit;
  }

  async findRows(): Promise<readonly StoredRow[]> {
    const parsed = parseQuery(this.#query.text);
    const builder = new QueryBuilder(this.#project.number, this.#query);
    const rows = await this.#candidates(builder.allWords(parsed));
    if (rows.length < this.#limit) {
      const substring = toSubstringQuery(parsed);
      const [first = [], ...symbols] = await this.#wordsLike(substring.patterns);
      const words = builder.oneOfEach([first.filter(substring.isNew), ...symbols], substring);
      rows.push(...(await this.#candidates(words)));
    }
    return rows.length > 0 ? rows : this.#candidates(builder.anyWord(parsed));
  }

  /** The newest records that match. */
  async #candidates(words: RecordQuery | undefined): Promise<StoredRow[]> {
    if (words === undefined) return [];
    const { since, until, sessionId, role, outcome } = this.#query;
    const kinds = [role, outcome].filter((kind) => kind !== undefined);
    const rows = await this.#connection.query<StoredRow>(
      'SELECT * FROM yore.search($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      [
        this.#project.key,
        words.closed ?? null,
        words.open ?? null,
        since ?? null,
        until ?? null,
        ...(sessionId === undefined ? [null, null] : splitSessionId(sessionId)),
        kinds.length === 0 ? null : kinds,
        this.#limit * CANDIDATES_PER_HIT,
      ],
    );
    return [...rows];
  }

  /** For each pattern, the words of the project that match it. */
  async #wordsLike(patterns: readonly string[]): Promise<readonly (readonly string[])[]> {
    if (patterns.length === 0) return [];
    const sql = 'SELECT n, word FROM yore.words_like($1, $2, $3)';
    type Row = { readonly n: number; readonly word: string };
    const rows = await this.#connection.query<Row>(sql, [this.#project.key, patterns, MAX_WORDS]);
    return patterns.map((_, index) => rows.filter(({ n }) => n === index + 1).map(({ word }) => word));
  }
}
