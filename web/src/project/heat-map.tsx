import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { DayCount } from '../../../src/server/rpc/api.ts';
import { historyHref } from '../router/router.ts';
import { formatQuantity, MONTHS } from '../text/format.ts';
import { ChartTable } from './bar-chart.tsx';
import { useWidth } from './use-width.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05 was a Monday. */
const MONDAY_MS = 4 * DAY_MS;
const MAX_WEEKS = 53;
const CELL = 12;
const STEP = 15;
const LEFT = 30;
const TOP = 16;
const LEVELS = 4;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A day of the map. */
interface Cell {
  readonly day: string;
  readonly week: number;
  readonly weekday: number;
  readonly count: DayCount | undefined;
  /** 0 without activity, then 1 to 4. */
  readonly level: number;
}

/** The days of the last weeks, up to the week of `last`, from Monday to Sunday. */
function heatCells(days: readonly DayCount[], last: number, weeks: number): readonly Cell[] {
  const monday = Math.floor((last - MONDAY_MS) / WEEK_MS) * WEEK_MS + MONDAY_MS;
  const first = monday - (weeks - 1) * WEEK_MS;
  const byDay = new Map(days.map((day) => [day.day, day]));
  const count = Math.floor((last - first) / DAY_MS) + 1;
  const shown = Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
  const most = shown.reduce((highest, day) => Math.max(highest, callsOf(byDay.get(day))), 1);
  return shown.map((day, index) => {
    const found = byDay.get(day);
    const calls = callsOf(found);
    const level = found === undefined ? 0 : Math.max(1, Math.ceil(Math.sqrt(calls / most) * LEVELS));
    return { day, week: Math.floor(index / 7), weekday: index % 7, count: found, level };
  });
}

function callsOf(day: DayCount | undefined): number {
  return day === undefined ? 0 : day.successes + day.failures;
}

/** The activity of each day as a calendar, with the same data as a table. */
export function HeatMap({ days }: { readonly days: readonly DayCount[] }): VNode {
  const { ref, width } = useWidth<HTMLDivElement>();
  const [label, setLabel] = useState('');
  const weeks = Math.min(MAX_WEEKS, Math.max(Math.floor((width - LEFT) / STEP), 4));
  const cells = useMemo(() => heatCells(days, Date.now(), weeks), [days, weeks]);
  const active = cells.filter(({ count }) => count !== undefined).length;
  return (
    <figure class="chart heat">
      <figcaption>
        <span class="chart-title">Activity</span>
        <span class="fact">
          {formatQuantity(active, 'active day')} in {formatQuantity(weeks, 'week')}
        </span>
        <span class="heat-scale" aria-hidden="true">
          Less
          {Array.from({ length: LEVELS + 1 }, (_, level) => (
            <span key={level} class={`heat-key level-${level}`} />
          ))}
          More
        </span>
        <span class="chart-label" aria-hidden="true">
          {label}
        </span>
      </figcaption>
      <div class="plot" ref={ref}>
        {width === 0 ? null : <HeatPlot cells={cells} weeks={weeks} onHover={setLabel} />}
      </div>
      <HeatTable cells={cells} />
    </figure>
  );
}

interface HeatPlotProps {
  readonly cells: readonly Cell[];
  readonly weeks: number;
  readonly onHover: (text: string) => void;
}

function HeatPlot({ cells, weeks, onHover }: HeatPlotProps): VNode {
  const last = cells.findLastIndex(({ count }) => count !== undefined);
  return (
    <svg
      width={LEFT + weeks * STEP}
      height={TOP + 7 * STEP}
      role="group"
      aria-label="Activity by day. Arrow keys move from day to day."
      onKeyDown={moveFocus}
      onPointerLeave={() => onHover('')}
    >
      {[0, 2, 4].map((weekday) => (
        <text key={weekday} class="value" x={LEFT - 6} y={TOP + weekday * STEP + 10}>
          {WEEKDAYS[weekday]?.slice(0, 3)}
        </text>
      ))}
      {monthNames(cells).map(({ week, name }) => (
        <text key={week} x={LEFT + week * STEP} y={10}>
          {name}
        </text>
      ))}
      {cells.map((cell, index) => {
        const text = describe(cell);
        const box = { x: LEFT + cell.week * STEP, y: TOP + cell.weekday * STEP, width: CELL, height: CELL, rx: 2 };
        const tell = () => onHover(text);
        if (cell.count === undefined) return <rect key={cell.day} class="level-0" {...box} onPointerEnter={tell} />;
        return (
          <a
            key={cell.day}
            href={historyHref({ since: cell.day, until: cell.day })}
            data-cell={index}
            aria-label={text}
            tabIndex={index === last ? 0 : -1}
            onPointerEnter={tell}
            onFocus={tell}
          >
            <rect class={`level-${cell.level}`} {...box} />
          </a>
        );
      })}
    </svg>
  );
}

/** The name of a month above its first week, unless the one before is too close. */
function monthNames(cells: readonly Cell[]): readonly { readonly week: number; readonly name: string }[] {
  const names: { week: number; name: string }[] = [];
  let month = '';
  for (const { day, week, weekday } of cells) {
    if (weekday !== 0 || day.slice(0, 7) === month) continue;
    month = day.slice(0, 7);
    const last = names.at(-1);
    if (last !== undefined && week - last.week < 3) names.pop();
    names.push({ week, name: MONTHS[Number(day.slice(5, 7)) - 1] ?? '' });
  }
  return names;
}

function describe({ day, weekday, count }: Cell): string {
  const when = `${WEEKDAYS[weekday]}, ${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`;
  if (count === undefined) return `${when}: no activity`;
  const { sessions, successes, failures, commits } = count;
  const facts = [
    formatQuantity(sessions, 'session'),
    `${formatQuantity(successes + failures, 'tool call')}, ${failures.toLocaleString()} failed`,
    ...(commits === 0 ? [] : [formatQuantity(commits, 'commit')]),
  ];
  return `${when}: ${facts.join(', ')}`;
}

/** Arrow keys move the focus to the next active day: up and down by day, left and right by week. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: SVGSVGElement }): void {
  const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll<SVGAElement>('a')];
  const at = Number(links.find((link) => link.matches(':focus'))?.dataset.cell);
  if (Number.isNaN(at)) return;
  const candidates = links.filter((link) => Math.sign(Number(link.dataset.cell) - at) === Math.sign(step));
  const distance = (link: SVGAElement) => Math.abs(Number(link.dataset.cell) - (at + step));
  candidates.sort((a, b) => distance(a) - distance(b))[0]?.focus();
}

function HeatTable({ cells }: { readonly cells: readonly Cell[] }): VNode {
  const days = cells.flatMap(({ count }) => count ?? []).toReversed();
  return (
    <ChartTable title="Activity" heads={['Day', 'Sessions', 'Tool calls', 'Failed', 'Commits']}>
      {days.map(({ day, sessions, successes, failures, commits }) => (
        <tr key={day}>
          <th scope="row">
            <a href={historyHref({ since: day, until: day })}>{day}</a>
          </th>
          <td>{sessions.toLocaleString()}</td>
          <td>{(successes + failures).toLocaleString()}</td>
          <td>{failures.toLocaleString()}</td>
          <td>{commits.toLocaleString()}</td>
        </tr>
      ))}
    </ChartTable>
  );
}
