import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Evidence, MemoryAntiPattern } from '../../../src/server/rpc/api.ts';
import { historyHref } from '../router/router.ts';
import { errorMessage } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { cleanText, formatQuantity } from '../text/format.ts';
import { PatternText } from '../text/inline-code.tsx';
import { Ago, Time } from '../text/time-view.tsx';
import { changeFailureState, ForgetButton, forget, type RunAction } from './memory-actions.tsx';

interface FailureListProps {
  readonly patterns: readonly MemoryAntiPattern[];
  readonly isReadOnly: boolean;
  readonly runAction: RunAction;
}

const INITIAL_COUNT = 12;
const ORDER: Readonly<Record<MemoryAntiPattern['state'], number>> = { pinned: 0, active: 1, dismissed: 2 };

/** Why agents are warned about no failure. */
export function NoWarnings({ why }: { readonly why: string }): VNode {
  return <p class="fact">No active warnings: {why}.</p>;
}

/** What agents are warned about: pinned first, dismissed last, in the order at the time the page was opened. */
export function FailureList({ patterns, isReadOnly, runAction }: FailureListProps): VNode | null {
  const [isWhole, setWhole] = useState(false);
  const [positions] = useState(() => new Map<string, number>());
  if (patterns.length === 0) return null;
  const sorted = sortStably(patterns, positions);
  const shown = isWhole ? sorted : sorted.slice(0, INITIAL_COUNT);
  return (
    <>
      {patterns.some(({ count }) => count > 1) ? (
        <p class="fact">Counted by cause, since it last worked. Archived records are not counted.</p>
      ) : null}
      <ul class="cards">
        {shown.map((pattern) => (
          <FailureCard key={pattern.id} pattern={pattern} isReadOnly={isReadOnly} runAction={runAction} />
        ))}
      </ul>
      {shown.length === sorted.length ? null : (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {sorted.length}
        </button>
      )}
    </>
  );
}

/** Cards keep their position, so that one does not move away from under the pointer that has just pinned it. */
function sortStably(
  patterns: readonly MemoryAntiPattern[],
  positions: Map<string, number>,
): readonly MemoryAntiPattern[] {
  for (const { id } of patterns.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]))
    if (!positions.has(id)) positions.set(id, positions.size);
  return patterns.toSorted((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0));
}

interface CardProps {
  readonly pattern: MemoryAntiPattern;
  readonly isReadOnly: boolean;
  readonly runAction: RunAction;
}

function FailureCard({ pattern, isReadOnly, runAction }: CardProps): VNode {
  const { id, kind, state, reason, count, occurredAt, fix, sessions, author } = pattern;
  const isRepeated = kind === 'failure' && count > 1;
  const frequency = `${count.toLocaleString()} times in ${formatQuantity(sessions.length, 'session')}, last `;
  return (
    <li class={`card ${state}`} data-row tabIndex={-1}>
      <div class="card-head">
        <PatternText text={pattern.pattern} />
        {state === 'active' ? null : <span class="badge">{state}</span>}
        {kind === 'note' ? <span class="badge">your note</span> : null}
        {author === undefined ? null : <bdi class="fact">on the machine of {cleanText(author)}</bdi>}
        <span class="fact">
          {isRepeated ? frequency : ''}
          <Ago at={occurredAt} />
        </span>
      </div>
      {reason === '' || reason === pattern.pattern ? null : <p class="reason">{cleanText(reason)}</p>}
      {fix === undefined ? null : (
        <p class="instead">
          <span aria-hidden="true">✓ </span>Worked instead: <code dir="ltr">{cleanText(fix)}</code>
        </p>
      )}
      <div class="card-actions">
        {kind === 'failure' ? <EvidenceList id={id} count={count} /> : <span class="spacer" />}
        {isReadOnly ? null : <Actions pattern={pattern} runAction={runAction} />}
      </div>
    </li>
  );
}

function Actions({ pattern, runAction }: Omit<CardProps, 'isReadOnly'>): VNode {
  const { id, kind, state, author } = pattern;
  return (
    <>
      {kind === 'failure' ? (
        <>
          <StateButton pattern={pattern} to="pinned" name="Pin" runAction={runAction} />
          <StateButton pattern={pattern} to="dismissed" name="Dismiss" runAction={runAction} />
          {state === 'active' ? null : <StateButton pattern={pattern} to="active" name="Reset" runAction={runAction} />}
        </>
      ) : null}
      {author === undefined ? <ForgetButton onForget={() => runAction(forget(id, pattern.pattern))} /> : null}
    </>
  );
}

interface StateButtonProps extends Omit<CardProps, 'isReadOnly'> {
  readonly to: MemoryAntiPattern['state'];
  readonly name: string;
}

const TITLES: Readonly<Record<MemoryAntiPattern['state'], string>> = {
  pinned: 'Always warn, no matter how old it is',
  dismissed: 'Never warn about this again',
  active: 'Warn as usual',
};

function StateButton({ pattern, to, name, runAction }: StateButtonProps): VNode | null {
  if (pattern.state === to) return null;
  return (
    <button type="button" title={TITLES[to]} onClick={() => void runAction(changeFailureState(pattern, to))}>
      {name}
    </button>
  );
}

/** The attempts behind a failure, fetched on request, with links to their sessions. */
function EvidenceList({ id, count }: { readonly id: string; readonly count: number }): VNode {
  const [list, setList] = useState<readonly Evidence[] | string | undefined>();
  const project = currentProjectId.value;
  const load = () => {
    server.call('memory.evidence', { project, id }).then(
      ({ evidence }) => setList(evidence),
      (error) => setList(errorMessage(error)),
    );
  };
  return (
    <details class="evidence" onToggle={(event) => event.currentTarget.open && list === undefined && load()}>
      <summary>Evidence ({count.toLocaleString()})</summary>
      {typeof list === 'string' ? <p class="problem">{list}</p> : null}
      {typeof list === 'object' && list.length === 0 ? (
        <p class="fact">The sessions in which this happened were deleted.</p>
      ) : null}
      <ul>{typeof list === 'object' ? list.map((item) => <Item key={item.id} item={item} />) : null}</ul>
    </details>
  );
}

function Item({ item: { sessionId, id, at, text } }: { readonly item: Evidence }): VNode {
  const [first = '', ...rest] = cleanText(text).split('\n');
  return (
    <li>
      <a href={historyHref({ session: sessionId, sessionProject: currentProjectId.value, match: id })}>
        <Time at={at} /> <code dir="ltr">{first}</code>
      </a>
      {rest.length === 0 ? null : <p class="reason">{rest.join(' ').slice(0, 200)}</p>}
    </li>
  );
}
