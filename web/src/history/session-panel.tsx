import type { VNode } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { VirtualList } from '../lists/virtual-list.tsx';
import { route } from '../router/router.ts';
import { projectName } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { markWords, wordsOf } from '../text/match-highlight.ts';
import { duration } from '../text/relative-time.ts';
import { TimeView } from '../text/time-view.tsx';
import { AgentIcon } from './agent-icon.tsx';
import { changeBrowser, selectionCount, showNext } from './browser-store.ts';
import { Counts } from './counts.tsx';
import { AttemptView, MessageView } from './message-view.tsx';
import { contentInView, matchRow, type OpenSession, openSession } from './session-content.ts';

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
  const wish = selectionCount.value;
  const target = useMemo(
    () => (matched < 0 ? undefined : { row: matched, align: 'center' as const, wish }),
    [matched, wish],
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
            <Span summary={summary} />
            <span class="fact">{projectName(summary.project)}</span>
            {summary.branch === undefined ? null : <bdi class="fact branch">{cleanText(summary.branch)}</bdi>}
          </p>
        </div>
        <Counts
          session={summary}
          onShow={(outcome) => void showNext(summary.sessionId, shown.project, outcome)}
        />
      </header>
      <VirtualList
        label="Messages of the session"
        count={rows.total}
        estimate={90}
        place={`session ${summary.project} ${summary.sessionId}`}
        firstRow={message}
        target={target}
        keyOf={(index) => index}
        isFollowing
        onScroll={(first, last) => {
          contentInView(first, last);
          changeBrowser({ message: first });
        }}
        onDraw={mark}
        row={(index) => {
          const item = rows.at(index);
          if (item === undefined) return <div class="message is-waiting" aria-busy="true" />;
          if (item.type === 'attempt')
            return <AttemptView attempt={item.attempt} isMatch={index === matched} />;
          return <MessageView message={item.message} project={summary.project} isMatch={index === matched} />;
        }}
      />
    </>
  );
}

/** When a session was, and how long it took. */
function Span({ summary: { timestamp, lastActivity } }: { readonly summary: SessionSummary }): VNode {
  const ms = Date.parse(lastActivity) - Date.parse(timestamp);
  return (
    <>
      <TimeView at={lastActivity} />
      {ms >= 1000 ? <span class="fact">{duration(ms)} long</span> : null}
    </>
  );
}
