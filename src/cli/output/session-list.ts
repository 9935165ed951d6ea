import type { SessionSummary } from '../../record/index.ts';
import { formatCount, formatNumber } from '../../text/format-count.ts';
import { relativeTime } from './format.ts';
import type { Column } from './layout.ts';
import { outcomeCounts } from './outcome-mark.ts';
import type { Output } from './output.ts';
import { sanitiseLine } from './sanitise.ts';

/** How a list of sessions or search hits is printed. */
export interface ListOptions {
  readonly output: Output;
  readonly now: number;
  /** Returns the display name of a project id. */
  readonly projectName: (id: string) => string;
  /** Returns the first characters of a session id that are enough to find it. */
  readonly shortId: (sessionId: string) => string;
}

/** A narrower terminal shows a session on several lines. */
const MIN_TABLE_COLUMNS = 70;
const MIN_AGENT_COLUMNS = 100;
const MIN_COUNT_COLUMNS = 100;
const MIN_BRANCH_COLUMNS = 130;

/** A table of sessions: id, age, messages, outcomes, agent, branch, project and the first message. */
export function sessionLines(sessions: readonly SessionSummary[], options: ListOptions): string[] {
  const { output, now, projectName, shortId } = options;
  const { style, columns } = output;
  if (columns < MIN_TABLE_COLUMNS) return sessions.flatMap((session) => narrowLines(session, options));
  const column = (cell: (session: SessionSummary) => string, rest: Omit<Column, 'cells'> = {}): Column => ({
    cells: sessions.map(cell),
    ...rest,
  });
  const hasSeveralProjects = new Set(sessions.map(({ project }) => project)).size > 1;
  return output.table([
    column(({ sessionId }) => style.yellow(sanitiseLine(shortId(sessionId)))),
    column(({ lastActivity }) => style.dim(relativeTime(lastActivity, now))),
    ...(columns >= MIN_COUNT_COLUMNS
      ? [column(({ messageCount }) => style.dim(`${formatNumber(messageCount)} msg`), { align: 'right' })]
      : []),
    column((session) => outcomeCounts(session, output)),
    ...(columns >= MIN_AGENT_COLUMNS
      ? [column(({ agent = '' }) => style.cyan(sanitiseLine(agent)), { maxWidth: 14 })]
      : []),
    ...(columns >= MIN_BRANCH_COLUMNS
      ? [column(({ branch = '' }) => style.dim(sanitiseLine(branch)), { maxWidth: 20 })]
      : []),
    ...(hasSeveralProjects
      ? [column(({ project }) => style.bold(projectName(project)), { maxWidth: columns < MIN_COUNT_COLUMNS ? 12 : 20 })]
      : []),
    column((session) => labelledTitle(session, output)),
  ]);
}

/** The title with the colleague whose session it is, and the user's star and tags. */
function labelledTitle({ title, author, starred, tags = [] }: SessionSummary, { style }: Output): string {
  const names = tags.map((tag) => style.dim(`#${sanitiseLine(tag)}`));
  const marks = [...(starred ? [style.yellow('★')] : []), ...(author ? [style.cyan(`${sanitiseLine(author)}:`)] : [])];
  return [...marks, sanitiseLine(title), ...names].filter(Boolean).join(' ');
}

function narrowLines(session: SessionSummary, { output, now, shortId }: ListOptions): string[] {
  const { style } = output;
  const facts = [
    style.dim(relativeTime(session.lastActivity, now)),
    outcomeCounts(session, output),
    style.dim(formatCount(session.messageCount, 'message')),
  ].filter((fact) => fact !== '');
  return [
    labelledTitle(session, output) || '(no text)',
    `  ${style.yellow(sanitiseLine(shortId(session.sessionId)))}`,
    `  ${facts.join(' ')}`,
  ].map((line) => output.truncate(line));
}
