import { startsLike, stem, stemStart } from '../../text/stem.ts';
import { toWord } from '../../text/words.ts';

/** A tag with the words that it matches and the tags that it implies. */
export interface TagRow {
  readonly tag: string;
  /** Each a word or two. */
  readonly words: readonly string[];
  readonly implies?: readonly string[] | undefined;
}

/** A row that is parsed when one of its words may be looked up, because a short process needs few. */
export interface TagSource {
  /** Contains each word in lower case behind a space. */
  readonly text: string;
  readonly row: () => TagRow;
}

/** A word of a text with its tags. */
export interface TaggedWord {
  readonly stem: string;
  /** It may be the second of two words that have tags together. */
  readonly isSecond: boolean;
  readonly tags: readonly string[];
}

type Tags = readonly string[];

const NONE: Tags = [];
const WORDS_IN_ROW = 2;
const MAX_CACHED = 10_000;
/** A longer word would keep the whole text in memory that it is a slice of. */
const MAX_CACHED_LENGTH = 12;

/** Tags by the stem of a word or of two words in a row. */
export class TagIndex {
  readonly #rows: readonly TagSource[];
  /** Words by the first letters of their stems; they are stemmed when a word with the same is looked up. */
  readonly #stemmed = new Map<string, ReadonlyMap<string, Tags>>();
  /** Stems of words that are the second of a pair. */
  #seconds: ReadonlySet<string> | undefined;
  #cache = new Map<string, TaggedWord>();

  constructor(rows: readonly TagSource[]) {
    this.#rows = rows;
  }

  /** An index of rows that are parsed already. */
  static of(rows: readonly TagRow[]): TagIndex {
    return new TagIndex(
      rows.map((row) => ({ text: row.words.map((word) => ` ${word.trim().toLowerCase()}`).join(''), row: () => row })),
    );
  }

  /** The tags of a stem, or of two stems separated by a space. */
  get(key: string): Tags {
    const start = stemStart(firstWord(key));
    if (start === '') return NONE;
    let index = this.#stemmed.get(start);
    if (index === undefined) {
      index = buildIndex(this.#wordsWith(startsLike(start)));
      this.#stemmed.set(start, index);
    }
    return index.get(key) ?? NONE;
  }

  /** Looks up a word of a text, in any inflection. */
  lookUp(token: string): TaggedWord {
    const known = this.#cache.get(token);
    if (known !== undefined) return known;
    const { text, parts } = toWord(token);
    const own = stem(text);
    this.#seconds ??= this.#findSeconds();
    const found: TaggedWord = {
      stem: own,
      isSecond: this.#seconds.has(own),
      tags: parts.length === 1 ? this.get(own) : [...this.get(own), ...this.#ofParts(parts.map(stem))],
    };
    if (token.length > MAX_CACHED_LENGTH) return found;
    if (this.#cache.size >= MAX_CACHED) this.#cache = new Map();
    this.#cache.set(token, found);
    return found;
  }

  /** The tags of pairs of parts, then of single parts. */
  #ofParts(parts: readonly string[]): Tags {
    const pairs = parts.slice(1).flatMap((part, index) => this.get(`${parts[index]} ${part}`));
    return [...pairs, ...parts.flatMap((part) => this.get(part))];
  }

  /** Plain loops, as most of this is run once, without being compiled. */
  #wordsWith(starts: readonly string[]): readonly (readonly [word: string, row: TagRow])[] {
    const found: (readonly [string, TagRow])[] = [];
    const needles = starts.map((start) => ` ${start}`);
    for (let at = 0; at < this.#rows.length; at++) {
      const { text, row } = this.#rows[at] as TagSource;
      for (let form = 0; form < needles.length; form++) {
        if (!text.includes(needles[form] as string)) continue;
        for (const word of row().words) if (startsWith(word, starts[form] as string)) found.push([word, row()]);
      }
    }
    return found;
  }

  #findSeconds(): ReadonlySet<string> {
    const words = this.#rows.flatMap(({ row }) => row().words);
    return new Set(words.flatMap((word) => (/\s/.test(word) ? toStems(word).slice(1) : [])));
  }
}

function startsWith(word: string, start: string): boolean {
  return word.startsWith(start) || word.trimStart().toLowerCase().startsWith(start);
}

function firstWord(key: string): string {
  const end = key.indexOf(' ');
  return end < 0 ? key : key.slice(0, end);
}

function buildIndex(words: readonly (readonly [word: string, row: TagRow])[]): ReadonlyMap<string, Tags> {
  const index = new Map<string, string[]>();
  for (const [word, { tag, implies = [] }] of words) {
    const key = toStems(word).join(' ');
    const tags = index.get(key) ?? [];
    if (!index.has(key)) index.set(key, tags);
    for (const each of [tag, ...implies]) if (!tags.includes(each)) tags.push(each);
  }
  return index;
}

function toStems(word: string): readonly string[] {
  return word.toLowerCase().trim().split(/\s+/).slice(0, WORDS_IN_ROW).map(stem);
}
