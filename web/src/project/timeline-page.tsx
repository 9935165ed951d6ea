import type { VNode } from 'preact';
import { memo } from 'preact/compat';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ProjectTimeline, TimelineMark, TimelineSession } from '../../../src/server/rpc/api.ts';
import { replaceParams, route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { cleanText, formatQuantity } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { markedSessionHref } from './lane-marks.tsx';
import { NothingRecorded, Placeholder, useLiveData } from './live-data.tsx';
import { fitWindow, followWindow, moveWindow, type TimeWindow, zoomWindow } from './time-scale.ts';
import { TimelineAxis } from './timeline-axis.tsx';
import { type SessionSpan, timelineItems } from './timeline-layout.ts';

const LIMIT = 500;
/** The margin at both ends, as a share of the whole. */
const MARGIN = 0.02;
const MIN_MARGIN_MS = 10 * 60_000;
const FETCH_DELAY_MS = 300;
const SETTLE_MS = 120;

/** The sessions of the project on a time axis that can be zoomed. */
export function TimelinePage(): VNode {
  const project = currentProjectId.value;
  const { value, error } = useLiveData(project, () => server.call('project.timeline', { project, limit: LIMIT }));
  if (value === undefined) return <Placeholder error={error} />;
  if (value.sessions.length > 0) return <Timeline timeline={value} />;
  return (
    <section class="page" aria-label="Timeline">
      <header class="page-head">
        <h1>Timeline</h1>
      </header>
      <NothingRecorded />
    </section>
  );
}

function Timeline({ timeline }: { readonly timeline: ProjectTimeline }): VNode {
  const { days, total } = timeline;
  const whole = useMemo(() => wholeSpan(timeline), [timeline]);
  const [view, setView] = useState({ window: windowOfRoute(whole), whole });
  const window = view.whole === whole ? view.window : followWindow(view.window, view.whole, whole);
  const setWindow = (next: TimeWindow) => {
    setView({ window: next, whole });
    const isWhole = next.from <= whole.from && next.to >= whole.to;
    replaceParams({ from: isWhole ? '' : toParam(next.from), to: isWhole ? '' : toParam(next.to) });
  };
  const sessions = useSessions(timeline, window);
  const items = useMemo(() => timelineItems(sessions, days), [sessions, days]);
  const shown = useMemo(
    () => items.sessions.filter(({ from, to }) => to >= window.from && from <= window.to),
    [items, window.from, window.to],
  );
  const settled = useSettled(shown);
  return (
    <section class="page timeline" aria-label="Timeline">
      <header class="page-head">
        <h1>Timeline</h1>
        <span class="fact" role="status">
          {shown.length.toLocaleString()} of {formatQuantity(total, 'session')}
        </span>
        <span class="spacer" />
        <ZoomButtons window={window} whole={whole} onWindow={setWindow} />
      </header>
      <TimelineAxis items={items} window={window} whole={whole} onWindow={setWindow} />
      <TimelineTable spans={settled} />
    </section>
  );
}

/** The window that the address names, else all of it. */
function windowOfRoute(whole: TimeWindow): TimeWindow {
  const { from = '', to = '' } = route.peek().params;
  const named = { from: Date.parse(from), to: Date.parse(to) };
  return named.from < named.to ? fitWindow(named, whole) : whole;
}

/** To the minute, in UTC: `2026-11-15T14:30Z`. */
function toParam(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}

/** The last value that has not changed for a while, so that the table does not follow each turn of the wheel. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function ZoomButtons({
  window,
  whole,
  onWindow,
}: {
  readonly window: TimeWindow;
  readonly whole: TimeWindow;
  readonly onWindow: (window: TimeWindow) => void;
}): VNode {
  const middle = (window.from + window.to) / 2;
  const buttons: readonly (readonly [sign: string, name: string, next: () => TimeWindow])[] = [
    ['←', 'Earlier', () => moveWindow(window, -0.5, whole)],
    ['+', 'Zoom in', () => zoomWindow(window, middle, 0.5, whole)],
    ['−', 'Zoom out', () => zoomWindow(window, middle, 2, whole)],
    ['→', 'Later', () => moveWindow(window, 0.5, whole)],
  ];
  return (
    <div class="zoom">
      {buttons.map(([sign, name, next]) => (
        <button key={name} type="button" aria-label={name} title={name} onClick={() => onWindow(next())}>
          {sign}
        </button>
      ))}
      <button type="button" onClick={() => onWindow(whole)}>
        Show all
      </button>
    </div>
  );
}

/** The latest sessions, and those of earlier windows that were visible. */
function useSessions(timeline: ProjectTimeline, window: TimeWindow): readonly TimelineSession[] {
  const [older, setOlder] = useState<ReadonlyMap<string, TimelineSession>>(new Map());
  const first = timeline.sessions[0]?.from ?? '';
  const isBefore = timeline.sessions.length < timeline.total && window.from < Date.parse(first);
  const project = currentProjectId.value;
  useEffect(() => {
    if (!isBefore) return;
    const timer = setTimeout(async () => {
      const since = new Date(window.from).toISOString();
      const until = new Date(Math.min(window.to, Date.parse(first))).toISOString();
      // Until the response arrives, the days are shown as counts.
      const response = await server
        .call('project.timeline', { project, since, until, limit: LIMIT })
        .catch(() => undefined);
      if (response === undefined) return;
      setOlder((before) => new Map([...before, ...response.sessions.map((item) => [item.sessionId, item] as const)]));
    }, FETCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isBefore, window.from, window.to, first, project]);
  return useMemo(() => {
    const latest = timeline.sessions.map((session) => [session.sessionId, session] as const);
    return [...new Map([...older, ...latest]).values()];
  }, [older, timeline]);
}

function wholeSpan({ sessions, days, total }: ProjectTimeline): TimeWindow {
  const isCut = sessions.length < total;
  const starts = [...sessions.map(({ from }) => from), ...(isCut ? days.slice(0, 1).map(({ day }) => day) : [])];
  const from = times(starts).reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const to = times(sessions.map((session) => session.to)).reduce((most, time) => Math.max(most, time), from);
  const margin = Math.max((to - from) * MARGIN, MIN_MARGIN_MS);
  return { from: from - margin, to: to + margin };
}

function times(texts: readonly string[]): readonly number[] {
  return texts.map((text) => Date.parse(text)).filter(Number.isFinite);
}

const MAX_ROWS = 100;

/** The sessions on the axis as a table. */
const TimelineTable = memo(function Table({ spans }: { readonly spans: readonly SessionSpan[] }): VNode {
  const rows = spans.toSorted((a, b) => Date.parse(b.session.to) - Date.parse(a.session.to)).slice(0, MAX_ROWS);
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Sessions">
      <table class="timeline-table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Session</th>
            <th scope="col">Requests</th>
            <th scope="col">Failures</th>
            <th scope="col">Resolved</th>
            <th scope="col">Commits</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ session }) => (
            <tr key={session.sessionId}>
              <td>
                <Time at={session.to} />
              </td>
              <td>
                <a data-row href={markedSessionHref(session)} title={cleanText(session.preview)}>
                  <bdi>{cleanText(session.preview) || '(no text)'}</bdi>
                </a>
              </td>
              <Count session={session} type="request" />
              <Count session={session} type="failure" tone="failure" count={session.failures} />
              <Count session={session} type="resolution" tone="success" />
              <Count session={session} type="commit" />
            </tr>
          ))}
        </tbody>
      </table>
      {rows.some(({ session }) => countMarks(session, 'failure') < session.failures) ? (
        <p class="fact">
          The axis shows a call that failed repeatedly in a session once, and no failed searches and time-outs.
        </p>
      ) : null}
      {spans.length > MAX_ROWS ? (
        <p class="fact">Only the newest {MAX_ROWS} are listed. Zoom in to see others.</p>
      ) : null}
    </div>
  );
});

function countMarks({ marks }: TimelineSession, type: TimelineMark['type']): number {
  return marks.filter((mark) => mark.type === type).length;
}

interface CountProps {
  readonly session: TimelineSession;
  readonly type: TimelineMark['type'];
  readonly tone?: 'failure' | 'success';
  /** Default: the number of marks. */
  readonly count?: number;
}

/** The number of marks of a type, with a link to the first one. */
function Count({ session, type, tone, count }: CountProps): VNode {
  const number = count ?? countMarks(session, type);
  if (number === 0) return <td class="none">0</td>;
  return (
    <td>
      <a
        class={tone}
        href={markedSessionHref(session, session.marks.find((mark) => mark.type === type)?.at)}
        aria-label={formatQuantity(number, type)}
      >
        {number}
      </a>
    </td>
  );
}
