import { stem, stemPrefix } from '../text/stem.ts';
import { isStopWord } from '../text/stop-words.ts';
import { scanWords } from '../text/words.ts';
import { anyOf, anyTerm, type Expression } from './expression.ts';
import type { ParsedQuery } from './parse-query.ts';
import { type KnownTerm, totalDocuments, type Vocabulary } from './vocabulary.ts';
import { piecesOf } from './words.ts';

/** Terms that begin like a word, among which its other forms are looked for. */
const MOST_FORMS = 300;

/** A word of a question with its other forms. */
export interface RelatedWord {
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
