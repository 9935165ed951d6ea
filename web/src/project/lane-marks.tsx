import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TimelineSession } from '../../../src/server/rpc/api.ts';
import { historyHref } from '../router/router.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { cleanText, fullTime } from '../text/format.ts';
import { type Cluster, type LaneItem, type MarkLane, shortCount } from './timeline-layout.ts';

interface LaneProps {
  readonly lane: MarkLane;
  readonly name: string;
  readonly clusters: readonly Cluster[];
  readonly shift: number;
  readonly width: number;
  readonly y: number;
  readonly onHover: (tip: TipContent) => void;
  readonly onZoom: (cluster: Cluster) => void;
}

const MAX_LINES = 6;
const MAX_LINE_LENGTH = 140;

/** The marks of a lane: a single one links to its record, a cluster shows its count and zooms in. */
export function LaneMarks({ lane, name, clusters, shift, width, y, onHover, onZoom }: LaneProps): VNode {
  const shown = clusters.filter(({ x, half }) => x - shift + half > 0 && x - shift - half < width);
  return (
    <g class={`lane ${lane}`}>
      {shown.map((cluster) => {
        const x = cluster.x - shift;
        const lines = tipLines(cluster, name);
        const showTip = () => onHover({ x, y: y + 12, lines });
        const [first] = cluster.items;
        const handlers = { onPointerEnter: showTip, onFocus: showTip };
        const key = `${first?.at} ${cluster.count}`;
        if (cluster.count === 1 && first?.session !== undefined) {
          return (
            <a key={key} href={itemHref(first)} aria-label={lines.join('. ')} class="mark" tabIndex={-1} {...handlers}>
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
              {shortCount(cluster.count)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Each kind has its own shape, so that it does not depend on colour. Paths are relative to the middle. */
const SHAPES: Readonly<Record<MarkLane, string>> = {
  request: 'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  failure: 'm-4 -4l8 8m0 -8l-8 8',
  resolution: 'm-5 0l3.5 4l6.5 -8',
  commit: 'm0 -5l5 5l-5 5l-5 -5z',
};

function Sign({ lane, x, y }: { readonly lane: MarkLane; readonly x: number; readonly y: number }): VNode {
  return (
    <>
      <rect class="area" x={x - 7} y={y - 10} width={14} height={20} />
      <path class="sign" d={`M${x} ${y}${SHAPES[lane]}`} />
    </>
  );
}

const KINDS: Readonly<Record<MarkLane, string>> = {
  request: 'Request',
  failure: 'Failure',
  resolution: 'Resolved',
  commit: 'Commit',
};

function tipLines({ items, count }: Cluster, name: string): readonly string[] {
  const [first] = items;
  if (count === 1 && first?.mark !== undefined)
    return [`${KINDS[first.mark.type]}, ${fullTime(first.mark.at)}`, itemText(first)];
  const known = items.filter(({ mark }) => mark !== undefined);
  const lines = known.slice(0, MAX_LINES).map(itemText);
  const rest = count - lines.length;
  return [
    `${count.toLocaleString()} ${name.toLowerCase()}`,
    ...lines,
    ...(rest > 0 && lines.length > 0 ? [`and ${rest.toLocaleString()} more`] : []),
  ];
}

function itemText({ mark }: LaneItem): string {
  const text = cleanText(mark?.text ?? '').replace(/\s+/g, ' ');
  return text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text;
}

interface LinksProps {
  readonly failures: readonly Cluster[];
  readonly resolutions: readonly Cluster[];
  readonly shift: number;
  readonly scale: number;
  readonly width: number;
  readonly y: number;
  readonly toY: number;
}

/** Lines from failures to their resolutions. */
export function ResolutionLinks({ failures, resolutions, shift, scale, width, y, toY }: LinksProps): VNode {
  const links = useMemo(() => findLinks(failures, resolutions, scale), [failures, resolutions, scale]);
  const half = (toY - y) / 2;
  return (
    <g class="links">
      {links
        .filter(([from, to]) => Math.max(from, to) > shift && Math.min(from, to) < shift + width)
        .map(([from, to]) => {
          const [start, end] = [from - shift, to - shift];
          return (
            <path key={`${from} ${to}`} d={`M${start} ${y}C${start} ${y + half} ${end} ${toY - half} ${end} ${toY}`} />
          );
        })}
    </g>
  );
}

type Link = readonly [from: number, to: number];

/** The start and end of each line, without duplicates. */
function findLinks(failures: readonly Cluster[], resolutions: readonly Cluster[], scale: number): readonly Link[] {
  const links = new Map<string, Link>();
  for (const { x, items } of resolutions) {
    for (const { failedAt } of items) {
      if (failedAt === undefined) continue;
      const from = nearest(failures, failedAt * scale);
      if (from !== undefined) links.set(`${from} ${x}`, [from, x]);
    }
  }
  return [...links.values()];
}

/** The middle of the cluster nearest to a position. Clusters are sorted and do not overlap. */
function nearest(clusters: readonly Cluster[], position: number): number | undefined {
  let low = 0;
  let high = clusters.length - 1;
  while (low < high) {
    const between = (low + high) >> 1;
    const [left, right] = [clusters[between]?.x ?? 0, clusters[between + 1]?.x ?? 0];
    if (position <= (left + right) / 2) high = between;
    else low = between + 1;
  }
  return clusters[low]?.x;
}

/** The text of the tooltip, and where it is shown. */
export interface TipContent {
  readonly x: number;
  readonly y: number;
  readonly lines: readonly string[];
}

const MAX_TIP_WIDTH = 340;

/** The tooltip of the mark that is hovered or focused. */
export function AxisTip({ tip, width }: { readonly tip: TipContent; readonly width: number }): VNode {
  const left = Math.max(Math.min(tip.x - 20, width - Math.min(MAX_TIP_WIDTH, width)), 0);
  return (
    <div class="axis-tip" aria-hidden="true" style={{ left: `${left}px`, top: `${tip.y}px` }}>
      {tip.lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}

/** The address of a session, optionally at a time. */
export function markedSessionHref({ sessionId }: TimelineSession, match = ''): string {
  return historyHref({ session: sessionId, sessionProject: currentProjectId.peek(), match });
}

/** The address of an item: its session at that time, or the sessions of a day for which only counts are known. */
export function itemHref({ session, mark, at }: LaneItem): string {
  if (session !== undefined) return markedSessionHref(session, mark?.at);
  const day = new Date(at).toISOString().slice(0, 10);
  return historyHref({ since: day, until: day });
}
