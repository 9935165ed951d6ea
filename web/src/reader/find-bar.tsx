import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatQuantity } from '../text/format.ts';
import { closeFind, findState, setFindQuery, stepFind } from './reader-store.ts';

/** The box that finds a text in the session. */
export function FindBar(): VNode | null {
  const box = useRef<HTMLInputElement>(null);
  const state = findState.value;
  const isOpen = state !== undefined;
  useLayoutEffect(() => {
    if (isOpen) box.current?.focus();
  }, [isOpen]);
  if (state === undefined) return null;
  const count = state.findings?.matches.length ?? 0;
  return (
    <search class="find-bar">
      <input
        ref={box}
        type="text"
        data-find
        aria-label="Find in this session"
        placeholder="Find in this session"
        autocomplete="off"
        spellcheck={false}
        value={state.query}
        onInput={(event) => setFindQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') stepFind(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') closeFind();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span class="find-count" role="status">
        {describeCount(state.query, state.at, count, state.findings?.total)}
      </span>
      <button
        type="button"
        class="quiet"
        disabled={count === 0}
        aria-label="Previous match"
        title="Shift Enter"
        onClick={() => stepFind(-1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="quiet"
        disabled={count === 0}
        aria-label="Next match"
        title="Enter"
        onClick={() => stepFind(1)}
      >
        ↓
      </button>
      <button type="button" class="quiet" aria-label="Close find" title="Escape" onClick={closeFind}>
        ✕
      </button>
    </search>
  );
}

function describeCount(query: string, at: number, count: number, total: number | undefined): string {
  if (query === '') return '';
  if (total === undefined) return '…';
  if (count === 0) return 'Not found';
  return `${at + 1} of ${count.toLocaleString()}${total > count ? ` · ${formatQuantity(total, 'occurrence')}` : ''}`;
}
