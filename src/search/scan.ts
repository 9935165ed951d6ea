import {
  describeProblem,
  isListedSession,
  type SessionRecords,
  scanSessions,
  summariseSession,
} from '../history/index.ts';
import { readLines } from '../log/index.ts';
import { CHAT_AGENT, omitUndefined, type Problem, type SessionSummary } from '../record/index.ts';
import { compareText } from '../text/compare-text.ts';
import { stemPrefix } from '../text/stem.ts';
import { isStopWord } from '../text/stop-words.ts';
import { scanWords } from '../text/words.ts';
import { passesFilters } from './filters.ts';
import type { Connection } from './index/connection.ts';
import { findChanges, findProject } from './index/pending-changes.ts';
import { recordBits, roleBit } from './index/session-rows.ts';
import { DEFAULT_SESSION_LIMIT, type SessionFilter, type SessionPage } from './index/sessions.ts';
import { findFiles, type ProjectSource } from './index/tracked-files.ts';
import { containsLiteral, type ParsedQuery, type QueryUnit } from './query/parse-query.ts';
import { hasAllUnits } from './query/text-matcher.ts';
import { isChatTalk, rankDocuments, type ScoredDocument } from './rank/hits.ts';
import { rarity, relevance, type WeightedTerm } from './rank/relevance.ts';
import type { Match, SearchQuery } from './search-types.ts';
import { isTombstone, parseRecord, type Searchable, type SearchedLog, toDocument } from './searchable.ts';

/** A log file to scan, starting at an offset. */
interface ScannedFile {
  readonly project: string;
  readonly log: SearchedLog;
  readonly path: string;
  readonly from: number;
}

interface ScanResult {
  readonly found: readonly ScoredDocument[];
  readonly problems: readonly Problem[];
}

type Document = ScoredDocument['document'];

/** Possibly related documents that are held until the scan shows whether there are better ones. */
const MAX_RELATED = 2_000;
/** Matches are collected up to this multiple of the limit before the worst are dropped. */
const SPARE_FACTOR = 4;

/** Searches logs without the index. Finds the same records, more slowly and ranked less well. */
export function scanFiles(
  files: readonly ScannedFile[],
  parsed: ParsedQuery,
  query: SearchQuery,
  limit: number,
): ScanResult {
  const scan = new Scan(parsed, query, limit);
  for (const file of files) if (file.log === 'history') scan.readTombstones(file);
  for (const file of files) scan.readRecords(file);
  return scan.result();
}

/** Ranks records that somebody else has found, as if they had been scanned. */
export function scanRecords(
  project: string,
  records: Iterable<Searchable>,
  parsed: ParsedQuery,
  query: SearchQuery,
  limit: number,
): readonly ScoredDocument[] {
  const scan = new Scan(parsed, query, limit);
  for (const record of records) scan.consider(project, record);
  return scan.result().found;
}

/** All log files of some projects, from their beginning. */
export function allFiles(projects: readonly ProjectSource[]): readonly ScannedFile[] {
  return projects.flatMap(({ id, directory }) =>
    findFiles(directory).map(({ log, path }) => ({ project: id, log, path, from: 0 })),
  );
}

/** The parts of log files that are not indexed, and their size. */
export function unindexedFiles(
  connection: Connection,
  projects: readonly ProjectSource[],
): { readonly files: readonly ScannedFile[]; readonly bytes: number } {
  const files: ScannedFile[] = [];
  let bytes = 0;
  for (const source of projects) {
    const changes = findChanges(connection, source, findProject(connection, source), 0);
    bytes += changes.bytes;
    for (const { found, known } of changes.pending) {
      files.push({ project: source.id, log: found.log, path: found.path, from: known?.offset ?? 0 });
    }
  }
  return { files, bytes };
}

class Scan {
  readonly #parsed: ParsedQuery;
  readonly #query: SearchQuery;
  readonly #limit: number;
  readonly #units: readonly QueryUnit[];
  readonly #terms: readonly WeightedTerm[];
  /** Prefixes of the content words' forms, and how many documents have each. */
  readonly #prefixes: Map<string, number>;
  /** Deletion times by project and session. */
  readonly #tombstones = new Map<string, number>();
  readonly #problems: Problem[] = [];
  #found: ScoredDocument[] = [];
  #related: Document[] = [];
  /** Whether anything was found but talk of the chat, unless that is wanted. */
  #isWorkFound = false;
  #documentCount = 0;

  constructor(parsed: ParsedQuery, query: SearchQuery, limit: number) {
    this.#parsed = parsed;
    this.#query = query;
    this.#limit = limit;
    this.#units = withOpenEnd(parsed.units);
    const texts = [parsed.literal, ...parsed.units.flatMap((unit) => unit.terms)].filter((text) => text !== '');
    this.#terms = [...new Set(texts)].map((text) => ({ text, weight: 1 }));
    const words = scanWords(parsed.literal).map(({ text }) => text);
    const contentWords = words.filter((word) => !isStopWord(word));
    this.#prefixes = new Map((contentWords.length > 0 ? contentWords : words).map((word) => [stemPrefix(word), 0]));
  }

  readTombstones({ project, path, from }: ScannedFile): void {
    for (const { text } of readLines(path, { from })) {
      if (!text.includes('"tombstone"')) continue;
      const parsed = parseRecord('history', text);
      if (!parsed.ok || !isTombstone(parsed.record)) continue;
      const key = `${project} ${parsed.record.sessionId}`;
      const time = Date.parse(parsed.record.timestamp);
      this.#tombstones.set(key, Math.max(time, this.#tombstones.get(key) ?? time));
    }
  }

  readRecords({ project, log, path, from }: ScannedFile): void {
    for (const line of readLines(path, { from })) {
      const parsed = parseRecord(log, line.text);
      if (!parsed.ok) {
        // Line numbers are known only when the file is read from its beginning.
        const number = from === 0 ? line.number : undefined;
        this.#problems.push({ path, ...omitUndefined({ line: number }), ...describeProblem(parsed) });
      } else if (!isTombstone(parsed.record)) this.consider(project, parsed.record);
    }
  }

  result(): ScanResult {
    const found = this.#isWorkFound ? this.#found : [...this.#found, ...this.#scoreRelated()];
    return { found: rankDocuments(found, this.#limit), problems: this.#problems };
  }

  consider(project: string, record: Searchable): void {
    const time = Date.parse(record.timestamp);
    const deleted = this.#tombstones.get(`${project} ${record.sessionId}`);
    if (deleted !== undefined && time <= deleted) return;
    if (!passesFilters(this.#query, project, record)) return;
    this.#documentCount++;
    const document = toDocument(project, record, time);
    const match = this.#findMatch(document);
    if (match) this.#add(document, match);
    else if (!this.#isWorkFound) this.#addIfRelated(document);
  }

  #findMatch({ text, folded }: Document): Match | undefined {
    if (containsLiteral(this.#parsed, text, folded)) return 'literal';
    return hasAllUnits(this.#units, text, folded) ? 'words' : undefined;
  }

  #add(document: Document, match: Match): void {
    const score = relevance(document.folded, this.#terms);
    this.#found.push({ document, match, score, terms: this.#terms });
    if (!isChatTalk(document) || this.#query.agent === CHAT_AGENT) {
      this.#isWorkFound = true;
      this.#related = [];
    }
    if (this.#found.length <= this.#limit * SPARE_FACTOR) return;
    // The original scores are kept: recency is added at the end, when the newest document is known.
    const best = new Set(rankDocuments(this.#found, this.#limit).map((one) => one.document));
    this.#found = this.#found.filter((one) => best.has(one.document));
  }

  #addIfRelated(document: Document): void {
    let isRelated = false;
    for (const [text, count] of this.#prefixes) {
      if (!document.folded.includes(text)) continue;
      isRelated = true;
      this.#prefixes.set(text, count + 1);
    }
    if (!isRelated) return;
    this.#related.push(document);
    if (this.#related.length > MAX_RELATED * 2) {
      this.#related = this.#scoreRelated()
        .slice(0, MAX_RELATED)
        .map((found) => found.document);
    }
  }

  #scoreRelated(): readonly ScoredDocument[] {
    const terms = [...this.#prefixes].map(([text, count]) => ({ text, weight: rarity(count, this.#documentCount) }));
    return this.#related
      .map((document) => ({
        document,
        match: 'related' as const,
        score: relevance(document.folded, terms),
        terms,
      }))
      .sort((a, b) => b.score - a.score);
  }
}

/** The last word may be the prefix of a longer one. */
function withOpenEnd(units: readonly QueryUnit[]): readonly QueryUnit[] {
  return units.map((unit, index) => (index === units.length - 1 ? { ...unit, isPrefix: true } : unit));
}

/** Lists sessions without the index, by reading the logs. */
export function scanForSessions(projects: readonly ProjectSource[], filter: SessionFilter): SessionPage {
  const sessions = projects
    .filter(({ id }) => filter.projects?.includes(id) ?? true)
    .flatMap((source) => scanProject(source, filter))
    .sort(
      (a, b) =>
        compareText(b.lastActivity, a.lastActivity) ||
        compareText(a.sessionId, b.sessionId) ||
        compareText(a.project, b.project),
    );
  const first = Math.max(0, filter.offset ?? 0);
  const shown = sessions.slice(first, first + Math.max(0, filter.limit ?? DEFAULT_SESSION_LIMIT));
  return { sessions: shown, total: sessions.length };
}

function scanProject({ id, directory }: ProjectSource, filter: SessionFilter): readonly SessionSummary[] {
  const isWanted = () => true;
  return [...scanSessions(directory, isWanted, () => {})]
    .filter(([sessionId, records]) => isListedSession(sessionId, records) && passesRecordFilter(filter, records))
    .map(([sessionId, records]) => summariseSession(id, sessionId, records))
    .filter((summary) => passesSessionFilter(filter, summary));
}

function passesRecordFilter({ role, outcome, heldBy }: SessionFilter, { messages, attempts }: SessionRecords): boolean {
  const hasRole = role === undefined || messages.some((message) => (recordBits(message) & roleBit(role)) !== 0);
  const isHeld = [messages[0], messages.at(-1)].some((message) => message?.agent === heldBy);
  return (
    hasRole &&
    (heldBy === undefined || isHeld) &&
    (outcome === undefined || attempts.some((attempt) => attempt.outcome === outcome))
  );
}

function passesSessionFilter(filter: SessionFilter, summary: SessionSummary): boolean {
  const { agent, branch, since, until } = filter;
  return (
    (agent === undefined || summary.agent === agent) &&
    (branch === undefined || summary.branch === branch) &&
    (since === undefined || Date.parse(summary.lastActivity) >= Date.parse(since)) &&
    (until === undefined || Date.parse(summary.timestamp) <= Date.parse(until))
  );
}
