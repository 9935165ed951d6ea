import type { Connection } from './connection.ts';
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
/** Letters and digits that most pieces of words and hashes consist of. */
const FREQUENT = new Set('0123456789abcdefinorst');

/** The terms that the index knows. */
export class Vocabulary {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** In how many documents a term is, at most. */
  documents(term: string): number {
    return this.#connection.get<KnownTerm>('SELECT documents FROM term WHERE term = ?', term)?.documents ?? 0;
  }

  /** Terms that begin with a text; undefined when there are more than `most`. */
  beginningWith(prefix: string, most: number): readonly KnownTerm[] | undefined {
    const found = this.#connection.all<KnownTerm>(
      'SELECT term, documents FROM term WHERE term >= ? AND term < ? LIMIT ?',
      prefix,
      prefix + AFTER_ALL,
      most + 1,
    );
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
      `SELECT term.term, term.documents FROM piece CROSS JOIN term ON term.id = piece.rowid
       WHERE piece MATCH ? AND instr(term.term, ?) > 0`,
      pieces.map((piece) => `"${piece}"`).join(' AND '),
      fragment,
    );
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
}

/** Sum of the documents of some terms. */
export function totalDocuments(terms: readonly KnownTerm[]): number {
  return terms.reduce((sum, { documents }) => sum + documents, 0);
}

function rarestPieces(fragment: string): readonly string[] {
  const characters = Array.from(fragment);
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE_LENGTH <= characters.length; at++) {
    pieces.add(characters.slice(at, at + PIECE_LENGTH).join(''));
  }
  const rareness = (piece: string) => Array.from(piece).filter((letter) => !FREQUENT.has(letter)).length;
  return [...pieces].sort((a, b) => rareness(b) - rareness(a)).slice(0, MOST_PIECES);
}
