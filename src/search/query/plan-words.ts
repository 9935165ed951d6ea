import { withIrregularForms } from '../../text/irregular-forms.ts';
import { stem, stemPrefix } from '../../text/stem.ts';
import { allOf, anyOf, type Expression, phrase } from './expression.ts';
import type { QueryUnit } from './parse-query.ts';
import { PLANNER } from './planner-limits.ts';
import type { KnownTerm, Vocabulary } from './vocabulary.ts';

/** Documents with all units of a query as typed; undefined when there can be none. */
export function planWords(vocabulary: Vocabulary, units: readonly QueryUnit[]): Expression | undefined {
  return allUnits(units, (unit) => planUnit(vocabulary, unit));
}

/**
 * Documents with all units of a query, where identifiers may be written in parts, and where the last word and unknown
 * words may be prefixes of longer ones. Undefined when that adds nothing to {@link planWords}.
 */
export function planWiderWords(vocabulary: Vocabulary, units: readonly QueryUnit[]): Expression | undefined {
  let isWider = false;
  const expression = allUnits(units, (unit) => {
    const exact = planUnit(vocabulary, unit);
    const completed = unit === units.at(-1) || !exact ? planCompletions(vocabulary, unit) : undefined;
    const parts = unit.parts.length > 0 ? phraseExpression(vocabulary, unit.parts) : undefined;
    const wider = [completed, parts].filter((one) => one !== undefined);
    if (wider.length === 0) return exact;
    isWider = true;
    return anyOf(exact ? [exact, ...wider] : wider);
  });
  return isWider ? expression : undefined;
}

/** Consecutive terms; undefined when there are none or one of them is in no document. */
export function phraseExpression(vocabulary: Vocabulary, terms: readonly string[]): Expression | undefined {
  const used = terms.slice(0, PLANNER.maxPhraseTerms);
  const maxMatches = Math.min(...used.map((term) => vocabulary.countDocuments(term)));
  return used.length === 0 || maxMatches === 0 ? undefined : { text: phrase(used), maxMatches };
}

function allUnits(
  units: readonly QueryUnit[],
  plan: (unit: QueryUnit) => Expression | undefined,
): Expression | undefined {
  const expressions: Expression[] = [];
  for (const unit of units) {
    const expression = plan(unit);
    if (!expression) return undefined;
    expressions.push(expression);
  }
  return expressions.length > 0 ? allOf(expressions) : undefined;
}

function planUnit(vocabulary: Vocabulary, { terms, isPrefix }: QueryUnit): Expression | undefined {
  return isPrefix ? planPrefix(vocabulary, terms) : phraseExpression(vocabulary, terms);
}

/** Phrases whose last word is longer than the one of the unit. */
function planCompletions(vocabulary: Vocabulary, { terms, isPrefix }: QueryUnit): Expression | undefined {
  const last = terms.at(-1) ?? '';
  if (isPrefix || last.length < PLANNER.minPrefixLength || vocabulary.countDocuments(last) > PLANNER.frequent)
    return undefined;
  const longer = vocabulary.withPrefix(last, PLANNER.maxTerms)?.filter(({ term }) => term !== last) ?? [];
  return anyPhrase(vocabulary, terms.slice(0, -1), longer);
}

function planPrefix(vocabulary: Vocabulary, terms: readonly string[]): Expression | undefined {
  const before = terms.slice(0, -1);
  const found = vocabulary.withPrefix(terms.at(-1) ?? '', PLANNER.maxTerms);
  if (found) return anyPhrase(vocabulary, before, found);
  const maxMatches = Math.min(...before.map((term) => vocabulary.countDocuments(term)), Number.MAX_SAFE_INTEGER);
  return { text: phrase(terms, true), maxMatches };
}

function anyPhrase(
  vocabulary: Vocabulary,
  before: readonly string[],
  last: readonly KnownTerm[],
): Expression | undefined {
  const phrases = last.flatMap(({ term }) => phraseExpression(vocabulary, [...before, term]) ?? []);
  return phrases.length > 0 ? anyOf(phrases) : undefined;
}

/** The terms of the index that are forms of a word: throw, throws, threw. None for a word that no document has. */
export function findForms(vocabulary: Vocabulary, word: string): readonly KnownTerm[] {
  const [base, ...irregular] = withIrregularForms(word);
  const forms = new Map(findRegularForms(vocabulary, base).map((form) => [form.term, form]));
  for (const term of irregular) {
    const documentCount = vocabulary.countDocuments(term);
    if (documentCount > 0) forms.set(term, { term, documentCount });
  }
  return [...forms.values()];
}

function findRegularForms(vocabulary: Vocabulary, word: string): readonly KnownTerm[] {
  const prefix = stemPrefix(word);
  const similar = prefix.length > 2 ? vocabulary.withPrefix(prefix, PLANNER.maxForms) : undefined;
  const forms = similar?.filter(({ term }) => stem(term) === stem(word)) ?? [];
  if (forms.length > 0) return forms;
  const documentCount = vocabulary.countDocuments(word);
  return documentCount > 0 ? [{ term: word, documentCount }] : [];
}
