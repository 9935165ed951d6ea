import type { SessionRecords } from '../history/index.ts';
import {
  type Attempt,
  CHAT_AGENT,
  type Message,
  parseAttempt,
  parseHistoryRecord,
  parseObject,
  teamSessionId,
} from '../record/index.ts';
import { redactValue } from '../redact/redact.ts';

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

/**
 * Which fields are their author's to say. The others belong to whoever has the record: labels of the user, files in the
 * user's home, and whose record it is. They are neither sent nor taken from what a colleague's client sends.
 */
const MESSAGE_FIELDS: Readonly<Record<keyof Message, boolean>> = {
  v: true,
  id: true,
  sessionId: true,
  timestamp: true,
  role: true,
  content: true,
  kind: true,
  keptFrom: false,
  starred: false,
  tags: false,
  usage: true,
  parentSessionId: true,
  isFork: true,
  imageRefs: false,
  images: false,
  files: true,
  filesModified: true,
  editResults: true,
  agent: true,
  model: true,
  branch: true,
  turnId: true,
  systemEvent: true,
  foreign: false,
  author: false,
};
const ATTEMPT_FIELDS: Readonly<Record<keyof Attempt, boolean>> = {
  v: true,
  id: true,
  timestamp: true,
  sessionId: true,
  outcome: true,
  callId: true,
  parentSessionId: true,
  agent: true,
  tool: true,
  command: true,
  path: true,
  args: true,
  error: true,
  result: true,
  exitCode: true,
  durationMs: true,
  context: true,
  tags: true,
  branch: true,
  commit: true,
  testFiles: true,
  cwd: true,
  circumstances: true,
  signature: true,
  errorSignature: true,
  kind: true,
  pattern: true,
  description: true,
  foreign: false,
  author: false,
};
const WORKTREE = 'worktree:';

/**
 * What of a record may be shared. Undefined for what is not the author's own, what was said in yore's chat, labels, and
 * the summary of a compaction, which says nothing that the messages do not.
 */
export function toShareable(record: Message | Attempt): Message | Attempt | undefined {
  if (record.foreign || record.agent === CHAT_AGENT) return undefined;
  if ('outcome' in record) {
    const { circumstances, ...shared } = pickFields(record, ATTEMPT_FIELDS);
    // Where a checkout is says nothing on another machine, or, from a hostile client, that it is the reader's own.
    const placeless = circumstances?.map((item) => (item.startsWith(WORKTREE) ? `${WORKTREE}.` : item));
    return placeless === undefined ? shared : { ...shared, circumstances: placeless };
  }
  if (record.kind === 'checkpoint' || (record.kind === 'title' && record.content === '')) return undefined;
  return pickFields(record, MESSAGE_FIELDS);
}

/** A copy of a record with the fields that are shared. Those that are not are optional. */
function pickFields<T extends object>(record: T, fields: Readonly<Record<keyof T, boolean>>): T {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields[name as keyof T])) as T;
}

/** The record of a row, as records of this team are known on other machines. Nothing for what cannot be read. */
export function parseSharedRow({ author, log, body }: StoredRow): readonly FoundRecord[] {
  const record = parseShared(log, body, author, author);
  return record === undefined ? [] : [{ log, record }];
}

/**
 * Parses a shared record; its session becomes one of the author's. Trusts nobody's client: undefined for what is not
 * shared, cannot be read, or is of a newer version.
 */
export function parseShared(
  log: string,
  body: string,
  pseudonym: string,
  author: string,
): Message | Attempt | undefined {
  const parsed = log === 'history' ? parseHistoryRecord(parseObject(body)) : parseAttempt(parseObject(body));
  const shareable = parsed.ok && 'id' in parsed.record ? toShareable(parsed.record) : undefined;
  if (shareable === undefined) return undefined;
  const { parentSessionId, ...record } = shareable;
  const parent = parentSessionId === undefined ? {} : { parentSessionId: teamSessionId(parentSessionId, pseudonym) };
  return { ...record, ...parent, sessionId: teamSessionId(record.sessionId, pseudonym), author };
}

/** The records of a session by kind, redacted as if they had been received. */
export function toSessionRecords(found: readonly FoundRecord[]): SessionRecords {
  const messages: Message[] = [];
  const attempts: Attempt[] = [];
  const titles: Message[] = [];
  for (const { record: stored } of found) {
    const record = redactValue(stored);
    if ('outcome' in record) attempts.push(record);
    else (record.kind === 'title' ? titles : messages).push(record);
  }
  return { messages, attempts, titles };
}

/** The author of a session, and what the author calls it. */
export function splitSessionId(sessionId: string): readonly [author: string, session: string] {
  const at = sessionId.lastIndexOf('@');
  return [sessionId.slice(at + 1), sessionId.slice(0, Math.max(0, at))];
}
