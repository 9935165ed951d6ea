import { type SessionRecords, SessionSummaryBuilder, scanSessions } from '../history/index.ts';
import { readLines } from '../log/index.ts';
import type { Problem, SessionSummary } from '../record/index.ts';
import { foldCase } from '../text/fold-case.ts';
import { stemPrefix } from '../text/stem.ts';
import { isStopWord } from '../text/stop-words.ts';
import { scanWords } from '../text/words.ts';
import type { Connection } from './index/connection.ts';
import { characterKind, roleKind } from './index/session-rows.ts';
import { SESSIONS_SHOWN, type SessionFilter, type SessionPage } from './index/sessions.ts';
import { compareFiles, findFiles, type ProjectSource, trackedFiles } from './index/tracked-files.ts';
import { passesFilters } from './query/filters.ts';
import { containsLiteral, type ParsedQuery, type QueryUnit } from './query/parse-query.ts';
import { UnitMatcher } from './query/text-matcher.ts';
import { type FoundDocument, rankFound } from './rank/hits.ts';
import { type Needle, rarity, relevance } from './rank/relevance.ts';
import type { Match, SearchQuery } from './search-types.ts';
import { isTombstone, parseRecord, type Searchable, type SearchedLog, searchableText } from './searchable.ts';

/** A log file to read, from a place on. */
interface ScannedFile {
  readonly project: string;
  readonly log: SearchedLog;
  readonly path: string;
  readonly from: number;
}

/** What reading the logs found. */
interface ScanFindings {
  readonly found: readonly FoundDocument[];
  readonly problems: readonly Problem[];
}

/** Documents that are kept as possibly related until it is known whether anything better is found. */
const MOST_RELATED = 2_000;
/** So many times the limit are gathered before the worst are let go. */
const SPARE = 4;

/** Answers a query without the index, by reading logs. Finds the same, more slowly, with rougher ranking. */
export function scanFiles(
  files: readonly ScannedFile[],
  parsed: ParsedQuery,
  query: SearchQuery,
  limit: number,
): ScanFindings {
  const scan = new Scan(parsed, query, limit);
  for (const file of files) if (file.log === 'history') scan.readTombstones(file);
  for (const file of files) scan.readRecords(file);
  return scan.findings();
}

class Scan {
  readonly #parsed: ParsedQuery;
  readonly #query: SearchQuery;
  readonly #limit: number;
  readonly #units: UnitMatcher;
  readonly #needles: readonly Needle[];
  /** Stems of the words that say something, and how many documents have each. */
  readonly #stems: Map<string, number>;
  readonly #forgotten = new Map<string, number>();
  readonly #problems: Problem[] = [];
  #found: FoundDocument[] = [];
  #related: FoundDocument['document'][] = [];
  #all = 0;

  constructor(parsed: ParsedQuery, query: SearchQuery, limit: number) {
    this.#parsed = parsed;
    this.#query = query;
    this.#limit = limit;
    this.#units = new UnitMatcher(withOpenEnd(parsed.units));
    const terms = [...new Set(parsed.units.flatMap((unit) => unit.terms))];
    this.#needles = [...new Set([...(parsed.literal === '' ? [] : [parsed.literal]), ...terms])].map(
      (text) => ({ text, weight: 1 }),
    );
    const words = scanWords(parsed.literal).map(({ text }) => text);
    const telling = words.filter((word) => !isStopWord(word));
    this.#stems = new Map((telling.length > 0 ? telling : words).map((word) => [stemPrefix(word), 0]));
  }

  readTombstones({ project, path, from }: ScannedFile): void {
    for (const { text } of readLines(path, { from })) {
      if (!text.includes('"tombstone"')) continue;
      const parsed = parseRecord('history', text);
      if (!parsed.ok || !isTombstone(parsed.record)) continue;
      const key = `${project} ${parsed.record.sessionId}`;
      const time = Date.parse(parsed.record.timestamp);
      this.#forgotten.set(key, Math.max(time, this.#forgotten.get(key) ?? time));
    }
  }

  readRecords({ project, log, path, from }: ScannedFile): void {
    for (const line of readLines(path, { from })) {
      const parsed = parseRecord(log, line.text);
      if (!parsed.ok) {
        const detail = parsed.reason === 'newer' ? `record version ${parsed.version}` : parsed.problem;
        // Line numbers are known only where the file is read from its beginning.
        this.#problems.push({
          path,
          ...(from === 0 ? { line: line.number } : {}),
          reason: parsed.reason,
          detail,
        });
      } else if (!isTombstone(parsed.record)) this.#consider(project, parsed.record);
    }
  }

  findings(): ScanFindings {
    const found = this.#found.length > 0 ? this.#found : this.#scoreRelated();
    return { found: rankFound(found, this.#limit), problems: this.#problems };
  }

  #consider(project: string, record: Searchable): void {
    const time = Date.parse(record.timestamp);
    const forgotten = this.#forgotten.get(`${project} ${record.sessionId}`);
    if (forgotten !== undefined && time <= forgotten) return;
    if (!passesFilters(this.#query, project, record)) return;
    this.#all++;
    const text = searchableText(record);
    const document = { project, record, time, text, folded: foldCase(text) };
    const match = this.#matchOf(document);
    if (match) this.#take(document, match);
    else if (this.#found.length === 0) this.#noteRelated(document);
  }

  #matchOf({ text, folded }: FoundDocument['document']): Match | undefined {
    if (containsLiteral(this.#parsed, text, folded)) return 'literal';
    return this.#units.matches(text, folded) ? 'words' : undefined;
  }

  #take(document: FoundDocument['document'], match: Match): void {
    const score = relevance(document.folded, this.#needles);
    this.#found.push({ document, match, score, needles: this.#needles });
    this.#related = [];
    if (this.#found.length <= this.#limit * SPARE) return;
    // Scores stay as they are: what ranking adds for being new is for the end, when the newest is known.
    const best = new Set(rankFound(this.#found, this.#limit).map((one) => one.document));
    this.#found = this.#found.filter((one) => best.has(one.document));
  }

  #noteRelated(document: FoundDocument['document']): void {
    let isRelated = false;
    for (const [text, count] of this.#stems) {
      if (!document.folded.includes(text)) continue;
      isRelated = true;
      this.#stems.set(text, count + 1);
    }
    if (!isRelated) return;
    this.#related.push(document);
    if (this.#related.length > MOST_RELATED * 2) {
      this.#related = this.#scoreRelated()
        .slice(0, MOST_RELATED)
        .map((found) => found.document);
    }
  }

  #scoreRelated(): readonly FoundDocument[] {
    const needles = [...this.#stems].map(([text, documents]) => ({
      text,
      weight: rarity(documents, this.#all),
    }));
    return this.#related
      .map((document) => ({
        document,
        match: 'related' as const,
        score: relevance(document.folded, needles),
        needles,
      }))
      .sort((a, b) => b.score - a.score);
  }
}

/** The last word may be the beginning of a longer one. */
function withOpenEnd(units: readonly QueryUnit[]): readonly QueryUnit[] {
  return units.map((unit, index) => (index === units.length - 1 ? { ...unit, isPrefix: true } : unit));
}

/** Lists sessions without the index, by reading the logs. */
export function scanForSessions(projects: readonly ProjectSource[], filter: SessionFilter): SessionPage {
  const wanted = projects.filter(({ id }) => filter.projects?.includes(id) ?? true);
  const sessions = wanted.flatMap((source) => summaries(source, filter));
  sessions.sort(
    (a, b) =>
      compare(b.lastActivity, a.lastActivity) ||
      compare(a.sessionId, b.sessionId) ||
      compare(a.project, b.project),
  );
  const first = Math.max(0, filter.offset ?? 0);
  const shown = sessions.slice(first, first + Math.max(0, filter.limit ?? SESSIONS_SHOWN));
  return { sessions: shown, total: sessions.length };
}

function summaries({ id, directory }: ProjectSource, filter: SessionFilter): readonly SessionSummary[] {
  const sessions = scanSessions(
    directory,
    () => true,
    () => {},
  );
  return [...sessions]
    .filter(([, records]) => hasKinds(filter, records))
    .map(([sessionId, records]) => summaryOf(id, sessionId, records))
    .filter((summary) => passes(filter, summary));
}

function summaryOf(project: string, sessionId: string, records: SessionRecords): SessionSummary {
  const tally = new SessionSummaryBuilder(project, sessionId);
  for (const message of records.messages) tally.addMessage(message);
  for (const attempt of records.attempts) tally.addAttempt(attempt);
  return tally.summary();
}

function hasKinds({ role, outcome }: SessionFilter, { messages, attempts }: SessionRecords): boolean {
  const hasRole = role === undefined || messages.some((message) => characterKind(message) === roleKind(role));
  return hasRole && (outcome === undefined || attempts.some((attempt) => attempt.outcome === outcome));
}

function passes(filter: SessionFilter, summary: SessionSummary): boolean {
  const { agent, branch, since, until } = filter;
  return (
    (agent === undefined || summary.agent === agent) &&
    (branch === undefined || summary.branch === branch) &&
    (since === undefined || Date.parse(summary.lastActivity) >= Date.parse(since)) &&
    (until === undefined || Date.parse(summary.timestamp) <= Date.parse(until))
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** All log files of some projects, to be read from their beginning. */
export function allFiles(projects: readonly ProjectSource[]): readonly ScannedFile[] {
  return projects.flatMap(({ id, directory }) =>
    findFiles(directory).map(({ log, path }) => ({ project: id, log, path, from: 0 })),
  );
}

/** The log files that the index does not have all of, and how many bytes it lacks. */
export function unindexedFiles(
  connection: Connection,
  projects: readonly ProjectSource[],
): { readonly files: readonly ScannedFile[]; readonly bytes: number } {
  const files: ScannedFile[] = [];
  let bytes = 0;
  for (const { id, directory } of projects) {
    const project = connection.get<{ readonly id: number }>('SELECT id FROM project WHERE name = ?', id);
    const changes = compareFiles(project ? trackedFiles(connection, project.id) : [], directory, 0);
    bytes += changes.bytes;
    for (const { found, known } of changes.pending) {
      files.push({ project: id, log: found.log, path: found.path, from: known?.offset ?? 0 });
    }
  }
  return { files, bytes };
}
