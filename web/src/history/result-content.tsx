import type { VNode } from 'preact';
import { clock } from '../shell/clock.ts';
import { projectName } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { MarkedSnippet } from '../text/marked-snippet.tsx';
import { dayAndTime } from '../text/relative-time.ts';
import { TimeView } from '../text/time-view.tsx';
import { AgentIcon } from './agent-icon.tsx';
import type { ResultRow } from './result-rows.ts';

/** What a row of the results says. */
export function ResultContent({
  result,
  hasProject,
}: {
  readonly result: ResultRow;
  /** Do results come from several projects? */
  readonly hasProject: boolean;
}): VNode {
  if (result.type === 'more')
    return (
      <>
        {result.count.toLocaleString()} more {result.count === 1 ? 'match' : 'matches'}
      </>
    );
  if (result.type === 'hit') {
    const { outcome, role, kind, snippet } = result.hit;
    return (
      <>
        <span class={`hit-kind ${outcome ?? ''}`}>{outcome ?? role ?? kind}</span>
        <MarkedSnippet snippet={snippet} isCommand={outcome !== undefined} />
      </>
    );
  }
  const preview = cleanText(result.summary?.preview ?? '');
  return (
    <>
      <AgentIcon agent={result.agent} />
      <bdi class="session-preview">{preview || dayAndTime(result.timestamp, clock.value)}</bdi>
      {hasProject ? <span class="fact">{projectName(result.project)}</span> : null}
      <TimeView at={result.timestamp} />
      <span class="badge" title={`${result.hits} ${result.hits === 1 ? 'match' : 'matches'}`}>
        <span class="hidden">Matches: </span>
        {result.hits}
      </span>
    </>
  );
}
