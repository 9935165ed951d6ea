import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { selectedRow } from './browser-store.ts';

interface RowFocus {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly tabIndex: number;
  readonly onFocus: (event: { readonly currentTarget: Element }) => void;
  readonly 'data-list-row': true;
}

/**
 * Properties of a row's button. Only one row of the list is in the tab order, so that what comes after the list can be
 * reached however long it is; `j` and `k` move the focus from row to row.
 */
export function useRowFocus(row: number): RowFocus {
  const ref = useRef<HTMLButtonElement>(null);
  const at = selectedRow.value;
  const isCursor = at === row;
  useLayoutEffect(() => {
    if (isCursor && document.activeElement?.matches('[data-list-row]') === true) ref.current?.focus();
  }, [isCursor]);
  // The list scrolls to the cursor: a row must not move away from under the pointer that presses it.
  const onFocus: RowFocus['onFocus'] = ({ currentTarget }) => {
    if (currentTarget.matches(':focus-visible')) selectedRow.value = row;
  };
  return { ref, tabIndex: isCursor || (at < 0 && row === 0) ? 0 : -1, onFocus, 'data-list-row': true };
}
