import type { VNode } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';
import type { SessionItem, SessionSummary } from '../../../src/server/rpc/api.ts';
import type { SparseList } from '../lists/sparse-list.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { route } from '../router/router.ts';
import { projectName } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { markWords, wordsOf } from '../text/match-highlight.ts';
import { TimeView } from '../text/time-view.tsx';
import { AgentIcon } from './agent-icon.tsx';
import { changeBrowser, selectionCount } from './browser-store.ts';
import { AttemptView, MessageView } from './message-view.tsx';
import { contentInView, idOf, openSession } from './session-content.ts';
import { Counts } from './session-row.tsx';

/** The right side: what was said and done in the selected session. */
export function SessionPanel(): VNode {
  const shown = openSession.value;
  if (shown === undefined) return <p class="empty">Choose a session to read it here.</p>;
  if (shown.error !== undefined) return <p class="empty problem">{shown.error}</p>;
  if (shown.summary === undefined)
    return (
      <p class="empty" aria-busy="true">
        Loading…
      </p>
    );
  return <SessionView key={shown.id} summary={shown.summary} rows={shown.rows} />;
}

interface SessionViewProps {
  readonly summary: SessionSummary;
  readonly rows: SparseList<SessionItem>;
}

function SessionView({ summary, rows }: SessionViewProps): VNode {
  const { match, query, message } = route.value.browser;
  const matchRow = useMemo(() => rows.rowOf((item) => idOf(item) === match), [rows, match]);
  const wish = selectionCount.value;
  const target = useMemo(
    () => (matchRow < 0 ? undefined : { row: matchRow, align: 'center' as const, wish }),
    [matchRow, wish],
  );
  const words = useMemo(() => wordsOf(query), [query]);
  const mark = useCallback((container: HTMLElement) => markWords(container, words), [words]);
  return (
    <>
      <header class="session-head">
        <AgentIcon agent={summary.agent} />
        <div class="session-title">
          <h2>
            <bdi>{cleanText(summary.preview) || '(no words)'}</bdi>
          </h2>
          <p class="session-facts">
            <TimeView at={summary.timestamp} /> <span aria-hidden="true">–</span>{' '}
            <TimeView at={summary.lastActivity} />
            <span class="fact">{projectName(summary.project)}</span>
            {summary.branch === undefined ? null : (
              <span class="fact branch">{cleanText(summary.branch)}</span>
            )}
          </p>
        </div>
        <Counts session={summary} />
      </header>
      <VirtualList
        label="Messages of the session"
        count={rows.total}
        estimate={90}
        place={`session ${summary.sessionId}`}
        firstRow={message}
        target={target}
        keyOf={(index) => index}
        onScroll={(first, last) => {
          contentInView(first, last);
          changeBrowser({ message: first });
        }}
        onDraw={mark}
        row={(index) => {
          const item = rows.at(index);
          if (item === undefined) return <div class="message is-waiting" aria-busy="true" />;
          if (item.type === 'attempt')
            return <AttemptView attempt={item.attempt} isMatch={index === matchRow} />;
          return (
            <MessageView message={item.message} project={summary.project} isMatch={index === matchRow} />
          );
        }}
      />
    </>
  );
}
