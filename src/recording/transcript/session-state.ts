import type { MessageEvent, SessionEvent } from '../../agents/transcript/transcript.ts';
import type { ServedRequest } from '../../facts/attempt/build-attempt.ts';
import type { CallFields } from '../../facts/call/describe-call.ts';
import { isObject, omitUndefined } from '../../record/object.ts';
import { type Attempt, type Message, RECORD_VERSION, type Role, type Usage } from '../../record/record.ts';
import { redact } from '../../redact/redact.ts';
import { oneLine } from '../../text/one-line.ts';
import { type EditsState, isEditsState, ReplyEdits } from './reply-edits.ts';

/** A call without a result so far. */
export interface OpenCall {
  readonly callId: string;
  readonly timestamp: string;
  readonly fields: CallFields;
  /** The request that it serves, if the transcript says so with the call. */
  readonly request?: ServedRequest;
  /** Tags that the transcript itself has for it. */
  readonly tags?: readonly string[];
  /** Number of prompts since the call. */
  readonly promptsSince: number;
}

/** What a session is called, and whether the user chose it. */
type SessionTitle = readonly [text: string, isChosen: boolean];

/** The state of a session between two readings of its transcript. Plain JSON, redacted, stored with the position. */
export interface ReadingState {
  readonly sessionId: string;
  readonly parentSessionId?: string;
  readonly isFork?: boolean;
  /** Its first working directory, which determines its project. */
  readonly firstCwd?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly model?: string;
  /** Its latest title, and the one that was recorded last. */
  readonly title?: SessionTitle;
  readonly recordedTitle?: SessionTitle;
  /** Time of the last event that had one. */
  readonly timestamp?: string;
  /** Number of messages without an id so far, by role. */
  readonly said: Readonly<Record<Role, number>>;
  readonly request?: ServedRequest;
  readonly lastCall?: Pick<Attempt, 'command' | 'path' | 'tags'>;
  /** Usage of replies without text, to be added to the next one with text. */
  readonly usage?: Usage;
  readonly open: readonly OpenCall[];
  readonly edits?: EditsState;
}

/** Adds two usages, either of which may be missing. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sum: Record<string, number> = {};
  for (const usage of [a, b]) {
    for (const [key, value] of Object.entries(usage)) sum[key] = (sum[key] ?? 0) + value;
  }
  return sum;
}

/** Validates stored states; undefined when they are damaged or of another version. */
export function parseSessionStates(value: unknown): readonly ReadingState[] | undefined {
  return Array.isArray(value) && value.every(isSessionState) ? value : undefined;
}

function isSessionState(value: unknown): value is ReadingState {
  if (!isObject(value) || typeof value.sessionId !== 'string') return false;
  const { said, open } = value;
  if (!isObject(said) || typeof said.user !== 'number' || typeof said.assistant !== 'number') return false;
  return Array.isArray(open) && open.every(isOpenCall) && isEditsState(value.edits);
}

function isOpenCall(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.callId === 'string' &&
    typeof value.timestamp === 'string' &&
    isObject(value.fields) &&
    typeof value.fields.tool === 'string' &&
    typeof value.promptsSince === 'number'
  );
}

const MAX_TITLE_LENGTH = 120;
const MIN_TIME = Date.parse('1990-01-01');
const MAX_TIME = Date.parse('2200-01-01');

/** The fields of a session that change while its transcript is read. */
type SessionFields = {
  -readonly [K in keyof Omit<ReadingState, 'sessionId' | 'said' | 'open' | 'edits'>]: ReadingState[K] | undefined;
};

/** A session while its transcript is read. */
export class TranscriptSession {
  readonly id: string;
  readonly fields: SessionFields;
  readonly open: Map<string, OpenCall>;
  readonly edits: ReplyEdits;
  readonly #said: Record<Role, number>;

  constructor({ sessionId, said, open, edits, ...fields }: ReadingState) {
    this.id = sessionId;
    this.fields = fields;
    this.open = new Map(open.map((call) => [call.callId, call]));
    this.edits = new ReplyEdits(edits);
    this.#said = { ...said };
  }

  static create(sessionId: string): TranscriptSession {
    return new TranscriptSession({ sessionId, said: { user: 0, assistant: 0 }, open: [] });
  }

  /** Whether an agent started the session as a sub-agent, so that its prompts are not typed by the user. */
  get isSubagent(): boolean {
    return this.fields.parentSessionId !== undefined && this.fields.isFork !== true;
  }

  /** The session that started this one as a sub-agent. */
  get startedBy(): string | undefined {
    return this.isSubagent ? this.fields.parentSessionId : undefined;
  }

  /** Time of the last event that had one. */
  get lastTime(): string | undefined {
    return this.fields.timestamp;
  }

  update({ parentSessionId, isFork, cwd, branch, model, title, isTitleChosen = false }: SessionEvent): void {
    Object.assign(this.fields, omitUndefined({ parentSessionId, isFork, cwd, branch, model }));
    this.fields.firstCwd ??= cwd;
    const isBetter = isTitleChosen || this.fields.title?.[1] !== true;
    const text = oneLine(redact(title ?? ''), MAX_TITLE_LENGTH);
    if (text !== '' && isBetter) this.fields.title = [text, isTitleChosen];
  }

  /** The time of an event in canonical form. Without a valid one: that of the previous event, else the default. */
  normaliseTime(timestamp: string | undefined, defaultTime: () => number): string {
    const { fields } = this;
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
    if (timestamp !== undefined && time >= MIN_TIME && time < MAX_TIME) {
      fields.timestamp = isCanonical(timestamp) ? timestamp : new Date(time).toISOString();
    } else fields.timestamp ??= new Date(defaultTime()).toISOString();
    return fields.timestamp;
  }

  /** The record of a message. A reply has the usage of those without text before it. */
  toMessage(
    event: MessageEvent,
    { id, timestamp, agent, imageRefs }: Required<Pick<Message, 'id' | 'timestamp' | 'agent' | 'imageRefs'>>,
  ): Message {
    const { fields } = this;
    const isReply = event.role === 'assistant';
    const usage = isReply ? addUsage(fields.usage, event.usage) : event.usage;
    if (isReply) fields.usage = undefined;
    return {
      v: RECORD_VERSION,
      id,
      sessionId: this.id,
      timestamp,
      role: event.role,
      content: event.text,
      agent,
      ...omitUndefined({
        kind: event.kind,
        usage,
        parentSessionId: fields.parentSessionId,
        isFork: fields.isFork === true ? true : undefined,
        imageRefs: imageRefs.length === 0 ? undefined : imageRefs,
        model: event.model ?? (isReply ? fields.model : undefined),
        branch: fields.branch,
        files: event.files,
        filesModified: event.filesModified,
        editResults: event.editResults,
        systemEvent: event.isSystem === true ? true : undefined,
      }),
    };
  }

  /** The ordinal of the next message of a role that has no id. */
  nextOrdinal(role: Role): number {
    return this.#said[role]++;
  }

  /** The state to store. */
  state(): ReadingState {
    const { id: sessionId, fields, open } = this;
    const edits = this.edits.state();
    return { sessionId, said: { ...this.#said }, open: [...open.values()], ...omitUndefined({ ...fields, edits }) };
  }
}

const MAX_STORED_SESSIONS = 200;

/** The sessions of a transcript, most recently used last. */
export class TranscriptSessions {
  readonly #sessions = new Map<string, TranscriptSession>();
  readonly #touched = new Set<TranscriptSession>();
  #last: TranscriptSession | undefined;

  /** `states` are those at the end of the previous reading. */
  constructor(states: readonly ReadingState[]) {
    for (const state of states) this.#sessions.set(state.sessionId, new TranscriptSession(state));
  }

  /** The session that was used last. */
  get last(): TranscriptSession | undefined {
    return this.#last;
  }

  /** The sessions that had events. */
  get touched(): ReadonlySet<TranscriptSession> {
    return this.#touched;
  }

  all(): Iterable<TranscriptSession> {
    return this.#sessions.values();
  }

  get(sessionId: string): TranscriptSession {
    if (this.#last?.id === sessionId) return this.#last;
    const session = this.#sessions.get(sessionId) ?? TranscriptSession.create(sessionId);
    // Most recently used last, so that the oldest states are dropped.
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    this.#last = session;
    this.#touched.add(session);
    return session;
  }

  /** The states to store, of the sessions for which `isKept` is true. */
  states(isKept: (session: TranscriptSession) => boolean): readonly ReadingState[] {
    const kept = [...this.#sessions.values()].filter(isKept);
    return kept.slice(-MAX_STORED_SESSIONS).map((session) => session.state());
  }
}

/** `YYYY-MM-DDThh:mm:ss.sssZ` */
function isCanonical(timestamp: string): boolean {
  return timestamp.length === 24 && timestamp.charAt(10) === 'T' && timestamp.endsWith('Z');
}
