import type { VNode } from 'preact';
import type { DayCount } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { filledDays } from './days.ts';

/** A series of a chart. */
export interface Series {
  readonly name: string;
  /** A class that gives its colour. */
  readonly tone: 'neutral' | 'failure' | 'success';
  readonly of: (day: DayCount) => number;
}

const WIDTH = 720;
const HEIGHT = 120;
const MOST_DAYS = 90;

/** Counts per day as bars on top of each other; each bar leads to the sessions of its day. */
export function DayChart({
  title,
  days,
  series,
}: {
  readonly title: string;
  readonly days: readonly DayCount[];
  readonly series: readonly Series[];
}): VNode {
  const shown = filledDays(days, MOST_DAYS);
  const totals = shown.map((day) => series.reduce((sum, { of }) => sum + of(day), 0));
  const highest = Math.max(...totals, 1);
  const width = WIDTH / Math.max(shown.length, 1);
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <span class="legend">
          {series.map(({ name, tone }) => (
            <span key={name} class={`key ${tone}`}>
              {name}
            </span>
          ))}
        </span>
        <span class="fact">most on one day: {highest}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="group" aria-label={title}>
        {shown.map((day, index) => {
          if (totals[index] === 0) return null;
          let top = HEIGHT;
          const browser = { ...EMPTY_BROWSER, since: day.day, until: day.day };
          const label = `${day.day}: ${series.map(({ name, of }) => `${of(day)} ${name}`).join(', ')}`;
          return (
            <a key={day.day} href={hrefOf({ page: 'history', browser })} aria-label={label}>
              <title>{label}</title>
              {series.map(({ name, tone, of }) => {
                const height = (of(day) / highest) * HEIGHT;
                top -= height;
                return (
                  <rect
                    key={name}
                    class={tone}
                    x={index * width + 0.5}
                    y={top}
                    width={Math.max(width - 1, 1)}
                    height={height}
                  />
                );
              })}
            </a>
          );
        })}
      </svg>
      <p class="axis" aria-hidden="true">
        <span>{shown[0]?.day}</span>
        <span>{shown.at(-1)?.day}</span>
      </p>
    </figure>
  );
}
