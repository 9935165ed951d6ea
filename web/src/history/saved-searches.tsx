import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { EMPTY_BROWSER, formatRoute } from '../router/route.ts';
import { toHref } from '../router/router.ts';
import { Icon } from '../shell/icons.tsx';
import { readStored, writeStored } from '../shell/stored.ts';
import { cleanText } from '../text/format.ts';

/** A search with its filters: the parameters of the search page. */
export type SavedSearch = Readonly<Record<string, string>>;

const MAX_SAVED = 30;

/**
 * Searches stay in the browser, not in yore's home: a query may contain what must not be written there, and a server that
 * is read-only can keep them, too.
 */
const saved = signal<readonly SavedSearch[]>(readStored('searches', [], isSearchList));

/** Whether this search is saved. */
export function isSaved(search: SavedSearch): boolean {
  return saved.value.some((other) => addressOf(other) === addressOf(search));
}

/** Saves a search, or removes it when it is saved. */
export function toggleSaved(search: SavedSearch): void {
  const others = saved.value.filter((other) => addressOf(other) !== addressOf(search));
  saved.value = isSaved(search) ? others : [search, ...others].slice(0, MAX_SAVED);
  writeStored('searches', saved.value);
}

/** The saved searches as links. */
export function SavedSearches(): VNode | null {
  if (saved.value.length === 0) return null;
  return (
    <section class="saved" aria-label="Saved searches">
      <h2>Saved searches</h2>
      <ul>
        {saved.value.map((search) => (
          <li key={addressOf(search)}>
            <a data-row href={toHref({ page: 'search', params: search })}>
              <Icon name="search" />
              <span class="saved-query">{cleanText(search.find ?? '')}</span>
              <span class="fact">{describeFilters(search)}</span>
            </a>
            <button type="button" class="quiet" title="Remove this saved search" onClick={() => toggleSaved(search)}>
              <Icon name="close" />
              <span class="hidden">Remove saved search {cleanText(search.find ?? '')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeFilters({ find: _find, ...filters }: SavedSearch): string {
  return Object.entries(filters)
    .map(([name, value]) =>
      name === 'since' ? `since ${value}` : name === 'until' ? `until ${value}` : cleanText(value),
    )
    .join(' · ');
}

/** Two searches with the same parameters have the same address. */
function addressOf(search: SavedSearch): string {
  const params = Object.fromEntries(Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1)));
  return formatRoute({ page: 'search', project: '', isBrowsing: false, browser: EMPTY_BROWSER, params });
}

function isSearchList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (each) =>
        typeof each === 'object' && each !== null && Object.values(each).every((text) => typeof text === 'string'),
    )
  );
}
