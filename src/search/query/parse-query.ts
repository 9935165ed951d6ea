import { foldCase } from '../../text/fold-case.ts';
import { findIdentifierParts, termsOf } from '../index/index-terms.ts';

/** One thing that a query asks for: a word, a quoted phrase, or whatever stood between two spaces. */
export interface QueryUnit {
  /** Its terms, which must stand one after the other. Never empty. */
  readonly terms: readonly string[];
  /** The same for an identifier that is written in parts: `getUser` is also get user. Empty when it is not one. */
  readonly parts: readonly string[];
  /** Written as `word*`: the last term may go on. */
  readonly isPrefix: boolean;
}

/** A query, understood. */
export interface ParsedQuery {
  /** What was typed, without space and quotes around it all. Empty: the query asks for nothing. */
  readonly typed: string;
  /** The same, folded. Empty for what folding takes away, such as an accent alone. */
  readonly literal: string;
  readonly units: readonly QueryUnit[];
}

/** Texts to search for may be long; that many of their words are enough to find them by. */
const MOST_UNITS = 24;
const PIECE = /"([^"]*)"?|\S+/g;
const ALL_QUOTED = /^"([^"]*)"$/;

/** Reads a query. Any text is a query; there are no operators but quotes and a star at the end of a word. */
export function parseQuery(text: string): ParsedQuery {
  const trimmed = text.trim();
  const typed = ALL_QUOTED.exec(trimmed)?.[1]?.trim() ?? trimmed;
  const units = new Map<string, QueryUnit>();
  for (const [piece, quoted] of trimmed.matchAll(PIECE)) {
    const unit = unitOf(quoted ?? piece, quoted === undefined && /[^*]\*$/.test(piece));
    if (unit) units.set(`${unit.terms.join(' ')}${unit.isPrefix ? '*' : ''}`, unit);
    if (units.size >= MOST_UNITS) break;
  }
  return { typed, literal: foldCase(typed), units: [...units.values()] };
}

function unitOf(piece: string, isPrefix: boolean): QueryUnit | undefined {
  const terms = termsOf(foldCase(piece));
  if (terms.length === 0) return undefined;
  return { terms, parts: terms.length === 1 ? findIdentifierParts(piece) : [], isPrefix };
}

/** Whether a text contains what was typed, but for case and accents. */
export function containsLiteral({ typed, literal }: ParsedQuery, text: string, folded: string): boolean {
  return literal === '' ? text.includes(typed) : folded.includes(literal);
}
