import type { Attempt } from '../../../record/index.ts';
import { EMPTY_TALLY, type StackTally, tallyAttempt } from '../../stack/stack-tally.ts';
import type { DigestedFailure } from '../failure-fold.ts';
import type { RequestEntry } from '../request-table.ts';
import type { DigestedSuccess, SuccessState } from '../success-fold.ts';
import { BoundedTally } from './bounded-tally.ts';
import { type CountedCommand, countCommand } from './command-tally.ts';
import { type CountedFailure, countFailure } from './failure-tally.ts';
import { LastSuccesses } from './last-successes.ts';
import { type Note, noteOf, rememberNote } from './notes.ts';
import { type CountedTask, countTask } from './task-tally.ts';
import { countOrder, newWorkflow, type Workflow } from './workflow-tally.ts';

const MOST_FAILURES = 100;
const MOST_COMMANDS = 100;
const MOST_TASKS = 150;
const STACK_KINDS: ReadonlySet<string> = new Set(['install', 'test', 'build', 'lint', 'format']);

/** A {@link ProjectTally} as it is stored. */
export interface StoredTally {
  readonly failures: readonly CountedFailure[];
  readonly commands: readonly CountedCommand[];
  readonly tasks: readonly CountedTask[];
  readonly workflow: Workflow;
  readonly practices: readonly Note[];
  readonly warnings: readonly Note[];
  readonly succeeded: ReturnType<LastSuccesses['toJSON']>;
  readonly stack: StackTally;
}

/**
 * What the logs of a project add up to, over all its sessions: the base of its knowledge. Like the state of a
 * session, each part is folded from one log in its order. Its size is bounded.
 */
export class ProjectTally {
  readonly failures: BoundedTally<CountedFailure>;
  readonly commands: BoundedTally<CountedCommand>;
  readonly tasks: BoundedTally<CountedTask>;
  readonly workflow: Workflow;
  /** What the user asked to remember: to do, and to avoid; the latest last. */
  readonly practices: Note[];
  readonly warnings: Note[];
  readonly succeeded: LastSuccesses;
  /** What ran successfully, for the project's stack. */
  stack: StackTally;

  constructor(stored?: StoredTally) {
    this.failures = new BoundedTally(MOST_FAILURES, stored?.failures);
    this.commands = new BoundedTally(MOST_COMMANDS, stored?.commands);
    this.tasks = new BoundedTally(MOST_TASKS, stored?.tasks);
    this.workflow = stored?.workflow ?? newWorkflow();
    this.practices = [...(stored?.practices ?? [])];
    this.warnings = [...(stored?.warnings ?? [])];
    this.succeeded = new LastSuccesses(stored?.succeeded);
    this.stack = stored?.stack ?? EMPTY_TALLY;
  }

  /** Takes in a new request of a session. */
  addRequest(sessionId: string, request: RequestEntry): void {
    countTask(this.tasks, sessionId, request);
  }

  /** Takes in what the user asked to remember: to do, or to avoid. */
  addNote(attempt: Attempt): void {
    const note = noteOf(attempt);
    if (!note) return;
    if (attempt.outcome === 'success') rememberNote(this.practices, note);
    if (attempt.outcome === 'failure') rememberNote(this.warnings, note);
  }

  /** Whether something is remembered that was noted in a session. */
  hasNotesOf(sessionId: string): boolean {
    return [...this.practices, ...this.warnings].some((note) => note.sessionId === sessionId);
  }

  /** Takes in a success; `session` is the state of its session before it. */
  addSuccess(attempt: Attempt, did: DigestedSuccess | undefined, session: SuccessState): void {
    if (!did) return;
    if (attempt.command !== undefined && attempt.signature !== undefined) {
      this.succeeded.note(attempt.signature, attempt.timestamp);
    }
    if (STACK_KINDS.has(did.kind)) this.stack = tallyAttempt(this.stack, attempt);
    countCommand(this.commands, attempt, did);
    countOrder(this.workflow, session, attempt, did);
  }

  /** Takes in a line of the log of failures. */
  addFailure(attempt: Attempt, failed: DigestedFailure | undefined): void {
    if (failed) countFailure(this.failures, attempt, failed);
  }

  /** What is stored. */
  toJSON(): StoredTally {
    return {
      failures: this.failures.toJSON(),
      commands: this.commands.toJSON(),
      tasks: this.tasks.toJSON(),
      workflow: this.workflow,
      practices: this.practices,
      warnings: this.warnings,
      succeeded: this.succeeded.toJSON(),
      stack: this.stack,
    };
  }
}
