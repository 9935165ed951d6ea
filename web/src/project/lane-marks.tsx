import type { VNode } from 'preact';
import { cleanText } from '../text/clean-text.ts';
import { fullTime } from '../text/relative-time.ts';
import type { Pointed } from './axis-tip.tsx';
import type { LaneItem, MarkLane } from './timeline-items.ts';
import { type Cluster, nameOfCount } from './timeline-layout.ts';
import { hrefOfItem } from './timeline-links.ts';

interface LaneProps {
  readonly lane: MarkLane;
  readonly name: string;
  readonly clusters: readonly Cluster[];
  readonly shift: number;
  readonly width: number;
  readonly y: number;
  readonly onPoint: (pointed: Pointed) => void;
  readonly onZoom: (cluster: Cluster) => void;
}

const MOST_LINES = 6;
const LONGEST_LINE = 140;

/** The marks of a lane: one is a sign that leads to its record, many are a number that zooms in on them. */
export function LaneMarks({ lane, name, clusters, shift, width, y, onPoint, onZoom }: LaneProps): VNode {
  const shown = clusters.filter(({ x, half }) => x - shift + half > 0 && x - shift - half < width);
  return (
    <g class={`lane ${lane}`}>
      {shown.map((cluster) => {
        const x = cluster.x - shift;
        const lines = linesOf(cluster, name);
        const point = () => onPoint({ x, y: y + 12, lines });
        const [first] = cluster.items;
        const handlers = { onPointerEnter: point, onFocus: point };
        const key = `${first?.at} ${cluster.count}`;
        if (cluster.count === 1 && first?.session !== undefined) {
          return (
            <a
              key={key}
              href={hrefOfItem(first)}
              aria-label={lines.join('. ')}
              class="mark"
              tabIndex={-1}
              {...handlers}
            >
              <Sign lane={lane} x={x} y={y} />
            </a>
          );
        }
        return (
          <g
            key={key}
            role="button"
            tabIndex={-1}
            class="mark many"
            aria-label={`${cluster.count} ${name.toLowerCase()}: zoom in`}
            onClick={() => onZoom(cluster)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' || event.key === ' ') {
                event.preventDefault();
                onZoom(cluster);
              }
            }}
            {...handlers}
          >
            <rect x={x - cluster.half} y={y - 8} width={cluster.half * 2} height={16} rx={8} />
            <text x={x} y={y + 4}>
              {nameOfCount(cluster.count)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Each kind has a shape of its own: colour alone would not do. */
function Sign({ lane, x, y }: { readonly lane: MarkLane; readonly x: number; readonly y: number }): VNode {
  const area = <rect class="area" x={x - 7} y={y - 10} width={14} height={20} />;
  if (lane === 'failure') {
    return (
      <>
        {area}
        <path class="sign" d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} />
      </>
    );
  }
  if (lane === 'resolution') {
    return (
      <>
        {area}
        <path class="sign" d={`M${x - 5} ${y}l3.5 4l6.5 -8`} />
      </>
    );
  }
  if (lane === 'commit') {
    return (
      <>
        {area}
        <path class="sign" d={`M${x} ${y - 5}l5 5l-5 5l-5 -5z`} />
      </>
    );
  }
  return (
    <>
      {area}
      <circle class="sign" cx={x} cy={y} r={4} />
    </>
  );
}

const KINDS: Readonly<Record<MarkLane, string>> = {
  request: 'Request',
  failure: 'Failure',
  resolution: 'Put right',
  commit: 'Commit',
};

function linesOf({ items, count }: Cluster, name: string): readonly string[] {
  const [first] = items;
  if (count === 1 && first?.mark !== undefined)
    return [`${KINDS[first.mark.type]}, ${fullTime(first.mark.at)}`, textOf(first)];
  const told = items.filter(({ mark }) => mark !== undefined);
  const lines = told.slice(0, MOST_LINES).map(textOf);
  const rest = count - lines.length;
  return [
    `${count.toLocaleString()} ${name.toLowerCase()}`,
    ...lines,
    ...(rest > 0 && lines.length > 0 ? [`and ${rest.toLocaleString()} more`] : []),
  ];
}

function textOf({ mark }: LaneItem): string {
  const text = cleanText(mark?.text ?? '').replace(/\s+/g, ' ');
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
