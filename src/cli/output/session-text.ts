import type { Attempt, Message } from '../../record/index.ts';
import { indented } from './indented.ts';
import { outcomeCounts, outcomePaint, outcomeSign } from './outcome-mark.ts';
import type { Output } from './output.ts';
import { countOf } from './quantity.ts';
import { sanitise, sanitiseLine } from './sanitise.ts';
import { localTime } from './time.ts';
import { truncate, wrap } from './width.ts';

/** A message or an attempt of a session. */
export type SessionEntry = Message | Attempt;

/** What the head of a session says. */
export interface SessionHead {
  readonly sessionId: string;
  readonly title: string;
  readonly project: string;
  readonly agent?: string | undefined;
  readonly branch?: string | undefined;
  readonly timestamp: string;
  readonly messageCount: number;
  readonly failures: number;
  readonly successes: number;
}

/** Lines of an attempt's error or result that are shown. */
const DETAIL_LINES = 4;

/** Whether an entry is a message. */
export function isMessage(entry: SessionEntry): entry is Message {
  return 'role' in entry;
}

/** What an attempt did, on one line: its command, its tool and path, or the practice it noted. */
export function attemptTitle(attempt: Attempt): string {
  if (attempt.command) return sanitiseLine(attempt.command);
  if (attempt.path) return sanitiseLine([attempt.tool, attempt.path].filter(Boolean).join(' '));
  if (attempt.pattern) return sanitiseLine(attempt.pattern);
  return sanitiseLine(attempt.tool ?? attempt.description ?? 'attempt');
}

/** The head of a session. */
export function headLines(head: SessionHead, output: Output): string[] {
  const { style, symbols, columns } = output;
  const facts = [
    head.project,
    ...[head.agent, head.branch]
      .filter((fact) => fact !== undefined && fact !== '')
      .map((fact) => fact ?? ''),
    localTime(head.timestamp),
    countOf(head.messageCount, 'message'),
  ].map(sanitiseLine);
  const counts = outcomeCounts(head, style, symbols);
  const line = [...facts.map(style.dim), ...(counts ? [counts] : [])].join(
    style.dim(` ${symbols.separator} `),
  );
  return [
    style.bold(truncate(sanitiseLine(head.title) || '(no text)', columns, symbols.ellipsis)),
    ...wrap(line, columns),
    style.yellow(sanitiseLine(head.sessionId)),
  ];
}

/** One entry of a session, set off by a blank line before messages. */
export function entryLines(entry: SessionEntry, output: Output): string[] {
  return isMessage(entry) ? messageLines(entry, output) : attemptLines(entry, output);
}

function messageLines(message: Message, output: Output): string[] {
  const { style, symbols } = output;
  const speaker = message.kind === 'checkpoint' ? 'summary of what came before' : message.role;
  const paint = message.role === 'user' && message.kind === undefined ? style.cyan : style.green;
  const facts = [
    localTime(message.timestamp),
    ...(message.model ? [sanitiseLine(message.model)] : []),
    ...(message.imageRefs ? [countOf(message.imageRefs.length, 'image')] : []),
  ];
  const files = [...(message.files ?? []), ...(message.filesModified ?? [])].map(sanitiseLine);
  return [
    '',
    `${style.bold(paint(speaker))} ${style.dim(facts.join(` ${symbols.separator} `))}`,
    ...indented(sanitise(message.content).trimEnd(), 2, output.columns),
    ...(files.length > 0 ? indented(style.dim(`files: ${files.join(', ')}`), 2, output.columns) : []),
  ];
}

function attemptLines(attempt: Attempt, output: Output): string[] {
  const { style, symbols } = output;
  const paint = outcomePaint(attempt.outcome, style);
  const sign = paint(outcomeSign(attempt.outcome, symbols));
  const outcome =
    attempt.outcome === 'success' || attempt.outcome === 'failure' ? '' : style.dim(` (${attempt.outcome})`);
  const exit = attempt.exitCode ? style.dim(` (exit ${attempt.exitCode})`) : '';
  const [first = '', ...rest] = indented(`${attemptTitle(attempt)}${outcome}${exit}`, 4, output.columns);
  return [`  ${sign} ${first.trimStart()}`, ...rest, ...detailLines(attempt, output)];
}

function detailLines(attempt: Attempt, output: Output): string[] {
  const detail = sanitise(attempt.error ?? attempt.description ?? attempt.result ?? '').trim();
  if (detail === '') return [];
  const lines = indented(output.style.dim(detail), 6, output.columns);
  if (lines.length <= DETAIL_LINES) return lines;
  const more = countOf(lines.length - DETAIL_LINES + 1, 'more line');
  return [...lines.slice(0, DETAIL_LINES - 1), output.style.dim(`      ${output.symbols.ellipsis} ${more}`)];
}
