import type { Connection } from './connection.ts';
import { documentCount } from './state.ts';
import { SYMBOL_MARK } from './symbol-terms.ts';

/** A term and in how many documents it is, at most. */
export interface KnownTerm {
  readonly term: string;
  readonly documents: number;
}

/** After the symbol mark in the order of terms. */
const AFTER_SYMBOLS = '·';
const AFTER_ALL = '\u{10ffff}';
/** Pieces of a word that are looked up to find the words with it; more of them cost more than they save. */
const MOST_PIECES = 4;
const PIECE_LENGTH = 3;
/** Stands for the end of a term in its pieces. */
const END = '$';
/** Letters and digits that most pieces of words and hashes consist of. */
const FREQUENT = new Set('0123456789abcdefinorst');

/** The terms that the index knows, as they were when they were first asked for. */
export class Vocabulary {
  readonly #connection: Connection;
  readonly #documents = new Map<string, number>();
  readonly #beginnings = new Map<string, readonly KnownTerm[]>();

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
    const key = `${most} ${prefix}`;
    const found = this.#beginnings.get(key) ?? this.#findBeginnings(prefix, most);
    this.#beginnings.set(key, found);
    return found.length > most ? undefined : found;
  }

  /** Terms that contain a text. Reads all terms when it is shorter than three characters. */
  containing(fragment: string): readonly KnownTerm[] {
    const pieces = rarestPieces(fragment);
    if (pieces.length === 0) {
      return this.#connection.all<KnownTerm>(
        'SELECT term, documents FROM term WHERE instr(term, ?) > 0',
        fragment,
      );
    }
    return this.#connection.all<KnownTerm>(
      `SELECT term, documents FROM piece CROSS JOIN term ON term.id = piece.rowid
       WHERE piece MATCH ? AND instr(term, ?) > 0`,
      matchOf(pieces),
      fragment,
    );
  }

  /** Terms that end with a text of at least two characters; undefined when there are more than `most`. */
  endingWith(suffix: string, most: number): readonly KnownTerm[] | undefined {
    const found = this.#connection.all<KnownTerm>(
      `SELECT term, documents FROM piece CROSS JOIN term ON term.id = piece.rowid
       WHERE piece MATCH ? AND substr(term, -length(?2)) = ?2 LIMIT ?3`,
      matchOf(rarestPieces(suffix + END)),
      suffix,
      most + 1,
    );
    return found.length > most ? undefined : found;
  }

  /** Terms that stand for runs of symbols with this one in it. */
  containingSymbols(probe: string): readonly KnownTerm[] {
    return this.#connection.all<KnownTerm>(
      'SELECT term, documents FROM term WHERE term >= ? AND term < ? AND instr(term, ?) > 0',
      SYMBOL_MARK,
      AFTER_SYMBOLS,
      probe,
    );
  }

  #findBeginnings(prefix: string, most: number): readonly KnownTerm[] {
    return this.#connection.all<KnownTerm>(
      'SELECT term, documents FROM term WHERE term >= ? AND term < ? LIMIT ?',
      prefix,
      prefix + AFTER_ALL,
      most + 1,
    );
  }
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
  const rareness = (piece: string) => Array.from(piece).filter((letter) => !FREQUENT.has(letter)).length;
  return [...pieces].sort((a, b) => rareness(b) - rareness(a)).slice(0, MOST_PIECES);
}
