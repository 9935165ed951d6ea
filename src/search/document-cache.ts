import type { Searchable } from './searchable.ts';

/** A document with its text, as the log has it. */
export interface LoadedDocument {
  readonly id: number;
  readonly project: string;
  readonly record: Searchable;
  readonly time: number;
  readonly text: string;
  readonly folded: string;
}

/** Characters of text that are kept, twice: as it is and folded. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/**
 * Documents that were read lately. Whoever searches while typing, or asks again with other filters, gets the same
 * ones again and again. When it is full, those that came first go.
 */
export class DocumentCache {
  readonly #documents = new Map<number, LoadedDocument>();
  #characters = 0;

  get(id: number): LoadedDocument | undefined {
    return this.#documents.get(id);
  }

  add(document: LoadedDocument): void {
    this.#documents.set(document.id, document);
    this.#characters += document.text.length;
    for (const [id, { text }] of this.#documents) {
      if (this.#characters <= MOST_CHARACTERS) return;
      this.#documents.delete(id);
      this.#characters -= text.length;
    }
  }
}
