import type { VNode } from 'preact';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { shortCount } from '../text/relative-time.ts';
import type { AttemptOutcome } from './next-attempt.ts';

interface CountsProps {
  readonly session: SessionSummary;
  /** Shows what a number counts. Without it the numbers are part of a row that does. */
  readonly onShow?: ((outcome: AttemptOutcome) => void) | undefined;
}

/** How many messages, failures and successes a session has. */
export function Counts({ session, onShow }: CountsProps): VNode {
  const { messageCount } = session;
  return (
    <span class="counts">
      <OutcomeCount session={session} outcome="failure" onShow={onShow} />
      <OutcomeCount session={session} outcome="success" onShow={onShow} />
      <span class="badge" title={`${messageCount.toLocaleString()} ${plural(messageCount, 'message')}`}>
        <span class="hidden">Messages: </span>
        {shortCount(messageCount)}
      </span>
    </span>
  );
}

const LOOKS = {
  failure: { sign: '✗', one: 'failure', label: 'Failures' },
  success: { sign: '✓', one: 'success', label: 'Successes' },
} as const;

function OutcomeCount({
  session,
  outcome,
  onShow,
}: CountsProps & { readonly outcome: AttemptOutcome }): VNode | null {
  const count = outcome === 'failure' ? session.failures : session.successes;
  if (count === 0) return null;
  const { sign, one, label } = LOOKS[outcome];
  const number = (
    <>
      <span class="hidden">{label}: </span>
      {sign} {shortCount(count)}
    </>
  );
  const title = `${count.toLocaleString()} ${plural(count, one)}: show the next one`;
  if (onShow === undefined)
    return (
      <span class={`badge ${outcome}`} title={title} data-outcome={outcome}>
        {number}
      </span>
    );
  return (
    <button type="button" class={`badge ${outcome}`} title={title} onClick={() => onShow(outcome)}>
      {number}
    </button>
  );
}

function plural(count: number, one: string): string {
  if (count === 1) return one;
  return one.endsWith('s') ? `${one}es` : `${one}s`;
}
