import { formatConclusion } from '../../ask/conclusion-lines.ts';
import type { SessionWork } from '../../ask/session-work.ts';
import { formatDay, formatSteps } from '../../ask/step-text.ts';
import { oneLine } from '../../text/one-line.ts';
import { frameRecorded, quote, quoteCode, quoteId } from '../../text/recorded-text.ts';
import type { NamedConclusion } from './named-conclusions.ts';
import type { PastTask } from './past-task.ts';

/**
 * What is recalled for a prompt: `done` the same was requested and done, `steps` that worked for something similar,
 * `failure` what failed and what worked instead, `session` where it was worked on, `decision` what was decided about it and
 * nothing else.
 */
export type RecollectionKind = 'done' | 'steps' | 'failure' | 'session' | 'decision';

/** Something that the agent should know before it works on a prompt. */
export interface Recollection {
  /** The same for the same facts, so that callers can show them once per session. */
  readonly id: string;
  readonly kind: RecollectionKind;
  readonly confidence: number;
  readonly sessionId: string;
  /** The name of the project that it is from, if it is another one than that of the prompt. */
  readonly project?: string;
  /** It is from colleagues who work in the project of the prompt. */
  readonly isTeam?: boolean;
  /** The ids of the decisions and corrections in the lines. */
  readonly decisionIds?: readonly string[];
  /** Further sessions in the lines, the most likely first. */
  readonly otherSessionIds: readonly string[];
  /** The day it happened, e.g. `2025-11-12`, UTC. */
  readonly date: string;
  /** Facts with their evidence, at most 1,100 characters in all. */
  readonly lines: readonly RecollectionLine[];
}

/**
 * A line of a recollection: a decision or correction; an active failure; a task, followed by its outcome, the failures that were resolved in it
 * and the steps that worked; or another session that may be meant.
 */
interface RecollectionLine {
  readonly kind: 'decision' | 'activeFailure' | 'task' | 'outcome' | 'resolvedFailure' | 'steps' | 'otherSession';
  readonly text: string;
}

/** Maximum number of characters of all lines of a recollection. */
const MAX_TEXT_LENGTH = 1100;
const OPENINGS: Readonly<Record<RecollectionKind, string>> = {
  decision: 'Decided before',
  done: 'Already done',
  steps: 'Done before',
  failure: 'Tried before',
  session: 'Worked on before',
};
/** Said of a task that is similar, but not clearly the same. */
const UNSURE = 'May be related';
const NO_REQUEST = 'work without a recorded request';
const MAX_SESSION_LENGTH = 40;
const MAX_PROJECT_LENGTH = 60;
const MAX_REQUEST_LENGTH = 140;
const MAX_DECISION_LENGTH = 160;
const MAX_COMMAND_LENGTH = 90;
const MAX_ERROR_LENGTH = 90;
const MAX_STEPS_LENGTH = 260;
/** For the request and the decision of another session. */
const MAX_OTHER_LENGTH = 45;
const MAX_FAILURES = 2;
const DAY_MS = 86_400_000;

/** A session and the task in it that matches the prompt. */
export interface RecalledSession {
  readonly work: SessionWork;
  readonly task: PastTask;
}

/** A failure that has not been solved. */
export interface ActiveFailure {
  readonly at: string;
  /** Command or path. */
  readonly what: string;
  /** The line of the output that explains the failure. */
  readonly error: string;
  readonly sessionId: string;
  /** What worked instead. */
  readonly fix?: string | undefined;
  /** The request it served. */
  readonly context?: string;
  /** Looked up only if it matches a prompt. Default true. */
  readonly isActive?: boolean;
}

/** What a recollection is made from. */
interface RecollectionInput {
  readonly kind: RecollectionKind;
  /** Whether the task is the same, not only similar. */
  readonly isSure: boolean;
  readonly session: RecalledSession | undefined;
  /** Other sessions that may be meant. */
  readonly others: readonly RecalledSession[];
  /** Active failures that match the prompt, the newest last. */
  readonly failures: readonly ActiveFailure[];
  readonly now: Date;
  /** The name of the project, if it is another one than that of the prompt. */
  readonly project: string | undefined;
}

/** The lines of a recollection: active failures, what was done and how, other sessions; as many as fit. */
export function formatRecollection(input: RecollectionInput): Pick<Recollection, 'lines' | 'otherSessionIds'> {
  const { session, others, failures } = input;
  const active = failures.slice(-MAX_FAILURES);
  const shown = new Set(active.map(({ what }) => what));
  const elsewhere = new Map(
    others.map((other) => [toLine('otherSession', formatOtherSession(other, input)), other.work.sessionId]),
  );
  const lines = fitLines([
    ...active
      .toReversed()
      .map((each) => toLine('activeFailure', `Failed before (${formatOrigin(each, input)}): ${formatFailure(each)}`)),
    ...(session === undefined ? [] : formatTask(session, shown, input)),
    ...elsewhere.keys(),
  ]);
  return { lines, otherSessionIds: lines.flatMap((line) => elsewhere.get(line) ?? []) };
}

/** A recollection that begins with the decisions and corrections that the prompt names; they alone if there is no other. */
export function withDecisions(
  found: Recollection | undefined,
  named: readonly NamedConclusion[],
): Recollection | undefined {
  const [first] = named;
  if (first === undefined) return found;
  const { conclusion, confidence } = first;
  const { id, sessionId, at } = conclusion;
  const alone = {
    id,
    kind: 'decision',
    confidence,
    sessionId,
    otherSessionIds: [],
    date: formatDay(at),
    lines: [],
  } as const;
  const base = found ?? alone;
  const lines = named.map((each) => toLine('decision', `${OPENINGS.decision}: ${formatConclusion(each.conclusion)}.`));
  return {
    ...base,
    decisionIds: named.map((each) => each.conclusion.id),
    lines: fitLines([...lines, ...base.lines]),
  };
}

function toLine(kind: RecollectionLine['kind'], text: string): RecollectionLine {
  return { kind, text };
}

function formatOtherSession({ work, task: { request, decision } }: RecalledSession, origin: Origin): string {
  const { sessionId, startedAt, title = '' } = work;
  const where = formatOrigin({ at: request?.at ?? startedAt, sessionId }, origin);
  const text = oneLine(request?.text || title, MAX_OTHER_LENGTH);
  const parts = [
    ...(text === '' ? [] : [quote(text, MAX_OTHER_LENGTH)]),
    ...(decision === undefined ? [] : [quote(decision, MAX_OTHER_LENGTH)]),
  ];
  return `See also (${where}): ${parts.length === 0 ? NO_REQUEST : parts.join(' → ')}`;
}

function formatTask(
  { work: { sessionId, startedAt, title = '' }, task }: RecalledSession,
  shown: ReadonlySet<string>,
  { kind, isSure, ...origin }: Pick<RecollectionInput, 'kind' | 'isSure'> & Origin,
): readonly RecollectionLine[] {
  const { request, decision, outcome, steps, failures } = task;
  const where = formatOrigin({ at: request?.at ?? startedAt, sessionId }, origin);
  const text = withoutFullStop(oneLine(request?.text || title, MAX_REQUEST_LENGTH));
  const feedback = outcome === undefined ? '' : ` The user said it ${outcome}.`;
  const worked = oneLine(formatSteps(steps), MAX_STEPS_LENGTH);
  const resolved = failures.filter(({ fix, what }) => fix !== undefined && !shown.has(what));
  return [
    toLine(
      'task',
      `${isSure ? OPENINGS[kind] : UNSURE} (${where}): ${text === '' ? NO_REQUEST : quote(text, MAX_REQUEST_LENGTH)}.${feedback}`,
    ),
    ...(decision === undefined ? [] : [toLine('outcome', `Outcome: ${quote(decision, MAX_DECISION_LENGTH)}`)]),
    ...resolved.slice(-MAX_FAILURES).map((each) => toLine('resolvedFailure', `Failed there: ${formatFailure(each)}`)),
    ...(worked === '' ? [] : [toLine('steps', `What worked: ${worked}`)]),
  ];
}

type FailureFields = Pick<ActiveFailure, 'what' | 'error' | 'fix'>;

function formatFailure({ what, error, fix }: FailureFields): string {
  const line = withoutFullStop(oneLine(error, MAX_ERROR_LENGTH));
  const reason = line === '' ? '' : ` (${quote(line, MAX_ERROR_LENGTH)})`;
  const instead = fix === undefined ? '' : ` Worked instead: ${quoteCode(fix, MAX_COMMAND_LENGTH)}.`;
  return `${quoteCode(what, MAX_COMMAND_LENGTH)}${reason}.${instead}`;
}

function withoutFullStop(text: string): string {
  return text.replace(/(?<!\.)\.$/, '');
}

type Origin = Pick<RecollectionInput, 'now' | 'project'>;

function formatOrigin({ at, sessionId }: Pick<ActiveFailure, 'at' | 'sessionId'>, { now, project }: Origin): string {
  const where = project === undefined ? '' : `project ${quoteId(project, MAX_PROJECT_LENGTH)}, `;
  return `${where}${formatTime(at, now)}, session ${quoteId(sessionId, MAX_SESSION_LENGTH)}`;
}

function formatTime(at: string, now: Date): string {
  const days = Math.floor(now.getTime() / DAY_MS) - Math.floor(Date.parse(at) / DAY_MS);
  if (Number.isNaN(days) || days < 0) return formatDay(at);
  return `${formatDay(at)}, ${days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`}`;
}

/** As many lines as fit; at least the first one, truncated if necessary. */
function fitLines(lines: readonly RecollectionLine[]): readonly RecollectionLine[] {
  const kept: RecollectionLine[] = [];
  let left = MAX_TEXT_LENGTH;
  for (const line of lines) {
    const room = line.text.length + (kept.length === 0 ? 0 : 1);
    if (room > left) continue;
    kept.push(line);
    left -= room;
  }
  return kept.length === 0
    ? lines.slice(0, 1).map(({ kind, text }) => toLine(kind, oneLine(text, MAX_TEXT_LENGTH)))
    : kept;
}

/** A recollection as agents and models are told it. */
export function frameRecollection({
  lines,
  project,
  isTeam,
}: Pick<Recollection, 'lines' | 'project' | 'isTeam'>): string {
  const text = lines.map((line) => line.text).join('\n');
  if (isTeam) return frameRecorded(text, 'colleagues in this project');
  return frameRecorded(text, project === undefined ? 'this project' : 'another project of the user');
}
