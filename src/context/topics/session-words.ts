import { getOrAdd } from '../../record/once.ts';
import { stem } from '../../text/stem.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { splitWords } from '../../text/words.ts';

/** A distinct word of a message, linked to the other messages that contain it. */
export interface WordUse {
  /** The word's number in the session. */
  readonly word: number;
  /** How often the message contains it. */
  readonly count: number;
  /** Inverse document frequency: the fewer messages contain it, the higher. */
  readonly rarity: number;
  /** Index of the nearest earlier message with it; -1 if there is none. */
  readonly previous: number;
  /** Index of the nearest later message with it; Infinity if there is none. */
  readonly next: number;
}

/** The words of a session, by message. */
export interface SessionWords {
  /** The number of distinct words; word numbers are below it. */
  readonly size: number;
  readonly uses: readonly (readonly WordUse[])[];
  /** The number of words of each message, including repetitions. */
  readonly lengths: readonly number[];
  /** The numbers of the words in a part of a message. */
  numbersIn(text: string): ReadonlySet<number>;
}

/** Collects the words of a session's messages. Linear in the length of the text. */
export function sessionWords(texts: readonly string[]): SessionWords {
  const numbers = new Map<string, number>();
  const numbersOf = (text: string): number[] =>
    contentWords(text).map((word) => getOrAdd(numbers, word, () => numbers.size));
  const numbered = texts.map(numbersOf);
  const counted = numbered.map(countNumbers);
  const frequencies = new Array<number>(numbers.size).fill(0);
  for (const counts of counted) for (const word of counts.keys()) frequencies[word] = (frequencies[word] ?? 0) + 1;
  const previous = findPrevious(counted, numbers.size);
  const next = findPrevious(counted.toReversed(), numbers.size).reverse();
  const last = texts.length - 1;
  const uses = counted.map((counts, message) =>
    [...counts].map(([word, count], position) => {
      const fromEnd = next[message]?.[position] ?? -1;
      return {
        word,
        count,
        rarity: Math.log(1 + texts.length / (frequencies[word] ?? 1)),
        previous: previous[message]?.[position] ?? -1,
        next: fromEnd < 0 ? Number.POSITIVE_INFINITY : last - fromEnd,
      };
    }),
  );
  return {
    size: numbers.size,
    uses,
    lengths: numbered.map(({ length }) => length),
    numbersIn: (text) => new Set(numbersOf(text)),
  };
}

function countNumbers(numbers: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** For each word of each message, the index of the nearest earlier message with it; -1 if there is none. */
function findPrevious(counted: readonly ReadonlyMap<number, number>[], size: number): number[][] {
  const lastSeen = new Array<number>(size).fill(-1);
  return counted.map((counts, message) =>
    [...counts.keys()].map((word) => {
      const before = lastSeen[word] ?? -1;
      lastSeen[word] = message;
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
