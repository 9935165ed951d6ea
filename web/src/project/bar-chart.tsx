import type { ComponentChild, ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { axisSteps } from './day-buckets.ts';
import { useWidth } from './use-width.ts';

/** A series of a chart. */
export interface Series {
  readonly name: string;
  /** The class that sets its colour. */
  readonly tone: 'neutral' | 'accent' | 'failure' | 'success' | 'faint';
}

/** A stacked bar. */
export interface ChartBar {
  readonly name: string;
  /** For each series its value, and the address it links to. */
  readonly parts: readonly {
    readonly value: number;
    readonly href: string;
    /** What the value means. Default: the value and the name of the series. */
    readonly label?: string;
  }[];
}

interface BarChartProps {
  readonly title: string;
  /** What the values count. */
  readonly unit: string;
  readonly series: readonly Series[];
  readonly bars: readonly ChartBar[];
  /** How values are shown. Default: whole numbers. */
  readonly format?: (value: number) => string;
  /** The smallest step of the axis. Default 1. */
  readonly smallest?: number;
  /** Stands beside the title, such as the total. */
  readonly note?: ComponentChild;
}

function formatWhole(value: number): string {
  return value.toLocaleString();
}

/** A bar chart of counts over time, and the same data as a table. The page names the colours of several series. */
export function BarChart({ note, ...chart }: BarChartProps): VNode {
  const { title, series, bars, format = formatWhole } = chart;
  const { ref, width } = useWidth<HTMLDivElement>();
  const [label, setLabel] = useState('');
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        {note === undefined ? null : <span class="chart-note">{note}</span>}
        <span class="chart-label" aria-hidden="true">
          {label}
        </span>
      </figcaption>
      <div class="plot" ref={ref}>
        {width === 0 ? null : <ChartPlot {...chart} width={width} onHover={setLabel} />}
      </div>
      <ChartTable title={title} heads={['When', ...series.map(({ name }) => name || title)]}>
        {bars
          .filter(({ parts }) => parts.some(({ value }) => value > 0))
          .toReversed()
          .map(({ name, parts }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {parts.map(({ value, href, label: text }, index) => (
                <td key={series[index]?.name}>{value === 0 ? '0' : <a href={href}>{text ?? format(value)}</a>}</td>
              ))}
            </tr>
          ))}
      </ChartTable>
    </figure>
  );
}

interface ChartTableProps {
  readonly title: string;
  readonly heads: readonly string[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** The numbers of a chart as a table, opened on demand. */
export function ChartTable({ title, heads, children }: ChartTableProps): VNode {
  return (
    <details class="chart-table">
      <summary>Show as table</summary>
      <div class="wide" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </details>
  );
}

const HEIGHT = 150;
const TOP = 8;
const FLOOR = HEIGHT - 20;
/** The width of a character of the names below the bars and of the values beside them. */
const NAME_CHARACTER = 6.7;
/** Room for the values of the axis; longer ones take more. */
const MIN_LEFT = 40;
/** Between a value of the axis and the first bar. */
const VALUE_GAP = 6;

interface PlotProps extends Omit<BarChartProps, 'note'> {
  readonly width: number;
  readonly onHover: (text: string) => void;
}

function ChartPlot({ title, unit, series, bars, format = formatWhole, smallest, width, onHover }: PlotProps): VNode {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const steps = axisSteps(
    totals.reduce((most, total) => Math.max(most, total), 0),
    smallest,
  );
  const highest = steps.at(-1) ?? 1;
  const y = (value: number) => FLOOR - (value / highest) * (FLOOR - TOP);
  const left = Math.max(
    MIN_LEFT,
    ...steps.map((value) => Math.ceil(format(value).length * NAME_CHARACTER) + VALUE_GAP),
  );
  const room = (width - left) / Math.max(bars.length, 1);
  const names = bars.map(({ name }) => name.split(' – ')[0] ?? name);
  const nameWidth = NAME_CHARACTER * names.reduce((longest, { length }) => Math.max(longest, length), 0);
  // Enough for the last name, too, which is moved to the left if it would be cut off.
  const every = Math.max(Math.ceil((1.5 * nameWidth + 6) / room), 1);
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
          <line class={value === 0 ? 'base' : 'grid'} x1={left} x2={width} y1={y(value)} y2={y(value)} />
          <text class="value" x={left - VALUE_GAP} y={y(value) + 4}>
            {format(value)}
          </text>
        </g>
      ))}
      {names.map((name, index) => {
        const at = Math.min(left + (index + 0.5) * room, width - (name.length * NAME_CHARACTER) / 2);
        if ((bars.length - 1 - index) % every !== 0 || at < left + nameWidth / 2 - 8) return null;
        return (
          <text key={name} class="tick-name" x={at} y={HEIGHT - 5}>
            {name}
          </text>
        );
      })}
      {bars.map((bar, index) => (
        <Column
          key={bar.name}
          bar={bar}
          series={series}
          x={left + index * room}
          width={room}
          y={y}
          format={format}
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
  readonly format: (value: number) => string;
  /** Only one link of a chart is in the tab order; arrow keys reach the others. */
  readonly isFirst: boolean;
  readonly onHover: (text: string) => void;
}

function Column({ bar, series, x, width, y, format, isFirst, onHover }: ColumnProps): VNode {
  const gap = width > 4 ? 1 : 0;
  const filled = bar.parts.findIndex(({ value }) => value > 0);
  let below = 0;
  return (
    <>
      {bar.parts.map(({ value, href, label: text }, index) => {
        const from = below;
        below += value;
        if (value === 0) return null;
        const label = `${bar.name}: ${text ?? `${format(value)} ${series[index]?.name ?? ''}`}`.trim();
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
