import type { VNode } from 'preact';
import { route } from '../router/router.ts';
import { clock } from '../shell/clock.ts';
import { projectName } from '../shell/project-store.ts';
import { MarkedSnippet } from '../text/marked-snippet.tsx';
import { dayAndTime } from '../text/relative-time.ts';
import { TimeView } from '../text/time-view.tsx';
import { AgentIcon } from './agent-icon.tsx';
import { cursor, selectRow } from './browser-store.ts';
import type { ResultRow as Row } from './result-rows.ts';

/** A session that was found, or a hit in it. */
export function ResultRow({ row, result }: { readonly row: number; readonly result: Row }): VNode {
  const { session, match, project } = route.value.browser;
  const isCursor = cursor.value === row;
  if (result.type === 'session') {
    const isSelected = session === result.sessionId && match === '';
    return (
      <button
        type="button"
        class={`result-session${isSelected ? ' is-selected' : ''}${isCursor ? ' is-cursor' : ''}`}
        data-session={result.sessionId}
        onClick={() => selectRow(row)}
      >
        <AgentIcon agent={result.agent} />
        <bdi class="session-preview">{dayAndTime(result.timestamp, clock.value)}</bdi>
        {project === 'all' ? <span class="fact">{projectName(result.project)}</span> : null}
        <TimeView at={result.timestamp} />
        <span class="badge" title={`${result.hits} matches`}>
          <span class="hidden">Matches: </span>
          {result.hits}
        </span>
      </button>
    );
  }
  const { hit } = result;
  return (
    <button
      type="button"
      class={`result-hit${match === hit.id ? ' is-selected' : ''}${isCursor ? ' is-cursor' : ''}`}
      aria-pressed={match === hit.id}
      data-hit={hit.id}
      onClick={() => selectRow(row)}
    >
      <span class={`hit-kind ${hit.outcome ?? ''}`}>{hit.outcome ?? hit.role ?? hit.kind}</span>
      <MarkedSnippet snippet={hit.snippet} />
    </button>
  );
}
