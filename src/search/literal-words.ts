import { characterKind, LETTER } from '../text/characters.ts';
import { scanWords } from '../text/words.ts';
import { anyTerm, type Expression, MOST_TERMS } from './expression.ts';
import type { KnownTerm, Vocabulary } from './vocabulary.ts';
import { piecesOf, TERM_OVERLAP } from './words.ts';

/** The words of a typed text, by what they can be part of in a text that contains it. */
export interface LiteralWords {
  /** Undefined when there are no words. */
  readonly first: string | undefined;
  /** Terms of the words between the first and the last. */
  readonly middle: readonly string[];
  /** Undefined when there is only one word. */
  readonly last: string | undefined;
  /** Whether the first word can be the end of a longer one. */
  readonly isOpenLeft: boolean;
  /** Whether the last word, or the only one, can go on. */
  readonly isOpenRight: boolean;
}

/** The words of a folded text. */
export function literalWords(literal: string): LiteralWords {
  const words = scanWords(literal).map(({ text }) => text);
  return {
    first: words[0],
    middle: words.slice(1, -1).flatMap(piecesOf),
    last: words.length > 1 ? words.at(-1) : undefined,
    isOpenLeft: isLetterAt(literal, 0),
    isOpenRight: isLetterAt(literal, literal.length - 1),
  };
}

/** Terms that end like a word, itself included; undefined when there are more than `most`. */
export function endingsOf(
  vocabulary: Vocabulary,
  word: string,
  most: number,
): readonly KnownTerm[] | undefined {
  const end = word.slice(-TERM_OVERLAP);
  return Array.from(end).length > 1 ? vocabulary.endingWith(end, most) : undefined;
}

/** Documents with a word that begins like this; undefined when more than `most` words do. */
export function anyBeginning(vocabulary: Vocabulary, word: string, most: number): Expression | undefined {
  const found = vocabulary.beginningWith(word.slice(0, TERM_OVERLAP), Math.min(most, MOST_TERMS));
  return found && anyTerm(found);
}

function isLetterAt(text: string, at: number): boolean {
  return characterKind(text.charCodeAt(at)) === LETTER;
}
