import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type AxisView, useAxisGestures } from './axis-gestures.ts';
import { pressOnAxis } from './axis-keys.ts';
import { AxisTip, type Pointed } from './axis-tip.tsx';
import { LaneMarks } from './lane-marks.tsx';
import { Links } from './resolution-links.tsx';
import { SessionLane, sessionLaneHeight } from './session-lane.tsx';
import { timeTicks } from './time-ticks.ts';
import { around, isShortest, type TimeWindow } from './time-window.ts';
import { MARK_LANES, type MarkLane, type TimelineItems } from './timeline-items.ts';
import { type Cluster, clustered } from './timeline-layout.ts';
import { hrefOfItem } from './timeline-links.ts';
import { useWidth } from './use-width.ts';

const LANE_HEIGHT = 30;
/** Where there is no room beside the lanes, their names stand above what is on them. */
const NAMED_LANE_HEIGHT = 42;
const NARROW = 520;
const TICK_ROOM = 74;
const NAME_WIDTH = 44;
const CONTEXT_WIDTH = 76;
const LANE_NAMES: Readonly<Record<MarkLane, string>> = {
  request: 'Requests',
  failure: 'Failures',
  resolution: 'Resolved',
  commit: 'Commits',
};

interface AxisProps extends AxisView {
  readonly items: TimelineItems;
}

/** Sessions and what happened in them on one axis: the wheel zooms, dragging moves, a click leads there. */
export function TimelineAxis({ items, window, whole, onWindow }: AxisProps): VNode {
  const { ref, width } = useWidth<HTMLDivElement>();
  const svg = useRef<SVGSVGElement>(null);
  const [pointed, setPointed] = useState<Pointed | undefined>();
  useAxisGestures(svg, { window, whole, onWindow });
  useLayoutEffect(() => setPointed(undefined), [window]);
  const scale = width / Math.max(window.to - window.from, 1);
  const x = (time: number) => (time - window.from) * scale;
  // Clusters do not depend on where the window is, only on how wide it is.
  const lanes = useMemo(() => clusterLanes(items, scale), [items, scale]);
  const shift = window.from * scale;
  // As it has to be when all is shown, so that nothing jumps when one zooms.
  const laneHeight = useMemo(
    () => sessionLaneHeight(items, width / Math.max(whole.to - whole.from, 1)),
    [items, width, whole],
  );
  const markHeight = width < NARROW ? NAMED_LANE_HEIGHT : LANE_HEIGHT;
  const topOf = (lane: number) => laneHeight + lane * markHeight;
  const middleOf = (lane: number) => topOf(lane) + markHeight - LANE_HEIGHT / 2;
  const height = topOf(MARK_LANES.length);
  const zoomTo = ({ items: joined }: Cluster) => {
    const times = joined.map(({ at }) => at);
    const [first] = joined;
    if (isShortest(window) && first !== undefined) location.hash = hrefOfItem(first);
    else onWindow(around(times[0] ?? window.from, times.at(-1) ?? window.to, whole));
  };
  const ticks = timeTicks(window, Math.max(Math.floor(width / TICK_ROOM), 2));
  return (
    <div class="axis-frame">
      <LaneNames sessionHeight={laneHeight} markHeight={markHeight} />
      <div
        class="axis-plot"
        ref={ref}
        role="group"
        tabIndex={0}
        aria-label="Time axis: + and - zoom, arrows move, Home shows all, Enter steps through what is on it"
        onKeyDown={(event) => pressOnAxis(event, { window, whole, onWindow })}
        onBlur={() => setPointed(undefined)}
      >
        <svg
          ref={svg}
          class="axis"
          width={width}
          height={height}
          role="group"
          aria-label="Sessions, requests, failures, resolutions and commits on a time axis"
          onPointerLeave={() => setPointed(undefined)}
        >
          {ticks.map(({ at }) => (
            <line key={at} class="tick" x1={x(at)} x2={x(at)} y1={0} y2={height} />
          ))}
          {MARK_LANES.map((lane, index) => (
            <line key={lane} class="tick" x1={0} x2={width} y1={topOf(index)} y2={topOf(index)} />
          ))}
          {width === 0 ? null : (
            <>
              <Links
                failures={lanes.failure}
                resolutions={lanes.resolution}
                shift={shift}
                width={width}
                y={middleOf(1)}
                toY={middleOf(2)}
                scale={scale}
              />
              <SessionLane
                items={items}
                height={laneHeight}
                window={window}
                width={width}
                onPoint={setPointed}
                onWindow={({ from, to }) => onWindow(around(from, to, whole))}
              />
              {MARK_LANES.map((lane, index) => (
                <LaneMarks
                  key={lane}
                  lane={lane}
                  name={LANE_NAMES[lane]}
                  clusters={lanes[lane]}
                  shift={shift}
                  width={width}
                  y={middleOf(index)}
                  onPoint={setPointed}
                  onZoom={zoomTo}
                />
              ))}
            </>
          )}
        </svg>
        <div class="tick-names" aria-hidden="true">
          {ticks
            .filter(({ at, context }) => x(at) < width - (context === undefined ? NAME_WIDTH : CONTEXT_WIDTH))
            .map(({ at, name, context }) => (
              <span key={at} style={{ left: `${x(at)}px` }}>
                {name}
                {context === undefined ? null : <b>{context}</b>}
              </span>
            ))}
        </div>
        {isEmptySpan(items, window) ? <p class="axis-empty">Nothing happened in this span.</p> : null}
        {pointed === undefined ? null : <AxisTip pointed={pointed} width={width} />}
      </div>
    </div>
  );
}

function LaneNames({
  sessionHeight,
  markHeight,
}: {
  readonly sessionHeight: number;
  readonly markHeight: number;
}): VNode {
  return (
    <div class="lanes" aria-hidden="true">
      <span style={{ height: `${sessionHeight}px` }}>Sessions</span>
      {MARK_LANES.map((lane) => (
        <span key={lane} class={lane} style={{ height: `${markHeight}px` }}>
          {LANE_NAMES[lane]}
        </span>
      ))}
    </div>
  );
}

function isEmptySpan({ sessions, otherDays }: TimelineItems, window: TimeWindow): boolean {
  const isIn = (from: number, to: number) => to >= window.from && from <= window.to;
  if (sessions.some(({ from, to }) => isIn(from, to))) return false;
  return !otherDays.some(({ day }) => isIn(Date.parse(day), Date.parse(day) + 86_400_000));
}

function clusterLanes(items: TimelineItems, scale: number): Readonly<Record<MarkLane, readonly Cluster[]>> {
  const of = (lane: MarkLane) => clustered(items.lanes[lane], (time) => time * scale);
  return {
    request: of('request'),
    failure: of('failure'),
    resolution: of('resolution'),
    commit: of('commit'),
  };
}
