import type { VNode } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { FindBar } from '../reader/find-bar.tsx';
import { OutlinePanel } from '../reader/outline-panel.tsx';
import { endJump, findState, isOutlineOpen, outline } from '../reader/reader-store.ts';
import { RowView } from '../reader/row-view.tsx';
import { SessionHead } from '../reader/session-head.tsx';
import { route } from '../router/router.ts';
import { ProblemNotice, Skeleton } from '../shell/states.tsx';
import { highlightText, highlightWords, queryWords } from '../text/match-highlight.ts';
import { searchState, selectionCount, updateBrowser } from './browser-store.ts';
import { matchRow, type OpenSession, openSession, showRows } from './open-session.ts';

/** The right panel: the messages and attempts of the selected session. */
export function SessionPanel(): VNode {
  const shown = openSession.value;
  if (shown === undefined) return <p class="empty">Select a session to read it.</p>;
  if (shown.error !== undefined) return <ProblemNotice text={shown.error} />;
  if (shown.summary === undefined) return <Skeleton rows={10} />;
  return <SessionView key={`${shown.project} ${shown.id}`} shown={shown} summary={shown.summary} />;
}

interface SessionViewProps {
  readonly shown: OpenSession;
  readonly summary: SessionSummary;
}

function SessionView({ shown, summary }: SessionViewProps): VNode {
  const { match, query, message } = route.value.browser;
  const { rows } = shown;
  const matched = useMemo(() => matchRow(shown, match), [shown, match]);
  const marked = shown.match?.wanted === match ? shown.match.id : match;
  const request = selectionCount.value;
  const target = useMemo(
    () => (matched < 0 ? undefined : { row: matched, align: 'center' as const, request }),
    [matched, request],
  );
  const terms = query === '' ? undefined : searchState.value.results?.terms;
  const words = useMemo(() => (terms?.length ? terms : queryWords(query)), [terms, query]);
  const found = findState.value?.query ?? '';
  const highlight = useCallback(
    (container: HTMLElement) => {
      highlightWords(container, words);
      highlightText(container, found);
    },
    [words, found],
  );
  const known = outline.value;
  const own = known?.key === `${shown.project} ${shown.id}` ? known.outline : undefined;
  return (
    <div class={`reader${isOutlineOpen.value ? ' is-outline-open' : ''}`}>
      <SessionHead summary={summary} project={shown.project} outline={own} />
      <FindBar />
      <div class="reader-body">
        <VirtualList
          label="Session messages"
          count={rows.total}
          estimate={90}
          positionId={`session ${summary.project} ${summary.sessionId}`}
          firstRow={message}
          target={target}
          keyOf={(index) => index}
          isFollowing
          onScroll={(first, last) => {
            showRows(first, last);
            endJump();
            updateBrowser({ message: first });
          }}
          onRender={highlight}
          row={(index) => {
            const row = rows.at(index);
            if (row === undefined) return <div class="message is-waiting" aria-busy="true" />;
            return <RowView row={row} previous={rows.at(index - 1)} project={summary.project} match={marked} />;
          }}
        />
        {own === undefined ? null : <OutlinePanel outline={own} project={summary.project} row={message} />}
      </div>
    </div>
  );
}
