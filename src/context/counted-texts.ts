import { contentHash } from './cache/content-hash.ts';
import type { TokenCounter } from './tokens/token-counter.ts';

/** What is known of a text. */
export interface TextFacts {
  readonly tokens: number;
  /** Differs when the text differs. */
  readonly hash: string;
}

interface KnownText {
  readonly text: string;
  readonly facts: TextFacts;
}

/** The parts of a prompt by name, each counted again only when its text is another than the last time. */
export class CountedTexts {
  readonly #counter: TokenCounter;
  #recent = new Map<string, KnownText>();
  #older = new Map<string, KnownText>();

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** What is known of the text that has this name now. */
  facts(name: string, text: string): TextFacts {
    const known = this.#recent.get(name) ?? this.#older.get(name);
    const { facts } = known?.text === text ? known : { facts: this.#factsOf(text) };
    this.#recent.set(name, { text, facts });
    return facts;
  }

  /** Forgets the names that nobody asked for since the last time. */
  forgetUnused(): void {
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  #factsOf(text: string): TextFacts {
    return { tokens: this.#counter.count(text), hash: contentHash(text) };
  }
}
