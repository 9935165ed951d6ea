import { stem, stemPrefix } from '../../text/stem.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { scanWords } from '../../text/words.ts';
import { splitLongWord } from '../index/index-terms.ts';
import { allOf, anyOf, anyTerm, bounded, type Expression, phrase } from './expression.ts';
import type { ParsedQuery, QueryUnit } from './parse-query.ts';
import { PLANNER } from './planner-limits.ts';
import { type KnownTerm, sumDocumentCounts, type Vocabulary } from './vocabulary.ts';

/** Documents with all units of a query as typed; undefined when there can be none. */
export function planWords(vocabulary: Vocabulary, units: readonly QueryUnit[]): Expression | undefined {
  return allUnits(vocabulary, units, (unit) => planUnit(vocabulary, unit));
}

/**
 * Documents with all units of a query, where identifiers may be written in parts, and where the last word and unknown
 * words may be prefixes of longer ones. Undefined when that adds nothing to {@link planWords}.
 */
export function planWiderWords(vocabulary: Vocabulary, units: readonly QueryUnit[]): Expression | undefined {
  let isWider = false;
  const expression = allUnits(vocabulary, units, (unit) => {
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
  const counts = used.map((term) => vocabulary.countDocuments(term));
  return used.length === 0 || counts.includes(0) ? undefined : countedPhrase(used, counts);
}

/** Consecutive terms, given how many documents have each. With `isPrefix` the last one is a prefix. */
export function countedPhrase(terms: readonly string[], counts: readonly number[], isPrefix = false): Expression {
  const maxMatches = Math.min(...counts);
  return {
    text: phrase(terms, isPrefix),
    maxMatches,
    expectedMatches: terms.length > 1 ? maxMatches * PLANNER.phraseShare : maxMatches,
    entryCount: counts.reduce((sum, count) => sum + count, 0),
    phraseCount: 1,
  };
}

function allUnits(
  { documentCount }: Vocabulary,
  units: readonly QueryUnit[],
  plan: (unit: QueryUnit) => Expression | undefined,
): Expression | undefined {
  const expressions: Expression[] = [];
  for (const unit of units) {
    const expression = plan(unit);
    if (!expression) return undefined;
    expressions.push(expression);
  }
  return expressions.length > 0 ? allOf(expressions, documentCount) : undefined;
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
  return { ...bounded(phrase(terms, true), maxMatches, PLANNER.maxTerms), entryCount: Number.MAX_SAFE_INTEGER };
}

function anyPhrase(
  vocabulary: Vocabulary,
  before: readonly string[],
  last: readonly KnownTerm[],
): Expression | undefined {
  const phrases = last.flatMap(({ term }) => phraseExpression(vocabulary, [...before, term]) ?? []);
  return phrases.length > 0 ? anyOf(phrases) : undefined;
}

/** A content word of a query with its other forms. */
interface RelatedWord {
  readonly terms: readonly KnownTerm[];
  readonly documentCount: number;
}

/** The content words of a query with their other forms, rarest first. */
export function findRelatedWords(vocabulary: Vocabulary, { literal, units }: ParsedQuery): readonly RelatedWord[] {
  const words = scanWords(literal).flatMap(({ text }) => splitLongWord(text));
  const all = [...new Set([...words, ...units.flatMap(({ parts }) => parts)])];
  const contentWords = all.filter((word) => !isStopWord(word));
  return (contentWords.length > 0 ? contentWords : all)
    .map((word) => {
      const terms = findForms(vocabulary, word);
      return { terms, documentCount: sumDocumentCounts(terms) };
    })
    .filter(({ documentCount }) => documentCount > 0)
    .sort((a, b) => a.documentCount - b.documentCount);
}

/** Documents with any of the rarest words, as many words as keep them below `maxDocuments`. */
export function planRelated(words: readonly RelatedWord[], maxDocuments: number): Expression | undefined {
  let chosen: Expression | undefined;
  for (const { terms } of words) {
    const expression = anyTerm(terms);
    if (!chosen) chosen = expression;
    else if (chosen.maxMatches + expression.maxMatches <= maxDocuments) chosen = anyOf([chosen, expression]);
  }
  return chosen;
}

function findForms(vocabulary: Vocabulary, word: string): readonly KnownTerm[] {
  const prefix = stemPrefix(word);
  const similar = prefix.length > 2 ? vocabulary.withPrefix(prefix, PLANNER.maxForms) : undefined;
  const forms = similar?.filter(({ term }) => stem(term) === stem(word)) ?? [];
  if (forms.length > 0) return forms;
  const documentCount = vocabulary.countDocuments(word);
  return documentCount > 0 ? [{ term: word, documentCount }] : [];
}
