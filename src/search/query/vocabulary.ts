import type { SqlValue } from '../../sqlite/database.ts';
import type { Connection } from '../index/connection.ts';
import { SYMBOL_MARK } from '../index/index-terms.ts';
import { documentCount } from '../index/schema.ts';

/** A term and in how many documents it is, at most. */
export interface KnownTerm {
  readonly term: string;
  readonly documents: number;
}

/** After the symbol mark in the order of terms. */
const AFTER_SYMBOLS = '·';
const AFTER_ALL = '\u{10ffff}';
/** Pieces of a word that are looked up to find the words with it; more of them cost more than they save. */
const MOST_PIECES = 3;
const PIECE_LENGTH = 3;
/** Stands for the end of a term in its pieces. */
const END = '$';
/** How frequent each letter is in words and hashes, in percent. What is not among them is rarer than all. */
const FREQUENCY: Readonly<Record<string, number>> = {
  ...{ e: 11, a: 9, o: 8, i: 8, [END]: 8, t: 7.5, r: 7, n: 7, s: 6.5, l: 5, c: 4.5, u: 4.5, d: 4, h: 3.5 },
  ...{ 0: 3, 1: 3, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 3, 9: 3 },
  ...{ p: 3, m: 3, g: 2.5, b: 2.5, f: 2.5, y: 1.5, w: 1.4, k: 1.2, v: 1.1, x: 0.5, j: 0.4, q: 0.3, z: 0.3 },
};
const LEAST_FREQUENCY = 0.1;

/** The terms that the index knows, as they were when they were first asked for. */
export class Vocabulary {
  readonly #connection: Connection;
  readonly #documents = new Map<string, number>();
  readonly #beginnings = new Map<string, Found>();
  readonly #endings = new Map<string, Found>();

  /** Documents in the index. */
  readonly all: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.all = connection.remembered('documents', () => documentCount(connection));
  }

  /** In how many documents a term is, at most. */
  documents(term: string): number {
    const known = this.#documents.get(term);
    if (known !== undefined) return known;
    const row = this.#connection.get<KnownTerm>('SELECT documents FROM term WHERE term = ?', term);
    this.#documents.set(term, row?.documents ?? 0);
    return row?.documents ?? 0;
  }

  /** Terms that begin with a text; undefined when there are more than `most`. */
  beginningWith(prefix: string, most: number): readonly KnownTerm[] | undefined {
    return upTo(most, prefix, this.#beginnings, () =>
      this.#terms(
        'SELECT term, documents FROM term WHERE term >= ? AND term < ? LIMIT ?',
        prefix,
        prefix + AFTER_ALL,
        most + 1,
      ),
    );
  }

  /** Terms that contain a text. Reads all terms when it is shorter than three characters. */
  containing(fragment: string): readonly KnownTerm[] {
    const pieces = rarestPieces(fragment);
    if (pieces.length === 0) {
      return this.#terms('SELECT term, documents FROM term WHERE instr(term, ?) > 0', fragment);
    }
    return this.#terms(
      `SELECT term, documents FROM piece CROSS JOIN term ON term.id = piece.rowid
       WHERE piece MATCH ? AND instr(term, ?) > 0`,
      matchOf(pieces),
      fragment,
    );
  }

  /** Terms that end with a text of at least two characters; undefined when there are more than `most`. */
  endingWith(suffix: string, most: number): readonly KnownTerm[] | undefined {
    return upTo(most, suffix, this.#endings, () =>
      this.#terms(
        `SELECT term, documents FROM piece CROSS JOIN term ON term.id = piece.rowid
         WHERE piece MATCH ? AND substr(term, -length(?2)) = ?2 LIMIT ?3`,
        matchOf(rarestPieces(suffix + END)),
        suffix,
        most + 1,
      ),
    );
  }

  /** Terms that stand for runs of symbols with this one in it. */
  containingSymbols(probe: string): readonly KnownTerm[] {
    return this.#terms(
      'SELECT term, documents FROM term WHERE term >= ? AND term < ? AND instr(term, ?) > 0',
      SYMBOL_MARK,
      AFTER_SYMBOLS,
      probe,
    );
  }

  /** Finds terms, and remembers how frequent they are. */
  #terms(sql: string, ...values: SqlValue[]): readonly KnownTerm[] {
    const terms = this.#connection.all<KnownTerm>(sql, ...values);
    for (const { term, documents } of terms) this.#documents.set(term, documents);
    return terms;
  }
}

/** Terms that were found when up to `most` were looked for, and one more. */
interface Found {
  readonly most: number;
  readonly terms: readonly KnownTerm[];
}

/** The terms for `key` when there are up to `most`. Looks for them unless what is known already tells. */
function upTo(
  most: number,
  key: string,
  known: Map<string, Found>,
  find: () => readonly KnownTerm[],
): readonly KnownTerm[] | undefined {
  const before = known.get(key);
  const isKnown = before && (before.terms.length <= before.most || before.most >= most);
  const { terms } = isKnown ? before : { terms: find() };
  if (!isKnown) known.set(key, { most, terms });
  return terms.length > most ? undefined : terms;
}

/** Sum of the documents of some terms. */
export function totalDocuments(terms: readonly KnownTerm[]): number {
  return terms.reduce((sum, { documents }) => sum + documents, 0);
}

function matchOf(pieces: readonly string[]): string {
  return pieces.map((piece) => `"${piece}"`).join(' AND ');
}

function rarestPieces(text: string): readonly string[] {
  const characters = Array.from(text);
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE_LENGTH <= characters.length; at++) {
    pieces.add(characters.slice(at, at + PIECE_LENGTH).join(''));
  }
  return [...pieces].sort((a, b) => frequencyOf(a) - frequencyOf(b)).slice(0, MOST_PIECES);
}

function frequencyOf(piece: string): number {
  return Array.from(piece).reduce((product, letter) => product * (FREQUENCY[letter] ?? LEAST_FREQUENCY), 1);
}
