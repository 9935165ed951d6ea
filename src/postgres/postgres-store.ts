import type { KnownFailure } from '../ask/guard/known-failure.ts';
import { type SessionRecords, summariseSession } from '../history/index.ts';
import type { SessionSummary } from '../record/index.ts';
import { getOrAdd } from '../record/once.ts';
import type { SearchQuery, SearchResult } from '../search/search-types.ts';
import { compareText } from '../text/compare-text.ts';
import { type DatabaseAddress, PostgresConnection } from './connection.ts';
import { joinKnowledge, type Lessons, parseFailure, type TeamKnowledge, toLessonRows } from './lessons.ts';
import { checkVersion } from './migrate.ts';
import { recordTerms } from './query.ts';
import { searchRecords } from './search-records.ts';
import {
  type FoundRecord,
  parseSharedRow,
  type SharedDeletion,
  type SharedRecord,
  type StoredRow,
  type StreamRow,
  splitSessionId,
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
  readonly #connection: PostgresConnection;
  readonly #address: DatabaseAddress;
  readonly #machine: string;
  readonly #months = new Set<string>();
  /** The numbers of projects, and the words of each that the server is known to have. */
  readonly #projects = new Map<string, { readonly number: string; readonly words: Set<string> }>();

  /** Records pushed since the server last sorted their words into the index. */
  #unsorted = 0;
  #helper: PostgresConnection | undefined;
  #tidying: Promise<void> | undefined;

  private constructor(connection: PostgresConnection, address: DatabaseAddress, machine: string) {
    this.#connection = connection;
    this.#address = address;
    this.#machine = machine;
  }

  /** Connects as a member. `machine` tells this machine's records from those of others. Throws TEAM, NEWER_VERSION. */
  static async open(address: DatabaseAddress, machine: string): Promise<PostgresStore> {
    const connection = await PostgresConnection.open(address);
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
      this.#helper ??= await PostgresConnection.open(this.#address);
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

  /** All projects of which something was shared. */
  async projects(): Promise<readonly string[]> {
    const sql = 'SELECT project FROM yore.project WHERE team = (SELECT yore.my_team()) ORDER BY number';
    return (await this.#connection.query<{ readonly project: string }>(sql)).map(({ project }) => project);
  }

  /** Sessions of all members in some projects, most recently active first. */
  async listSessions(projects: readonly string[], limit = 50): Promise<readonly SessionSummary[]> {
    const rows = await this.#connection.query<StoredRow & { readonly project: string }>(
      `WITH listed AS (
         SELECT team, project, author, session FROM yore.session
         WHERE team = (SELECT yore.my_team()) AND project = ANY ($1) AND session <> 'notes'
         ORDER BY last_at DESC LIMIT $2
       )
       SELECT r.project, r.author, r.log, r.body FROM listed JOIN yore.record r USING (team, project, author, session)
       ORDER BY r.seq`,
      [projects, limit],
    );
    const sessions = new Map<string, { readonly project: string; readonly found: FoundRecord[] }>();
    for (const row of rows) {
      const [found] = parseSharedRow(row);
      if (found === undefined) continue;
      const { sessionId } = found.record;
      getOrAdd(sessions, `${row.project} ${sessionId}`, () => ({ project: row.project, found: [] })).found.push(found);
    }
    return [...sessions.values()]
      .map(({ project, found }) => summariseSession(project, found[0]?.record.sessionId ?? '', toSessionRecords(found)))
      .sort((a, b) => compareText(b.lastActivity, a.lastActivity) || compareText(a.sessionId, b.sessionId));
  }

  /** The records of a session, by its id of {@link listSessions}. */
  async readSession(project: string, sessionId: string): Promise<SessionRecords> {
    const rows = await this.#connection.query<StoredRow>(
      `SELECT author, log, body FROM yore.record
       WHERE team = (SELECT yore.my_team()) AND project = $1 AND author = $2 AND session = $3 ORDER BY seq`,
      [project, ...splitSessionId(sessionId)],
    );
    return toSessionRecords(rows.flatMap((row) => parseSharedRow(row)));
  }

  /** The project of a session; undefined if there is no such session. */
  async findProject(sessionId: string): Promise<string | undefined> {
    const sql =
      'SELECT project FROM yore.session WHERE team = (SELECT yore.my_team()) AND author = $1 AND session = $2';
    const [row] = await this.#connection.query<{ readonly project: string }>(sql, splitSessionId(sessionId));
    return row?.project;
  }

  /** Searches the records of some projects: all words, substrings of words, and where there are none, some of the words. */
  async search(
    projects: readonly string[],
    query: Omit<SearchQuery, 'projects' | 'author'>,
  ): Promise<Pick<SearchResult, 'hits' | 'sessions'>> {
    const opened = [];
    for (const key of projects) opened.push({ key, number: (await this.#openProject(key)).number });
    return searchRecords(this.#connection, opened, query);
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

/** PostgreSQL stores no NUL characters in texts. In JSON they are escaped. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', ' ') : text;
}
