import { describeProblem, isListedSession, scanSessions, summariseSession } from '../history/index.ts';
import { readLogLines } from '../log/index.ts';
import { CHAT_AGENT, omitUndefined, type Problem, type SessionSummary } from '../record/index.ts';
import type { Connection } from '../store/connection.ts';
import { passesFilters } from '../store/filters.ts';
import { findChanges, findProject } from '../store/pending-changes.ts';
import { isTombstone, parseRecord, type Searchable, type SearchedLog, toDocument } from '../store/searchable.ts';
import { passesSessionFilter } from '../store/session-filters.ts';
import { DEFAULT_SESSION_LIMIT, type SessionFilter, type SessionPage } from '../store/sessions.ts';
import { findFiles, type ProjectSource } from '../store/tracked-files.ts';
import { compareText } from '../text/compare-text.ts';
import { withIrregularForms } from '../text/irregular-forms.ts';
import { stem, stemPrefix } from '../text/stem.ts';
import { isWordBorder } from '../text/word-matches.ts';
import { containsLiteral, type ParsedQuery, type QueryUnit } from './query/parse-query.ts';
import { informationOfWord, isQuestion, parseQuestion } from './query/question.ts';
import { hasAllUnits } from './query/text-matcher.ts';
import { isChatTalk, rankDocuments, type ScoredDocument, sessionKey } from './rank/hits.ts';
import { introducedShares, namedAgents, pickBest, rankQuestion } from './rank/question-rank.ts';
import { rarity, relevance, type WeightedTerm } from './rank/relevance.ts';
import type { Match, SearchQuery } from './search-types.ts';

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
  /** Scores of the sessions that answer a question, by `sessionKey()`. */
  readonly sessions?: ReadonlyMap<string, number>;
}

/** A content word of the query. */
interface ScannedWord {
  readonly word: string;
  readonly stem: string;
  readonly irregular: readonly string[];
  /** What its forms begin with. */
  readonly starts: readonly string[];
  readonly forms: Set<string>;
  /** Documents that have a form of it. */
  count: number;
  /** The time of the first document with it, by `sessionKey()`. */
  readonly firstTimes: Map<string, number>;
}

type Document = ScoredDocument['document'];

/** Documents are collected up to twice this number before the worst are dropped. */
const MAX_HELD = 2_000;

/** Searches logs without the index. Finds the same records, more slowly; questions are ranked without the messages next to those found. */
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

/** A record and the project that it belongs to. */
export interface ScannedRecord {
  readonly project: string;
  readonly record: Searchable;
}

/** Ranks records that somebody else has found, as if they had been scanned. */
export function scanRecords(
  records: Iterable<ScannedRecord>,
  parsed: ParsedQuery,
  query: SearchQuery,
  limit: number,
): readonly ScoredDocument[] {
  const scan = new Scan(parsed, query, limit);
  for (const { project, record } of records) scan.consider(project, record);
  return scan.result().found;
}

/** All log files of some projects, from their beginning. */
export function allFiles(projects: readonly ProjectSource[]): readonly ScannedFile[] {
  return projects.flatMap(({ id, directory }) =>
    findFiles(directory).flatMap(({ log, path }) => (log === 'warnings' ? [] : [{ project: id, log, path, from: 0 }])),
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
      const { log, path } = found;
      if (log !== 'warnings') files.push({ project: source.id, log, path, from: known?.offset ?? 0 });
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
  readonly #question: ReturnType<typeof parseQuestion>;
  readonly #isQuestion: boolean;
  readonly #words: readonly ScannedWord[];
  readonly #agents = new Set<string>();
  /** Deletion times by project and session. */
  readonly #tombstones = new Map<string, number>();
  readonly #problems: Problem[] = [];
  #found: ScoredDocument[] = [];
  #documentCount = 0;

  constructor(parsed: ParsedQuery, query: SearchQuery, limit: number) {
    this.#parsed = parsed;
    this.#query = query;
    this.#limit = limit;
    this.#units = withOpenEnd(parsed.units);
    const texts = [parsed.literal, ...parsed.units.flatMap((unit) => unit.terms)].filter((text) => text !== '');
    this.#terms = [...new Set(texts)].map((text) => ({ text, weight: 1 }));
    this.#question = parseQuestion(parsed.typed, Date.now());
    this.#isQuestion = isQuestion(parsed);
    this.#words = this.#question.words.map((word) => {
      const [base, ...irregular] = withIrregularForms(word);
      const starts = [stemPrefix(base), ...irregular];
      return { word, stem: stem(base), irregular, starts, forms: new Set<string>(), count: 0, firstTimes: new Map() };
    });
  }

  readTombstones({ project, path, from }: ScannedFile): void {
    for (const { text } of readLogLines(path, { from })) {
      if (!text.includes('"tombstone"')) continue;
      const parsed = parseRecord('history', text);
      if (!parsed.ok || !isTombstone(parsed.record)) continue;
      const key = `${project} ${parsed.record.sessionId}`;
      const time = Date.parse(parsed.record.timestamp);
      this.#tombstones.set(key, Math.max(time, this.#tombstones.get(key) ?? time));
    }
  }

  readRecords({ project, log, path, from }: ScannedFile): void {
    for (const line of readLogLines(path, { from })) {
      const parsed = parseRecord(log, line.text);
      if (!parsed.ok) {
        // Line numbers are known only when the file is read from its beginning.
        const number = from === 0 ? line.number : undefined;
        this.#problems.push({ path, ...omitUndefined({ line: number }), ...describeProblem(parsed) });
      } else if (!isTombstone(parsed.record)) this.consider(project, parsed.record);
    }
  }

  /** What has some of the words is shown only for a question, or if nothing has them all. */
  result(): ScanResult {
    const matching = this.#found.filter(({ match }) => match !== 'related');
    const isMatched = matching.some(({ document }) => !this.#isTalk(document));
    if (isMatched && !this.#isQuestion)
      return { found: rankDocuments(matching, this.#limit), problems: this.#problems };
    const { found, sessions } = this.#answer();
    return { found, problems: this.#problems, ...(this.#isQuestion ? { sessions } : {}) };
  }

  consider(project: string, record: Searchable): void {
    const time = Date.parse(record.timestamp);
    const deleted = this.#tombstones.get(`${project} ${record.sessionId}`);
    if (deleted !== undefined && time <= deleted) return;
    if (!passesFilters(this.#query, project, record)) return;
    this.#documentCount++;
    if (record.agent !== undefined) this.#agents.add(record.agent);
    const document = toDocument(project, record, time);
    const isRelated = !this.#isTalk(document) && this.#countWords(document);
    const match = this.#findMatch(document) ?? (isRelated ? 'related' : undefined);
    if (match === undefined) return;
    this.#found.push({ document, match, score: relevance(document.folded, this.#terms), terms: this.#terms });
    if (this.#found.length <= MAX_HELD * 2) return;
    // The original scores are kept: recency is added at the end, when the newest document is known.
    const best = new Set(rankDocuments(this.#found, MAX_HELD).map((one) => one.document));
    this.#found = this.#found.filter((one) => best.has(one.document));
  }

  #findMatch({ text, folded }: Document): Match | undefined {
    if (this.#parsed.typed === '') return 'words';
    if (containsLiteral(this.#parsed, text, folded)) return 'literal';
    return hasAllUnits(this.#units, text, folded) ? 'words' : undefined;
  }

  #isTalk(document: Document): boolean {
    return isChatTalk(document) && this.#query.agent !== CHAT_AGENT;
  }

  /** Counts a document with each word that it has a form of. Whether it has any. */
  #countWords(document: Document): boolean {
    const found = this.#words.filter((word) => findForms(document, word));
    const key = sessionKey(document.project, document.record.sessionId);
    for (const word of found) {
      word.count++;
      word.firstTimes.set(key, Math.min(document.time, word.firstTimes.get(key) ?? document.time));
    }
    return found.length > 0;
  }

  /** Ranks what has some of the question's words as the index does. Talk of the chat comes last. */
  #answer(): Omit<ScanResult, 'problems'> {
    const talk = this.#found.filter(({ document }) => this.#isTalk(document));
    const found = this.#found.filter(({ document }) => !this.#isTalk(document));
    const words = this.#words.map(({ word, forms, count, firstTimes }) => ({
      forms: [...forms],
      weight: rarity(count, this.#documentCount),
      information: informationOfWord(word, count, this.#documentCount),
      sessions: [...firstTimes].sort(([, a], [, b]) => a - b).map(([key]) => key),
    }));
    const answer = rankQuestion(
      {
        literal: this.#parsed.literal,
        words,
        information: words.reduce((sum, { information }) => sum + information, 0),
        times: this.#question.times,
        agents: namedAgents(this.#agents, this.#question.words),
      },
      found,
      introducedShares(words),
    );
    const best = [...pickBest(answer.found, answer.sessions, this.#limit), ...rankDocuments(talk, this.#limit)];
    return { found: best.slice(0, this.#limit), sessions: answer.sessions };
  }
}

/** Adds the forms of a word that a document has to those that are known. Whether it has any. */
function findForms({ text, folded }: Document, { stem: wanted, irregular, starts, forms }: ScannedWord): boolean {
  let isFound = false;
  for (const start of starts) {
    for (let at = folded.indexOf(start); at >= 0; at = folded.indexOf(start, at + start.length)) {
      if (!isWordBorder(text, folded, at)) continue;
      let end = at + start.length;
      while (!isWordBorder(text, folded, end)) end++;
      const form = folded.slice(at, end);
      if (stem(form) !== wanted && !irregular.includes(form)) continue;
      forms.add(form);
      isFound = true;
    }
  }
  return isFound;
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
    .filter(([sessionId, records]) => isListedSession(sessionId, records))
    .map(([sessionId, records]) => ({ summary: summariseSession(id, sessionId, records), records }))
    .filter(({ summary, records }) => passesSessionFilter(filter, summary, records))
    .map(({ summary }) => summary);
}
