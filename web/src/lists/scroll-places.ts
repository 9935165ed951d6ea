import type { VirtualItem } from '@tanstack/virtual-core';

/** Where a list was left, with the sizes of its rows. */
export interface ScrollPlace {
  readonly offset: number;
  readonly measurements: VirtualItem[];
  /** The wish to see a row that was fulfilled last. */
  readonly wish?: number;
}

const MOST_PLACES = 20;

/** The places of the lists that were left last, by their name. */
class ScrollPlaces {
  readonly #places = new Map<string, ScrollPlace>();

  get(name: string): ScrollPlace | undefined {
    return this.#places.get(name);
  }

  set(name: string, place: ScrollPlace): void {
    this.#places.delete(name);
    this.#places.set(name, place);
    const oldest = this.#places.keys().next().value;
    if (this.#places.size > MOST_PLACES && oldest !== undefined) this.#places.delete(oldest);
  }
}

export const scrollPlaces: ScrollPlaces = new ScrollPlaces();
