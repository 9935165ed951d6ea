import { anyTerm, type Expression } from './expression.ts';
import { anyBeginning, endingsOf, literalWords } from './literal-words.ts';
import type { ParsedQuery } from './parse-query.ts';
import type { Vocabulary } from './vocabulary.ts';
import { piecesOf } from './words.ts';

/** Words that a word can be part of: no more are told apart here. */
const FEW_WORDS = 64;
/** The first word must be so many times rarer than the others to look for the words that end with it. */
const WORTH_LOOKING = 4;

/**
 * Documents that have a certain word of the typed text, or a longer one that it can be part of: all that contain the
 * text, and all that have its words. Of such words, the one with the fewest documents. Undefined when there is none,
 * as in a text of one word.
 */
export function literalAnchor(vocabulary: Vocabulary, { literal }: ParsedQuery): Expression | undefined {
  const { first, middle, last, isOpenLeft, isOpenRight } = literalWords(literal);
  if (first === undefined || last === undefined) return undefined;
  const whole = [...(isOpenLeft ? [] : piecesOf(first)), ...middle, ...(isOpenRight ? [] : piecesOf(last))];
  const end = isOpenRight ? anyBeginning(vocabulary, last, FEW_WORDS) : undefined;
  const anchors = whole.map((term) => anyTerm([{ term, documents: vocabulary.documents(term) }]));
  const fewest = fewestOf([...anchors, ...(end ? [end] : [])]);
  const most = (fewest?.documents ?? vocabulary.all) / WORTH_LOOKING;
  if (!isOpenLeft || vocabulary.documents(first) > most) return fewest;
  const endings = endingsOf(vocabulary, first, FEW_WORDS);
  return fewestOf([...(fewest ? [fewest] : []), ...(endings ? [anyTerm(endings)] : [])]);
}

/** Whether the first word of the typed text can be the end of very many words. */
export function hasManyEndings(vocabulary: Vocabulary, { literal }: ParsedQuery): boolean {
  const { first, isOpenLeft } = literalWords(literal);
  return isOpenLeft && first !== undefined && endingsOf(vocabulary, first, FEW_WORDS) === undefined;
}

function fewestOf(expressions: readonly Expression[]): Expression | undefined {
  return [...expressions].sort((a, b) => a.documents - b.documents)[0];
}
