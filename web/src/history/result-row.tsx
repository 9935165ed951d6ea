import type { VNode } from 'preact';
import type { SearchResults, Snippet } from '../../../src/server/rpc/api.ts';
import { route } from '../router/router.ts';
import { projectName } from '../shell/project-store.ts';
import { cleanText, formatDayAndTime, formatQuantity } from '../text/format.ts';
import { clock, Time } from '../text/time-view.tsx';
import { selectedRow, selectRow } from './browser-store.ts';
import { useRowFocus } from './list-focus.ts';
import { aroundFirstMatch, type ResultRow } from './result-rows.ts';
import { AgentIcon } from './session-row.tsx';
import { MAX_HITS } from './session-search.ts';

const WORDS = new Intl.ListFormat('en', { type: 'disjunction' });

/** How much a search found, and what the server says about the results. */
export function ResultsHead({
  results: { sessions, isQuestion, missing, total, warnings },
  isPending,
}: {
  readonly results: SearchResults;
  readonly isPending: boolean;
}): VNode {
  const isRelated = sessions.every(({ hits }) => hits.every(({ match }) => match === 'related'));
  const matches = `${formatQuantity(total, 'match', 'matches')}${total >= MAX_HITS ? ' or more' : ''}`;
  return (
    <p class="list-head" role="status" aria-busy={isPending}>
      {missing.length > 0 ? `Nothing mentions ${WORDS.format(missing.map((word) => `“${word}”`))}. ` : ''}
      {isQuestion ? 'Most likely first: ' : isRelated ? 'No exact matches. Related: ' : ''}
      {matches} in {formatQuantity(sessions.length, 'session')}
      {warnings.map(({ message }) => ` · ${message}`)}
      {isPending ? ' · searching…' : ''}
    </p>
  );
}

/** A row of the results in the history browser. */
export function ResultButton({ row, result }: { readonly row: number; readonly result: ResultRow }): VNode {
  const focus = useRowFocus(row);
  const { session, match, project } = route.value.browser;
  const isSelected = result.type === 'hit' ? match === result.hit.id : session === result.sessionId && match === '';
  const isPressed = isSelected && result.type !== 'more';
  return (
    <button
      {...focus}
      type="button"
      class={`result-${result.type}${isPressed ? ' is-selected' : ''}${selectedRow.value === row ? ' is-cursor' : ''}`}
      aria-pressed={result.type === 'more' ? undefined : isPressed}
      data-session={result.type === 'session' ? result.sessionId : undefined}
      data-hit={result.type === 'hit' ? result.hit.id : undefined}
      onClick={() => selectRow(row)}
    >
      <ResultContent result={result} hasProject={project === 'all'} />
    </button>
  );
}

/** The content of a row. `hasProject`: names the project, for results of several ones. */
export function ResultContent({
  result,
  hasProject,
}: {
  readonly result: ResultRow;
  readonly hasProject: boolean;
}): VNode {
  if (result.type === 'more') return <>{formatQuantity(result.count, 'more match', 'more matches')}</>;
  if (result.type === 'hit') {
    const { outcome, role, kind, snippet, reason, foreign, author } = result.hit;
    const what = `${foreign ? 'foreign ' : ''}${outcome ?? role ?? kind}`;
    const by = author === undefined ? '' : cleanText(author);
    return (
      <>
        <span class={`hit-kind ${outcome ?? ''}`} title={reason === undefined ? undefined : cleanText(reason)}>
          {by === '' ? what : what === 'user' ? by : `${what} of ${by}`}
        </span>
        <SnippetView snippet={snippet} isCommand={outcome !== undefined} />
      </>
    );
  }
  const preview = result.isInMemory ? 'Current chat (not recorded)' : cleanText(result.summary?.title ?? '');
  return (
    <>
      <AgentIcon agent={result.agent} />
      <bdi class="session-preview" title={preview}>
        {preview || formatDayAndTime(result.timestamp, clock.value)}
      </bdi>
      {hasProject ? <span class="fact">{projectName(result.project)}</span> : null}
      <Time at={result.timestamp} />
      <span class="badge" title={formatQuantity(result.hits, 'match', 'matches')}>
        <span class="hidden">Matches: </span>
        {result.hits}
      </span>
    </>
  );
}

/** A part of a record with the matches marked. Blank lines and the sign that it goes on take no lines of their own. */
function SnippetView({ snippet: whole, isCommand }: { readonly snippet: Snippet; readonly isCommand: boolean }): VNode {
  const { text, marks } = isCommand ? aroundFirstMatch(whole) : whole;
  const unmarked = (from: number, to?: number) =>
    cleanText(text.slice(from, to))
      .replace(/\n\s*\n/g, '\n')
      .replace(/\s+…$/, '…');
  const parts: (VNode | string)[] = [];
  let end = 0;
  for (const [from, to] of marks) {
    parts.push(unmarked(end, from));
    parts.push(<mark key={from}>{cleanText(text.slice(from, to))}</mark>);
    end = to;
  }
  parts.push(unmarked(end));
  return <bdi class={`snippet${isCommand ? ' command' : ''}`}>{parts}</bdi>;
}
