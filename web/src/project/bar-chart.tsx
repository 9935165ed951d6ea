import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { axisSteps } from './day-buckets.ts';
import { useWidth } from './use-width.ts';

/** A series of a chart. */
export interface Series {
  readonly name: string;
  /** The class that sets its colour. */
  readonly tone: 'neutral' | 'failure' | 'success' | 'faint';
}

/** A stacked bar. */
export interface ChartBar {
  readonly name: string;
  /** For each series its value, and the address it links to. */
  readonly parts: readonly { readonly value: number; readonly href: string }[];
}

interface BarChartProps {
  readonly title: string;
  /** What the values count. */
  readonly unit: string;
  readonly series: readonly Series[];
  readonly bars: readonly ChartBar[];
}

/** A bar chart of counts over time, with a legend and the same data as a table. */
export function BarChart({ title, unit, series, bars }: BarChartProps): VNode {
  const { ref, width } = useWidth<HTMLDivElement>();
  const [label, setLabel] = useState('');
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
        <span class="chart-label" aria-hidden="true">
          {label}
        </span>
      </figcaption>
      <div class="plot" ref={ref}>
        {width === 0 ? null : (
          <ChartPlot title={title} unit={unit} series={series} bars={bars} width={width} onHover={setLabel} />
        )}
      </div>
      <ChartTable title={title} series={series} bars={bars} />
    </figure>
  );
}

function ChartTable({
  title,
  series,
  bars,
}: {
  readonly title: string;
  readonly series: readonly Series[];
  readonly bars: readonly ChartBar[];
}): VNode {
  const rows = bars.filter(({ parts }) => parts.some(({ value }) => value > 0)).toReversed();
  return (
    <details class="chart-table">
      <summary>Show as table</summary>
      <div class="wide" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, parts }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {parts.map(({ value, href }, index) => (
                  <td key={series[index]?.name}>{value === 0 ? '0' : <a href={href}>{value.toLocaleString()}</a>}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const HEIGHT = 150;
const TOP = 8;
const LEFT = 34;
const FLOOR = HEIGHT - 20;
const NAME_ROOM = 74;

interface PlotProps extends BarChartProps {
  readonly width: number;
  readonly onHover: (text: string) => void;
}

function ChartPlot({ title, unit, series, bars, width, onHover }: PlotProps): VNode {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const steps = axisSteps(totals.reduce((most, total) => Math.max(most, total), 0));
  const highest = steps.at(-1) ?? 1;
  const y = (value: number) => FLOOR - (value / highest) * (FLOOR - TOP);
  const room = (width - LEFT) / Math.max(bars.length, 1);
  const every = Math.max(Math.ceil(NAME_ROOM / room), 1);
  return (
    <svg
      width={width}
      height={HEIGHT}
      role="group"
      aria-label={`${title}, ${unit}`}
      onKeyDown={moveFocus}
      onPointerLeave={() => onHover('')}
    >
      {steps.map((value) => (
        <g key={value}>
          <line class={value === 0 ? 'base' : 'grid'} x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
          <text class="value" x={LEFT - 6} y={y(value) + 4}>
            {value.toLocaleString()}
          </text>
        </g>
      ))}
      {bars.map(({ name }, index) => {
        const isNamed = (bars.length - 1 - index) % every === Math.floor((every - 1) / 2);
        const at = LEFT + (index + 0.5) * room;
        if (!isNamed || at < LEFT + NAME_ROOM / 2 - 8 || at > width - NAME_ROOM / 2 + 8) return null;
        return (
          <text key={name} class="tick-name" x={at} y={HEIGHT - 5}>
            {name.split(' – ')[0]}
          </text>
        );
      })}
      {bars.map((bar, index) => (
        <Column
          key={bar.name}
          bar={bar}
          series={series}
          x={LEFT + index * room}
          width={room}
          y={y}
          isFirst={totals.findIndex((total) => total > 0) === index}
          onHover={onHover}
        />
      ))}
    </svg>
  );
}

interface ColumnProps {
  readonly bar: ChartBar;
  readonly series: readonly Series[];
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
  /** Only one link of a chart is in the tab order; arrow keys reach the others. */
  readonly isFirst: boolean;
  readonly onHover: (text: string) => void;
}

function Column({ bar, series, x, width, y, isFirst, onHover }: ColumnProps): VNode {
  const gap = width > 4 ? 1 : 0;
  const filled = bar.parts.findIndex(({ value }) => value > 0);
  let below = 0;
  return (
    <>
      {bar.parts.map(({ value, href }, index) => {
        const from = below;
        below += value;
        if (value === 0) return null;
        const label = `${bar.name}: ${value.toLocaleString()} ${series[index]?.name ?? ''}`;
        const tell = () => onHover(label);
        return (
          <a
            key={series[index]?.name}
            href={href}
            aria-label={label}
            tabIndex={isFirst && index === filled ? 0 : -1}
            onPointerEnter={tell}
            onFocus={tell}
          >
            <rect
              class={series[index]?.tone}
              x={x + gap / 2}
              y={y(below)}
              width={Math.max(width - gap, 1)}
              height={Math.max(y(from) - y(below), 1)}
            />
          </a>
        );
      })}
    </>
  );
}

/** Arrow keys move the focus from bar to bar. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: SVGSVGElement }): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link.matches(':focus'));
  links[at + (event.key === 'ArrowLeft' ? -1 : 1)]?.focus();
  event.preventDefault();
}
