import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ProjectTimeline, TimelineSession } from '../../../src/server/rpc/api.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { followed, moved, type TimeWindow, zoomed } from './time-window.ts';
import { TimelineAxis } from './timeline-axis.tsx';
import { timelineItems } from './timeline-items.ts';
import { TimelineTable } from './timeline-table.tsx';
import { Unavailable } from './unavailable.tsx';
import { useLiveAnswer } from './use-live-answer.ts';

const LIMIT = 500;
/** Room at both ends, as a share of the whole. */
const EDGE = 0.02;
const SHORTEST_EDGE_MS = 10 * 60_000;
const FETCH_AFTER_MS = 300;
const SETTLED_MS = 120;

/** How the project evolved, on one axis that can be zoomed. */
export function TimelinePage(): VNode {
  const project = projectId.value;
  const { value, error } = useLiveAnswer(project, () =>
    server.call('project.timeline', { project, limit: LIMIT }),
  );
  if (value === undefined) return <Unavailable error={error} />;
  if (value.sessions.length > 0) return <Timeline timeline={value} />;
  return (
    <section class="page" aria-label="Timeline">
      <header class="page-head">
        <h1>Timeline</h1>
      </header>
      <p class="empty">
        Nothing has been recorded yet. Sessions appear here while agents work, and after{' '}
        <code>yore import</code>.
      </p>
    </section>
  );
}

function Timeline({ timeline }: { readonly timeline: ProjectTimeline }): VNode {
  const { days, total } = timeline;
  const whole = useMemo(() => spanOf(timeline), [timeline]);
  const [view, setView] = useState({ window: whole, whole });
  const window = view.whole === whole ? view.window : followed(view.window, view.whole, whole);
  const setWindow = (next: TimeWindow) => setView({ window: next, whole });
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
          {shown.length.toLocaleString()} of {total.toLocaleString()} sessions
        </span>
        <span class="spacer" />
        <ZoomButtons window={window} whole={whole} onWindow={setWindow} />
      </header>
      <TimelineAxis items={items} window={window} whole={whole} onWindow={setWindow} />
      <TimelineTable spans={settled} />
    </section>
  );
}

/** The last value that has lasted a while: the table need not follow each turn of the wheel. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
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
    ['←', 'Earlier', () => moved(window, -0.5, whole)],
    ['+', 'Zoom in', () => zoomed(window, middle, 0.5, whole)],
    ['−', 'Zoom out', () => zoomed(window, middle, 2, whole)],
    ['→', 'Later', () => moved(window, 0.5, whole)],
  ];
  return (
    <div class="zoom">
      {buttons.map(([sign, name, next]) => (
        <button key={name} type="button" aria-label={name} title={name} onClick={() => onWindow(next())}>
          {sign}
        </button>
      ))}
      <button type="button" onClick={() => onWindow(whole)}>
        All
      </button>
    </div>
  );
}

/** The sessions that are known: the latest ones, and those of windows that were looked at. */
function useSessions(timeline: ProjectTimeline, window: TimeWindow): readonly TimelineSession[] {
  const [older, setOlder] = useState<ReadonlyMap<string, TimelineSession>>(new Map());
  const first = timeline.sessions[0]?.from ?? '';
  const isBefore = timeline.sessions.length < timeline.total && window.from < Date.parse(first);
  const project = projectId.value;
  useEffect(() => {
    if (!isBefore) return;
    const timer = setTimeout(async () => {
      const since = new Date(window.from).toISOString();
      const until = new Date(Math.min(window.to, Date.parse(first))).toISOString();
      // The days are shown as counts until it is there.
      const answer = await server
        .call('project.timeline', { project, since, until, limit: LIMIT })
        .catch(() => undefined);
      if (answer === undefined) return;
      setOlder(
        (before) => new Map([...before, ...answer.sessions.map((item) => [item.sessionId, item] as const)]),
      );
    }, FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isBefore, window.from, window.to, first, project]);
  return useMemo(() => {
    const latest = timeline.sessions.map((session) => [session.sessionId, session] as const);
    return [...new Map([...older, ...latest]).values()];
  }, [older, timeline]);
}

function spanOf({ sessions, days, total }: ProjectTimeline): TimeWindow {
  const isCut = sessions.length < total;
  const starts = [
    ...sessions.map(({ from }) => from),
    ...(isCut ? days.slice(0, 1).map(({ day }) => day) : []),
  ];
  const from = times(starts).reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const to = times(sessions.map((session) => session.to)).reduce((most, time) => Math.max(most, time), from);
  const edge = Math.max((to - from) * EDGE, SHORTEST_EDGE_MS);
  return { from: from - edge, to: to + edge };
}

function times(texts: readonly string[]): readonly number[] {
  return texts.map((text) => Date.parse(text)).filter(Number.isFinite);
}
