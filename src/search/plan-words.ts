import { allOf, anyOf, type Expression, MOST_TERMS, phrase } from './expression.ts';
import type { QueryUnit } from './parse-query.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Terms of a phrase. More do not make it more selective. */
const MOST_PHRASE_TERMS = 16;
/** Part of the documents with the rarest word of a phrase that have the phrase. */
const PHRASE_CHANCE = 0.1;
/** Words that are shorter begin too many others. */
const SHORTEST_PREFIX = 3;
/** A word that so many documents have is meant as it is. */
const FREQUENT = 1_000;

/** Documents with all units of a query as they were typed; undefined when there can be none. */
export function wordsExpression(vocabulary: Vocabulary, units: readonly QueryUnit[]): Expression | undefined {
  return allUnits(vocabulary, units, (unit) => unitExpression(vocabulary, unit));
}

/**
 * Documents with all units of a query, where identifiers may be written in other ways, and where the last word, and
 * words that are nowhere, may be the beginning of a longer one. Undefined when that adds nothing.
 */
export function widenedExpression(
  vocabulary: Vocabulary,
  units: readonly QueryUnit[],
): Expression | undefined {
  let isWider = false;
  const expression = allUnits(vocabulary, units, (unit) => {
    const own = unitExpression(vocabulary, unit);
    const longer = unit === units.at(-1) || !own ? longerExpression(vocabulary, unit) : undefined;
    const parts = unit.parts.length > 0 ? phraseExpression(vocabulary, unit.parts) : undefined;
    const wider = [longer, parts].filter((one) => one !== undefined);
    if (wider.length === 0) return own;
    isWider = true;
    return anyOf(own ? [own, ...wider] : wider);
  });
  return isWider ? expression : undefined;
}

/** Terms one after the other; undefined when there are none, or one of them is nowhere. */
export function phraseExpression(vocabulary: Vocabulary, terms: readonly string[]): Expression | undefined {
  const used = terms.slice(0, MOST_PHRASE_TERMS);
  const counts = used.map((term) => vocabulary.documents(term));
  const documents = Math.min(...counts);
  if (used.length === 0 || documents === 0) return undefined;
  return {
    text: phrase(used),
    documents,
    matches: used.length > 1 ? documents * PHRASE_CHANCE : documents,
    entries: counts.reduce((sum, count) => sum + count, 0),
    phrases: 1,
  };
}

/** Terms one after the other, of which the last may go on, by how many documents have each. */
export function beginningPhrase(terms: readonly string[], counts: readonly number[]): Expression {
  const documents = Math.min(...counts);
  return {
    text: phrase(terms, true),
    documents,
    matches: documents * PHRASE_CHANCE,
    entries: counts.reduce((sum, count) => sum + count, 0),
    phrases: 1,
  };
}

function allUnits(
  { all }: Vocabulary,
  units: readonly QueryUnit[],
  expressionOf: (unit: QueryUnit) => Expression | undefined,
): Expression | undefined {
  const expressions: Expression[] = [];
  for (const unit of units) {
    const expression = expressionOf(unit);
    if (!expression) return undefined;
    expressions.push(expression);
  }
  return expressions.length > 0 ? allOf(expressions, all) : undefined;
}

function unitExpression(vocabulary: Vocabulary, unit: QueryUnit): Expression | undefined {
  return unit.isPrefix ? prefixExpression(vocabulary, unit.terms) : phraseExpression(vocabulary, unit.terms);
}

/** What a word is the beginning of, apart from itself. */
function longerExpression(vocabulary: Vocabulary, { terms, isPrefix }: QueryUnit): Expression | undefined {
  const last = terms.at(-1) ?? '';
  if (isPrefix || last.length < SHORTEST_PREFIX || vocabulary.documents(last) > FREQUENT) return undefined;
  const longer = vocabulary.beginningWith(last, MOST_TERMS)?.filter(({ term }) => term !== last) ?? [];
  return anyPhrase(vocabulary, terms.slice(0, -1), longer);
}

function prefixExpression(vocabulary: Vocabulary, terms: readonly string[]): Expression | undefined {
  const before = terms.slice(0, -1);
  const found = vocabulary.beginningWith(terms.at(-1) ?? '', MOST_TERMS);
  if (found) return anyPhrase(vocabulary, before, found);
  const documents = Math.min(...before.map((term) => vocabulary.documents(term)), Number.MAX_SAFE_INTEGER);
  return {
    text: phrase(terms, true),
    documents,
    matches: documents,
    entries: Number.MAX_SAFE_INTEGER,
    phrases: MOST_TERMS,
  };
}

function anyPhrase(
  vocabulary: Vocabulary,
  before: readonly string[],
  last: readonly { readonly term: string }[],
): Expression | undefined {
  const phrases = last.flatMap(({ term }) => phraseExpression(vocabulary, [...before, term]) ?? []);
  return phrases.length > 0 ? anyOf(phrases) : undefined;
}
