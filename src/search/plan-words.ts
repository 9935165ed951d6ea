import { allOf, anyOf, type Expression, MOST_TERMS, phrase } from './expression.ts';
import type { QueryUnit } from './parse-query.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Terms of a phrase. More do not make it more selective. */
const MOST_PHRASE_TERMS = 16;
/** Words that are shorter begin too many others. */
const SHORTEST_PREFIX = 3;

/** An expression for one unit of a query; undefined when nothing can match. */
export function unitExpression(vocabulary: Vocabulary, unit: QueryUnit): Expression | undefined {
  const own = unit.isPrefix
    ? prefixExpression(vocabulary, unit.terms)
    : phraseExpression(vocabulary, unit.terms);
  const parts = unit.parts.length > 0 ? phraseExpression(vocabulary, unit.parts) : undefined;
  if (own && parts) return anyOf([own, parts]);
  return own ?? parts;
}

/** Documents with all units of a query; undefined when there can be none. */
export function wordsExpression(vocabulary: Vocabulary, units: readonly QueryUnit[]): Expression | undefined {
  const expressions: Expression[] = [];
  for (const unit of units) {
    const expression = unitExpression(vocabulary, unit);
    if (!expression) return undefined;
    expressions.push(expression);
  }
  return expressions.length > 0 ? allOf(expressions) : undefined;
}

/** Terms one after the other; undefined when there are none, or one of them is nowhere. */
export function phraseExpression(vocabulary: Vocabulary, terms: readonly string[]): Expression | undefined {
  const used = terms.slice(0, MOST_PHRASE_TERMS);
  const counts = used.map((term) => vocabulary.documents(term));
  const documents = Math.min(...counts);
  if (used.length === 0 || documents === 0) return undefined;
  return { text: phrase(used), documents, entries: counts.reduce((sum, count) => sum + count, 0) };
}

/** Terms one after the other, of which the last may go on; undefined when there is none such. */
export function prefixExpression(vocabulary: Vocabulary, terms: readonly string[]): Expression | undefined {
  const last = terms.at(-1);
  if (last === undefined) return undefined;
  const before = terms.slice(0, -1);
  const found = vocabulary.beginningWith(last, MOST_TERMS);
  if (!found) {
    const counts = before.map((term) => vocabulary.documents(term));
    return {
      text: phrase(terms, true),
      documents: Math.min(...counts, Number.MAX_SAFE_INTEGER),
      entries: Number.MAX_SAFE_INTEGER,
    };
  }
  const phrases = found.flatMap(({ term }) => phraseExpression(vocabulary, [...before, term]) ?? []);
  return phrases.length > 0 ? anyOf(phrases) : undefined;
}

/**
 * Documents with all units of a query, where the last one, and words that are nowhere, may be the beginning of a
 * longer word. Undefined when that adds nothing, or nothing that could be told apart.
 */
export function wordsWithPrefix(vocabulary: Vocabulary, units: readonly QueryUnit[]): Expression | undefined {
  const widened = units.map((unit, index) =>
    index === units.length - 1 || !unitExpression(vocabulary, unit) ? withPrefix(vocabulary, unit) : unit,
  );
  return widened.some((unit, index) => unit !== units[index])
    ? wordsExpression(vocabulary, widened)
    : undefined;
}

function withPrefix(vocabulary: Vocabulary, unit: QueryUnit): QueryUnit {
  const last = unit.terms.at(-1) ?? '';
  if (unit.isPrefix || last.length < SHORTEST_PREFIX) return unit;
  const longer = vocabulary.beginningWith(last, MOST_TERMS)?.some(({ term }) => term !== last);
  return longer ? { ...unit, isPrefix: true } : unit;
}
