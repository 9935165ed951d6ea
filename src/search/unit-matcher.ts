import { identifierParts } from './identifier-parts.ts';
import type { QueryUnit } from './parse-query.ts';
import { termsOf } from './words.ts';

/** Sees whether a text has all units of a query, as the index would. The last one may be the beginning of a word. */
export class UnitMatcher {
  readonly #units: readonly QueryUnit[];

  constructor(units: readonly QueryUnit[]) {
    this.#units = units.map((unit, index) =>
      index === units.length - 1 ? { ...unit, isPrefix: true } : unit,
    );
  }

  matches(text: string, folded: string): boolean {
    if (this.#units.length === 0 || !this.#units.every((unit) => mayMatch(unit, folded))) return false;
    const words = ` ${termsOf(folded).join(' ')} `;
    const parts = ` ${identifierParts(text).join(' ')} `;
    return this.#units.every(({ terms, parts: own, isPrefix }) => {
      const wanted = ` ${terms.join(' ')}${isPrefix ? '' : ' '}`;
      if (words.includes(wanted) || parts.includes(wanted)) return true;
      const inParts = ` ${own.join(' ')} `;
      return own.length > 0 && (words.includes(inParts) || parts.includes(inParts));
    });
  }
}

/** Cheap: most texts lack some term altogether. */
function mayMatch({ terms, parts }: QueryUnit, folded: string): boolean {
  return terms.every((term) => folded.includes(term)) || parts.some((part) => folded.includes(part));
}
