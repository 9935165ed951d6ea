import type { Config } from '../config/index.ts';
import { appendRecord, openSegment, readBackwards } from '../log/index.ts';
import {
  attemptOf,
  CallContext,
  type CallResult,
  type CallSurroundings,
  type FailureWarning,
  feedbackAttempt,
  Guard,
  goesOn,
  isOwnTool,
  type ToolCall,
  type World,
  warningOf,
} from '../memory/index.ts';
import {
  type Attempt,
  type Message,
  newMessageId,
  parseAttempt,
  parseHistoryRecord,
  RECORD_VERSION,
} from '../record/index.ts';

/** What a {@link Recorder} needs to know. */
export interface RecorderOptions {
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly config: Config;
  /** The folder of the checkout that is worked on. */
  readonly root: string;
  readonly isRecording: () => boolean;
  readonly world: World;
  /** The other projects to ask, when the setting `retrieval.crossProject` says so; most recently active first. */
  readonly others?: () => readonly { readonly name: string; readonly directory: string }[];
  /** For calls whose own time cannot be read. Default: the clock. */
  readonly now?: () => number;
}

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

/** What a call needs that has nothing to do with a project's files. */
const PORTABLE: ReadonlySet<string> = new Set([
  'option',
  'package',
  'version',
  'program',
  'field',
  'pattern',
  'setting',
]);
const MOST_OTHERS = 20;
/** Calls of this process that are known to be recorded. */
const MOST_REMEMBERED = 10_000;

/** How far back the request in force and the last attempt of a session are looked for. */
const LOOKED_AT_BYTES = 256 * 1024;

/**
 * Writes down what an agent does, and tells it before it repeats a failure. The narrow facade for what runs beside an
 * agent: it needs the logs and the guard's derived file, not the search index.
 */
export class Recorder {
  readonly guard: Guard;
  readonly #options: RecorderOptions;
  /** Requests of sessions that this process has seen. */
  readonly #requests = new Map<string, string>();
  /** Calls that this process has recorded. */
  readonly #recorded = new Set<string>();
  readonly #context: CallContext;

  constructor(options: RecorderOptions) {
    const { config } = options;
    this.#options = options;
    this.#context = new CallContext(config.get('tags.extra'));
    this.guard = new Guard(options.directory, {
      failureLookbackDays: config.get('retrieval.failureLookbackDays'),
      minConfidence: config.get('retrieval.minConfidence'),
      world: options.world,
    });
  }

  /** What {@link warn} would say. Changes nothing. */
  check(call: ToolCall): FailureWarning | undefined {
    const { config } = this.#options;
    if (isOwnTool(call.tool)) return undefined;
    if (!config.get('retrieval.enabled') || !config.get('retrieval.warnOnDuplicateFailure')) return undefined;
    const placed = this.#placed(call);
    const request = (): string | undefined => this.requestOf(call.sessionId);
    return this.guard.check(placed, { request }) ?? this.#elsewhere(placed);
  }

  /**
   * The warning for a call that is about to run; the same call again gets none. `note` when it should only be noted
   * beside the call: by setting, or because two overrides in the session went well.
   */
  warn(
    call: ToolCall,
  ): { readonly warning: FailureWarning; readonly mode: 'denyOnce' | 'ask' | 'note' } | undefined {
    const { config } = this.#options;
    // A warning has to be written down before it is given.
    if (!this.#options.isRecording()) return undefined;
    const warning = this.check(call);
    if (warning === undefined || !this.guard.give(this.#placed(call), warning)) return undefined;
    return {
      warning,
      mode: this.guard.isOverruled(call.sessionId) ? 'note' : config.get('retrieval.onDuplicate'),
    };
  }

  /** Writes down a call that ended. Undefined when recording is off or the call was recorded before. */
  record(ended: ToolCall, result: CallResult): Attempt | undefined {
    const call = this.#placed(ended);
    if (isOwnTool(call.tool) || !this.#options.isRecording() || this.#isRecorded(call)) return undefined;
    const draft = attemptOf(call, result, this.#surroundings(call.sessionId));
    const attempt = { v: RECORD_VERSION, id: newMessageId(Date.parse(call.timestamp)), ...draft };
    this.#append(attempt);
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
    const before = this.requestOf(prompt.sessionId);
    const feedback = before === undefined ? undefined : this.#feedback(prompt, before);
    const { text, id, ...rest } = prompt;
    const message: Message = {
      v: RECORD_VERSION,
      id: id ?? newMessageId(Date.parse(prompt.timestamp)),
      ...rest,
      role: 'user',
      content: text,
    };
    appendRecord(openSegment(this.#options.directory, 'history'), message);
    if (before === undefined || !goesOn(text)) this.#requests.set(prompt.sessionId, text);
    return { message, ...(feedback === undefined ? {} : { feedback }) };
  }

  /** What the user asked last in a session. */
  requestOf(sessionId: string): string | undefined {
    const known = this.#requests.get(sessionId);
    if (known !== undefined) return known;
    for (const line of readBackwards(openSegment(this.#options.directory, 'history'), LOOKED_AT_BYTES)) {
      const message = line.includes(sessionId) ? parsed(line, parseHistoryRecord) : undefined;
      if (message === undefined || message.sessionId !== sessionId || message.kind !== undefined) continue;
      if (message.role !== 'user' || goesOn(message.content)) continue;
      this.#requests.set(sessionId, message.content);
      return message.content;
    }
    return undefined;
  }

  close(): void {
    this.guard.close();
  }

  /** What failed in another project and is not about its files. */
  #elsewhere(call: ToolCall): FailureWarning | undefined {
    const { config, others, world } = this.#options;
    if (others === undefined || !config.get('retrieval.crossProject')) return undefined;
    const minConfidence = config.get('retrieval.minConfidence');
    const failureLookbackDays = config.get('retrieval.failureLookbackDays');
    for (const { name, directory } of others().slice(0, MOST_OTHERS)) {
      const guard = new Guard(directory, { failureLookbackDays, minConfidence, world });
      const verdict = guard.judge(call, { kinds: PORTABLE });
      guard.close();
      if (verdict === undefined || verdict.confidence < minConfidence) continue;
      if (!this.guard.isRefuted(verdict.hazard)) return warningOf(verdict, name);
    }
    return undefined;
  }

  #isRecorded(call: ToolCall): boolean {
    return call.callId !== undefined && (this.#recorded.has(nameOf(call)) || this.guard.hasSeen(call));
  }

  #note(call: ToolCall): void {
    this.#recorded.add(nameOf(call));
    const [oldest] = this.#recorded;
    if (oldest !== undefined && this.#recorded.size > MOST_REMEMBERED) this.#recorded.delete(oldest);
  }

  #surroundings(sessionId: string): CallSurroundings {
    const text = this.requestOf(sessionId);
    return this.#context.around(text === undefined ? undefined : this.#context.serve(text));
  }

  #placed(call: ToolCall): ToolCall {
    const { root = this.#options.root } = call;
    return { ...call, root, timestamp: this.#timeOf(call) };
  }

  /** A record without a time would be lost. */
  #timeOf({ timestamp }: { readonly timestamp: string }): string {
    if (!Number.isNaN(Date.parse(timestamp))) return timestamp;
    return new Date(this.#options.now?.() ?? Date.now()).toISOString();
  }

  #append(attempt: Attempt): Attempt {
    const log = attempt.outcome === 'success' ? 'successes' : 'failures';
    appendRecord(openSegment(this.#options.directory, log), attempt);
    this.guard.settle(attempt);
    this.guard.tidy(Date.parse(attempt.timestamp));
    return attempt;
  }

  #feedback(prompt: NewPrompt, request: string): Attempt | undefined {
    const draft = feedbackAttempt(prompt, request, () => this.#lastAttempt(prompt.sessionId));
    if (draft === undefined) return undefined;
    return this.#append({ v: RECORD_VERSION, id: newMessageId(Date.parse(prompt.timestamp)), ...draft });
  }

  #lastAttempt(sessionId: string): Attempt | undefined {
    const found: Attempt[] = [];
    for (const log of ['failures', 'successes'] as const) {
      for (const line of readBackwards(openSegment(this.#options.directory, log), LOOKED_AT_BYTES)) {
        const attempt = line.includes(sessionId) ? parsed(line, parseAttempt) : undefined;
        if (attempt?.sessionId !== sessionId || attempt.tool === undefined) continue;
        found.push(attempt);
        break;
      }
    }
    return found.sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1))[0];
  }
}

function nameOf({ sessionId, callId }: ToolCall): string {
  return JSON.stringify([sessionId, callId]);
}

function parsed<T>(
  line: string,
  parse: (value: unknown) => { readonly ok: true; readonly record: T } | { readonly ok: false },
): T | undefined {
  try {
    const result = parse(JSON.parse(line));
    return result.ok ? result.record : undefined;
  } catch {
    return undefined;
  }
}
