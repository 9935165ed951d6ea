import { statIfExists } from '../files/index.ts';
import { appendRecord, listSegments, openSegmentPath, readBackwards, readLastBytes } from '../log/index.ts';
import { parsedLine } from '../memory/guard/session-requests.ts';
import {
  type AttemptContext,
  buildAttempt,
  buildAttemptFromSummary,
  buildFeedbackAttempt,
  CallContext,
  type CallResult,
  type FailureWarning,
  type Guard,
  isFollowUp,
  isOwnTool,
  type ToolCall,
} from '../memory/index.ts';
import { type Attempt, type Message, newMessageId, parseAttempt, RECORD_VERSION } from '../record/index.ts';
import { type PendingCall, partsOf } from './pending-call.ts';
import { type GivenNow, placed, timeOf, Warner, type WarnerOptions } from './warner.ts';

/** What a {@link Recorder} needs to know. */
export type RecorderOptions = WarnerOptions;

/** What the user asks of the agent. */
export interface NewPrompt {
  readonly sessionId: string;
  readonly text: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly agent?: string;
  readonly branch?: string;
  readonly id?: string;
}

/** Calls of this process that are known to be recorded. */
const MOST_REMEMBERED = 10_000;

/** How far back the last attempt of a session is looked for. */
const LOOKED_AT_BYTES = 256 * 1024;
/** How far back a call that is told again is looked for. */
const TOLD_AGAIN_BYTES = 64 * 1024;
/** How far back a record is looked for that a process may have written before it died. */
const LEFT_BEHIND_BYTES = 4 * 1024 * 1024;

/**
 * Writes down what an agent does, and tells it before it repeats a failure. The narrow facade for what runs beside an
 * agent: it needs the logs and the guard's derived file, not the search index.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #warner: Warner;
  /** Calls that this process has recorded. */
  readonly #recorded = new Set<string>();
  readonly #context: CallContext;
  /** Ids of the last records of the logs, when they were asked for. */
  #idsAtEnd: ReadonlySet<string> | undefined;

  constructor(options: RecorderOptions) {
    const { config } = options;
    this.#options = options;
    this.#context = new CallContext(config.get('tags.extra'));
    this.#warner = new Warner(options);
  }

  get guard(): Guard {
    return this.#warner.guard;
  }

  /** What {@link warn} would say. Changes nothing. */
  check(call: ToolCall): FailureWarning | undefined {
    return this.#warner.check(call);
  }

  /** The warning for a call that is about to run; the same call again gets none. */
  warn(call: ToolCall): GivenNow | undefined {
    return this.#warner.warn(call);
  }

  /** Writes down a call that ended. Undefined when recording is off or the call was recorded before. */
  record(ended: ToolCall, result: CallResult): Attempt | undefined {
    const call = placed(ended, this.#options);
    if (isOwnTool(call.tool) || !this.#options.isRecording() || this.#isRecorded(call)) return undefined;
    const draft = buildAttempt(call, result, this.#surroundings(call.sessionId));
    const attempt = { v: RECORD_VERSION, id: newMessageId(Date.parse(call.timestamp)), ...draft };
    this.#append(attempt);
    this.#note(call);
    return attempt;
  }

  /**
   * Writes down a call that was kept when it ended, as {@link record} would have done then. Whether recording was on was
   * decided then, too. `isAgain`: a process may have done so before it died.
   */
  recordPending(pending: PendingCall, isAgain: boolean): Attempt | undefined {
    const { call, fields, kept } = partsOf(pending);
    const isThere = isAgain && this.#isAtEndOfLogs(pending.id);
    const isKnown =
      call.callId !== undefined && (this.#recorded.has(nameOf(call)) || this.guard.hasSeen(call));
    if (isKnown && !isThere) return undefined;
    const draft = buildAttemptFromSummary(call, fields, kept, this.#surroundings(call.sessionId));
    const attempt = { v: RECORD_VERSION, id: pending.id, ...draft };
    if (!isThere) appendRecord(this.#logOf(attempt), attempt);
    this.guard.settle(attempt, isThere);
    this.#note(call);
    return attempt;
  }

  /**
   * Writes down what the user asks. Where they say of the attempt before that it worked or failed, that is recorded as
   * a success or a failure of the request before.
   */
  prompt(asked: NewPrompt): { readonly message?: Message; readonly feedback?: Attempt } {
    if (!this.#options.isRecording()) return {};
    const prompt = { ...asked, timestamp: this.#timeOf(asked) };
    const { feedback, isRequest } = this.#heard(prompt);
    const { text, id, ...rest } = prompt;
    const message: Message = {
      v: RECORD_VERSION,
      id: id ?? newMessageId(Date.parse(prompt.timestamp)),
      ...rest,
      role: 'user',
      content: text,
    };
    appendRecord(openSegmentPath(this.#options.directory, 'history'), message);
    if (isRequest && this.#options.isShortLived === true) {
      this.#warner.requests.keep(prompt.sessionId, this.#context.describe(text));
    }
    return { message, ...(feedback === undefined ? {} : { feedback }) };
  }

  /**
   * The same for a message that the caller writes down itself, right after this. Returns what the user said of the
   * attempt before, as it was recorded.
   */
  hear(asked: NewPrompt): Attempt | undefined {
    if (!this.#options.isRecording()) return undefined;
    return this.#heard({ ...asked, timestamp: this.#timeOf(asked) }).feedback;
  }

  /** What the user asked last in a session. */
  requestOf(sessionId: string): string | undefined {
    return this.#warner.requests.of(sessionId);
  }

  close(): void {
    this.guard.close();
  }

  #isRecorded(call: ToolCall): boolean {
    if (call.callId === undefined) return false;
    if (this.#recorded.has(nameOf(call))) return true;
    // For one record it is not worth taking in the logs.
    const mayBe = this.#options.isShortLived !== true || this.#mayBeInLogs(call.callId);
    return mayBe && this.guard.hasSeen(call);
  }

  /** What is told twice is told soon: its id is in the last lines. */
  #mayBeInLogs(callId: string): boolean {
    const id = JSON.stringify(callId);
    return (['failures', 'successes'] as const).some((log) =>
      readLastBytes(openSegmentPath(this.#options.directory, log), TOLD_AGAIN_BYTES).includes(id),
    );
  }

  #isAtEndOfLogs(id: string): boolean {
    this.#idsAtEnd ??= new Set(
      (['failures', 'successes'] as const)
        .flatMap((log) => listSegments(this.#options.directory, log).slice(-2))
        .flatMap(({ path }) => [...readLastBytes(path, LEFT_BEHIND_BYTES).toString('latin1').matchAll(ID)])
        .map(([, found = '']) => found),
    );
    return this.#idsAtEnd.has(id);
  }

  #note(call: Pick<ToolCall, 'sessionId' | 'callId'>): void {
    if (call.callId === undefined) return;
    this.#recorded.add(nameOf(call));
    const [oldest] = this.#recorded;
    if (oldest !== undefined && this.#recorded.size > MOST_REMEMBERED) this.#recorded.delete(oldest);
  }

  /** Records what a prompt says of the attempt before; what it asks, the next calls serve. */
  #heard(prompt: NewPrompt): { readonly feedback: Attempt | undefined; readonly isRequest: boolean } {
    const { sessionId, text } = prompt;
    const before = this.requestOf(sessionId);
    const feedback = before === undefined ? undefined : this.#feedback(prompt, before);
    const isRequest = before === undefined || !isFollowUp(text);
    if (isRequest) this.#warner.requests.set(sessionId, text);
    return { feedback, isRequest };
  }

  #surroundings(sessionId: string): AttemptContext {
    const kept = this.#options.isShortLived === true ? this.#warner.requests.kept(sessionId) : undefined;
    if (kept !== undefined) return this.#context.of(kept);
    const text = this.requestOf(sessionId);
    return this.#context.of(text === undefined ? undefined : this.#context.describe(text));
  }

  #timeOf({ timestamp }: { readonly timestamp: string }): string {
    return timeOf(timestamp, this.#options.now);
  }

  #append(attempt: Attempt): Attempt {
    const path = this.#logOf(attempt);
    const before = statIfExists(path)?.size ?? 0;
    appendRecord(path, attempt);
    this.guard.settle(attempt);
    const at = Date.parse(attempt.timestamp);
    if (this.#options.isShortLived !== true) this.guard.tidy(at);
    else if (attempt.outcome === 'failure' || isWorthKeeping(before, path)) this.guard.keep(at);
    return attempt;
  }

  #logOf({ outcome }: Attempt): string {
    return openSegmentPath(this.#options.directory, outcome === 'success' ? 'successes' : 'failures');
  }

  #feedback(prompt: NewPrompt, request: string): Attempt | undefined {
    const draft = buildFeedbackAttempt(prompt, request, () => this.#lastAttempt(prompt.sessionId));
    if (draft === undefined) return undefined;
    return this.#append({ v: RECORD_VERSION, id: newMessageId(Date.parse(prompt.timestamp)), ...draft });
  }

  #lastAttempt(sessionId: string): Attempt | undefined {
    const found: Attempt[] = [];
    for (const log of ['failures', 'successes'] as const) {
      const segment = openSegmentPath(this.#options.directory, log);
      for (const line of readBackwards(segment, LOOKED_AT_BYTES, sessionId)) {
        const attempt = parsedLine(line, parseAttempt);
        if (attempt?.sessionId !== sessionId || attempt.tool === undefined) continue;
        found.push(attempt);
        break;
      }
    }
    return found.sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1))[0];
  }
}

/** So much of successes is left to the next processes to read again: a little for them, and this one need not. */
const KEPT_EVERY_BYTES = 8 * 1024;

function isWorthKeeping(before: number, path: string): boolean {
  const now = statIfExists(path)?.size ?? 0;
  return Math.floor(before / KEPT_EVERY_BYTES) !== Math.floor(now / KEPT_EVERY_BYTES);
}

/** The id of a record, as it is written. */
const ID = /"id":"([^"]{1,60})"/g;

function nameOf({ sessionId, callId }: Pick<ToolCall, 'sessionId' | 'callId'>): string {
  return JSON.stringify([sessionId, callId]);
}
