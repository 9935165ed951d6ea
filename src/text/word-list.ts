/** As many look-ups cost as much as building the set. */
const MAX_SEARCHES = 200;

/**
 * A list of words that are separated by single spaces. A process that asks for a few words searches the text, because
 * building a set of thousands of words takes longer.
 */
export class WordList {
  readonly #text: string;
  #searches = 0;
  #words: ReadonlySet<string> | undefined;

  constructor(words: string) {
    this.#text = words;
  }

  has(word: string): boolean {
    if (this.#words !== undefined) return this.#words.has(word);
    const text = this.#text;
    if (++this.#searches > MAX_SEARCHES) this.#words = new Set(text.split(' '));
    return text.includes(` ${word} `) || text.startsWith(`${word} `) || text.endsWith(` ${word}`) || text === word;
  }
}
