import { foldCase } from '../text/fold-case.ts';
import { findIdentifierParts } from './identifiers.ts';
import { symbolTerms } from './symbol-terms.ts';
import { indexableText } from './words.ts';

/** What is handed to FTS5 of a text. */
export interface IndexedTerms {
  /** Its words, in order, with whatever stands between them. */
  readonly text: string;
  /** Parts of its identifiers, in order, and its symbols, separated by spaces. */
  readonly parts: string;
}

/** What a text is indexed under. */
export function indexedTerms(text: string): IndexedTerms {
  const folded = foldCase(text);
  return {
    text: indexableText(folded),
    parts: [...findIdentifierParts(text), ...symbolTerms(folded)].join(' '),
  };
}
