import { findIdentifierParts, splitTerms } from '../../store/index-terms.ts';
import { foldCase } from '../../text/fold-case.ts';

/** One part of a query: a word, a quoted phrase, or whatever is between two spaces. */
export interface QueryUnit {
  /** Its terms, which must follow one another. Never empty. */
  readonly terms: readonly string[];
  /** The parts of an identifier, which match too: `getUser` is also get user. Empty for anything else. */
  readonly parts: readonly string[];
  /** Written as `word*`: the last term is a prefix. */
  readonly isPrefix: boolean;
}

/** A parsed query. */
export interface ParsedQuery {
  /** What was typed, without surrounding white space and quotes. Empty for a blank query. */
  readonly typed: string;
  /** The same with its case folded. Empty when folding removes everything, such as a lone accent. */
  readonly literal: string;
  readonly units: readonly QueryUnit[];
}

/** Enough words to find a long text by. */
const MAX_UNITS = 24;
const PIECE = /"([^"]*)"?|\S+/g;
const ALL_QUOTED = /^"([^"]*)"$/;

/** Parses a query. Any text is valid; the only operators are quotes and a star at the end of a word. */
export function parseQuery(text: string): ParsedQuery {
  const trimmed = text.trim();
  const typed = ALL_QUOTED.exec(trimmed)?.[1]?.trim() ?? trimmed;
  const units = new Map<string, QueryUnit>();
  for (const [piece, quoted] of trimmed.matchAll(PIECE)) {
    const unit = toUnit(quoted ?? piece, quoted === undefined && /[^*]\*$/.test(piece));
    if (unit) units.set(`${unit.terms.join(' ')}${unit.isPrefix ? '*' : ''}`, unit);
    if (units.size >= MAX_UNITS) break;
  }
  return { typed, literal: foldCase(typed), units: [...units.values()] };
}

function toUnit(piece: string, isPrefix: boolean): QueryUnit | undefined {
  const terms = splitTerms(foldCase(piece));
  if (terms.length === 0) return undefined;
  return { terms, parts: terms.length === 1 ? findIdentifierParts(piece) : [], isPrefix };
}

/** Whether a text contains what was typed, ignoring case and accents. */
export function containsLiteral({ typed, literal }: ParsedQuery, text: string, folded: string): boolean {
  return literal === '' ? text.includes(typed) : folded.includes(literal);
}
