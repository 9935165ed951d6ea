import type { CheckedCall, Guard } from '../ask/guard/guard.ts';
import type { FailureWarning } from '../ask/guard/warning.ts';
import type { Config } from '../config/config.ts';
import {
  type AttemptContext,
  buildAttempt,
  buildAttemptFromSummary,
  RequestDescriber,
} from '../facts/attempt/build-attempt.ts';
import { buildFeedbackAttempt, hasFeedback } from '../facts/attempt/feedback.ts';
import { findRoot } from '../facts/call/describe-call.ts';
import { type CallResult, completeCall, isOwnTool, type ToolCall, validTimestamp } from '../facts/call/tool-call.ts';
import { appendRecord } from '../log/append.ts';
import { readBackwards, readLastBytes } from '../log/read.ts';
import { ATTEMPT_LOGS, listSegments, openSegmentPath } from '../log/segments.ts';
import { newMessageId } from '../record/id.ts';
import { omitUndefined, parseObject } from '../record/object.ts';
import { parseAttempt } from '../record/parse.ts';
import { type Attempt, type Message, RECORD_VERSION } from '../record/record.ts';
import { redact } from '../redact/redact.ts';
import { compareText } from '../text/compare-text.ts';
import type { Checkouts } from './checkout.ts';
import { type NewPrompt, recordPrompt } from './record-prompt.ts';
import { parseRequestLine, SessionRequests } from './session-requests.ts';
import type { SpooledCall } from './spooled-call.ts';
import { WarningLog } from './warning-log.ts';

/** What a {@link Recorder} needs to know. */
export interface RecorderOptions {
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  /** The root of the checkout that calls work on. */
  readonly root: string;
  readonly isRecording: () => boolean;
  /** The checkouts of calls. Default: none is asked, as where an agent waits. */
  readonly checkouts?: Checkouts;
  /** Says which calls to warn of. Default: none. */
  readonly guard?: Guard;
  /** For calls whose timestamp cannot be parsed. Default: the clock. */
  readonly now?: () => number;
  /** The process ends soon. Default false. */
  readonly isShortLived?: boolean;
}

/** Ids of calls that one process remembers to have recorded. */
const MAX_REMEMBERED = 10_000;
/** How far back the last attempt of a session is looked for, in bytes. */
const LAST_ATTEMPT_LOOKBACK = 256 * 1024;
/** How far back a call is looked for that an agent reports twice: it does so in quick succession. */
const DUPLICATE_LOOKBACK = 256 * 1024;
/** How far back a record is looked for whose line may have been spooled twice. */
const SPOOLED_TWICE_LOOKBACK = 4 * 1024 * 1024;
/** Records what an agent does in a project, and warns it before it repeats a failure. */
export class Recorder {
  readonly warnings: WarningLog;
  /** What the user asked last in each session. */
  readonly requests: SessionRequests;
  readonly #options: RecorderOptions;
  /** Calls that are recorded, as far as this process knows. */
  #recorded: Set<string> | undefined;
  readonly #context: RequestDescriber;
  #lastRecordIds: ReadonlySet<string> | undefined;

  constructor(options: RecorderOptions) {
    const { directory, config } = options;
    this.#options = options;
    this.#context = new RequestDescriber(config.get('tags.extra'));
    this.requests = new SessionRequests(directory);
    this.warnings = new WarningLog(directory);
  }

  /** The warning that {@link warn} would give, whether or not it was given before. Records nothing. */
  check(call: ToolCall): FailureWarning | undefined {
    return this.#options.guard?.check(call);
  }

  /** What is known of a call that there is no warning of; undefined if it never failed. */
  explainSilence(call: ToolCall): string | undefined {
    return this.#options.guard?.explainSilence(call);
  }

  /** The warning for a call that is about to run; undefined when the same call is repeated in the session. */
  warn(call: ToolCall): CheckedCall | undefined {
    const checked = this.#options.guard?.checkCall(call);
    return checked !== undefined && this.warnings.give(checked) ? checked : undefined;
  }

  /** Records a call that ended. Undefined when recording is off or the call was recorded before. */
  record(endedCall: ToolCall, result: CallResult): Attempt | undefined {
    const call = completeCall(endedCall, this.#options);
    if (isOwnTool(call.tool) || !this.#options.isRecording() || this.#isRecorded(call)) return undefined;
    const draft = buildAttempt(call, result, this.#attemptContext(call.sessionId, call.root));
    const attempt = { v: RECORD_VERSION, id: newMessageId(Date.parse(call.timestamp)), ...draft };
    this.#append(attempt);
    this.#remember(call);
    return attempt;
  }

  /**
   * Records a call from the spool as {@link record} would have done when it ended; whether recording was on was decided
   * then, too. `recorded`: ids of what an interrupted process has recorded, if there was one.
   */
  recordSpooled(spooled: SpooledCall, recorded?: ReadonlySet<string>): Attempt | undefined {
    const { v: _v, id, mayBeDuplicate = false, sessionId, callId, timestamp, ...rest } = spooled;
    const { ending, looksFailed, isSilent, exitCode, durationMs, error, result, ...fields } = rest;
    const call = { sessionId, timestamp, ...omitUndefined({ callId }) };
    const isInLogs = recorded?.has(id) === true || (mayBeDuplicate && this.#isLastRecord(id));
    if (this.#isRecorded(call) && !isInLogs) return undefined;
    const summary = omitUndefined({ ending, looksFailed, isSilent, exitCode, durationMs, error, result });
    const root = findRoot(fields) === redact(this.#options.root) ? this.#options.root : undefined;
    const draft = buildAttemptFromSummary(call, fields, summary, this.#attemptContext(sessionId, root));
    const attempt = { v: RECORD_VERSION, id, ...draft };
    if (!isInLogs) appendRecord(this.#logPath(attempt), attempt);
    this.warnings.settle(attempt, isInLogs);
    this.#remember(call);
    return attempt;
  }

  /**
   * Records a prompt. If it says that the previous attempt worked or failed, that is recorded as a success or a failure
   * of the previous request.
   */
  recordPrompt(prompt: NewPrompt): { readonly message?: Message; readonly feedback?: Attempt } {
    if (!this.#options.isRecording()) return {};
    const dated = { ...prompt, timestamp: validTimestamp(prompt.timestamp, this.#options.now) };
    const feedback = this.#recordFeedback(dated);
    const message = recordPrompt(dated, this.requests, this.#options);
    return { message, ...omitUndefined({ feedback }) };
  }

  /** Like {@link recordPrompt}, for a message that the caller appends to the history itself right after this. */
  notePrompt(prompt: NewPrompt): Attempt | undefined {
    if (!this.#options.isRecording()) return undefined;
    const timestamp = validTimestamp(prompt.timestamp, this.#options.now);
    const feedback = this.#recordFeedback({ ...prompt, timestamp });
    this.requests.follow(prompt.sessionId, prompt.text);
    return feedback;
  }

  #isRecorded(call: Pick<ToolCall, 'sessionId' | 'callId'>): boolean {
    return call.callId !== undefined && this.#knownCalls().has(callKey(call));
  }

  /** The last calls in the logs, and those that this process has recorded since. */
  #knownCalls(): Set<string> {
    if (this.#recorded !== undefined) return this.#recorded;
    const found = new Set<string>();
    for (const log of ATTEMPT_LOGS) {
      for (const line of readBackwards(openSegmentPath(this.#options.directory, log), DUPLICATE_LOOKBACK, '"callId"')) {
        const { sessionId, callId } = parseObject(line) ?? {};
        if (typeof sessionId === 'string' && typeof callId === 'string') found.add(callKey({ sessionId, callId }));
      }
    }
    this.#recorded = found;
    return found;
  }

  /** Whether a record is among the last ones of the logs. */
  #isLastRecord(id: string): boolean {
    this.#lastRecordIds ??= new Set(
      ATTEMPT_LOGS.flatMap((log) => listSegments(this.#options.directory, log).slice(-2))
        .flatMap(({ path }) => [...readLastBytes(path, SPOOLED_TWICE_LOOKBACK).toString('latin1').matchAll(RECORD_ID)])
        .map(([, found = '']) => found),
    );
    return this.#lastRecordIds.has(id);
  }

  #remember(call: Pick<ToolCall, 'sessionId' | 'callId'>): void {
    if (call.callId === undefined) return;
    const known = this.#knownCalls();
    known.add(callKey(call));
    const [oldest] = known;
    if (oldest !== undefined && known.size > MAX_REMEMBERED) known.delete(oldest);
  }

  /** `root` is the checkout of the call, if it is known where that is. */
  #attemptContext(sessionId: string, root: string | undefined): AttemptContext {
    const { requests } = this;
    const cached = this.#options.isShortLived === true ? requests.readCache(sessionId) : undefined;
    const text = cached ?? requests.get(sessionId);
    const checkout = root === undefined ? undefined : this.#options.checkouts?.at(root);
    const context = this.#context.of(text === undefined ? undefined : this.#context.describe(text));
    return { ...context, ...omitUndefined({ checkout }) };
  }

  #append(attempt: Attempt): Attempt {
    appendRecord(this.#logPath(attempt), attempt);
    this.warnings.settle(attempt);
    return attempt;
  }

  #logPath({ outcome }: Attempt): string {
    return openSegmentPath(this.#options.directory, outcome === 'success' ? 'successes' : 'failures');
  }

  /** Records what a prompt says about the previous request. */
  #recordFeedback(prompt: NewPrompt): Attempt | undefined {
    const request = hasFeedback(prompt.text) ? this.requests.get(prompt.sessionId) : undefined;
    if (request === undefined) return undefined;
    const draft = buildFeedbackAttempt(prompt, request, () => this.#lastAttempt(prompt.sessionId));
    if (draft === undefined) return undefined;
    return this.#append({ v: RECORD_VERSION, id: newMessageId(Date.parse(prompt.timestamp)), ...draft });
  }

  #lastAttempt(sessionId: string): Attempt | undefined {
    const found: Attempt[] = [];
    for (const log of ATTEMPT_LOGS) {
      const path = openSegmentPath(this.#options.directory, log);
      for (const line of readBackwards(path, LAST_ATTEMPT_LOOKBACK, sessionId)) {
        const attempt = parseRequestLine(line, parseAttempt);
        if (attempt?.sessionId !== sessionId || attempt.tool === undefined) continue;
        found.push(attempt);
        break;
      }
    }
    return found.sort((a, b) => compareText(a.timestamp, b.timestamp)).at(-1);
  }
}

/** The id of a record in a line of a log. */
const RECORD_ID = /"id":"([^"]{1,60})"/g;

function callKey({ sessionId, callId }: Pick<ToolCall, 'sessionId' | 'callId'>): string {
  return JSON.stringify([sessionId, callId]);
}
