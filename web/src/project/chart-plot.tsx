import type { VNode } from 'preact';
import type { BarChartProps, ChartBar, Series } from './bar-chart.tsx';
import { niceSteps } from './nice-steps.ts';

const HEIGHT = 150;
const TOP = 8;
const LEFT = 34;
const FLOOR = HEIGHT - 20;
const NAME_ROOM = 74;

interface PlotProps extends BarChartProps {
  readonly width: number;
  readonly onTell: (text: string) => void;
}

/** The bars with their axes. */
export function ChartPlot({ title, unit, series, bars, width, onTell }: PlotProps): VNode {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const steps = niceSteps(totals.reduce((most, total) => Math.max(most, total), 0));
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
      onKeyDown={walkLinks}
      onPointerLeave={() => onTell('')}
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
          onTell={onTell}
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
  /** Only one link of a chart is reached by Tab; arrow keys lead on. */
  readonly isFirst: boolean;
  readonly onTell: (text: string) => void;
}

function Column({ bar, series, x, width, y, isFirst, onTell }: ColumnProps): VNode {
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
        const tell = () => onTell(label);
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

/** Arrow keys lead from bar to bar. */
function walkLinks(event: KeyboardEvent & { readonly currentTarget: SVGSVGElement }): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link.matches(':focus'));
  links[at + (event.key === 'ArrowLeft' ? -1 : 1)]?.focus();
  event.preventDefault();
}
