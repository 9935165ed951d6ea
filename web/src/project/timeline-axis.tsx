import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TimelineMark, TimelineSession } from '../../../src/server/rpc/api.ts';
import { type BrowserState, EMPTY_BROWSER } from '../router/route.ts';
import { navigate } from '../router/router.ts';
import { projectId } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { fullTime } from '../text/relative-time.ts';
import { moved, type TimeWindow, ticks, zoomed } from './time-window.ts';

const WIDTH = 1000;
const LANES = [
  ['session', 'Sessions', 26],
  ['request', 'Requests', 58],
  ['commit', 'Commits', 90],
  ['failure', 'Failures', 122],
  ['resolution', 'Resolutions', 154],
] as const;
const HEIGHT = 180;
const Y: Readonly<Record<string, number>> = Object.fromEntries(LANES.map(([lane, , y]) => [lane, y]));

interface AxisProps {
  readonly sessions: readonly TimelineSession[];
  readonly window: TimeWindow;
  readonly whole: TimeWindow;
  readonly onWindow: (window: TimeWindow) => void;
}

/** Sessions, and what happened in them, on one axis. The wheel zooms it; a click leads to what is under it. */
export function TimelineAxis({ sessions, window, whole, onWindow }: AxisProps): VNode {
  const svg = useRef<SVGSVGElement>(null);
  const x = (time: number) => ((time - window.from) / (window.to - window.from)) * WIDTH;
  useEffect(() => {
    const element = svg.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        onWindow(moved(window, event.deltaX / element.clientWidth, whole));
        return;
      }
      const { left, width } = element.getBoundingClientRect();
      const around = window.from + ((event.clientX - left) / width) * (window.to - window.from);
      onWindow(zoomed(window, around, event.deltaY > 0 ? 1.25 : 0.8, whole));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [window, whole]);
  const failures = useMemo(() => failureTimes(sessions), [sessions]);
  return (
    <div class="axis-frame">
      <div class="lanes" aria-hidden="true">
        {LANES.map(([lane, name]) => (
          <span key={lane} class={`lane ${lane}`}>
            {name}
          </span>
        ))}
      </div>
      <svg
        ref={svg}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${sessions.length} sessions on a time axis; the table below has the same`}
      >
        {ticks(window, 6).map((time) => (
          <line key={time} class="tick" x1={x(time)} x2={x(time)} y1={0} y2={HEIGHT} />
        ))}
        {sessions.map((session) => (
          <SessionMarks key={session.sessionId} session={session} x={x} failures={failures} />
        ))}
      </svg>
      <div class="tick-names" aria-hidden="true">
        {ticks(window, 6).map((time) => (
          <span key={time} style={{ left: `${(x(time) / WIDTH) * 100}%` }}>
            {tickName(time, window)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface MarksProps {
  readonly session: TimelineSession;
  readonly x: (time: number) => number;
  readonly failures: ReadonlyMap<string, number>;
}

function SessionMarks({ session, x, failures }: MarksProps): VNode {
  const from = x(Date.parse(session.from));
  const width = Math.max(x(Date.parse(session.to)) - from, 3);
  const show = (match: string) => navigate({ page: 'history', browser: browserAt(session, match) });
  return (
    <g>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the table below has the same for the keyboard */}
      <rect
        class="session"
        x={from}
        y={(Y.session ?? 0) - 8}
        width={width}
        height={16}
        onClick={() => show('')}
      >
        <title>{`${fullTime(session.from)}: ${cleanText(session.preview)}`}</title>
      </rect>
      {session.marks.map((mark) => (
        <Mark
          key={`${mark.type} ${mark.id}`}
          mark={mark}
          at={x(Date.parse(mark.at))}
          failedAt={failedAt(mark, failures, x)}
          onClick={() => show(mark.id)}
        />
      ))}
    </g>
  );
}

/** A mark; a resolution is joined to the failure that it put right. */
function Mark(props: {
  readonly mark: TimelineMark;
  readonly at: number;
  readonly failedAt: number | undefined;
  readonly onClick: () => void;
}): VNode {
  const { mark, at, failedAt, onClick } = props;
  const y = Y[mark.type] ?? 0;
  return (
    <>
      {failedAt === undefined ? null : <line class="resolves" x1={failedAt} y1={Y.failure} x2={at} y2={y} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the table below has the same for the keyboard */}
      <rect class={`mark ${mark.type}`} x={at - 2} y={y - 7} width={4} height={14} onClick={onClick}>
        <title>{`${mark.type}, ${fullTime(mark.at)}: ${cleanText(mark.text)}`}</title>
      </rect>
    </>
  );
}

/** The history browser at a session, and at a record of it when one is named. */
export function browserAt({ sessionId }: TimelineSession, match: string): BrowserState {
  return { ...EMPTY_BROWSER, session: sessionId, sessionProject: projectId.value, match };
}

function failureTimes(sessions: readonly TimelineSession[]): ReadonlyMap<string, number> {
  const failures = sessions.flatMap(({ marks }) => marks.filter(({ type }) => type === 'failure'));
  return new Map(failures.map(({ id, at }) => [id, Date.parse(at)]));
}

function failedAt(
  mark: TimelineMark,
  failures: ReadonlyMap<string, number>,
  x: (time: number) => number,
): number | undefined {
  const time = mark.resolves === undefined ? undefined : failures.get(mark.resolves);
  return time === undefined ? undefined : x(time);
}

function tickName(time: number, { from, to }: TimeWindow): string {
  const date = new Date(time);
  if (to - from < 3 * 86_400_000) return date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return date.toLocaleDateString([], { month: 'short', day: 'numeric' });
}
