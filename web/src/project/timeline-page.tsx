import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ProjectTimeline, TimelineMark, TimelineSession } from '../../../src/server/rpc/api.ts';
import { hrefOf } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { cleanText } from '../text/clean-text.ts';
import { TimeView } from '../text/time-view.tsx';
import { moved, type TimeWindow, zoomed } from './time-window.ts';
import { browserAt, TimelineAxis } from './timeline-axis.tsx';

const LIMIT = 500;
const EDGE_MS = 3_600_000;

/** How the project evolved, on one axis that can be zoomed. */
export function TimelinePage(): VNode {
  const project = projectId.value;
  const { value, error } = useAnswer(project, () =>
    server.call('project.timeline', { project, limit: LIMIT }),
  );
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (value === undefined)
    return (
      <p class="empty" aria-busy="true">
        Loading…
      </p>
    );
  if (value.sessions.length === 0) return <p class="empty">Nothing has been recorded yet.</p>;
  return <Timeline timeline={value} />;
}

function Timeline({ timeline }: { readonly timeline: ProjectTimeline }): VNode {
  const { sessions, total } = timeline;
  const whole = useMemo(() => spanOf(sessions), [sessions]);
  const [window, setWindow] = useState<TimeWindow>(whole);
  const shown = sessions.filter(
    ({ from, to }) => Date.parse(to) >= window.from && Date.parse(from) <= window.to,
  );
  const middle = (window.from + window.to) / 2;
  return (
    <section class="page timeline" aria-label="Timeline">
      <header class="page-head">
        <h1>Timeline</h1>
        <span class="fact" role="status">
          {shown.length.toLocaleString()} of {total.toLocaleString()} sessions
        </span>
        <span class="spacer" />
        <div class="zoom" role="group" aria-label="Zoom">
          <button type="button" onClick={() => setWindow(moved(window, -0.5, whole))} aria-label="Earlier">
            ←
          </button>
          <button
            type="button"
            onClick={() => setWindow(zoomed(window, middle, 0.5, whole))}
            aria-label="Zoom in"
          >
            +
          </button>
          <button
            type="button"
            onClick={() => setWindow(zoomed(window, middle, 2, whole))}
            aria-label="Zoom out"
          >
            −
          </button>
          <button type="button" onClick={() => setWindow(moved(window, 0.5, whole))} aria-label="Later">
            →
          </button>
          <button type="button" onClick={() => setWindow(whole)}>
            All
          </button>
        </div>
      </header>
      <TimelineAxis sessions={shown} window={window} whole={whole} onWindow={setWindow} />
      <SessionTable sessions={shown} />
    </section>
  );
}

const MOST_ROWS = 100;

function SessionTable({ sessions }: { readonly sessions: readonly TimelineSession[] }): VNode {
  const rows = sessions.toReversed().slice(0, MOST_ROWS);
  const count = (session: TimelineSession, type: TimelineMark['type']) =>
    session.marks.filter((mark) => mark.type === type).length;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Sessions">
      <table class="timeline-table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Session</th>
            <th scope="col">Requests</th>
            <th scope="col">Commits</th>
            <th scope="col">Failures</th>
            <th scope="col">Resolved</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((session) => (
            <tr key={session.sessionId}>
              <td>
                <TimeView at={session.to} />
              </td>
              <td>
                <a data-row href={sessionHref(session)}>
                  <bdi>{cleanText(session.preview) || '(no words)'}</bdi>
                </a>
              </td>
              <td>{count(session, 'request')}</td>
              <td>{count(session, 'commit')}</td>
              <td class={count(session, 'failure') > 0 ? 'failure' : ''}>{count(session, 'failure')}</td>
              <td class={count(session, 'resolution') > 0 ? 'success' : ''}>
                {count(session, 'resolution')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sessions.length > MOST_ROWS ? (
        <p class="fact">The newest {MOST_ROWS} of them. Zoom in to see others.</p>
      ) : null}
    </div>
  );
}

function sessionHref(session: TimelineSession): string {
  return hrefOf({ page: 'history', browser: browserAt(session, '') });
}

function spanOf(sessions: readonly TimelineSession[]): TimeWindow {
  const from = sessions.reduce(
    (least, session) => Math.min(least, Date.parse(session.from)),
    Number.POSITIVE_INFINITY,
  );
  const to = sessions.reduce((most, session) => Math.max(most, Date.parse(session.to)), 0);
  return { from: from - EDGE_MS, to: to + EDGE_MS };
}
