import type { VNode } from 'preact';
import type { SessionSummary } from '../../../src/server/rpc/api.ts';
import { route } from '../router/router.ts';
import { projectName } from '../shell/project-store.ts';
import { cleanText, formatQuantity, shortNumber } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { AGENT_SIGNS } from './agent-signs.ts';
import { selectedRow, selectRow, showNextAttempt } from './browser-store.ts';
import { useRowFocus } from './list-focus.ts';
import type { AttemptOutcome } from './session-queries.ts';

interface SessionRowProps {
  readonly row: number;
  /** Undefined while it is loaded. */
  readonly session: SessionSummary | undefined;
}

/** A session in the list. */
export function SessionListRow({ row, session }: SessionRowProps): VNode {
  const focus = useRowFocus(row);
  if (session === undefined) return <div class="session-row is-waiting" aria-busy="true" />;
  const { browser } = route.value;
  const { sessionId, project } = session;
  const isSelected = sessionId === browser.session && project === browser.sessionProject;
  return (
    <button
      {...focus}
      type="button"
      class={`session-row${isSelected ? ' is-selected' : ''}${selectedRow.value === row ? ' is-cursor' : ''}`}
      aria-pressed={isSelected}
      data-session={sessionId}
      onClick={(event) => {
        const outcome = clickedOutcome(event.target);
        if (outcome === undefined) selectRow(row);
        else void showNextAttempt(sessionId, project, outcome);
      }}
    >
      <AgentIcon agent={session.agent} />
      <span class="session-text">
        <span class="session-line">
          <bdi class="session-preview" title={cleanText(session.title)}>
            {session.starred === true ? (
              <span class="star" title="Starred">
                ★<span class="hidden">Starred: </span>{' '}
              </span>
            ) : null}
            {cleanText(session.title) || '(no text)'}
          </bdi>
          <Time at={session.lastActivity} />
        </span>
        <span class="session-line">
          <span class="session-facts">
            {browser.project === 'all' ? <bdi class="fact">{projectName(project)}</bdi> : null}
            {session.author === undefined ? null : <bdi class="fact author">by {cleanText(session.author)}</bdi>}
            {(session.tags ?? []).map((tag) => (
              <bdi key={tag} class="fact tag">
                #{cleanText(tag)}
              </bdi>
            ))}
            {session.branch === undefined ? null : <bdi class="fact branch">{cleanText(session.branch)}</bdi>}
          </span>
          <Counts session={session} />
        </span>
      </span>
    </button>
  );
}

/** The outcome whose count was clicked, if it was one. */
function clickedOutcome(target: EventTarget | null): 'failure' | 'success' | undefined {
  const number = target instanceof Element ? target.closest<HTMLElement>('[data-outcome]') : null;
  const outcome = number?.dataset.outcome;
  return outcome === 'failure' || outcome === 'success' ? outcome : undefined;
}

interface CountsProps {
  readonly session: SessionSummary;
  /** Called when a count is clicked. Without it, the row handles the click. */
  readonly onShow?: ((outcome: AttemptOutcome) => void) | undefined;
}

/** The number of failures, successes and messages of a session. */
export function Counts({ session, onShow }: CountsProps): VNode {
  const { messageCount } = session;
  return (
    <span class="counts">
      <OutcomeCount session={session} outcome="failure" onShow={onShow} />
      <OutcomeCount session={session} outcome="success" onShow={onShow} />
      <span class="badge" title={formatQuantity(messageCount, 'message')}>
        <span class="hidden">Messages: </span>
        {shortNumber(messageCount)}
      </span>
    </span>
  );
}

const OUTCOMES = {
  failure: { sign: '✗', one: 'failure', many: 'failures', label: 'Failures' },
  success: { sign: '✓', one: 'success', many: 'successes', label: 'Successes' },
} as const;

function OutcomeCount({ session, outcome, onShow }: CountsProps & { readonly outcome: AttemptOutcome }): VNode | null {
  const count = outcome === 'failure' ? session.failures : session.successes;
  if (count === 0) return null;
  const { sign, one, many, label } = OUTCOMES[outcome];
  const number = (
    <>
      <span class="hidden">{label}: </span>
      {sign} {shortNumber(count)}
    </>
  );
  const title = `${formatQuantity(count, one, many)}: show the next one`;
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

const MAX_NAME_LENGTH = 60;

/** The agent of a session, as two letters. */
export function AgentIcon({ agent }: { readonly agent: string | undefined }): VNode {
  const name = cleanText(agent ?? 'yore').slice(0, MAX_NAME_LENGTH);
  return (
    <span class="agent" role="img" aria-label={name} title={name}>
      {Object.hasOwn(AGENT_SIGNS, name) ? AGENT_SIGNS[name] : [...name].slice(0, 2).join('')}
    </span>
  );
}
