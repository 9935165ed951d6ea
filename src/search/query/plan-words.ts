import { stem, stemPrefix } from '../../text/stem.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { scanWords } from '../../text/words.ts';
import { piecesOf } from '../index/index-terms.ts';
import { allOf, anyOf, anyTerm, type Expression, MOST_TERMS, phrase } from './expression.ts';
import type { ParsedQuery, QueryUnit } from './parse-query.ts';
import { type KnownTerm, totalDocuments, type Vocabulary } from './vocabulary.ts';

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

/** Terms that begin like a word, among which its other forms are looked for. */
const MOST_FORMS = 300;

/** A word of a question with its other forms. */
interface RelatedWord {
  readonly terms: readonly KnownTerm[];
  readonly documents: number;
}

/** The words of a query that say something, with their other forms, the rarest first. */
export function relatedWords(
  vocabulary: Vocabulary,
  { literal, units }: ParsedQuery,
): readonly RelatedWord[] {
  const words = scanWords(literal).flatMap(({ text }) => piecesOf(text));
  const all = [...new Set([...words, ...units.flatMap(({ parts }) => parts)])];
  const telling = all.filter((word) => !isStopWord(word));
  return (telling.length > 0 ? telling : all)
    .map((word) => {
      const terms = formsOf(vocabulary, word);
      return { terms, documents: totalDocuments(terms) };
    })
    .filter(({ documents }) => documents > 0)
    .sort((a, b) => a.documents - b.documents);
}

function formsOf(vocabulary: Vocabulary, word: string): readonly KnownTerm[] {
  const prefix = stemPrefix(word);
  const similar = prefix.length > 2 ? vocabulary.beginningWith(prefix, MOST_FORMS) : undefined;
  const forms = similar?.filter(({ term }) => stem(term) === stem(word)) ?? [];
  if (forms.length > 0) return forms;
  const documents = vocabulary.documents(word);
  return documents > 0 ? [{ term: word, documents }] : [];
}

/** Documents with the rarest of these words, one at least: as many as can be scored. */
export function relatedExpression(words: readonly RelatedWord[], most: number): Expression | undefined {
  let chosen: Expression | undefined;
  for (const { terms } of words) {
    const expression = anyTerm(terms);
    if (!chosen) chosen = expression;
    else if (chosen.documents + expression.documents <= most) chosen = anyOf([chosen, expression]);
  }
  return chosen;
}
