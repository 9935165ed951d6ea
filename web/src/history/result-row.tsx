import type { VNode } from 'preact';
import { route } from '../router/router.ts';
import { cursor, selectRow } from './browser-store.ts';
import { ResultContent } from './result-content.tsx';
import type { ResultRow as Row } from './result-rows.ts';

/** A session that was found, or a hit in it. */
export function ResultRow({ row, result }: { readonly row: number; readonly result: Row }): VNode {
  const { session, match, project } = route.value.browser;
  const isSelected =
    result.type === 'hit' ? match === result.hit.id : session === result.sessionId && match === '';
  const isPressed = isSelected && result.type !== 'more';
  return (
    <button
      type="button"
      class={`result-${result.type}${isPressed ? ' is-selected' : ''}${cursor.value === row ? ' is-cursor' : ''}`}
      aria-pressed={result.type === 'more' ? undefined : isPressed}
      data-session={result.type === 'session' ? result.sessionId : undefined}
      data-hit={result.type === 'hit' ? result.hit.id : undefined}
      onClick={() => selectRow(row)}
    >
      <ResultContent result={result} hasProject={project === 'all'} />
    </button>
  );
}
