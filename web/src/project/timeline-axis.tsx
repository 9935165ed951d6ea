import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type AxisView, handleAxisKey, useAxisGestures } from './axis-input.ts';
import { AxisTip, itemHref, LaneMarks, ResolutionLinks, type TipContent } from './lane-marks.tsx';
import { SessionLane, sessionLaneHeight } from './session-lane.tsx';
import { isMaxZoom, type TimeWindow, timeTicks, windowAround } from './time-scale.ts';
import { type Cluster, clusterItems, MARK_LANES, type MarkLane, type TimelineItems } from './timeline-layout.ts';
import { useWidth } from './use-width.ts';

const LANE_HEIGHT = 30;
/** On narrow screens the names of the lanes are above their marks. */
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

/** Sessions and their marks on a time axis: the wheel zooms, dragging moves, a click opens a record. */
export function TimelineAxis({ items, window, whole, onWindow }: AxisProps): VNode {
  const { ref, width } = useWidth<HTMLDivElement>();
  const svg = useRef<SVGSVGElement>(null);
  const [tip, setTip] = useState<TipContent | undefined>();
  useAxisGestures(svg, { window, whole, onWindow });
  useLayoutEffect(() => setTip(undefined), [window]);
  const scale = width / Math.max(window.to - window.from, 1);
  const x = (time: number) => (time - window.from) * scale;
  // Clusters depend on the length of the window, not on its position.
  const lanes = useMemo(() => clusterLanes(items, scale), [items, scale]);
  const shift = window.from * scale;
  // The height that is needed when all is shown, so that nothing jumps when zooming.
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
    if (isMaxZoom(window) && first !== undefined) location.hash = itemHref(first);
    else onWindow(windowAround(times[0] ?? window.from, times.at(-1) ?? window.to, whole));
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
        aria-label="Time axis. Press + or - to zoom, arrow keys to move, Home to show all, Enter to step through the marks"
        onKeyDown={(event) => handleAxisKey(event, { window, whole, onWindow })}
        onBlur={() => setTip(undefined)}
      >
        <svg
          ref={svg}
          class="axis"
          width={width}
          height={height}
          role="group"
          aria-label="Sessions, requests, failures, resolutions and commits on a time axis"
          onPointerLeave={() => setTip(undefined)}
        >
          {ticks.map(({ at }) => (
            <line key={at} class="tick" x1={x(at)} x2={x(at)} y1={0} y2={height} />
          ))}
          {MARK_LANES.map((lane, index) => (
            <line key={lane} class="tick" x1={0} x2={width} y1={topOf(index)} y2={topOf(index)} />
          ))}
          {width === 0 ? null : (
            <>
              <ResolutionLinks
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
                onHover={setTip}
                onWindow={({ from, to }) => onWindow(windowAround(from, to, whole))}
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
                  onHover={setTip}
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
        {isEmptySpan(items, window) ? <p class="axis-empty">No activity in this period.</p> : null}
        {tip === undefined ? null : <AxisTip tip={tip} width={width} />}
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
  const of = (lane: MarkLane) => clusterItems(items.lanes[lane], (time) => time * scale);
  return {
    request: of('request'),
    failure: of('failure'),
    resolution: of('resolution'),
    commit: of('commit'),
  };
}
