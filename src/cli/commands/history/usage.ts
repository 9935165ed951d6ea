import { countTokens, type UsageReport, type UsageSums } from '../../../project/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import { formatCount } from '../../../text/format-count.ts';
import { createListOptions, projectNames, resolveProject } from '../../choose-project.ts';
import type { CommandRun } from '../../command.ts';
import { choiceOption, countOption, flagOption, spanOption, textOption, timeOption } from '../../options.ts';
import { formatActiveTime, formatCost, formatShare, formatTokens } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import type { ListOptions } from '../../output/session-list.ts';
import { displayWidth } from '../../output/width.ts';

type UsageOrder = keyof UsageReport['by'] | 'session';
/** Values of `--by`. */
const ORDERS: readonly UsageOrder[] = ['day', 'model', 'agent', 'project', 'session'];

const DEFAULT_SESSIONS = 10;

const COLUMN_GAP = 2;
/** Titles get at least this much. */
const MIN_TITLE_WIDTH = 32;
const MAX_TITLE_WIDTH = 60;

/** `yore usage`. */
export const runUsage: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const by = choiceOption(options, 'by', ORDERS) ?? 'day';
  const name = textOption(options, 'project');
  const now = context.now();
  const { timeZone } = spanOption(options, now);
  const since = timeOption(options, 'since', now);
  const until = timeOption(options, 'until', now);
  const limit = countOption(options, 'limit') ?? DEFAULT_SESSIONS;
  const home = await context.openHome();
  const project = name === undefined ? undefined : resolveProject(home, name, context.cwd);
  const report = await output.withProgress('Indexing', (progress) =>
    home.usage(
      omitUndefined({
        projects: project && [project.info.projectHash],
        since,
        until,
        timeZone,
        limit,
      }),
      progress,
    ),
  );
  const projectName = projectNames(home);
  if (flagOption(options, 'json')) {
    output.json({ project: project?.info.projectHash ?? null, by, ...toJson(report, by, projectName) });
    return;
  }
  const where = project === undefined ? 'All projects' : sanitiseLine(project.info.displayName);
  if (countTokens(report.total) === 0 && report.total.activeMs === 0) {
    const when = since === undefined && until === undefined ? 'yet' : 'in that time';
    output.lines(`${where}: no usage recorded ${when}.`);
    return;
  }
  output.lines(
    ...output.wrapFacts([output.style.bold(where), ...totalFacts(report.total)]),
    '',
    ...usageTable(report, by, createListOptions(home, context)),
    '',
    ...output.wrap(output.style.dim(priceNote(report))),
  );
};

function toJson(report: UsageReport, by: UsageOrder, projectName: (id: string) => string): object {
  const { pricesAsOf, total, topSessions } = report;
  if (by === 'session') {
    return {
      pricesAsOf,
      total,
      groups: topSessions.map((session) => ({
        key: session.sessionId,
        ...session,
        projectName: projectName(session.project),
      })),
    };
  }
  const groups = report.by[by];
  return {
    pricesAsOf,
    total,
    groups: by === 'project' ? groups.map((group) => ({ ...group, projectName: projectName(group.key) })) : groups,
  };
}

function totalFacts(total: UsageSums): readonly string[] {
  return [
    total.cost === undefined ? 'no known prices' : `about ${formatEstimate(total)}`,
    `${formatTokens(countTokens(total))} tokens`,
    `${formatActiveTime(total.activeMs)} active`,
    formatCount(total.sessions, 'session'),
  ];
}

/** A row for each day, model, agent, project or session, with the names of the columns above them. */
export function usageTable(
  report: UsageReport,
  by: UsageOrder,
  { output, projectName, shortId }: Pick<ListOptions, 'output' | 'projectName' | 'shortId'>,
): string[] {
  const rows: readonly (UsageSums & { readonly name: string; readonly id?: string })[] =
    by === 'session'
      ? report.topSessions.map((session) => ({
          ...session,
          name: sanitiseLine(session.title) || '(no text)',
          id: sanitiseLine(shortId(session.sessionId)),
        }))
      : report.by[by].map((group) => ({
          ...group,
          name: by === 'project' ? projectName(group.key) : sanitiseLine(group.key) || '(unknown)',
        }));
  const numbers = (title: string, cell: (sums: UsageSums) => string) => ({
    cells: [output.style.dim(title), ...rows.map(cell)],
    align: 'right' as const,
  });
  const { style, columns } = output;
  const names = { cells: [style.dim(by), ...rows.map(({ name }) => name)], maxWidth: MAX_TITLE_WIDTH };
  const ids = { cells: ['', ...rows.map(({ id = '' }) => style.yellow(id))] };
  const cost = numbers('cost', formatEstimate);
  const tokens = [
    numbers('input', ({ inputTokens }) => formatTokens(inputTokens)),
    numbers('output', ({ outputTokens, incompleteReplies }) => {
      return `${formatTokens(outputTokens)}${incompleteReplies > 0 ? '+' : ''}`;
    }),
  ];
  const cached = [
    numbers('cache read', ({ cacheReadTokens }) => formatTokens(cacheReadTokens)),
    numbers('cache write', ({ cacheWriteTokens }) => formatTokens(cacheWriteTokens)),
  ];
  const active = numbers('active', ({ activeMs }) => formatActiveTime(activeMs));
  const sessions = numbers('sessions', (sums) => String(sums.sessions));
  const nameWidth = Math.min(columnWidth(names), by === 'session' ? MIN_TITLE_WIDTH : MAX_TITLE_WIDTH);
  const room = columns - nameWidth - columnWidth(by === 'session' ? ids : sessions);
  // What does not fit is left out rather than cut off: first the cache, then all tokens, then the time.
  const choices = [
    [cost, ...tokens, ...cached, active],
    [cost, ...tokens, active],
    [cost, active],
  ];
  const sums = choices.find((all) => all.reduce((sum, column) => sum + columnWidth(column), 0) <= room) ?? [cost];
  if (by !== 'session') return output.table([names, ...sums, sessions]);
  // Titles come last, so that they get the room that is left.
  return output.table([ids, ...sums, names]);
}

function columnWidth({ cells }: { readonly cells: readonly string[] }): number {
  return Math.max(...cells.map(displayWidth)) + COLUMN_GAP;
}

/** `$1.20 (40 %)` where the models of only 40 % of the tokens have a known price. */
function formatEstimate({ cost, pricedShare, replies }: UsageSums): string {
  if (cost === undefined) return replies === 0 ? '–' : 'unknown';
  return pricedShare === 1 ? formatCost(cost) : `${formatCost(cost)} (${formatShare(pricedShare)})`;
}

function priceNote({ pricesAsOf, total }: UsageReport): string {
  const { unpricedTokens, incompleteReplies } = total;
  const unpriced =
    unpricedTokens === 0
      ? ''
      : ` Percentages are the share of tokens that a cost is for: ${formatTokens(unpricedTokens)} tokens are of models without a known price.`;
  const incomplete =
    incompleteReplies === 0
      ? ''
      : ` Output with + is more than that: agents recorded ${formatCount(incompleteReplies, 'reply', 'replies')} at their start.`;
  const rest = `${unpriced}${incomplete}`;
  return `Estimated by list prices of ${pricesAsOf}, or yours: yore config set usage.prices.${rest}`;
}
