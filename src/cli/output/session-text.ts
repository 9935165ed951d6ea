import { callOutput, callTitle, editWord, fileEdits, type SessionCall } from '../../project/index.ts';
import {
  type Attempt,
  type FileEdit,
  labelOrigin,
  type Message,
  type ProjectInfo,
  type SessionSummary,
} from '../../record/index.ts';
import { formatCount } from '../../text/format-count.ts';
import { formatHunks } from '../../text/line-diff.ts';
import { localTime } from './format.ts';
import { outcomeCounts, outcomeMarker } from './outcome-mark.ts';
import type { Output } from './output.ts';
import { sanitise, sanitiseLine } from './sanitise.ts';

/** A message or an attempt of a session. */
export type ShownRecord = Message | Attempt;

/** What is shown above the entries of a session. */
export interface ShownSession {
  readonly sessionId: string;
  readonly title: string;
  readonly project: string;
  readonly author?: string | undefined;
  readonly agent?: string | undefined;
  readonly branch?: string | undefined;
  readonly timestamp: string;
  readonly messageCount: number;
  readonly failures: number;
  readonly successes: number;
}

/** Lines shown of an attempt's error or result, and of a change to a file. */
const MAX_DETAIL_LINES = 4;
const MAX_DIFF_LINES = 40;

/** The head of a session from its summary. */
export function toSessionHead(summary: SessionSummary, project: ProjectInfo): ShownSession {
  return { ...summary, project: project.displayName };
}

/** Whether an entry is a message. */
export function isMessage(entry: ShownRecord): entry is Message {
  return 'role' in entry;
}

/** What an attempt did, on one line: its command, its tool and path, or the practice that was noted. */
export function attemptTitle(attempt: Attempt): string {
  if (attempt.command) return sanitiseLine(attempt.command);
  if (attempt.path) return sanitiseLine([attempt.tool, attempt.path].filter(Boolean).join(' '));
  if (attempt.pattern) return sanitiseLine(attempt.pattern);
  return sanitiseLine(attempt.tool ?? attempt.description ?? 'attempt');
}

/** The head of a session as lines. */
export function headLines(head: ShownSession, output: Output): string[] {
  const { style, symbols } = output;
  const facts = [
    head.project,
    head.author ?? '',
    head.agent ?? '',
    head.branch ?? '',
    localTime(head.timestamp),
    formatCount(head.messageCount, 'message'),
  ];
  const shown = [...facts.map((fact) => style.dim(sanitiseLine(fact))), outcomeCounts(head, output)].filter(
    (fact) => fact !== '',
  );
  return [
    style.bold(output.truncate(sanitiseLine(head.title) || '(no text)')),
    ...output.wrap(shown.join(style.dim(` ${symbols.separator} `))),
    style.yellow(sanitiseLine(head.sessionId)),
  ];
}

/** A message as lines; it begins with a blank line. */
export function messageLines(message: Message, output: Output): string[] {
  const { style } = output;
  const role = message.kind === 'checkpoint' ? 'summary of the session so far' : message.role;
  const speaker = labelOrigin(role, message);
  const paint = message.role === 'user' && message.kind === undefined ? style.cyan : style.green;
  const facts = [
    localTime(message.timestamp),
    ...(message.model ? [sanitiseLine(message.model)] : []),
    ...(message.imageRefs ? [formatCount(message.imageRefs.length, 'image')] : []),
  ];
  const files = message.files?.map(sanitiseLine).join(', ');
  return [
    '',
    `${style.bold(paint(speaker))} ${style.dim(output.join(...facts))}`,
    ...(message.content === '' ? [] : output.wrap(sanitise(message.content).trimEnd(), 2)),
    ...(files ? output.wrap(style.dim(`files: ${files}`), 2) : []),
    ...fileEdits(message).flatMap((edit) => editLines(edit, output)),
  ];
}

function editLines(edit: FileEdit, output: Output): string[] {
  return [
    ...output.wrap(output.style.dim(`${editWord(edit)}: ${sanitiseLine(edit.path)}`), 2),
    ...diffLines(edit.diff ?? '', 4, output),
  ];
}

/** The changed lines of a file: added ones green, removed ones red, where the terminal shows colours. */
function diffLines(diff: string, indent: number, output: Output): string[] {
  const { style } = output;
  const lines = diff === '' ? [] : sanitise(diff).split('\n');
  const paint = (line: string): string =>
    line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : style.dim(line);
  return [
    ...lines.slice(0, MAX_DIFF_LINES).map((line) => output.truncate(`${' '.repeat(indent)}${paint(line)}`)),
    ...(lines.length > MAX_DIFF_LINES ? [moreLines(lines.length - MAX_DIFF_LINES, indent, output)] : []),
  ];
}

function moreLines(count: number, indent: number, { style, symbols }: Output): string {
  return style.dim(`${' '.repeat(indent)}${symbols.ellipsis} ${formatCount(count, 'more line')}`);
}

/** A call as lines, with a diff of each file that it changed. */
export function callLines(call: SessionCall, output: Output): string[] {
  const { attempt, changes } = call;
  const { style } = output;
  const isPlain = attempt.outcome === 'success' || attempt.outcome === 'failure';
  const outcome = isPlain ? '' : style.dim(` (${attempt.outcome})`);
  const exit = attempt.exitCode ? style.dim(` (exit ${attempt.exitCode})`) : '';
  const marker = outcomeMarker(attempt.outcome, output);
  const title = `${callTitle(call)}${outcome}${exit}`;
  return [
    ...output.clip(title, { indent: 4, marker, maxLines: Number.POSITIVE_INFINITY }),
    ...changes.flatMap(({ path, hunks }) => [
      ...(changes.length > 1 ? output.wrap(style.dim(sanitiseLine(path)), 6) : []),
      ...diffLines(formatHunks(hunks), 6, output),
    ]),
    ...detailLines(call, output),
  ];
}

function detailLines(call: SessionCall, output: Output): string[] {
  const lines = output.wrap(output.style.dim(callOutput(call)), 6);
  if (lines.length <= MAX_DETAIL_LINES) return lines;
  return [...lines.slice(0, MAX_DETAIL_LINES - 1), moreLines(lines.length - MAX_DETAIL_LINES + 1, 6, output)];
}
