import { type Attempt, type Message, type Role, textHash } from '../record/index.ts';
import { redact } from '../redact/index.ts';
import { isTranscriptId } from './message-id.ts';

/** A message that was recorded live and the same one in a transcript are no farther apart than this. */
const SAME_MESSAGE_MS = 5 * 60_000;
/** The same for a call: its live record was written when it ended. */
const SAME_CALL_MS = 60_000;

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
  get forgottenAt(): string | undefined {
    return this.#forgottenAt;
  }

  /** Notes that the session was forgotten. */
  forget(timestamp: string): void {
    if (timestamp > (this.#forgottenAt ?? '')) this.#forgottenAt = timestamp;
  }

  /** Takes in what another one knows of the same session; what both know once. */
  addAll(other: KnownSession): void {
    this.#parent ??= other.#parent;
    if (other.#forgottenAt !== undefined) this.forget(other.#forgottenAt);
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
    if (isTranscriptId(message.id) || message.kind === 'checkpoint') return;
    addTime(this.#liveMessages, messageKey(message.role, message.content), message.timestamp);
  }

  /** Takes in what is recorded. */
  addAttempt(attempt: Attempt): void {
    if (attempt.callId !== undefined) this.addCall(attempt.callId);
    else if (attempt.signature !== undefined && !isTranscriptId(attempt.id)) {
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
    return claim(this.#liveMessages, messageKey(role, redact(text)), at, at, SAME_MESSAGE_MS);
  }

  /** Whether a call was recorded live without an id. Each live record stands for one call only. */
  claimCall(signature: string, begun: string, ended: string): boolean {
    if (this.#liveCalls.size === 0) return false;
    return claim(this.#liveCalls, textHash(signature), Date.parse(begun), Date.parse(ended), SAME_CALL_MS);
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
function claim(times: LiveTimes, key: number, from: number, to: number, slack: number): boolean {
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
