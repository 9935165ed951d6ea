import { getOrAdd } from '../../record/once.ts';
import type { SqlValue } from '../../sqlite/database.ts';
import type { ReadConnection } from '../../store/connection.ts';
import { SYMBOL_PREFIX } from '../../store/index-terms.ts';
import { documentCount } from '../../store/schema.ts';

/** A term of the index and an upper bound of the documents that have it. */
export interface KnownTerm {
  readonly term: string;
  readonly documentCount: number;
}

/** Sorts behind all terms with the symbol prefix. */
const AFTER_SYMBOLS = '·';
const AFTER_ALL = '\u{10ffff}';
/** Trigrams of a text that are looked up to find the terms with it. More of them cost more than they save. */
const MAX_PIECES = 3;
const PIECE_LENGTH = 3;
/** Stands for the end of a term in its trigrams. */
const END = '$';
/** Frequency of each letter in words and hashes, in percent. All others are rarer. */
const FREQUENCY: Readonly<Record<string, number>> = {
  ...{ e: 11, a: 9, o: 8, i: 8, [END]: 8, t: 7.5, r: 7, n: 7, s: 6.5, l: 5, c: 4.5, u: 4.5, d: 4, h: 3.5 },
  ...{ 0: 3, 1: 3, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 3, 9: 3 },
  ...{ p: 3, m: 3, g: 2.5, b: 2.5, f: 2.5, y: 1.5, w: 1.4, k: 1.2, v: 1.1, x: 0.5, j: 0.4, q: 0.3, z: 0.3 },
};
const MIN_FREQUENCY = 0.1;

/** The terms of the index, whose frequencies are cached for one search. */
export class Vocabulary {
  readonly #connection: ReadConnection;
  readonly #documentCounts = new Map<string, number>();

  /** Number of documents in the index. */
  readonly documentCount: number;

  constructor(connection: ReadConnection) {
    this.#connection = connection;
    this.documentCount = connection.cached('documents', () => documentCount(connection));
  }

  /** Upper bound of the documents that have a term. */
  countDocuments(term: string): number {
    const sql = 'SELECT documentCount FROM term WHERE term = ?';
    return getOrAdd(this.#documentCounts, term, () => this.#connection.get<KnownTerm>(sql, term)?.documentCount ?? 0);
  }

  /** Terms that start with a text; undefined when there are more than `limit`. */
  withPrefix(prefix: string, limit: number): readonly KnownTerm[] | undefined {
    const sql = 'SELECT term, documentCount FROM term WHERE term >= ? AND term < ? LIMIT ?';
    return upTo(limit, this.#terms(sql, prefix, prefix + AFTER_ALL, limit + 1));
  }

  /** Terms that contain a text. Reads all terms when the text is shorter than three characters. */
  withSubstring(fragment: string): readonly KnownTerm[] {
    const pieces = rarestPieces(fragment);
    if (pieces.length === 0) {
      return this.#terms('SELECT term, documentCount FROM term WHERE instr(term, ?) > 0', fragment);
    }
    return this.#terms(
      `SELECT term, documentCount FROM piece CROSS JOIN term ON term.id = piece.rowid
       WHERE piece MATCH ? AND instr(term, ?) > 0`,
      toMatch(pieces),
      fragment,
    );
  }

  /** Terms that end with a text of at least two characters; undefined when there are more than `limit`. */
  withSuffix(suffix: string, limit: number): readonly KnownTerm[] | undefined {
    const found = this.#terms(
      `SELECT term, documentCount FROM piece CROSS JOIN term ON term.id = piece.rowid
       WHERE piece MATCH ? AND substr(term, -length(?2)) = ?2 LIMIT ?3`,
      toMatch(rarestPieces(suffix + END)),
      suffix,
      limit + 1,
    );
    return upTo(limit, found);
  }

  /** Terms for runs of symbols that contain a probe. */
  withSymbols(probe: string): readonly KnownTerm[] {
    return this.#terms(
      'SELECT term, documentCount FROM term WHERE term >= ? AND term < ? AND instr(term, ?) > 0',
      SYMBOL_PREFIX,
      AFTER_SYMBOLS,
      probe,
    );
  }

  /** Finds terms and caches their frequencies. */
  #terms(sql: string, ...values: SqlValue[]): readonly KnownTerm[] {
    const terms = this.#connection.all<KnownTerm>(sql, ...values);
    for (const { term, documentCount } of terms) this.#documentCounts.set(term, documentCount);
    return terms;
  }
}

/** Undefined for more than `limit` terms. */
function upTo(limit: number, terms: readonly KnownTerm[]): readonly KnownTerm[] | undefined {
  return terms.length > limit ? undefined : terms;
}

/** Upper bound of the documents that have any of the terms. */
export function sumDocumentCounts(terms: readonly KnownTerm[]): number {
  return terms.reduce((sum, { documentCount }) => sum + documentCount, 0);
}

function toMatch(pieces: readonly string[]): string {
  return pieces.map((piece) => `"${piece}"`).join(' AND ');
}

function rarestPieces(text: string): readonly string[] {
  const characters = Array.from(text);
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE_LENGTH <= characters.length; at++) {
    pieces.add(characters.slice(at, at + PIECE_LENGTH).join(''));
  }
  return [...pieces].sort((a, b) => estimateFrequency(a) - estimateFrequency(b)).slice(0, MAX_PIECES);
}

function estimateFrequency(piece: string): number {
  return Array.from(piece).reduce((product, letter) => product * (FREQUENCY[letter] ?? MIN_FREQUENCY), 1);
}
