import type { TimelineDay } from '../../memory/index.ts';
import type { Output } from './output.ts';
import { countOf, formatCount } from './quantity.ts';
import { layoutTable } from './table.ts';
import { displayWidth, truncate, wrap } from './width.ts';

const DAY_MS = 86_400_000;
/** From this many columns on, days are written with their year and weekday. */
const COLUMNS_FOR_WHOLE_DATES = 60;
const COLUMNS_FOR_SESSIONS = 80;
const LONGEST_BAR = 100;
const SHORTEST_BAR = 4;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Days from top to bottom, the earliest first, each with a bar of what worked and what failed, and its commits. */
export function timelinePlot(days: readonly TimelineDay[], output: Output): string[] {
  const { style, symbols, columns } = output;
  const counts = layoutTable(
    [
      ...(columns < COLUMNS_FOR_SESSIONS
        ? []
        : [{ cells: days.map(({ sessions }) => countOf(sessions, 'session')), align: 'right' as const }]),
      { cells: days.map(({ successes }) => amount(symbols.success, successes)), align: 'right' },
      { cells: days.map(({ failures }) => amount(symbols.failure, failures)), align: 'right' },
      { cells: days.map(({ commits }) => amount(symbols.commit, commits)), align: 'right' },
    ],
    columns,
    symbols.ellipsis,
  );
  const names = days.map(({ date }) => dayName(date, columns));
  const nameWidth = Math.max(0, ...names.map(displayWidth));
  const countWidth = Math.max(0, ...counts.map(displayWidth));
  const room = Math.min(LONGEST_BAR, columns - nameWidth - countWidth - 4);
  const most = Math.max(1, ...days.map(({ successes, failures }) => successes + failures));
  const rows = layoutTable(
    [
      { cells: names },
      ...(room < SHORTEST_BAR ? [] : [{ cells: days.map((day) => bar(day, room / most, output)) }]),
      { cells: counts },
    ],
    columns,
    symbols.ellipsis,
  );
  const legend = [
    `${style.green(symbols.barFull)} worked`,
    `${style.red(symbols.barFailed)} failed`,
    `${style.cyan(symbols.commit)} commits`,
  ].join('  ');
  return [
    ...rows.flatMap((row, index) => [...quietLines(days[index - 1], days[index], output), row]),
    '',
    ...wrap(legend, columns),
  ];
}

/** Every part that is not empty takes at least one column. */
function bar({ successes, failures }: TimelineDay, scale: number, { style, symbols }: Output): string {
  const cells = (count: number): number => (count === 0 ? 0 : Math.max(1, Math.floor(count * scale)));
  return (
    style.green(symbols.barFull.repeat(cells(successes))) +
    style.red(symbols.barFailed.repeat(cells(failures)))
  );
}

function amount(sign: string, count: number): string {
  return count === 0 ? '' : `${sign}${formatCount(count)}`;
}

function dayName(date: string, columns: number): string {
  if (columns < COLUMNS_FOR_WHOLE_DATES) return date.slice(5);
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? date : `${date} ${WEEKDAYS[new Date(time).getUTCDay()]}`;
}

/** Time without activity is not drawn, but said. */
function quietLines(before: TimelineDay | undefined, day: TimelineDay | undefined, output: Output): string[] {
  if (before === undefined || day === undefined) return [];
  const quiet = Math.round((Date.parse(day.date) - Date.parse(before.date)) / DAY_MS) - 1;
  if (!(quiet >= 2)) return [];
  const { style, symbols, columns } = output;
  return [
    truncate(style.dim(`${symbols.ellipsis} ${countOf(quiet, 'quiet day')}`), columns, symbols.ellipsis),
  ];
}
