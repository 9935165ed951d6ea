import type { SessionEvent } from '../agents/transcript/transcript-event.ts';
import type { ServedRequest } from '../memory/index.ts';
import type { Role, Usage } from '../record/index.ts';
import type { OpenCall, SessionState } from './session-state.ts';

const EARLIEST = Date.parse('1990-01-01');
const LATEST = Date.parse('2200-01-01');

/** A session while it is taken in. */
export class IntakeSession {
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
  static begin(sessionId: string): IntakeSession {
    return new IntakeSession({ sessionId, said: { user: 0, assistant: 0 }, open: [] });
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
  change(event: SessionEvent): void {
    this.parentSessionId = event.parentSessionId ?? this.parentSessionId;
    this.isFork = event.isFork ?? this.isFork;
    this.cwd = event.cwd ?? this.cwd;
    this.#firstCwd ??= event.cwd;
    this.branch = event.branch ?? this.branch;
    this.commit = event.commit ?? this.commit;
    this.model = event.model ?? this.model;
  }

  /** The time of an event in the form of records. Without one of its own, that of what came before it, or the clock's. */
  timeOf(timestamp: string | undefined, clock: () => number): string {
    const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
    if (timestamp !== undefined && time >= EARLIEST && time < LATEST) {
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
