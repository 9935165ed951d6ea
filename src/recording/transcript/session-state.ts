import type { SessionEvent } from '../../agents/transcript/transcript-event.ts';
import type { CallFields, ServedRequest } from '../../memory/index.ts';
import type { Attempt, Role, Usage } from '../../record/index.ts';

/** A call whose result has not come yet, as it will be kept. */
export interface OpenCall {
  readonly callId: string;
  readonly timestamp: string;
  readonly fields: CallFields;
  /** What it is for, where the transcript says that with the call. */
  readonly request?: ServedRequest;
  /** How often the user has spoken since. */
  readonly promptsSince: number;
}

/**
 * What has to be known of a session to go on with it. Plain JSON, redacted: it is kept between readings, beside the
 * position in the transcript.
 */
export interface SessionState {
  readonly sessionId: string;
  readonly parentSessionId?: string;
  readonly isFork?: boolean;
  /** The folder of its beginning: it decides which project the session is of. */
  readonly firstCwd?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly model?: string;
  /** Of the last part that had a time. */
  readonly timestamp?: string;
  /** Messages without an id of the agent's own so far, by role. */
  readonly said: Readonly<Record<Role, number>>;
  readonly request?: ServedRequest;
  readonly lastCall?: Pick<Attempt, 'command' | 'path' | 'tags'>;
  /** Of replies that said nothing: it belongs to the next one that does. */
  readonly usage?: Usage;
  readonly open: readonly OpenCall[];
}

/** Usage added up. */
export function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sum: Record<string, number> = {};
  for (const usage of [a, b]) {
    for (const [key, value] of Object.entries(usage)) sum[key] = (sum[key] ?? 0) + value;
  }
  return sum;
}

/** Reads what was kept. Undefined when it makes no sense: damaged, or written by another version. */
export function parseSessionStates(value: unknown): readonly SessionState[] | undefined {
  return Array.isArray(value) && value.every(isSessionState) ? value : undefined;
}

function isSessionState(value: unknown): value is SessionState {
  if (!isObject(value) || typeof value.sessionId !== 'string') return false;
  const { said, open } = value;
  if (!isObject(said) || typeof said.user !== 'number' || typeof said.assistant !== 'number') return false;
  return Array.isArray(open) && open.every(isOpenCall);
}

function isOpenCall(value: unknown): boolean {
  if (!isObject(value)) return false;
  return (
    typeof value.callId === 'string' &&
    typeof value.timestamp === 'string' &&
    isObject(value.fields) &&
    typeof value.fields.tool === 'string' &&
    typeof value.promptsSince === 'number'
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MIN_TIME = Date.parse('1990-01-01');
const MAX_TIME = Date.parse('2200-01-01');

/** A session while it is taken in. */
export class TranscriptSession {
  readonly id: string;
  parentSessionId: string | undefined;
  isFork: boolean;
  cwd: string | undefined;
  branch: string | undefined;
  commit: string | undefined;
  model: string | undefined;
  request: ServedRequest | undefined;
  lastCall: SessionState['lastCall'];
  usage: Usage | undefined;
  readonly open: Map<string, OpenCall>;
  #firstCwd: string | undefined;
  #timestamp: string | undefined;
  readonly #said: Record<Role, number>;

  constructor(state: SessionState) {
    this.id = state.sessionId;
    this.parentSessionId = state.parentSessionId;
    this.isFork = state.isFork === true;
    this.cwd = state.cwd;
    this.branch = state.branch;
    this.commit = state.commit;
    this.model = state.model;
    this.request = state.request;
    this.lastCall = state.lastCall;
    this.usage = state.usage;
    this.open = new Map(state.open.map((call) => [call.callId, call]));
    this.#firstCwd = state.firstCwd;
    this.#timestamp = state.timestamp;
    this.#said = { user: state.said.user, assistant: state.said.assistant };
  }

  /** A session of which nothing is known yet. */
  static begin(sessionId: string): TranscriptSession {
    return new TranscriptSession({ sessionId, said: { user: 0, assistant: 0 }, open: [] });
  }

  /** The session whose agent started this one as a sub-agent: nobody types here. */
  get isSubagent(): boolean {
    return this.parentSessionId !== undefined && !this.isFork;
  }

  /** When something happened last; undefined when nothing had a time. */
  get lastTime(): string | undefined {
    return this.#timestamp;
  }

  /** Takes over what is true from here on. */
  update(event: SessionEvent): void {
    this.parentSessionId = event.parentSessionId ?? this.parentSessionId;
    this.isFork = event.isFork ?? this.isFork;
    this.cwd = event.cwd ?? this.cwd;
    this.#firstCwd ??= event.cwd;
    this.branch = event.branch ?? this.branch;
    this.commit = event.commit ?? this.commit;
    this.model = event.model ?? this.model;
  }

  /** The time of an event in the form of records. Without one of its own, that of what came before it, or the clock's. */
  normaliseTime(timestamp: string | undefined, clock: () => number): string {
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
    if (timestamp !== undefined && time >= MIN_TIME && time < MAX_TIME) {
      this.#timestamp = isCanonical(timestamp) ? timestamp : new Date(time).toISOString();
    } else this.#timestamp ??= new Date(clock()).toISOString();
    return this.#timestamp;
  }

  /** The number of a message that has no id of its own, among those of its role. */
  nextOrdinal(role: Role): number {
    return this.#said[role]++;
  }

  /** What has to be kept to go on later. */
  state(): SessionState {
    return {
      sessionId: this.id,
      ...(this.parentSessionId === undefined ? {} : { parentSessionId: this.parentSessionId }),
      ...(this.isFork ? { isFork: true } : {}),
      ...(this.#firstCwd === undefined ? {} : { firstCwd: this.#firstCwd }),
      ...(this.cwd === undefined ? {} : { cwd: this.cwd }),
      ...(this.branch === undefined ? {} : { branch: this.branch }),
      ...(this.commit === undefined ? {} : { commit: this.commit }),
      ...(this.model === undefined ? {} : { model: this.model }),
      ...(this.#timestamp === undefined ? {} : { timestamp: this.#timestamp }),
      said: { ...this.#said },
      ...(this.request === undefined ? {} : { request: this.request }),
      ...(this.lastCall === undefined ? {} : { lastCall: this.lastCall }),
      ...(this.usage === undefined ? {} : { usage: this.usage }),
      open: [...this.open.values()],
    };
  }
}

/** `YYYY-MM-DDThh:mm:ss.sssZ` */
function isCanonical(timestamp: string): boolean {
  return timestamp.length === 24 && timestamp.charAt(10) === 'T' && timestamp.endsWith('Z');
}
