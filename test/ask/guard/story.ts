import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CheckedCall, Guard } from '../../../src/ask/guard/guard.ts';
import type { GuardOptions } from '../../../src/ask/guard/guard-options.ts';
import type { FailureWarning } from '../../../src/ask/guard/warning.ts';
import { buildAttempt } from '../../../src/facts/attempt/build-attempt.ts';
import type { CallResult, ToolCall } from '../../../src/facts/call/tool-call.ts';
import { appendRecord, openSegmentPath } from '../../../src/log/index.ts';
import { type Attempt, newMessageId, RECORD_VERSION } from '../../../src/record/index.ts';
import { WarningLog } from '../../../src/recording/warning-log.ts';
import type { RowSource } from '../../../src/store/project-rows.ts';
import { bothRows } from '../../rows.ts';
import { temporaryFolder } from '../../temp-folder.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const START: number = Date.parse('2026-03-02T10:00:00.000Z');
export const ROOT = '/srv/app';

/** What differs from an ordinary call. `input` makes it one of another tool than the shell. */
export type Details = Partial<Omit<ToolCall, 'timestamp'>>;

/** What happens in a project, told in order: every step is a minute after the one before unless time is made to pass. */
export class Story {
  readonly folder: string;
  now: number = START;
  #calls = 0;
  #rows: RowSource | undefined;

  constructor(folder: string = join(temporaryFolder(), 'project')) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  pass(milliseconds: number): this {
    this.now += milliseconds;
    return this;
  }

  /** A call as it would be made now. */
  call(what: string, details: Details = {}): ToolCall {
    return {
      sessionId: 'one',
      agent: 'claude-code',
      tool: 'Bash',
      input: { command: what },
      root: ROOT,
      cwd: ROOT,
      branch: 'main',
      ...details,
      timestamp: new Date(this.now).toISOString(),
    };
  }

  fails(what: string, output: string, details: Details = {}, exitCode = 1): Attempt {
    return this.record(what, { status: 'error', exitCode, output }, details);
  }

  works(what: string, details: Details = {}, output = ''): Attempt {
    return this.record(what, { status: 'ok', exitCode: 0, output }, details);
  }

  record(what: string, result: CallResult, details: Details = {}): Attempt {
    const callId = `call-${this.#calls++}`;
    const draft = buildAttempt({ callId, ...this.call(what, details) }, result);
    const attempt: Attempt = { v: RECORD_VERSION, id: newMessageId(this.now), ...draft };
    appendRecord(openSegmentPath(this.folder, attempt.outcome === 'success' ? 'successes' : 'failures'), attempt);
    this.pass(MINUTE);
    return attempt;
  }

  guard(options: Partial<GuardOptions> = {}): Guard {
    this.#rows ??= bothRows(this.folder, { home: dirname(this.folder) });
    return new Guard(this.#rows, {
      failureLookbackDays: 7,
      minConfidence: 0.75,
      ...options,
    });
  }

  /** Gives the warning for a call that is about to run, if there is one. */
  warn(call: ToolCall, options: Partial<GuardOptions> = {}): CheckedCall | undefined {
    const checked = this.guard(options).checkCall(call);
    return checked !== undefined && this.warnings.give(checked) ? checked : undefined;
  }

  get warnings(): WarningLog {
    return new WarningLog(this.folder);
  }

  /** The user's choice about a failure. */
  choose(kind: 'dismiss' | 'pin' | 'reset', cause: string): void {
    this.warnings.choose(kind, cause, this.now);
  }

  /** What another process would be told before the call, made in another session unless told otherwise. */
  check(what: string, details: Details = {}, options: Partial<GuardOptions> = {}): FailureWarning | undefined {
    return this.guard(options).check(this.call(what, { sessionId: 'another', ...details }));
  }

  /** How sure the guard is, however little. */
  confidence(what: string, details: Details = {}, options: Partial<GuardOptions> = {}): number {
    return this.guard(options).match(this.call(what, { sessionId: 'another', ...details }))?.confidence ?? 0;
  }
}

/** An edit of a file. */
export function edit(path: string, before = 'a', after = 'b'): Details {
  return { tool: 'Edit', input: { file_path: `${ROOT}/${path}`, old_string: before, new_string: after } };
}

/** Reading a file. */
export function read(path: string): Details {
  return { tool: 'Read', input: { file_path: `${ROOT}/${path}` } };
}

export const NOT_FOUND_404 = (name: string): string =>
  `npm error code E404\nnpm error 404  '${name}@*' is not in this registry.`;
