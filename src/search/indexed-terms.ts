import { fold } from './fold.ts';
import { identifierParts } from './identifier-parts.ts';
import { symbolTerms } from './symbol-terms.ts';
import { termsOf } from './words.ts';

/** The terms of a text, separated by spaces. */
export interface IndexedTerms {
  /** Its words, in order. */
  readonly text: string;
  /** Parts of its identifiers, in order, and its symbols. */
  readonly parts: string;
}

/** What a text is indexed under. */
export function indexedTerms(text: string): IndexedTerms {
  const folded = fold(text);
  return {
    text: termsOf(folded).join(' '),
    parts: [...identifierParts(text), ...symbolTerms(folded)].join(' '),
  };
}
