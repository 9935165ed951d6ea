import type { TimelineDay } from '../../../ask/timeline.ts';
import type { Project } from '../../../project/index.ts';
import { formatCount, formatNumber } from '../../../text/format-count.ts';
import { createProjectReport } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { countOption, spanOption } from '../../options.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { displayWidth } from '../../output/width.ts';

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
/** A narrower terminal shows dates without year and weekday. */
const MIN_FULL_DATE_COLUMNS = 60;
const MIN_SESSION_COLUMNS = 80;
const MAX_BAR_WIDTH = 100;
const MIN_BAR_WIDTH = 4;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `yore timeline`. */
export const runTimeline: CommandRun = createProjectReport((project, context, options) => {
  const { output } = context;
  const span = spanOption(options, context.now());
  const maxDays = countOption(options, 'days') ?? DEFAULT_DAYS;
  const all = project?.memory.timeline(span) ?? [];
  const days = all.slice(-maxDays);
  const lines = ({ info }: Project): string[] => {
    const name = sanitiseLine(info.displayName);
    if (days.length === 0) return output.wrap(`No activity in ${name} in that time.`);
    const more = `${formatNumber(days.length)} of ${formatCount(all.length, 'day')}: --days ${maxDays * 4}`;
    const title = [output.style.bold(name), ...(all.length > days.length ? [output.style.dim(more)] : [])];
    return [...output.wrapFacts(title), ...timelinePlot(days, output)];
  };
  return { json: { total: all.length, days }, lines };
});

/** A row for each day, the earliest first: a bar of successes and failures, their counts and the commits. */
export function timelinePlot(days: readonly TimelineDay[], output: Output): string[] {
  const { style, symbols, columns } = output;
  const counts = output.table([
    ...(columns < MIN_SESSION_COLUMNS
      ? []
      : [{ cells: days.map(({ sessions }) => formatCount(sessions, 'session')), align: 'right' as const }]),
    { cells: days.map(({ successes }) => formatAmount(symbols.success, successes)), align: 'right' },
    { cells: days.map(({ failures }) => formatAmount(symbols.failure, failures)), align: 'right' },
    { cells: days.map(({ commits }) => formatAmount(symbols.commit, commits)), align: 'right' },
  ]);
  const names = days.map(({ date }) => formatDay(date, columns));
  const nameWidth = Math.max(0, ...names.map(displayWidth));
  const countWidth = Math.max(0, ...counts.map(displayWidth));
  const barWidth = Math.min(MAX_BAR_WIDTH, columns - nameWidth - countWidth - 4);
  const maxAttempts = Math.max(1, ...days.map(({ successes, failures }) => successes + failures));
  const rows = output.table([
    { cells: names },
    ...(barWidth < MIN_BAR_WIDTH ? [] : [{ cells: days.map((day) => drawBar(day, barWidth / maxAttempts, output)) }]),
    { cells: counts },
  ]);
  const legend = [
    `${style.green(symbols.barFull)} worked`,
    `${style.red(symbols.barFailed)} failed`,
    `${style.cyan(symbols.commit)} commits`,
  ].join('  ');
  return [
    ...rows.flatMap((row, index) => [...gapLines(days[index - 1], days[index], output), row]),
    '',
    ...output.wrap(legend),
  ];
}

/** A count above 0 takes at least one column. */
function drawBar({ successes, failures }: TimelineDay, scale: number, { style, symbols }: Output): string {
  const toWidth = (count: number): number => (count === 0 ? 0 : Math.max(1, Math.floor(count * scale)));
  return (
    style.green(symbols.barFull.repeat(toWidth(successes))) + style.red(symbols.barFailed.repeat(toWidth(failures)))
  );
}

function formatAmount(sign: string, count: number): string {
  return count === 0 ? '' : `${sign}${formatNumber(count)}`;
}

function formatDay(date: string, columns: number): string {
  if (columns < MIN_FULL_DATE_COLUMNS) return date.slice(5);
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? date : `${date} ${WEEKDAYS[new Date(time).getUTCDay()]}`;
}

/** Days without activity have no rows; a gap of two or more is mentioned. */
function gapLines(before: TimelineDay | undefined, day: TimelineDay | undefined, output: Output): string[] {
  if (before === undefined || day === undefined) return [];
  const quietDays = Math.round((Date.parse(day.date) - Date.parse(before.date)) / DAY_MS) - 1;
  if (!(quietDays >= 2)) return [];
  const gap = `${output.symbols.ellipsis} ${formatCount(quietDays, 'quiet day')}`;
  return [output.truncate(output.style.dim(gap))];
}
