import { type ReadonlySignal, signal } from '@preact/signals';
import type { SearchResults, SessionFilters } from '../../../src/server/rpc/api.ts';
import { messageOf } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';
import { type Debounced, debounced } from '../text/debounced.ts';

/** What is searched for. */
export interface Search {
  readonly query: string;
  readonly filters: SessionFilters;
}

/** What was found; `answer` stays that of the search before while `isSearching`. */
export interface Found {
  readonly key: string;
  readonly isSearching: boolean;
  readonly answer?: SearchResults;
  readonly error?: string;
}

/** How long nobody types before it is searched. */
const SEARCH_AFTER_MS = 300;
const LIMIT = 200;

/** A search box: what is asked, what came back. Answers that come too late are dropped. */
export class SessionSearch {
  readonly #found = signal<Found>({ key: '', isSearching: false });
  readonly #asking: Debounced<Search>;

  constructor() {
    this.#asking = debounced((search: Search) => void this.#ask(search), SEARCH_AFTER_MS);
  }

  get found(): ReadonlySignal<Found> {
    return this.#found;
  }

  /** Searches when nobody has typed for a while; at once when `isTyped` is false. The same search is not made twice. */
  search(search: Search, isTyped: boolean): void {
    const key = JSON.stringify(search);
    if (key === this.#found.value.key) return;
    if (search.query.trim() === '') {
      this.#asking.cancel();
      this.#found.value = { key, isSearching: false };
      return;
    }
    const { answer } = this.#found.value;
    this.#found.value = { key, isSearching: true, ...(answer === undefined ? {} : { answer }) };
    if (isTyped) this.#asking.later(search);
    else this.#asking.now(search);
  }

  async #ask(search: Search): Promise<void> {
    const key = JSON.stringify(search);
    try {
      const answer = await server.call('history.search', {
        ...search.filters,
        query: search.query,
        limit: LIMIT,
      });
      if (this.#found.value.key === key) this.#found.value = { key, isSearching: false, answer };
    } catch (error) {
      if (this.#found.value.key === key)
        this.#found.value = { key, isSearching: false, error: messageOf(error) };
    }
  }
}
