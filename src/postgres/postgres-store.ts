import { type SessionRecords, summariseSession } from '../history/index.ts';
import type { KnownFailure } from '../memory/guard/known-failure.ts';
import type { SessionSummary } from '../record/index.ts';
import { parseQuery } from '../search/query/parse-query.ts';
import { groupBySession, toHit } from '../search/rank/hits.ts';
import { scanRecords } from '../search/scan.ts';
import { DEFAULT_LIMIT, type SearchQuery, type SearchResult } from '../search/search-types.ts';
import { compareText } from '../text/compare-text.ts';
import { Connection, type ServerAddress } from './connection.ts';
import { joinKnowledge, type Lessons, parseFailure, type TeamKnowledge, toLessonRows } from './lessons.ts';
import { checkVersion } from './migrate.ts';
import { QueryBuilder, type RecordQuery, recordTerms, toSubstringQuery } from './query.ts';
import {
  type FoundRecord,
  parseRow,
  type SharedDeletion,
  type SharedRecord,
  type StoredRow,
  type StreamRow,
  toSessionRecords,
} from './shared-rows.ts';

/** A part of the stream. */
interface StreamPage {
  readonly rows: readonly StreamRow[];
  /** Everything up to this number has been read. */
  readonly next: number;
  readonly isComplete: boolean;
}

/** Who is logged in. */
export interface Membership {
  readonly team: string;
  readonly teamName: string;
  readonly author: string;
  readonly name: string | undefined;
  readonly members: number;
}

/** A member as colleagues see them. */
export interface Member {
  /** The pseudonym. */
  readonly author: string;
  /** Undefined unless the member chose one. */
  readonly name: string | undefined;
  /** ISO 8601. */
  readonly joinedAt: string;
}

/** Rows that are looked at to find the best hits. */
const CANDIDATES_PER_HIT = 2;
const MAX_WORDS = 50;
/** Newer failures than these are enough for the guard. */
const MAX_FAILURES = 300;
/** Lessons of many machines, most of which learned the same. */
const MAX_LESSONS = 2_000;
/** A machine that pushes more than this at once has the server sort their words meanwhile. */
const SORT_AFTER = 2_000;
/** Words that one connection remembers to have sent. */
const MAX_KNOWN_WORDS = 500_000;
const DAY_MS = 86_400_000;

/** The records of a team on PostgreSQL, as one member sees them. */
export class PostgresStore {
  readonly #connection: Connection;
  readonly #address: ServerAddress;
  readonly #machine: string;
  readonly #months = new Set<string>();
  /** The numbers of projects, and the words of each that the server is known to have. */
  readonly #projects = new Map<string, { readonly number: string; readonly words: Set<string> }>();

  /** Records pushed since the server last sorted their words into the index. */
  #unsorted = 0;
  #helper: Connection | undefined;
  #tidying: Promise<void> | undefined;

  private constructor(connection: Connection, address: ServerAddress, machine: string) {
    this.#connection = connection;
    this.#address = address;
    this.#machine = machine;
  }

  /** Connects as a member. `machine` tells this machine's records from those of others. Throws TEAM, NEWER_VERSION. */
  static async open(address: ServerAddress, machine: string): Promise<PostgresStore> {
    const connection = await Connection.open(address);
    try {
      await checkVersion(connection);
      return new PostgresStore(connection, address, machine);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#tidying;
    await this.#helper?.close();
    await this.#connection.close();
  }

  /** Who is logged in. */
  async whoAmI(): Promise<Membership> {
    type Row = Omit<Membership, 'teamName'> & { readonly team_name: string; readonly members: string };
    const [row] = await this.#connection.query<Row>('SELECT * FROM yore.whoami()');
    if (row === undefined) throw new TypeError('whoami() returns a row or fails');
    const { team, team_name: teamName, author, name, members } = row;
    return { team, teamName, author, name: name ?? undefined, members: Number(members) };
  }

  /** All members, in the order in which they joined. */
  async members(): Promise<readonly Member[]> {
    type Row = Omit<Member, 'name' | 'joinedAt'> & { readonly name: string | null; readonly joined_at: Date };
    const rows = await this.#connection.query<Row>('SELECT * FROM yore.members()');
    return rows.map(({ author, name, joined_at: at }) => ({
      author,
      name: name ?? undefined,
      joinedAt: at.toISOString(),
    }));
  }

  /**
   * Says that this machine is there. Each time it shows the token of the last time and leaves another one; false if that
   * is not the last one, because a copy of the machine has been there since.
   */
  async checkIn(tokenBefore: string, tokenAfter: string): Promise<boolean> {
    const sql = 'SELECT yore.check_in($1, $2, $3) AS accepted';
    const [row] = await this.#connection.query<{ readonly accepted: boolean }>(sql, [
      this.#machine,
      tokenBefore,
      tokenAfter,
    ]);
    return row?.accepted === true;
  }

  /**
   * Makes this login the successor of another one of the same person, with its pseudonym and its records. `token` is what
   * this machine left with the old login. False if it is not that.
   */
  async continueAs(author: string, token: string): Promise<boolean> {
    const sql = 'SELECT yore.continue_as($1, $2, $3) AS accepted';
    const [row] = await this.#connection.query<{ readonly accepted: boolean }>(sql, [author, this.#machine, token]);
    return row?.accepted === true;
  }

  /** Shows a name instead of the pseudonym from now on; undefined takes it back. */
  async setName(name: string | undefined): Promise<void> {
    await this.#connection.query('SELECT yore.set_name($1)', [name ?? null]);
  }

  /** Ends the membership. The records stay. */
  async leave(): Promise<void> {
    await this.#connection.query('SELECT yore.leave()');
  }

  /** Stores records, each once, however often they are pushed. Returns how many are new. One transaction. */
  async push(project: string, records: readonly SharedRecord[]): Promise<number> {
    if (records.length === 0) return 0;
    await this.#prepareMonths(records);
    const { number, words: known } = await this.#openProject(project);
    const vocabulary = new Set<string>();
    const prefix = `${number}:`;
    const terms = records.map(({ record }) => {
      const { words, filters } = recordTerms(record);
      for (const word of words) if (!known.has(word)) vocabulary.add(word);
      return withoutNul(prefix + [...filters, ...words].join(`\n${prefix}`));
    });
    const column = (value: (each: SharedRecord) => string): readonly string[] => records.map(value);
    const [row] = await this.#connection.query<{ readonly added: string }>(
      'SELECT yore.push($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS added',
      [
        project,
        this.#machine,
        column(({ log }) => log),
        column(({ record }) => withoutNul(record.sessionId)),
        column(({ record }) => withoutNul(record.id)),
        column(({ record }) => new Date(record.timestamp).toISOString()),
        column(({ record }) => ('outcome' in record ? record.outcome : record.role)),
        column(({ record }) => JSON.stringify(record)),
        terms,
        [...vocabulary].map(withoutNul),
      ],
    );
    if (known.size > MAX_KNOWN_WORDS) known.clear();
    for (const word of vocabulary) known.add(word);
    this.#unsorted += records.length;
    if (this.#unsorted >= SORT_AFTER) this.#tidy();
    return Number(row?.added ?? 0);
  }

  /** Sorts new words into the index on a connection of its own, while the next records are pushed. Best-effort. */
  #tidy(): void {
    if (this.#tidying !== undefined) return;
    this.#unsorted = 0;
    const tidy = async (): Promise<void> => {
      this.#helper ??= await Connection.open(this.#address);
      await this.#helper.query('SELECT yore.tidy()');
    };
    this.#tidying = tidy()
      .catch(() => undefined)
      .finally(() => {
        this.#tidying = undefined;
      });
  }

  async #openProject(project: string): Promise<{ readonly number: string; readonly words: Set<string> }> {
    const known = this.#projects.get(project);
    if (known !== undefined) return known;
    const sql = 'SELECT yore.open_project($1) AS number';
    const [row] = await this.#connection.query<{ readonly number: string }>(sql, [project]);
    const opened = { number: row?.number ?? '', words: new Set<string>() };
    this.#projects.set(project, opened);
    return opened;
  }

  async #prepareMonths(records: readonly SharedRecord[]): Promise<void> {
    for (const { record } of records) {
      const at = new Date(record.timestamp).toISOString();
      const month = at.slice(0, 7);
      if (this.#months.has(month)) continue;
      await this.#connection.query('SELECT yore.prepare_month($1)', [at]);
      this.#months.add(month);
    }
  }

  /** What other machines have pushed after `after`, in order. Numbers become visible in order, so nothing is skipped. */
  async pull(project: string, after: number, limit: number): Promise<StreamPage> {
    const last = await this.lastSeq(project);
    type Row = Omit<StreamRow, 'seq' | 'name'> & { readonly seq: string; readonly name: string | null };
    const rows = await this.#connection.query<Row>(
      `SELECT seq, log, r.author, name, body FROM yore.record r
       LEFT JOIN yore.member m ON m.team = r.team AND m.author = r.author
       WHERE r.team = (SELECT yore.my_team()) AND project = $1 AND seq > $2 AND seq <= $3 AND machine <> $4
       ORDER BY seq LIMIT $5`,
      [project, after, last, this.#machine, limit],
    );
    const isComplete = rows.length < limit;
    const next = isComplete ? Math.max(after, last) : Number(rows.at(-1)?.seq ?? after);
    const found = rows.map(({ seq, name, ...row }) => ({ ...row, seq: Number(seq), name: name ?? undefined }));
    return { rows: found, next, isComplete };
  }

  /** The number of the latest record; 0 for an unknown project. Throws when the membership has ended. */
  async lastSeq(project: string): Promise<number> {
    const [row] = await this.#connection.query<{ readonly last: string }>('SELECT yore.last_seq($1) AS last', [
      project,
    ]);
    return Number(row?.last ?? 0);
  }

  /** Deletes records of this member from the server, and tells all machines. Returns how many. */
  async forget(project: string, { sessions, ids, everything, until }: SharedDeletion): Promise<number> {
    const [row] = await this.#connection.query<{ readonly deleted: string }>(
      'SELECT yore.forget($1, $2, $3, $4, $5, $6) AS deleted',
      [project, this.#machine, sessions, ids, everything, until],
    );
    this.#projects.delete(project);
    return Number(row?.deleted ?? 0);
  }

  /** Sessions of all members, most recently active first. */
  async listSessions(project: string, limit = 50): Promise<readonly SessionSummary[]> {
    const rows = await this.#connection.query<StoredRow>(
      `WITH listed AS (
         SELECT team, project, author, session FROM yore.session
         WHERE team = (SELECT yore.my_team()) AND project = $1 AND session <> 'notes'
         ORDER BY last_at DESC LIMIT $2
       )
       SELECT r.author, r.log, r.body FROM listed JOIN yore.record r USING (team, project, author, session)
       ORDER BY r.seq`,
      [project, limit],
    );
    const sessions = new Map<string, FoundRecord[]>();
    for (const found of rows.flatMap((row) => parseRow(row))) {
      const { sessionId } = found.record;
      sessions.set(sessionId, [...(sessions.get(sessionId) ?? []), found]);
    }
    return [...sessions]
      .map(([sessionId, found]) => summariseSession(project, sessionId, toSessionRecords(found)))
      .sort((a, b) => compareText(b.lastActivity, a.lastActivity) || compareText(a.sessionId, b.sessionId));
  }

  /** The records of a session, by its id of {@link listSessions}. */
  async readSession(project: string, sessionId: string): Promise<SessionRecords> {
    const rows = await this.#connection.query<StoredRow>(
      `SELECT author, log, body FROM yore.record
       WHERE team = (SELECT yore.my_team()) AND project = $1 AND author = $2 AND session = $3 ORDER BY seq`,
      [project, ...splitSessionId(sessionId)],
    );
    return toSessionRecords(rows.flatMap((row) => parseRow(row)));
  }

  /** Searches the records of a project: all words, substrings of words, and where there are none, some of the words. */
  async search(project: string, query: SearchQuery): Promise<Pick<SearchResult, 'hits' | 'sessions'>> {
    const parsed = parseQuery(query.text);
    const limit = query.limit ?? DEFAULT_LIMIT;
    if (parsed.typed === '' || limit <= 0) return { hits: [], sessions: [] };
    const { number } = await this.#openProject(project);
    const builder = new QueryBuilder(number, query);
    const rows = await this.#candidates(project, builder.allWords(parsed), query, limit);
    if (rows.length < limit) {
      const substring = toSubstringQuery(parsed);
      const [first = [], ...symbols] = await this.#wordsLike(project, substring.patterns);
      const words = builder.oneOfEach([first.filter(substring.isNew), ...symbols], substring);
      rows.push(...(await this.#candidates(project, words, query, limit)));
    }
    if (rows.length === 0) rows.push(...(await this.#candidates(project, builder.anyWord(parsed), query, limit)));
    const records = new Map(
      rows
        .flatMap(parseRow)
        .map((found) => [`${found.log} ${found.record.sessionId} ${found.record.id}`, found.record]),
    );
    const { projects: _, ...filters } = query;
    const hits = scanRecords(project, records.values(), parsed, filters, limit).map(toHit);
    return { hits, sessions: groupBySession(hits) };
  }

  async #candidates(
    project: string,
    words: RecordQuery | undefined,
    { since, until, sessionId, role, outcome }: SearchQuery,
    limit: number,
  ): Promise<StoredRow[]> {
    if (words === undefined) return [];
    const kinds = [role, outcome].filter((kind) => kind !== undefined);
    const rows = await this.#connection.query<StoredRow>(
      'SELECT * FROM yore.search($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      [
        project,
        words.closed ?? null,
        words.open ?? null,
        since ?? null,
        until ?? null,
        ...(sessionId === undefined ? [null, null] : splitSessionId(sessionId)),
        kinds.length === 0 ? null : kinds,
        limit * CANDIDATES_PER_HIT,
      ],
    );
    return [...rows];
  }

  /** For each pattern, the words of the project that match it. */
  async #wordsLike(project: string, patterns: readonly string[]): Promise<readonly (readonly string[])[]> {
    if (patterns.length === 0) return [];
    const sql = 'SELECT n, word FROM yore.words_like($1, $2, $3)';
    type Row = { readonly n: number; readonly word: string };
    const rows = await this.#connection.query<Row>(sql, [project, patterns, MAX_WORDS]);
    return patterns.map((_, index) => rows.filter(({ n }) => n === index + 1).map(({ word }) => word));
  }

  /** Replaces what this machine has learned from its own records of a project. `now`: epoch milliseconds. */
  async publish(project: string, lessons: Lessons, now: number): Promise<void> {
    const rows = toLessonRows(lessons, now);
    await this.#connection.query('SELECT yore.publish($1, $2, $3, $4, $5, $6)', [
      project,
      this.#machine,
      rows.map(({ kind }) => kind),
      rows.map(({ key }) => key),
      rows.map(({ at }) => at),
      rows.map(({ body }) => body),
    ]);
  }

  /** The failures that the guards of the members know, with what worked instead, newest first. */
  async failures(project: string, now: number, lookbackDays: number): Promise<readonly KnownFailure[]> {
    const since = new Date(now - lookbackDays * DAY_MS).toISOString();
    const sql = 'SELECT author, body FROM yore.failures($1, $2, $3)';
    type Row = { readonly author: string; readonly body: string };
    return (await this.#connection.query<Row>(sql, [project, since, MAX_FAILURES])).flatMap(parseFailure);
  }

  /** What the members have learned about a project. */
  async knowledge(project: string): Promise<TeamKnowledge> {
    type Row = { readonly author: string; readonly kind: string; readonly body: string };
    const sql = 'SELECT author, kind, body FROM yore.knowledge($1, $2)';
    return joinKnowledge(await this.#connection.query<Row>(sql, [project, MAX_LESSONS]));
  }
}

/** The author of a session, and what the author calls it. */
function splitSessionId(sessionId: string): readonly [author: string, session: string] {
  const at = sessionId.lastIndexOf('@');
  return [sessionId.slice(at + 1), sessionId.slice(0, Math.max(0, at))];
}

/** PostgreSQL stores no NUL characters in texts. In JSON they are escaped. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', ' ') : text;
}
