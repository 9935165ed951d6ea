import type { SessionSummary } from '../../record/index.ts';
import { outcomeCounts } from './outcome-mark.ts';
import type { Output } from './output.ts';
import { countOf, formatCount } from './quantity.ts';
import { sanitiseLine } from './sanitise.ts';
import { type Column, layoutTable } from './table.ts';
import { relativeTime } from './time.ts';
import { truncate } from './width.ts';

/** What a list of sessions is printed with. */
export interface SessionListOptions {
  readonly output: Output;
  readonly now: number;
  /** Display name of a project's id. */
  readonly projectName: (id: string) => string;
}

/** Below this many columns a session takes two lines. */
const COLUMNS_FOR_ONE_LINE = 70;
const COLUMNS_FOR_AGENT = 100;
const COLUMNS_FOR_BRANCH = 130;

/** Sessions, one line each: id, age, messages, outcomes, where from, how it began. */
export function sessionLines(sessions: readonly SessionSummary[], options: SessionListOptions): string[] {
  if (options.output.columns < COLUMNS_FOR_ONE_LINE) return narrowLines(sessions, options);
  const { output, now, projectName } = options;
  const { style, symbols, columns } = output;
  const isMixed = new Set(sessions.map(({ project }) => project)).size > 1;
  const column = (cell: (session: SessionSummary) => string, rest: Omit<Column, 'cells'> = {}): Column => ({
    cells: sessions.map(cell),
    ...rest,
  });
  const table: Column[] = [
    column(({ sessionId }) => style.yellow(sanitiseLine(sessionId))),
    column(({ lastActivity }) => style.dim(relativeTime(lastActivity, now))),
    column(({ messageCount }) => style.dim(`${formatCount(messageCount)} msg`), { align: 'right' }),
    column((session) => outcomeCounts(session, style, symbols)),
  ];
  if (columns >= COLUMNS_FOR_AGENT) {
    table.push(column(({ agent = '' }) => style.cyan(sanitiseLine(agent)), { atMost: 14 }));
  }
  if (columns >= COLUMNS_FOR_BRANCH) {
    table.push(column(({ branch = '' }) => style.dim(sanitiseLine(branch)), { atMost: 20 }));
  }
  if (isMixed) table.push(column(({ project }) => style.bold(projectName(project)), { atMost: 20 }));
  table.push(column(({ preview }) => sanitiseLine(preview)));
  return layoutTable(table, columns, symbols.ellipsis);
}

function narrowLines(sessions: readonly SessionSummary[], options: SessionListOptions): string[] {
  const { style, symbols, columns } = options.output;
  return sessions.flatMap((session) => {
    const facts = [
      style.dim(relativeTime(session.lastActivity, options.now)),
      outcomeCounts(session, style, symbols),
      style.dim(countOf(session.messageCount, 'message')),
    ].filter((fact) => fact !== '');
    return [
      truncate(sanitiseLine(session.preview) || '(no text)', columns, symbols.ellipsis),
      truncate(`  ${style.yellow(sanitiseLine(session.sessionId))}`, columns, symbols.ellipsis),
      truncate(`  ${facts.join(' ')}`, columns, symbols.ellipsis),
    ];
  });
}
