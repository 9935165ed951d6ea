import type { VNode } from 'preact';
import type { MemoryPractice, MemoryResult } from '../../../src/server/rpc/api.ts';
import { chat } from '../chat/chat-store.ts';
import { historyHref } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { EmptyState } from '../shell/states.tsx';
import { cleanText, formatDays, formatQuantity } from '../text/format.ts';
import { PatternText } from '../text/inline-code.tsx';
import { clock } from '../text/time-view.tsx';
import { Decisions } from './decision-list.tsx';
import { FailureList, NoWarnings } from './failure-list.tsx';
import { Placeholder, useLiveData } from './live-data.tsx';
import { ForgetButton, forget, type RunAction, useActions } from './memory-actions.tsx';
import { PastFailureList } from './past-failures.tsx';
import { WarningReport } from './warnings.tsx';

/** What was learned in the project, and what the user can do about it. */
export function MemoryPage(): VNode {
  const project = currentProjectId.value;
  const { value, error, refresh } = useLiveData(project, () => server.call('memory.get', { project }));
  const { runAction, bar } = useActions(refresh);
  const isReadOnly = chat.value?.isReadOnly === true;
  if (value === undefined) return <Placeholder error={error} />;
  if (isEmpty(value))
    return (
      <section class="page memory" aria-label="Memory">
        <header class="page-head">
          <h1>Memory</h1>
        </header>
        <EmptyState title="Nothing learned yet" command="init">
          What you decide, what fails here and what works instead, what agents are warned of, and what you tell yore to
          remember appear here. Nothing is learned yet. This command sets up your agents and imports the sessions that
          they have already had:
        </EmptyState>
      </section>
    );
  return (
    <section class="page memory" aria-label="Memory">
      <header class="page-head">
        <h1>Memory</h1>
        <Totals memory={value} />
      </header>
      <Decisions decisions={value.decisions} isReadOnly={isReadOnly} runAction={runAction} />
      <div class="memory-columns">
        <section>
          <h2>Active warnings</h2>
          {value.whyNone === undefined ? null : <NoWarnings why={value.whyNone} />}
          <FailureList patterns={value.antiPatterns} isReadOnly={isReadOnly} runAction={runAction} />
        </section>
        <section>
          <h2>What works here</h2>
          <PracticeList practices={value.bestPractices} isReadOnly={isReadOnly} runAction={runAction} />
        </section>
      </div>
      <h2>Past failures</h2>
      <PastFailureList past={value.past} />
      <h2 id="warnings">Warnings given</h2>
      <WarningReport memory={value} />
      {bar}
    </section>
  );
}

function isEmpty({ decisions, antiPatterns, past, bestPractices, warnings }: MemoryResult): boolean {
  return [decisions, antiPatterns, past.failures, bestPractices, warnings].every((list) => list.length === 0);
}

function Totals({ memory }: { readonly memory: MemoryResult }): VNode {
  const { decisions, antiPatterns, past, bestPractices, warningTotals } = memory;
  const active = antiPatterns.filter(({ kind, state }) => kind === 'failure' && state !== 'dismissed');
  const given = Object.values(warningTotals).reduce((sum, count) => sum + count, 0);
  const parts = [
    ...(decisions.length === 0 ? [] : [formatQuantity(decisions.length, 'decision')]),
    formatQuantity(active.length, 'active warning'),
    formatQuantity(past.calls, 'past failure'),
    formatQuantity(bestPractices.length, 'practice'),
    `${formatQuantity(given, 'warning')} given`,
  ];
  return <span class="fact">{parts.join(' · ')}</span>;
}

interface PracticeListProps {
  readonly practices: readonly MemoryPractice[];
  readonly isReadOnly: boolean;
  readonly runAction: RunAction;
}

function PracticeList({ practices, isReadOnly, runAction }: PracticeListProps): VNode {
  if (practices.length === 0) return <p class="fact">No practices learned yet. What works repeatedly appears here.</p>;
  return (
    <ul class="cards">
      {practices.map(({ id, pattern, reason, evidence }) => (
        <li key={pattern} class="card" data-row tabIndex={-1}>
          <div class="card-head">
            <PatternText text={pattern} />
          </div>
          {reason === '' || reason === pattern ? null : <p class="reason">{cleanText(reason)}</p>}
          <div class="card-actions practice-facts">
            <span class="fact">
              <a href={historyHref({ query: pattern.slice(0, 200) })} title="Find in history">
                {formatDays(cleanText(evidence), clock.value)}
              </a>
            </span>
            {id === undefined || isReadOnly ? null : <ForgetButton onForget={() => runAction(forget(id, pattern))} />}
          </div>
        </li>
      ))}
    </ul>
  );
}
