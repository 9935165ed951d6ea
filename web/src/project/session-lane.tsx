import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { cleanText } from '../text/clean-text.ts';
import { duration, fullTime } from '../text/relative-time.ts';
import type { Pointed } from './axis-tip.tsx';
import type { TimeWindow } from './time-window.ts';
import type { SessionSpan, TimelineItems } from './timeline-items.ts';
import { type Bar, type Bin, binned, nameOfCount, packed, steadyBin } from './timeline-layout.ts';
import { hrefOfSession } from './timeline-links.ts';

const MOST_ROWS = 6;
const LEAST_ROWS = 3;
/** More than these are shown as columns: nobody could tell them apart, and drawing them takes long. */
const MOST_BARS = 300;
const ROW_HEIGHT = 20;
const TOP = 6;
const LETTER = 6.3;
const NARROWEST_COLUMN = 8;
const DAY_MS = 86_400_000;

/** How high the lane of the sessions has to be for a scale: as high as its rows. */
export function sessionLaneHeight({ sessions, otherDays }: TimelineItems, scale: number): number {
  const bars = packed(sessions, (time) => time * scale, MOST_ROWS);
  const isFull = bars === undefined || otherDays.length > 0;
  const rows = isFull ? MOST_ROWS : bars.reduce((most, { row }) => Math.max(most, row + 1), LEAST_ROWS);
  return rows * ROW_HEIGHT + 2 * TOP;
}

interface SessionLaneProps {
  readonly items: TimelineItems;
  readonly height: number;
  readonly window: TimeWindow;
  readonly width: number;
  readonly onPoint: (pointed: Pointed) => void;
  readonly onWindow: (span: TimeWindow) => void;
}

/** Sessions as bars, none over another; where there are too many, how many there were as columns. */
export function SessionLane({ items, height, window, width, onPoint, onWindow }: SessionLaneProps): VNode {
  const { sessions, otherDays } = items;
  const length = window.to - window.from;
  const scale = width / length;
  const isMany = countIn(sessions, window) > MOST_BARS;
  const packedBars = useMemo(
    () => packed(sessions, (time) => time * scale, Math.floor((height - 2 * TOP) / ROW_HEIGHT)),
    [sessions, scale, height],
  );
  const bars = isMany ? undefined : packedBars;
  const bins = useMemo(() => {
    const days = otherDays.map(({ day, sessions: weight }) => ({ from: Date.parse(day), weight }));
    const single = bars === undefined ? sessions.map(({ from }) => ({ from, weight: 1 })) : [];
    const binMs = steadyBin(NARROWEST_COLUMN / scale);
    return binned([...days, ...single], days.length === 0 ? binMs : Math.max(binMs, DAY_MS));
  }, [bars, sessions, otherDays, scale]);
  const shift = window.from * scale;
  return (
    <g class="lane session">
      <Columns
        bins={bins.filter(({ from, to }) => to > window.from && from < window.to)}
        floor={height - TOP}
        scale={scale}
        shift={shift}
        onPoint={onPoint}
        onWindow={onWindow}
      />
      {(bars ?? [])
        .filter(({ x, width: wide }) => x - shift + wide > 0 && x - shift < width)
        .map((bar) => (
          <SessionBar
            key={bar.span.session.sessionId}
            bar={bar}
            floor={height - TOP}
            shift={shift}
            width={width}
            onPoint={onPoint}
          />
        ))}
    </g>
  );
}

function countIn(sessions: readonly SessionSpan[], { from, to }: TimeWindow): number {
  return sessions.filter((span) => span.to >= from && span.from <= to).length;
}

interface SessionBarProps {
  readonly bar: Bar;
  readonly floor: number;
  readonly shift: number;
  readonly width: number;
  readonly onPoint: (pointed: Pointed) => void;
}

function SessionBar({ bar, floor, shift, width, onPoint }: SessionBarProps): VNode {
  const left = Math.max(bar.x - shift, 0);
  const wide = Math.min(bar.x - shift + bar.width, width) - left;
  const y = floor - (bar.row + 1) * ROW_HEIGHT;
  const lines = linesOf(bar.span);
  const point = () => onPoint({ x: left, y: y + ROW_HEIGHT, lines });
  const letters = Math.floor((wide - 8) / LETTER);
  const name = lines[0] ?? '';
  return (
    <a
      href={hrefOfSession(bar.span.session)}
      class="bar"
      tabIndex={-1}
      aria-label={lines.join('. ')}
      onPointerEnter={point}
      onFocus={point}
    >
      <rect x={left} y={y + 1} width={Math.max(wide, 2)} height={ROW_HEIGHT - 2} rx={2} />
      {letters < 5 ? null : (
        <text x={left + 4} y={y + 14}>
          {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
        </text>
      )}
    </a>
  );
}

function linesOf({ session, from, to }: SessionSpan): readonly string[] {
  const count = (type: string) => session.marks.filter((mark) => mark.type === type).length;
  const facts = [
    fullTime(session.from),
    ...(to > from ? [duration(to - from)] : []),
    ...(session.agent === undefined ? [] : [cleanText(session.agent)]),
    ...(session.branch === undefined ? [] : [cleanText(session.branch)]),
  ];
  return [
    cleanText(session.preview).replace(/\s+/g, ' ').slice(0, 160) || '(no words)',
    facts.join(' · '),
    `${count('request')} requests, ${count('failure')} failures, ${count('resolution')} put right, ${count('commit')} commits`,
  ];
}

interface ColumnsProps {
  readonly bins: readonly Bin[];
  readonly floor: number;
  readonly scale: number;
  readonly shift: number;
  readonly onPoint: (pointed: Pointed) => void;
  readonly onWindow: (span: TimeWindow) => void;
}

function Columns({ bins, floor, scale, shift, onPoint, onWindow }: ColumnsProps): VNode | null {
  if (bins.length === 0) return null;
  const most = bins.reduce((highest, { count }) => Math.max(highest, count), 1);
  return (
    <>
      {bins.map(({ from, to, count }) => {
        const x = from * scale - shift;
        const height = Math.max((count / most) * (floor - 2 * ROW_HEIGHT), 3);
        const lines = [`${count} ${count === 1 ? 'session' : 'sessions'}`, spanName(from, to)];
        const point = () => onPoint({ x, y: floor, lines });
        return (
          <g
            key={from}
            role="button"
            tabIndex={-1}
            class="bar column"
            aria-label={`${lines.join(', ')}: zoom in`}
            onClick={() => onWindow({ from, to })}
            onKeyDown={(event) => {
              if (event.key === 'Enter') onWindow({ from, to });
            }}
            onPointerEnter={point}
            onFocus={point}
          >
            <rect class="area" x={x} y={0} width={(to - from) * scale} height={floor} />
            <rect
              x={x + 0.5}
              y={floor - height}
              width={Math.max((to - from) * scale - 1, 1)}
              height={height}
            />
          </g>
        );
      })}
      <text class="most" x={4} y={14}>
        up to {nameOfCount(most)} sessions each
      </text>
    </>
  );
}

function spanName(from: number, to: number): string {
  return to - from <= DAY_MS
    ? fullTime(new Date(from).toISOString())
    : `${new Date(from).toLocaleDateString()} – ${new Date(to).toLocaleDateString()}`;
}
