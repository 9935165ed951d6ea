import { type ReadonlySignal, signal } from '@preact/signals';
import type { SearchResults, SessionFilters } from '../../../src/server/rpc/api.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { type Debounced, debounce } from '../shell/timing.ts';

interface Search {
  readonly query: string;
  readonly filters: SessionFilters;
}

/** The state of a search. While `isSearching`, `results` are those of the previous search. */
export interface SearchState {
  readonly key: string;
  readonly isSearching: boolean;
  readonly results?: SearchResults;
  readonly error?: string;
}

const DEBOUNCE_MS = 300;
/** The server is asked for at most this many hits. */
export const MAX_HITS = 200;

/** A search box with its results. Results that arrive too late are dropped. */
export class SessionSearch {
  readonly #state = signal<SearchState>({ key: '', isSearching: false });
  readonly #run: Debounced<Search>;

  constructor() {
    this.#run = debounce((search: Search) => void this.#fetch(search), DEBOUNCE_MS);
  }

  get state(): ReadonlySignal<SearchState> {
    return this.#state;
  }

  /** Searches at once, or when `isTyped` after a pause in typing. The same search is not run twice in a row. */
  search(search: Search, isTyped: boolean): void {
    const key = JSON.stringify(search);
    if (key === this.#state.value.key) return;
    if (search.query.trim() === '') {
      this.#run.cancel();
      this.#state.value = { key, isSearching: false };
      return;
    }
    const { results } = this.#state.value;
    this.#state.value = { key, isSearching: true, ...(results === undefined ? {} : { results }) };
    if (isTyped) this.#run.later(search);
    else this.#run.now(search);
  }

  async #fetch(search: Search): Promise<void> {
    const key = JSON.stringify(search);
    const update = (change: Partial<SearchState>) => {
      if (this.#state.value.key === key) this.#state.value = { key, isSearching: false, ...change };
    };
    try {
      const { query, filters } = search;
      update({ results: await server.call('history.search', { ...filters, query, limit: MAX_HITS }) });
    } catch (error) {
      update({ error: errorMessage(error) });
    }
  }
}
