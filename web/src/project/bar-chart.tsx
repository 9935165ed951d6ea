import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ChartPlot } from './chart-plot.tsx';
import { ChartTable } from './chart-table.tsx';
import { useWidth } from './use-width.ts';

/** A series of a chart. */
export interface Series {
  readonly name: string;
  /** A class that gives its colour. */
  readonly tone: 'neutral' | 'failure' | 'success' | 'faint';
}

/** A bar: the values of all series on top of each other. */
export interface ChartBar {
  readonly name: string;
  /** Of each series how many, and where that leads to. */
  readonly parts: readonly { readonly value: number; readonly href: string }[];
}

/** What is drawn. */
export interface BarChartProps {
  readonly title: string;
  /** What the values are, for the axis. */
  readonly unit: string;
  readonly series: readonly Series[];
  readonly bars: readonly ChartBar[];
}

/** Counts over time as bars, with axes, a legend, and the same as a table for who cannot see it. */
export function BarChart({ title, unit, series, bars }: BarChartProps): VNode {
  const { ref, width } = useWidth<HTMLDivElement>();
  const [told, setTold] = useState('');
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        {series.length < 2 ? null : (
          <span class="legend">
            {series.map(({ name, tone }) => (
              <span key={name} class={`key ${tone}`}>
                {name}
              </span>
            ))}
          </span>
        )}
        <span class="chart-told" aria-hidden="true">
          {told}
        </span>
      </figcaption>
      <div class="plot" ref={ref}>
        {width === 0 ? null : (
          <ChartPlot title={title} unit={unit} series={series} bars={bars} width={width} onTell={setTold} />
        )}
      </div>
      <ChartTable title={title} series={series} bars={bars} />
    </figure>
  );
}
