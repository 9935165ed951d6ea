import type { SessionRecords } from '../history/index.ts';
import {
  type Attempt,
  type Message,
  parseAttempt,
  parseHistoryRecord,
  parseObject,
  teamSessionId,
} from '../record/index.ts';

/** The logs that are shared. */
export type SharedLog = 'history' | 'failures' | 'successes';

/** A record to be pushed: redacted, and without what is not shared. */
export interface SharedRecord {
  readonly log: SharedLog;
  readonly record: Message | Attempt;
}

/** What a member deleted. */
export interface SharedDeletion {
  readonly sessions: readonly string[];
  readonly ids: readonly string[];
  /** Everything of the member in the project. */
  readonly everything: boolean;
  /** ISO 8601. Later records of the sessions stay. */
  readonly until: string;
}

/** A row of the stream of a project. */
export interface StreamRow {
  readonly seq: number;
  readonly log: SharedLog | 'deletions';
  /** The pseudonym of the member, and the name if they chose one. */
  readonly author: string;
  readonly name: string | undefined;
  /** The JSON of the record, or of the deletion. */
  readonly body: string;
}

/** A record as it is stored. */
export interface StoredRow {
  readonly author: string;
  readonly log: string;
  readonly body: string;
}

/** A record and the log that it belongs to. */
export interface FoundRecord {
  readonly log: string;
  readonly record: Message | Attempt;
}

/** The record of a row, as records of this team are known on other machines. Nothing for what cannot be read. */
export function parseRow({ author, log, body }: StoredRow): readonly FoundRecord[] {
  const record = parseShared(log, body, author, author);
  return record === undefined ? [] : [{ log, record }];
}

/** Parses a shared record; its session becomes one of the author's. Undefined for anything else, or of a newer version. */
export function parseShared(
  log: string,
  body: string,
  pseudonym: string,
  author: string,
): Message | Attempt | undefined {
  const parsed = log === 'history' ? parseHistoryRecord(parseObject(body)) : parseAttempt(parseObject(body));
  if (!parsed.ok || !('id' in parsed.record)) return undefined;
  const { parentSessionId, ...record } = parsed.record;
  const parent = parentSessionId === undefined ? {} : { parentSessionId: teamSessionId(parentSessionId, pseudonym) };
  return { ...record, ...parent, sessionId: teamSessionId(record.sessionId, pseudonym), author };
}

/** The records of a session by kind. */
export function toSessionRecords(found: readonly FoundRecord[]): SessionRecords {
  const messages: Message[] = [];
  const attempts: Attempt[] = [];
  const titles: Message[] = [];
  for (const { record } of found) {
    if ('outcome' in record) attempts.push(record);
    else (record.kind === 'title' ? titles : messages).push(record);
  }
  return { messages, attempts, titles };
}
