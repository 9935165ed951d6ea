import { type Attempt, type Message, type Role, textHash } from '../../record/index.ts';
import { redact } from '../../redact/index.ts';

/** What a project's logs hold already, so that nothing is taken in twice. */
export interface KnownRecords {
  /** What is known of a session. Always the same object for the same session: what is taken in is noted there. */
  session(sessionId: string): KnownSession;
}

/** Asks for each session once and remembers the answer. */
export class KnownSessions implements KnownRecords {
  readonly #sessions = new Map<string, KnownSession>();
  readonly #fill: (sessionId: string, session: KnownSession) => void;

  /** `fill` adds what is recorded of a session. Default: nothing is. */
  constructor(fill: (sessionId: string, session: KnownSession) => void = () => undefined) {
    this.#fill = fill;
  }

  session(sessionId: string): KnownSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const session = new KnownSession();
    this.#sessions.set(sessionId, session);
    this.#fill(sessionId, session);
    return session;
  }
}

/** The longest line of forks of forks that is followed. */
const MAX_ANCESTORS = 20;

/** A session, or one that it was forked from, and what is known of it. */
export interface Ancestor {
  readonly id: string;
  readonly records: KnownSession;
}

/** A session and those it was forked from: a fork begins with copies of what they hold. */
export function findLineage(
  known: KnownRecords,
  sessionId: string,
  parent: string | undefined,
  isFork: boolean,
): readonly Ancestor[] {
  const own = known.session(sessionId);
  const ancestors: Ancestor[] = [{ id: sessionId, records: own }];
  if (!isFork) return ancestors;
  const seen = new Set([sessionId]);
  let next = parent ?? own.parent;
  while (next !== undefined && !seen.has(next) && seen.size < MAX_ANCESTORS) {
    const records = known.session(next);
    ancestors.push({ id: next, records });
    seen.add(next);
    next = records.parent;
  }
  return ancestors;
}

/** A message that was recorded live and the same one in a transcript are no farther apart than this. */
const MAX_MESSAGE_DISTANCE_MS = 5 * 60_000;
/** The same for a call: its live record was written when it ended. */
const MAX_CALL_DISTANCE_MS = 60_000;

/** Times of records that were made live, by what they say. */
type LiveTimes = Map<number, number[]>;

/**
 * What is recorded of one session, in little memory: enough to tell whether a part of a transcript is known. What hooks
 * recorded live has other ids than the transcript; it is known by what it says and when.
 */
export class KnownSession {
  readonly #ids = new Set<number>();
  readonly #liveMessages: LiveTimes = new Map();
  readonly #liveCalls: LiveTimes = new Map();
  #parent: string | undefined;
  #forgottenAt: string | undefined;

  /** The session that it was forked from or is a sub-agent of. */
  get parent(): string | undefined {
    return this.#parent;
  }

  /** When the session was forgotten (ISO 8601): what is not newer is not taken in again. */
  get deletedAt(): string | undefined {
    return this.#forgottenAt;
  }

  /** Notes that the session was forgotten. */
  markDeleted(timestamp: string): void {
    if (timestamp > (this.#forgottenAt ?? '')) this.#forgottenAt = timestamp;
  }

  /** Takes in what another one knows of the same session; what both know once. */
  merge(other: KnownSession): void {
    this.#parent ??= other.#parent;
    if (other.#forgottenAt !== undefined) this.markDeleted(other.#forgottenAt);
    for (const id of other.#ids) this.#ids.add(id);
    for (const [times, others] of [
      [this.#liveMessages, other.#liveMessages],
      [this.#liveCalls, other.#liveCalls],
    ] as const) {
      for (const [key, added] of others) times.set(key, [...new Set([...(times.get(key) ?? []), ...added])]);
    }
  }

  /** Takes in what is recorded. */
  addMessage(message: Message): void {
    this.#parent ??= message.parentSessionId;
    this.addId(message.id);
    if (isTranscriptRecordId(message.id) || message.kind === 'checkpoint') return;
    addTime(this.#liveMessages, messageKey(message.role, message.content), message.timestamp);
  }

  /** Takes in what is recorded. */
  addAttempt(attempt: Attempt): void {
    if (attempt.callId !== undefined) this.addCall(attempt.callId);
    else if (attempt.signature !== undefined && !isTranscriptRecordId(attempt.id)) {
      addTime(this.#liveCalls, textHash(attempt.signature), attempt.timestamp);
    }
  }

  /** Notes a message as known from now on. */
  addId(id: string): void {
    this.#ids.add(textHash(`message ${id}`));
  }

  /** Notes a call as known from now on. */
  addCall(callId: string): void {
    this.#ids.add(textHash(`call ${callId}`));
  }

  hasId(id: string): boolean {
    return this.#ids.size > 0 && this.#ids.has(textHash(`message ${id}`));
  }

  hasCall(callId: string): boolean {
    return this.#ids.size > 0 && this.#ids.has(textHash(`call ${callId}`));
  }

  /** Whether a message was recorded live. Each live record stands for one message only. */
  claimMessage(role: Role, text: string, timestamp: string): boolean {
    if (this.#liveMessages.size === 0) return false;
    const at = Date.parse(timestamp);
    return claimNearest(this.#liveMessages, messageKey(role, redact(text)), at, at, MAX_MESSAGE_DISTANCE_MS);
  }

  /** Whether a call was recorded live without an id. Each live record stands for one call only. */
  claimCall(signature: string, begun: string, ended: string): boolean {
    if (this.#liveCalls.size === 0) return false;
    return claimNearest(
      this.#liveCalls,
      textHash(signature),
      Date.parse(begun),
      Date.parse(ended),
      MAX_CALL_DISTANCE_MS,
    );
  }
}

function messageKey(role: Role, redacted: string): number {
  return textHash(`${role} ${redacted.trim()}`);
}

function addTime(times: LiveTimes, key: number, timestamp: string): void {
  const known = times.get(key);
  if (known === undefined) times.set(key, [Date.parse(timestamp)]);
  else known.push(Date.parse(timestamp));
}

/** Takes away the time that is nearest to the span, if one is near enough. */
function claimNearest(times: LiveTimes, key: number, from: number, to: number, slack: number): boolean {
  const candidates = times.get(key) ?? [];
  const distance = (time: number): number => Math.max(from - time, time - to, 0);
  let nearest = -1;
  for (const [index, time] of candidates.entries()) {
    if (nearest < 0 || distance(time) < distance(candidates[nearest] ?? 0)) nearest = index;
  }
  if (nearest < 0 || distance(candidates[nearest] ?? 0) > slack) return false;
  candidates.splice(nearest, 1);
  return true;
}

/** How ids begin that were made from a transcript. What hooks record live has ids of another form. */
const PREFIX = 't-';

/** The id of a record made from a transcript: the same whenever the same part of it is read. */
export function transcriptRecordId(
  agent: string,
  sessionId: string,
  kind: 'message' | 'call' | 'feedback',
  own: string,
): string {
  const key = `${agent}\0${sessionId}\0${kind}\0${own}`;
  return `${PREFIX}${textHash(key).toString(36)}`;
}

/** Whether a record was made from a transcript. */
function isTranscriptRecordId(id: string): boolean {
  return id.startsWith(PREFIX);
}
