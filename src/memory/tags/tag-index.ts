import { stem } from '../../text/stem.ts';
import { toWord } from '../../text/words.ts';

/** The words that give a tag, and the tags that this one implies. */
export interface TagRow {
  readonly tag: string;
  /** Each a word or two. */
  readonly words: readonly string[];
  readonly implies?: readonly string[] | undefined;
}

/** What a word of a text says. */
export interface FoundWord {
  readonly stem: string;
  /** Whether it may be the second of two words that have tags together. */
  readonly isSecond: boolean;
  readonly tags: readonly string[];
}

type Tags = readonly string[];

const NONE: Tags = [];
const WORDS_IN_ROW = 2;
/** Words that are irregular in their first letters are no longer than this. */
const SHORT = 4;
const MOST_KNOWN = 10_000;
/** Longer ones would hold the text in memory that they are of. */
const LONGEST_KNOWN = 12;

/** Tags by the stem of a word, or of two in a row. */
export class TagIndex {
  readonly #byLetters = new Map<string, [word: string, row: TagRow][]>();
  /** Words are stemmed when one of the same first letters is looked up: a short process asks for few. */
  readonly #stemmed = new Map<string, ReadonlyMap<string, Tags>>();
  /** Words that are the second of a pair, stemmed. */
  #seconds: ReadonlySet<string> | undefined;
  /** What was looked up lately: the same words come again and again. */
  #known = new Map<string, FoundWord>();

  constructor(rows: readonly TagRow[]) {
    for (const row of rows) {
      for (const word of row.words) {
        const letters = lettersOf(word);
        const known = this.#byLetters.get(letters);
        if (known === undefined) this.#byLetters.set(letters, [[word, row]]);
        else known.push([word, row]);
      }
    }
  }

  /** The tags of a stem, or of two with a space between. */
  get(key: string): Tags {
    const letters = lettersOf(key);
    let index = this.#stemmed.get(letters);
    if (index === undefined) {
      index = stemmedIndex(this.#byLetters.get(letters) ?? []);
      this.#stemmed.set(letters, index);
    }
    return index.get(key) ?? NONE;
  }

  /** What a word of a text says, however it is inflected. */
  lookUp(token: string): FoundWord {
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const { text, parts } = toWord(token);
    const own = stem(text);
    this.#seconds ??= this.#findSeconds();
    const found: FoundWord = {
      stem: own,
      isSecond: this.#seconds.has(own),
      tags: parts.length === 1 ? this.get(own) : [...this.get(own), ...this.#ofParts(parts.map(stem))],
    };
    if (token.length > LONGEST_KNOWN) return found;
    if (this.#known.size >= MOST_KNOWN) this.#known = new Map();
    this.#known.set(token, found);
    return found;
  }

  /** Each two in a row, then each. */
  #ofParts(parts: readonly string[]): Tags {
    const pairs = parts.slice(1).flatMap((part, index) => this.get(`${parts[index]} ${part}`));
    return [...pairs, ...parts.flatMap((part) => this.get(part))];
  }

  #findSeconds(): ReadonlySet<string> {
    const words = [...this.#byLetters.values()].flat();
    return new Set(words.flatMap(([word]) => (/\s/.test(word) ? secondOf(word) : [])));
  }
}

/** The first letters, of which longer words keep two when they are stemmed. */
function lettersOf(word: string): string {
  const text = word.trimStart().toLowerCase();
  const end = text.search(/\s/);
  const first = end < 0 ? text : text.slice(0, end);
  return (first.length <= SHORT ? stem(first) : first).slice(0, 2);
}

function stemmedIndex(words: readonly (readonly [word: string, row: TagRow])[]): ReadonlyMap<string, Tags> {
  const index = new Map<string, string[]>();
  for (const [word, { tag, implies = [] }] of words) {
    const key = keyOf(word);
    const tags = index.get(key) ?? [];
    if (!index.has(key)) index.set(key, tags);
    for (const each of [tag, ...implies]) if (!tags.includes(each)) tags.push(each);
  }
  return index;
}

function keyOf(word: string): string {
  return word.toLowerCase().trim().split(/\s+/).slice(0, WORDS_IN_ROW).map(stem).join(' ');
}

function secondOf(word: string): readonly string[] {
  const second = word.toLowerCase().trim().split(/\s+/)[1];
  return second === undefined ? [] : [stem(second)];
}
