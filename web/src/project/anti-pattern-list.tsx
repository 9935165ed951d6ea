import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { MemoryAntiPattern } from '../../../src/server/rpc/api.ts';
import { cleanText } from '../text/clean-text.ts';
import { Ago } from './ago.tsx';
import { EvidenceList } from './evidence-list.tsx';
import { ForgetButton } from './forget-button.tsx';
import { changeState, forget, type OnDone } from './memory-change.ts';
import { Pattern } from './prose.tsx';

interface ListProps {
  readonly patterns: readonly MemoryAntiPattern[];
  readonly isReadOnly: boolean;
  readonly onDone: OnDone;
}

const SHOWN_AT_FIRST = 12;
const ORDER: Readonly<Record<MemoryAntiPattern['state'], number>> = { pinned: 0, active: 1, dismissed: 2 };

/** What fails in the project: what is pinned first, what was dismissed last, as it was when the page was opened. */
export function AntiPatternList({ patterns, isReadOnly, onDone }: ListProps): VNode {
  const [isWhole, setWhole] = useState(false);
  const [places] = useState(() => new Map<string, number>());
  if (patterns.length === 0)
    return (
      <p class="fact">
        Nothing is known to fail. What fails for agents is kept here, with what worked instead.
      </p>
    );
  const ordered = inOrder(patterns, places);
  const shown = isWhole ? ordered : ordered.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul class="cards">
        {shown.map((pattern) => (
          <AntiPatternCard key={pattern.id} pattern={pattern} isReadOnly={isReadOnly} onDone={onDone} />
        ))}
      </ul>
      {shown.length === ordered.length ? null : (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {ordered.length}
        </button>
      )}
    </>
  );
}

/** Where something has been shown it stays: it would be gone from under the pointer that has just pinned it. */
function inOrder(
  patterns: readonly MemoryAntiPattern[],
  places: Map<string, number>,
): readonly MemoryAntiPattern[] {
  for (const { id } of patterns.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]))
    if (!places.has(id)) places.set(id, places.size);
  return patterns.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

interface CardProps {
  readonly pattern: MemoryAntiPattern;
  readonly isReadOnly: boolean;
  readonly onDone: OnDone;
}

function AntiPatternCard({ pattern, isReadOnly, onDone }: CardProps): VNode {
  const { id, kind, state, reason, count, occurredAt, alternative, sessions } = pattern;
  return (
    <li class={`card ${state}`} data-row tabIndex={-1}>
      <div class="card-head">
        <Pattern text={pattern.pattern} />
        {state === 'active' ? null : <span class="badge">{state}</span>}
        {kind === 'note' ? <span class="badge">noted by you</span> : null}
        <span class="fact">
          {kind === 'note'
            ? ''
            : `${count} × in ${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'}, last `}
          <Ago at={occurredAt} />
        </span>
      </div>
      {reason === '' || reason === pattern.pattern ? null : <p class="reason">{cleanText(reason)}</p>}
      {alternative === undefined ? null : (
        <p class="instead">
          <span aria-hidden="true">✓ </span>Worked instead: <code dir="ltr">{cleanText(alternative)}</code>
        </p>
      )}
      <div class="card-actions">
        {kind === 'failure' ? <EvidenceList id={id} count={count} /> : <span class="spacer" />}
        {isReadOnly ? null : <Actions pattern={pattern} onDone={onDone} />}
      </div>
    </li>
  );
}

function Actions({ pattern, onDone }: Omit<CardProps, 'isReadOnly'>): VNode {
  const { id, kind, state } = pattern;
  return (
    <>
      {kind === 'failure' ? (
        <>
          <Toggle pattern={pattern} to="pinned" name="Pin" onDone={onDone} />
          <Toggle pattern={pattern} to="dismissed" name="Dismiss" onDone={onDone} />
          {state === 'active' ? null : <Toggle pattern={pattern} to="active" name="Reset" onDone={onDone} />}
        </>
      ) : null}
      <ForgetButton onForget={() => onDone(forget(id, pattern.pattern))} />
    </>
  );
}

interface ToggleProps extends Omit<CardProps, 'isReadOnly'> {
  readonly to: MemoryAntiPattern['state'];
  readonly name: string;
}

const MEANINGS: Readonly<Record<MemoryAntiPattern['state'], string>> = {
  pinned: 'Keep warning, however old it gets',
  dismissed: 'Never warn of it again',
  active: 'Warn as usual',
};

function Toggle({ pattern, to, name, onDone }: ToggleProps): VNode | null {
  if (pattern.state === to) return null;
  return (
    <button type="button" title={MEANINGS[to]} onClick={() => void onDone(changeState(pattern, to))}>
      {name}
    </button>
  );
}
