import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FailureCause, MemoryResult, PastFailure } from '../../../src/server/rpc/api.ts';
import { historyHref } from '../router/router.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { agoText, cleanText, formatQuantity } from '../text/format.ts';
import { PatternText } from '../text/inline-code.tsx';
import { Ago, clock } from '../text/time-view.tsx';

type Order = 'frequent' | 'recent';

const INITIAL_COUNT = 10;
const MAX_CAUSES = 3;
const ORDERS: readonly (readonly [Order, string])[] = [
  ['frequent', 'Most frequent'],
  ['recent', 'Most recent'],
];

/** Everything that has failed in the project so far, by command and cause. */
export function PastFailureList({ past }: { readonly past: MemoryResult['past'] }): VNode {
  const [order, setOrder] = useState<Order>('frequent');
  const [isWhole, setWhole] = useState(false);
  if (past.failures.length === 0) return <p class="fact">No failures recorded yet.</p>;
  // The server lists the most frequent first.
  const sorted =
    order === 'frequent' ? past.failures : past.failures.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1));
  const shown = isWhole ? sorted : sorted.slice(0, INITIAL_COUNT);
  return (
    <>
      <div class="list-options">
        <span class="fact">
          {formatQuantity(past.calls, 'failure')} of {formatQuantity(past.total, 'different call')}, however long ago
        </span>
        <fieldset>
          <legend class="hidden">Order of past failures</legend>
          {ORDERS.map(([value, name]) => (
            <button key={value} type="button" aria-pressed={order === value} onClick={() => setOrder(value)}>
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      <ul class="cards past-failures">
        {shown.map((failure) => (
          <PastFailureCard key={`${failure.what} ${failure.firstAt}`} failure={failure} />
        ))}
      </ul>
      {shown.length === sorted.length ? null : (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {sorted.length.toLocaleString()}
        </button>
      )}
    </>
  );
}

function PastFailureCard({ failure }: { readonly failure: PastFailure }): VNode {
  const { what, count, firstAt, lastAt, fix, hasWorkedSince, causes } = failure;
  const hidden = causes.length - MAX_CAUSES;
  return (
    <li class="card" data-row tabIndex={-1}>
      <div class="card-head">
        <a href={historyHref({ query: what.slice(0, 200), outcome: 'failure' })} title="Find in history">
          <PatternText text={what} />
        </a>
        <span class="fact">
          {formatQuantity(count, 'time')},{' '}
          {agoText(firstAt, clock.value) === agoText(lastAt, clock.value) ? null : (
            <>
              first <Ago at={firstAt} />, last{' '}
            </>
          )}
          <Ago at={lastAt} />
        </span>
      </div>
      {causes.slice(0, MAX_CAUSES).map((cause) => (
        <Cause key={`${cause.error} ${cause.firstAt}`} cause={cause} isOneOfSeveral={causes.length > 1} />
      ))}
      {hidden > 0 ? <p class="reason">{formatQuantity(hidden, 'more cause')}</p> : null}
      {fix === undefined ? null : (
        <p class="instead">
          <span aria-hidden="true">✓ </span>Worked instead: <code dir="ltr">{cleanText(fix)}</code>
        </p>
      )}
      {fix === undefined && hasWorkedSince ? (
        <p class="instead">
          <span aria-hidden="true">✓ </span>Worked again
        </p>
      ) : null}
    </li>
  );
}

interface CauseProps {
  readonly cause: FailureCause;
  readonly isOneOfSeveral: boolean;
}

function Cause({ cause, isOneOfSeveral }: CauseProps): VNode {
  const { error, count, sessionId, lastAt } = cause;
  return (
    <p class="reason">
      {isOneOfSeveral ? `${count.toLocaleString()}× ` : ''}
      {cleanText(error) || '(no error message)'}{' '}
      <a
        href={historyHref({ session: sessionId, sessionProject: currentProjectId.value, match: lastAt })}
        class="open-session"
        title="Show the session in which it happened last"
      >
        Open session
      </a>
    </p>
  );
}
