import { stem } from '../../text/stem.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { splitWords } from '../../text/words.ts';

/** A word of a message, with where else in the session it is. */
export interface WordUse {
  readonly word: number;
  readonly count: number;
  /** How much the word tells: the rarer in the session, the more. */
  readonly rarity: number;
  /** Index of the nearest earlier message with it; -1 when there is none. */
  readonly previous: number;
  /** Index of the nearest later message with it; Infinity when there is none. */
  readonly next: number;
}

/** The words of a session's messages, each message's once. Linear in the text. */
export interface SessionWords {
  /** How many different words there are; `word` is below it. */
  readonly size: number;
  readonly uses: readonly (readonly WordUse[])[];
  /** How many words each message has, repetitions included. */
  readonly lengths: readonly number[];
  /** The numbers of the words in a text that is part of a message. */
  numbersIn(text: string): ReadonlySet<number>;
}

/** Reads the words of a session's messages. */
export function sessionWords(texts: readonly string[]): SessionWords {
  const numbers = new Map<string, number>();
  const numbered = texts.map((text) => contentWords(text).map((word) => numberOf(word, numbers)));
  const counted = numbered.map(countNumbers);
  const messagesWith = new Array<number>(numbers.size).fill(0);
  for (const counts of counted)
    for (const word of counts.keys()) messagesWith[word] = (messagesWith[word] ?? 0) + 1;
  const previous = nearest(counted, numbers.size, -1);
  const next = nearest(counted.toReversed(), numbers.size, -1).reverse();
  const last = texts.length - 1;
  const uses = counted.map((counts, index) =>
    [...counts].map(([word, count], place) => {
      const later = next[index]?.[place] ?? -1;
      return {
        word,
        count,
        rarity: Math.log(1 + texts.length / (messagesWith[word] ?? 1)),
        previous: previous[index]?.[place] ?? -1,
        next: later < 0 ? Number.POSITIVE_INFINITY : last - later,
      };
    }),
  );
  return {
    size: numbers.size,
    uses,
    lengths: numbered.map(({ length }) => length),
    numbersIn: (text) => new Set(contentWords(text).map((word) => numberOf(word, numbers))),
  };
}

function numberOf(word: string, numbers: Map<string, number>): number {
  const number = numbers.get(word) ?? numbers.size;
  numbers.set(word, number);
  return number;
}

function countNumbers(numbers: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** For each word of each message the index of the message before that has it, else `none`. */
function nearest(counted: readonly ReadonlyMap<number, number>[], size: number, none: number): number[][] {
  const seen = new Array<number>(size).fill(none);
  return counted.map((counts, index) =>
    [...counts.keys()].map((word) => {
      const before = seen[word] ?? none;
      seen[word] = index;
      return before;
    }),
  );
}

/**
 * The words of a text that carry its subject, in order and stemmed. The parts of a name (`readFile`, `max_size`) count
 * each, and the whole name once more.
 */
export function contentWords(text: string): string[] {
  return splitWords(text).flatMap(({ text: whole, parts, isName }) => {
    const words = parts.filter((part) => part.length > 1 && !isStopWord(part)).map(stem);
    return isName ? [...words, `#${whole}`] : words;
  });
}
