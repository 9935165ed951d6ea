import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { cleanText, formatDuration, formatQuantity, fullTime } from '../text/format.ts';
import { markedSessionHref, type TipContent } from './lane-marks.tsx';
import type { TimeWindow } from './time-scale.ts';
import {
  type Bar,
  type Bin,
  binSize,
  countBins,
  packBars,
  type SessionSpan,
  shortCount,
  type TimelineItems,
} from './timeline-layout.ts';

const MAX_ROWS = 6;
const MIN_ROWS = 3;
/** More sessions than this are shown as columns: bars would be indistinguishable, and slow to render. */
const MAX_BARS = 300;
const ROW_HEIGHT = 20;
const TOP = 6;
const LETTER_WIDTH = 6.3;
const MIN_COLUMN_WIDTH = 8;
const DAY_MS = 86_400_000;

/** The height of the lane at a scale. */
export function sessionLaneHeight({ sessions, otherDays }: TimelineItems, scale: number): number {
  const bars = packBars(sessions, (time) => time * scale, MAX_ROWS);
  const isFull = bars === undefined || otherDays.length > 0;
  const rows = isFull ? MAX_ROWS : bars.reduce((most, { row }) => Math.max(most, row + 1), MIN_ROWS);
  return rows * ROW_HEIGHT + 2 * TOP;
}

interface SessionLaneProps {
  readonly items: TimelineItems;
  readonly height: number;
  readonly window: TimeWindow;
  readonly width: number;
  readonly onHover: (tip: TipContent) => void;
  readonly onWindow: (span: TimeWindow) => void;
}

/** Sessions as bars that do not overlap, or as columns of counts when there are too many. */
export function SessionLane({ items, height, window, width, onHover, onWindow }: SessionLaneProps): VNode {
  const { sessions, otherDays } = items;
  const length = window.to - window.from;
  const scale = width / length;
  const isMany = countIn(sessions, window) > MAX_BARS;
  const packedBars = useMemo(
    () => packBars(sessions, (time) => time * scale, Math.floor((height - 2 * TOP) / ROW_HEIGHT)),
    [sessions, scale, height],
  );
  const bars = isMany ? undefined : packedBars;
  const bins = useMemo(() => {
    const days = otherDays.map(({ day, sessions: weight }) => ({ from: Date.parse(day), weight }));
    const single = bars === undefined ? sessions.map(({ from }) => ({ from, weight: 1 })) : [];
    const binMs = binSize(MIN_COLUMN_WIDTH / scale);
    return countBins([...days, ...single], days.length === 0 ? binMs : Math.max(binMs, DAY_MS));
  }, [bars, sessions, otherDays, scale]);
  const shift = window.from * scale;
  return (
    <g class="lane session">
      <Columns
        bins={bins.filter(({ from, to }) => to > window.from && from < window.to)}
        floor={height - TOP}
        width={width}
        scale={scale}
        shift={shift}
        onHover={onHover}
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
            onHover={onHover}
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
  readonly onHover: (tip: TipContent) => void;
}

function SessionBar({ bar, floor, shift, width, onHover }: SessionBarProps): VNode {
  const left = Math.max(bar.x - shift, 0);
  const wide = Math.min(bar.x - shift + bar.width, width) - left;
  const y = floor - (bar.row + 1) * ROW_HEIGHT;
  const lines = tipLines(bar.span);
  const showTip = () => onHover({ x: left, y: y + ROW_HEIGHT, lines });
  const letters = Math.floor((wide - 8) / LETTER_WIDTH);
  const name = lines[0] ?? '';
  return (
    <a
      href={markedSessionHref(bar.span.session)}
      class="bar"
      tabIndex={-1}
      aria-label={lines.join('. ')}
      onPointerEnter={showTip}
      onFocus={showTip}
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

function tipLines({ session, from, to }: SessionSpan): readonly string[] {
  const count = (type: string) => session.marks.filter((mark) => mark.type === type).length;
  const facts = [
    fullTime(session.from),
    ...(to > from ? [formatDuration(to - from)] : []),
    ...(session.agent === undefined ? [] : [cleanText(session.agent)]),
    ...(session.branch === undefined ? [] : [cleanText(session.branch)]),
  ];
  return [
    cleanText(session.preview).replace(/\s+/g, ' ').slice(0, 160) || '(no text)',
    facts.join(' · '),
    [
      formatQuantity(count('request'), 'request'),
      formatQuantity(count('failure'), 'failure'),
      `${count('resolution')} resolved`,
      formatQuantity(count('commit'), 'commit'),
    ].join(', '),
  ];
}

interface ColumnsProps {
  readonly bins: readonly Bin[];
  readonly floor: number;
  readonly width: number;
  readonly scale: number;
  readonly shift: number;
  readonly onHover: (tip: TipContent) => void;
  readonly onWindow: (span: TimeWindow) => void;
}

function Columns({ bins, floor, width, scale, shift, onHover, onWindow }: ColumnsProps): VNode | null {
  if (bins.length === 0) return null;
  const highest = bins.reduce((max, { count }) => Math.max(max, count), 1);
  return (
    <>
      {bins.map(({ from, to, count }) => {
        const x = from * scale - shift;
        const height = Math.max((count / highest) * (floor - 2 * ROW_HEIGHT), 3);
        const lines = [formatQuantity(count, 'session'), formatSpan(from, to)];
        const showTip = () => onHover({ x, y: floor, lines });
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
            onPointerEnter={showTip}
            onFocus={showTip}
          >
            <rect class="area" x={x} y={0} width={(to - from) * scale} height={floor} />
            <rect x={x + 0.5} y={floor - height} width={Math.max((to - from) * scale - 1, 1)} height={height} />
          </g>
        );
      })}
      <text class="most" x={width - 4} y={14}>
        up to {shortCount(highest)} sessions each
      </text>
    </>
  );
}

function formatSpan(from: number, to: number): string {
  return to - from <= DAY_MS
    ? fullTime(new Date(from).toISOString())
    : `${new Date(from).toLocaleDateString()} – ${new Date(to).toLocaleDateString()}`;
}
