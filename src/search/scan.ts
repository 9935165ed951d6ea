import { readLines } from '../log/index.ts';
import type { Problem } from '../record/index.ts';
import { foldCase } from '../text/fold-case.ts';
import { stemPrefix } from '../text/stem.ts';
import { isStopWord } from '../text/stop-words.ts';
import { scanWords } from '../text/words.ts';
import { passesFilters } from './facts.ts';
import { type FoundDocument, rankFound } from './found-document.ts';
import { containsLiteral, type ParsedQuery, type QueryUnit } from './parse-query.ts';
import { type Needle, rarity, relevance } from './rank.ts';
import type { SearchQuery } from './search-query.ts';
import type { Match } from './search-result.ts';
import { isTombstone, parseRecord, type Searchable, type SearchedLog, searchableText } from './searchable.ts';
import { UnitMatcher } from './unit-matcher.ts';

/** A log file to read, from a place on. */
export interface ScannedFile {
  readonly project: string;
  readonly log: SearchedLog;
  readonly path: string;
  readonly from: number;
}

/** What reading the logs found. */
export interface ScanFindings {
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
