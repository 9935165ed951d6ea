import type { VNode } from 'preact';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { route } from '../router/router.ts';
import { projectName } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { TimeView } from '../text/time-view.tsx';
import { AgentIcon } from './agent-icon.tsx';
import { cursor, selectRow, showNext } from './browser-store.ts';
import { Counts } from './counts.tsx';

interface SessionRowProps {
  readonly row: number;
  /** Undefined: its page is still being fetched. */
  readonly session: SessionSummary | undefined;
}

/** A session in the list. */
export function SessionRow({ row, session }: SessionRowProps): VNode {
  if (session === undefined) return <div class="session-row is-waiting" aria-busy="true" />;
  const { browser } = route.value;
  const { sessionId, project } = session;
  const isSelected = sessionId === browser.session && project === browser.sessionProject;
  return (
    <button
      type="button"
      class={`session-row${isSelected ? ' is-selected' : ''}${cursor.value === row ? ' is-cursor' : ''}`}
      aria-pressed={isSelected}
      data-session={sessionId}
      onClick={(event) => {
        const outcome = outcomeOf(event.target);
        if (outcome === undefined) selectRow(row);
        else void showNext(sessionId, project, outcome);
      }}
    >
      <AgentIcon agent={session.agent} />
      <span class="session-text">
        <span class="session-line">
          <bdi class="session-preview">{cleanText(session.preview) || '(no words)'}</bdi>
          <TimeView at={session.lastActivity} />
        </span>
        <span class="session-line">
          <span class="session-facts">
            {browser.project === 'all' ? <bdi class="fact">{projectName(project)}</bdi> : null}
            {session.branch === undefined ? null : <bdi class="fact branch">{cleanText(session.branch)}</bdi>}
          </span>
          <Counts session={session} />
        </span>
      </span>
    </button>
  );
}

/** Which number of the row was clicked, if it was one. */
function outcomeOf(target: EventTarget | null): 'failure' | 'success' | undefined {
  const number = target instanceof Element ? target.closest<HTMLElement>('[data-outcome]') : null;
  const outcome = number?.dataset.outcome;
  return outcome === 'failure' || outcome === 'success' ? outcome : undefined;
}
