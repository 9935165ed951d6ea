import type { MessageEvent } from '../../agents/transcript/transcript.ts';
import { statIfExists } from '../../files/file-access.ts';
import { parseRecordLine } from '../../history/records.ts';
import { findTimestamp, readBackwards } from '../../log/read.ts';
import { ATTEMPT_LOGS, type LogName, listSegments } from '../../log/segments.ts';
import { shortHash, textHash } from '../../record/id.ts';
import { getOrAdd } from '../../record/once.ts';
import { type Parsed, parseAttempt, parseHistoryRecord } from '../../record/parse.ts';
import type { Attempt, Message, Outcome, Role } from '../../record/record.ts';
import { redact } from '../../redact/redact.ts';

/** What a project's logs already contain, so that nothing is recorded twice. */
export class KnownRecords {
  readonly #sessions = new Map<string, KnownSession>();
  readonly #load: (sessionId: string, session: KnownSession) => void;

  /** `load` adds the records of a session. Default: there are none. */
  constructor(load: (sessionId: string, session: KnownSession) => void = () => undefined) {
    this.#load = load;
  }

  /** The known records of a session, loaded once. New records are added to the same object. */
  session(sessionId: string): KnownSession {
    return getOrAdd(this.#sessions, sessionId, () => {
      const session = new KnownSession();
      this.#load(sessionId, session);
      return session;
    });
  }
}

const MAX_ANCESTORS = 20;

/** Whether a session, or the one that started it as a sub-agent, was deleted at that time or later (ISO 8601). */
export function isDeletedAt(
  known: KnownRecords,
  { id, startedBy }: { readonly id: string; readonly startedBy: string | undefined },
  timestamp: string,
): boolean {
  const deletions = [id, startedBy ?? id].map((each) => known.session(each).deletedAt);
  return deletions.some((deletedAt) => deletedAt !== undefined && timestamp <= deletedAt);
}

/** A session, or one that it was forked from, with its known records. */
export interface Ancestor {
  readonly id: string;
  readonly records: KnownSession;
}

/** A session and those that it was forked from, since a fork starts with copies of their messages. */
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

/** Whether a message is recorded, in its session or one that it was forked from. `makeId` is its id in a session. */
export function hasMessage(
  lineage: readonly Ancestor[],
  { role, text, kind, keepsId }: MessageEvent,
  timestamp: string,
  makeId: (sessionId: string) => string,
): boolean {
  if (lineage.some(({ id, records }) => records.hasId(makeId(id)))) return true;
  if (kind === 'checkpoint' || keepsId) return false;
  return lineage.some(({ records }) => records.matchHookMessage(role, text, timestamp));
}

/** Maximum time between a message recorded by a hook and the same message in a transcript. */
const MAX_MESSAGE_DISTANCE_MS = 5 * 60_000;
/** The same for a call, whose hook record is written when it ends. */
const MAX_CALL_DISTANCE_MS = 60_000;

/** Times of records made by hooks, by a hash of their content. */
type HookTimes = Map<number, number[]>;

/**
 * The known records of one session, in little memory. Records from transcripts are recognised by id; records from hooks
 * have other ids and are recognised by content and time.
 */
export class KnownSession {
  readonly #ids = new Set<number>();
  readonly #hookMessages: HookTimes = new Map();
  readonly #hookCalls: HookTimes = new Map();
  #parent: string | undefined;
  #deletedAt: string | undefined;

  /** The session that this one was forked from or is a sub-agent of. */
  get parent(): string | undefined {
    return this.#parent;
  }

  /** When the session was deleted (ISO 8601). Nothing up to this time is recorded again. */
  get deletedAt(): string | undefined {
    return this.#deletedAt;
  }

  markDeleted(timestamp: string): void {
    if (timestamp > (this.#deletedAt ?? '')) this.#deletedAt = timestamp;
  }

  /** Adds the known records of the same session from another source. */
  merge(other: KnownSession): void {
    this.#parent ??= other.#parent;
    if (other.#deletedAt !== undefined) this.markDeleted(other.#deletedAt);
    for (const id of other.#ids) this.#ids.add(id);
    for (const [times, others] of [
      [this.#hookMessages, other.#hookMessages],
      [this.#hookCalls, other.#hookCalls],
    ] as const) {
      for (const [key, added] of others) times.set(key, [...new Set([...(times.get(key) ?? []), ...added])]);
    }
  }

  addMessage(message: Message): void {
    this.#parent ??= message.parentSessionId;
    this.addId(message.id);
    if (isTranscriptRecordId(message.id) || message.kind === 'checkpoint') return;
    addTime(this.#hookMessages, messageKey(message.role, message.content), message.timestamp);
  }

  addAttempt(attempt: Attempt): void {
    if (attempt.callId !== undefined) this.addCall(attempt.callId);
    else if (attempt.signature !== undefined && !isTranscriptRecordId(attempt.id)) {
      addTime(this.#hookCalls, callKey(attempt.signature, attempt.outcome), attempt.timestamp);
    }
  }

  /** Adds a message by id. */
  addId(id: string): void {
    this.#ids.add(textHash(`message ${id}`));
  }

  addCall(callId: string): void {
    this.#ids.add(textHash(`call ${callId}`));
  }

  hasId(id: string): boolean {
    return this.#ids.size > 0 && this.#ids.has(textHash(`message ${id}`));
  }

  hasCall(callId: string): boolean {
    return this.#ids.size > 0 && this.#ids.has(textHash(`call ${callId}`));
  }

  /** Whether a hook recorded a message. Each hook record matches one message only. */
  matchHookMessage(role: Role, text: string, timestamp: string): boolean {
    if (this.#hookMessages.size === 0) return false;
    const at = Date.parse(timestamp);
    return claimNearest(this.#hookMessages, messageKey(role, redact(text)), at, at, MAX_MESSAGE_DISTANCE_MS);
  }

  /** Whether a hook recorded a call without an id. Each hook record matches one call only. */
  matchHookCall(signature: string, outcome: Outcome, startedAt: string, endedAt: string): boolean {
    if (this.#hookCalls.size === 0) return false;
    const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)];
    return claimNearest(this.#hookCalls, callKey(signature, outcome), from, to, MAX_CALL_DISTANCE_MS);
  }
}

function messageKey(role: Role, redacted: string): number {
  return textHash(`${role} ${redacted.trim()}`);
}

/** A call that was not allowed to run is often repeated, so that it is told apart from one that ran. */
function callKey(signature: string, outcome: Outcome): number {
  return textHash(`${outcome === 'denied' || outcome === 'rejected' ? 'refused' : 'run'} ${signature}`);
}

function addTime(times: HookTimes, key: number, timestamp: string): void {
  getOrAdd(times, key, () => []).push(Date.parse(timestamp));
}

/** Removes the time nearest to the interval; false if none is within `slack`. */
function claimNearest(times: HookTimes, key: number, from: number, to: number, slack: number): boolean {
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

/** Prefix of ids made from a transcript, which distinguishes them from those of hooks. */
const TRANSCRIPT_PREFIX = 't-';

/** The id of a record made from a transcript; deterministic, so that reading it again gives the same id. */
export function transcriptRecordId(
  agent: string,
  sessionId: string,
  kind: 'message' | 'call' | 'feedback',
  own: string,
): string {
  return `${TRANSCRIPT_PREFIX}${shortHash(`${agent}\0${sessionId}\0${kind}\0${own}`)}`;
}

function isTranscriptRecordId(id: string): boolean {
  return id.startsWith(TRANSCRIPT_PREFIX);
}

const MIN_TAIL_BYTES = 256 * 1024;
const MAX_TAIL_BYTES = 8 * 1024 * 1024;
/** Tolerance for clocks and for the order of lines. */
const SLACK_MS = 10 * 60_000;

/**
 * The known records from the ends of a project's logs, for a process without an index. They cover what hooks recorded
 * since the transcript was last read, which `since` returns in epoch milliseconds.
 */
export function readKnownFromTails(directory: string, since: () => number): KnownRecords {
  const tails = new Map<LogName, readonly string[]>();
  const getTail = (log: LogName): readonly string[] =>
    getOrAdd(tails, log, () => readLogTail(directory, log, since() - SLACK_MS));
  return new KnownRecords((sessionId, session) => {
    for (const record of readRecords(getTail('history'), sessionId, parseHistoryRecord)) {
      if (record.kind !== 'tombstone') session.addMessage(record);
      else session.markDeleted(record.timestamp);
    }
    for (const log of ATTEMPT_LOGS) {
      for (const attempt of readRecords(getTail(log), sessionId, parseAttempt)) session.addAttempt(attempt);
    }
  });
}

/** The records of one session. Other lines are not parsed. */
function* readRecords<T extends { readonly sessionId: string }>(
  lines: readonly string[],
  sessionId: string,
  parse: (value: unknown) => Parsed<T>,
): Generator<T> {
  const quotedId = JSON.stringify(sessionId);
  for (const line of lines) {
    const parsed = line.includes(quotedId) ? parseRecordLine(line, parse) : undefined;
    if (parsed?.ok === true && parsed.record.sessionId === sessionId) yield parsed.record;
  }
}

/** The lines of a log since a time, newest first. */
function readLogTail(directory: string, log: LogName, since: number): readonly string[] {
  const lines: string[] = [];
  for (const { path } of listSegments(directory, log).toReversed()) {
    const tail = readSegmentTail(path, since);
    for (const line of tail) lines.push(line);
    if (isBefore(tail.at(-1), since)) break;
  }
  return lines;
}

function readSegmentTail(path: string, since: number): readonly string[] {
  for (let bytes = MIN_TAIL_BYTES; ; bytes *= 4) {
    const lines = [...readBackwards(path, bytes)];
    if (bytes >= MAX_TAIL_BYTES || (statIfExists(path)?.size ?? 0) <= bytes) return lines;
    // Imported records are old wherever they are: only a long run of old lines means that enough was read.
    const earlierHalf = lines.slice(lines.length >> 1);
    if (earlierHalf.length > 0 && earlierHalf.every((line) => isBefore(line, since))) return lines;
  }
}

function isBefore(line: string | undefined, since: number): boolean {
  return (findTimestamp(line ?? '') ?? since) < since;
}
