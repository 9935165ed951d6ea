import { type Attempt, isToolCall } from '../../../record/record.ts';
import { oneLine } from '../../../text/one-line.ts';
import { countAttempt, EMPTY_STACK_COUNTS, type StackCounts } from '../../stack/confirm-stack.ts';
import { signatureHash } from '../aggregate/activity.ts';
import type { FailureText } from '../aggregate/failures.ts';
import type { RequestEntry } from '../aggregate/requests.ts';
import type { Check, ChecksSinceGoal, Goal, SuccessText } from '../aggregate/successes.ts';
import { Resolutions, type StoredResolutions } from '../resolutions.ts';
import { BoundedCounts, shortSessionName } from './bounded-counts.ts';
import { type CountedCommand, type CountedFailure, countCommand, countFailure } from './call-counts.ts';
import { type CountedTask, countTask } from './task-counts.ts';

const MAX_FAILURES = 200;
const MAX_COMMANDS = 100;
const MAX_TASKS = 150;
const STACK_KINDS: ReadonlySet<string> = new Set(['install', 'test', 'build', 'lint', 'format']);

/** A {@link ProjectCounts} as JSON. */
export interface StoredCounts {
  readonly calls: CallTotals;
  readonly failures: readonly CountedFailure[];
  readonly commands: readonly CountedCommand[];
  readonly tasks: readonly CountedTask[];
  readonly workflow: Workflow;
  readonly practices: readonly Note[];
  readonly warnings: readonly Note[];
  readonly succeeded: ReturnType<LastSuccesses['toJSON']>;
  readonly resolutions: StoredResolutions;
  readonly stack: StackCounts;
}

/**
 * The aggregate over all sessions of a project, from which its knowledge is made. Like the state of a session, each part
 * but `resolutions`, which come from digests, depends on one log only. Its size is bounded.
 */
export class ProjectCounts {
  readonly calls: CallTotals;
  readonly failures: BoundedCounts<CountedFailure>;
  readonly commands: BoundedCounts<CountedCommand>;
  readonly tasks: BoundedCounts<CountedTask>;
  readonly workflow: Workflow;
  /** Notes: what to do, and what to avoid; the latest last. */
  readonly practices: Note[];
  readonly warnings: Note[];
  readonly succeeded: LastSuccesses;
  readonly resolutions: Resolutions;
  /** Commands that confirm the tech stack. */
  stack: StackCounts;

  constructor(stored?: StoredCounts) {
    this.calls = { ...(stored?.calls ?? { failures: 0, successes: 0 }) };
    this.failures = new BoundedCounts(MAX_FAILURES, stored?.failures);
    this.commands = new BoundedCounts(MAX_COMMANDS, stored?.commands);
    this.tasks = new BoundedCounts(MAX_TASKS, stored?.tasks);
    this.workflow = stored?.workflow ?? { commit: { total: 0, before: {} }, push: { total: 0, before: {} } };
    this.practices = [...(stored?.practices ?? [])];
    this.warnings = [...(stored?.warnings ?? [])];
    this.succeeded = new LastSuccesses(stored?.succeeded);
    this.resolutions = new Resolutions(stored?.resolutions);
    this.stack = stored?.stack ?? EMPTY_STACK_COUNTS;
  }

  /** Adds a new request of a session. */
  addRequest(sessionId: string, request: RequestEntry): void {
    countTask(this.tasks, sessionId, request);
  }

  /** Adds a note. */
  addNote(attempt: Attempt): void {
    const note = parseNote(attempt);
    if (!note) return;
    if (attempt.outcome === 'success') addNote(this.practices, note);
    if (attempt.outcome === 'failure') addNote(this.warnings, note);
  }

  /** Whether there are notes that were made in a session. */
  hasNotesFrom(sessionId: string): boolean {
    return [...this.practices, ...this.warnings].some((note) => note.sessionId === sessionId);
  }

  /** Adds a success. `since` is part of the state of its session, which is updated. */
  addSuccess(attempt: Attempt, text: SuccessText | undefined, since: ChecksSinceGoal): void {
    if (isToolCall(attempt)) this.calls.successes++;
    if (!text) return;
    if (attempt.command !== undefined && attempt.signature !== undefined) {
      this.succeeded.add(attempt.signature, attempt.timestamp);
    }
    if (STACK_KINDS.has(text.kind)) this.stack = countAttempt(this.stack, attempt);
    countCommand(this.commands, attempt, text);
    countWorkflow(this.workflow, since, attempt, text);
  }

  /** Adds a record of the log of failures. */
  addFailure(attempt: Attempt, text: FailureText | undefined): void {
    if (attempt.outcome === 'failure' && isToolCall(attempt)) this.calls.failures++;
    if (text) countFailure(this.failures, attempt, text);
  }
}

/** Numbers of tool calls that failed and that worked. */
interface CallTotals {
  failures: number;
  successes: number;
}

/** Something that the user or an agent asked to remember. */
interface Note {
  readonly pattern: string;
  readonly description: string;
  readonly at: string;
  readonly isByAgent: boolean;
  readonly sessionId: string;
}

const MAX_NOTES = 50;
const MAX_PATTERN_LENGTH = 160;
const MAX_DESCRIPTION_LENGTH = 240;

/** Whether a record is a note and no tool call. */
export function isNote({ pattern }: Attempt): boolean {
  return pattern !== undefined;
}

function parseNote(attempt: Attempt): Note | undefined {
  if (attempt.pattern === undefined) return undefined;
  const pattern = oneLine(attempt.pattern, MAX_PATTERN_LENGTH);
  if (pattern === '') return undefined;
  return {
    pattern,
    description: oneLine(attempt.description ?? '', MAX_DESCRIPTION_LENGTH),
    at: attempt.timestamp,
    isByAgent: attempt.agent !== undefined,
    sessionId: attempt.sessionId,
  };
}

/** Adds a note. It replaces an earlier one with the same pattern. */
function addNote(notes: Note[], note: Note): void {
  const known = notes.findIndex(({ pattern }) => pattern === note.pattern);
  if (known >= 0) notes.splice(known, 1);
  notes.push(note);
  if (notes.length > MAX_NOTES) notes.shift();
}

const MAX_SIGNATURES = 800;

/** When commands last worked, for the latest {@link MAX_SIGNATURES} signatures. */
class LastSuccesses {
  /** Epoch seconds by hash of the signature, the oldest first. */
  readonly #times: Map<number, number>;

  constructor(stored: readonly (readonly [hash: number, seconds: number])[] = []) {
    this.#times = new Map(stored);
  }

  /** Adds a success of a command. */
  add(signature: string, at: string): void {
    const hash = signatureHash(signature);
    const time = Math.floor(Date.parse(at) / 1000);
    const known = this.#times.get(hash);
    if (known !== undefined) this.#times.delete(hash);
    this.#times.set(hash, known !== undefined && known > time ? known : time);
    if (this.#times.size <= MAX_SIGNATURES) return;
    const [oldest] = this.#times.keys();
    if (oldest !== undefined) this.#times.delete(oldest);
  }

  /** Whether the command with that signature hash worked after a time. */
  hasWorkedSince(hash: number, at: string): boolean {
    const time = this.#times.get(hash);
    return time !== undefined && time > Date.parse(at) / 1000;
  }

  toJSON(): readonly (readonly [number, number])[] {
    return [...this.#times];
  }
}

/** How often a check came before a goal, and with which commands. */
interface CountedCheck {
  count: number;
  sessions: number;
  /** Short name of the last session. */
  recent: string;
  last: string;
  commands: Record<string, number>;
}

/** How often each goal was reached after some work, and what had been checked before. */
type Workflow = Record<Goal, { total: number; before: Partial<Record<Check, CountedCheck>> }>;

const GOALS: readonly Goal[] = ['commit', 'push'];
const CHECKS: readonly Check[] = ['test', 'lint', 'build', 'format'];
const MAX_WORKFLOW_COMMANDS = 5;

/** Adds a success of a session. `since` is the session's state, which is updated. */
function countWorkflow(
  workflow: Workflow,
  since: ChecksSinceGoal,
  attempt: Attempt,
  { kind, text }: SuccessText,
): void {
  for (const goal of GOALS) {
    const checks = since[goal];
    if (kind === goal) {
      countGoal(workflow, goal, checks, attempt);
      since[goal] = {};
    } else if (isCheck(kind)) checks[kind] = text;
    else if (kind === 'edit' || kind === 'create' || kind === 'commit') checks.work = '';
  }
}

function isCheck(kind: string): kind is Check {
  return CHECKS.some((check) => check === kind);
}

function countGoal(workflow: Workflow, goal: Goal, checks: ChecksSinceGoal[Goal], attempt: Attempt): void {
  // Several commits in a row divide the same work: only the first one counts.
  if (Object.keys(checks).length === 0) return;
  const reached = workflow[goal];
  reached.total++;
  for (const check of CHECKS) {
    const command = checks[check];
    if (command === undefined) continue;
    const counted = reached.before[check] ?? { count: 0, sessions: 0, recent: '', last: '', commands: {} };
    reached.before[check] = counted;
    counted.count++;
    const session = shortSessionName(attempt.sessionId);
    if (counted.recent !== session) counted.sessions++;
    counted.recent = session;
    if (attempt.timestamp > counted.last) counted.last = attempt.timestamp;
    countText(counted.commands, command);
  }
}

function countText(counts: Record<string, number>, text: string): void {
  if (Object.hasOwn(counts, text)) counts[text] = (counts[text] ?? 0) + 1;
  else if (Object.keys(counts).length < MAX_WORKFLOW_COMMANDS) counts[text] = 1;
}
