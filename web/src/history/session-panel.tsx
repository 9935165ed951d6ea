import type { VNode } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { route } from '../router/router.ts';
import { projectName } from '../shell/project-store.ts';
import { cleanText, formatDuration } from '../text/format.ts';
import { highlightWords, queryWords } from '../text/match-highlight.ts';
import { Time } from '../text/time-view.tsx';
import { searchState, selectionCount, showNextAttempt, updateBrowser } from './browser-store.ts';
import { AttemptView, MessageView } from './message-view.tsx';
import { matchRow, type OpenSession, openSession, showRows } from './open-session.ts';
import { AgentIcon, Counts } from './session-row.tsx';

/** The right panel: the messages and attempts of the selected session. */
export function SessionPanel(): VNode {
  const shown = openSession.value;
  if (shown === undefined) return <p class="empty">Select a session to read it.</p>;
  if (shown.error !== undefined) return <p class="empty problem">{shown.error}</p>;
  if (shown.summary === undefined)
    return (
      <p class="empty" aria-busy="true">
        Loading…
      </p>
    );
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
  const request = selectionCount.value;
  const target = useMemo(
    () => (matched < 0 ? undefined : { row: matched, align: 'center' as const, request }),
    [matched, request],
  );
  const terms = query === '' ? undefined : searchState.value.results?.terms;
  const words = useMemo(() => (terms?.length ? terms : queryWords(query)), [terms, query]);
  const highlight = useCallback((container: HTMLElement) => highlightWords(container, words), [words]);
  return (
    <>
      <header class="session-head">
        <AgentIcon agent={summary.agent} />
        <div class="session-title">
          <h2>
            <bdi>{cleanText(summary.title) || '(no text)'}</bdi>
          </h2>
          <p class="session-facts">
            <Span summary={summary} />
            <span class="fact">{projectName(summary.project)}</span>
            {summary.author === undefined ? null : <bdi class="fact">{cleanText(summary.author)}</bdi>}
            {summary.branch === undefined ? null : <bdi class="fact branch">{cleanText(summary.branch)}</bdi>}
          </p>
        </div>
        <Counts
          session={summary}
          onShow={(outcome) => void showNextAttempt(summary.sessionId, shown.project, outcome)}
        />
      </header>
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
          updateBrowser({ message: first });
        }}
        onRender={highlight}
        row={(index) => {
          const item = rows.at(index);
          if (item === undefined) return <div class="message is-waiting" aria-busy="true" />;
          if (item.type === 'attempt') return <AttemptView attempt={item.attempt} isMatch={index === matched} />;
          return <MessageView message={item.message} project={summary.project} isMatch={index === matched} />;
        }}
      />
    </>
  );
}

/** When a session was last active, and how long it took. */
function Span({ summary: { timestamp, lastActivity } }: { readonly summary: SessionSummary }): VNode {
  const ms = Date.parse(lastActivity) - Date.parse(timestamp);
  return (
    <>
      <Time at={lastActivity} />
      {ms >= 1000 ? <span class="fact">{formatDuration(ms)} long</span> : null}
    </>
  );
}
