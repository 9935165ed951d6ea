import type { VNode } from 'preact';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { route } from '../router/router.ts';
import { projectName } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { shortCount } from '../text/relative-time.ts';
import { TimeView } from '../text/time-view.tsx';
import { AgentIcon } from './agent-icon.tsx';
import { cursor, selectRow } from './browser-store.ts';

/** A session in the list; without one its page is still being fetched. */
export function SessionRow({
  row,
  session,
}: {
  readonly row: number;
  readonly session: SessionSummary | undefined;
}): VNode {
  if (session === undefined) return <div class="session-row is-waiting" aria-busy="true" />;
  const isSelected = session.sessionId === route.value.browser.session;
  return (
    <button
      type="button"
      class={`session-row${isSelected ? ' is-selected' : ''}${cursor.value === row ? ' is-cursor' : ''}`}
      aria-pressed={isSelected}
      data-session={session.sessionId}
      onClick={() => selectRow(row)}
    >
      <AgentIcon agent={session.agent} />
      <span class="session-text">
        <bdi class="session-preview">{cleanText(session.preview) || '(no words)'}</bdi>
        <span class="session-facts">
          <TimeView at={session.lastActivity} />
          {route.value.browser.project === 'all' ? (
            <span class="fact">{projectName(session.project)}</span>
          ) : null}
          {session.branch === undefined ? null : <span class="fact branch">{cleanText(session.branch)}</span>}
        </span>
      </span>
      <Counts session={session} />
    </button>
  );
}

/** How many messages, failures and successes a session has. */
export function Counts({ session }: { readonly session: SessionSummary }): VNode {
  const { messageCount, failures, successes } = session;
  return (
    <span class="counts">
      <span class="badge" title={`${messageCount} messages`}>
        <span class="hidden">Messages: </span>
        {shortCount(messageCount)}
      </span>
      {failures === 0 ? null : (
        <span class="badge failure" title={`${failures} failures`}>
          <span class="hidden">Failures: </span>✗ {shortCount(failures)}
        </span>
      )}
      {successes === 0 ? null : (
        <span class="badge success" title={`${successes} successes`}>
          <span class="hidden">Successes: </span>✓ {shortCount(successes)}
        </span>
      )}
    </span>
  );
}
