import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Cluster } from './timeline-layout.ts';

interface LinksProps {
  readonly failures: readonly Cluster[];
  readonly resolutions: readonly Cluster[];
  readonly shift: number;
  readonly scale: number;
  readonly width: number;
  readonly y: number;
  readonly toY: number;
}

/** Lines from failures to what put them right. */
export function Links({ failures, resolutions, shift, scale, width, y, toY }: LinksProps): VNode {
  const links = useMemo(() => linksOf(failures, resolutions, scale), [failures, resolutions, scale]);
  const half = (toY - y) / 2;
  return (
    <g class="links">
      {links
        .filter(([from, to]) => Math.max(from, to) > shift && Math.min(from, to) < shift + width)
        .map(([from, to]) => {
          const [start, end] = [from - shift, to - shift];
          return (
            <path
              key={`${from} ${to}`}
              d={`M${start} ${y}C${start} ${y + half} ${end} ${toY - half} ${end} ${toY}`}
            />
          );
        })}
    </g>
  );
}

type Link = readonly [from: number, to: number];

/** Where lines begin and end: at the middle of what is drawn, each once. */
function linksOf(
  failures: readonly Cluster[],
  resolutions: readonly Cluster[],
  scale: number,
): readonly Link[] {
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

/** The cluster that holds a place: they are in order and do not overlap. */
function nearest(clusters: readonly Cluster[], place: number): number | undefined {
  let low = 0;
  let high = clusters.length - 1;
  while (low < high) {
    const between = (low + high) >> 1;
    const [left, right] = [clusters[between]?.x ?? 0, clusters[between + 1]?.x ?? 0];
    if (place <= (left + right) / 2) high = between;
    else low = between + 1;
  }
  return clusters[low]?.x;
}
