import { titleOf } from '../facts/facts.ts';
import { chooseTitle } from '../facts/session-title.ts';
import { readLogLines } from '../log/read.ts';
import { ATTEMPT_LOGS, archiveFolder, type LogName, listSegments, teamFolder } from '../log/segments.ts';
import type { Problem } from '../record/error.ts';
import { omitUndefined } from '../record/object.ts';
import { getOrAdd } from '../record/once.ts';
import { type Parsed, parseAttempt, parseHistoryRecord } from '../record/parse.ts';
import {
  type Attempt,
  countCalls,
  type HistoryRecord,
  type Message,
  NOTES_SESSION,
  type SessionSummary,
} from '../record/record.ts';

/** Reads messages, checkpoints, titles and tombstones of a project, oldest segment first. Invalid lines are reported and skipped. */
export function readHistory(directory: string, onProblem: (problem: Problem) => void): Generator<HistoryRecord> {
  return readRecords(directory, 'history', parseHistoryRecord, onProblem);
}

/** Reads the attempts of one log, oldest segment first. Invalid lines are reported and skipped. */
export function readAttempts(
  directory: string,
  log: 'failures' | 'successes',
  onProblem: (problem: Problem) => void,
): Generator<Attempt> {
  return readRecords(directory, log, parseAttempt, onProblem);
}

function* readRecords<T>(
  directory: string,
  log: LogName,
  parse: (value: unknown) => Parsed<T>,
  onProblem: (problem: Problem) => void,
): Generator<T> {
  for (const { path } of listSegments(directory, log)) {
    for (const line of readLogLines(path)) {
      const parsed = parseRecordLine(line.text, parse);
      if (parsed.ok) yield parsed.record;
      else onProblem({ path, line: line.number, ...describeProblem(parsed) });
    }
  }
}

/** Parses one line of a log. Never throws. */
export function parseRecordLine<T>(text: string, parse: (value: unknown) => Parsed<T>): Parsed<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'invalid', problem: 'not valid JSON' };
  }
  return parse(value);
}

/** Why a line could not be read. */
export function describeProblem(parsed: Exclude<Parsed<unknown>, { ok: true }>): Pick<Problem, 'reason' | 'detail'> {
  return parsed.reason === 'newer'
    ? { reason: 'newer', detail: `record version ${parsed.version}` }
    : { reason: 'invalid', detail: parsed.problem };
}

/** The records of one session, in the order they were written. */
export interface SessionRecords {
  readonly messages: readonly Message[];
  readonly attempts: readonly Attempt[];
  /** What the session was called, which is no part of the conversation. Default: none. */
  readonly titles?: readonly Message[];
}

/** Whether lists show a session. Notes that were made outside of sessions are found by search, but are none. */
export function isListedSession(sessionId: string, { messages }: SessionRecords): boolean {
  return sessionId !== NOTES_SESSION || messages.length > 0;
}

/** The records of an unknown session. */
export const NO_RECORDS: SessionRecords = { messages: [], attempts: [] };

/**
 * Reads all logs of a project, with what its team shares, and groups the records of the wanted sessions. Records that a
 * tombstone covers are omitted.
 */
export function scanSessions(
  directory: string,
  isWanted: (sessionId: string) => boolean,
  onProblem: (problem: Problem) => void,
): ReadonlyMap<string, SessionRecords> {
  const sessions = new Map<string, { [K in keyof Required<SessionRecords>]: Required<SessionRecords>[K][number][] }>();
  const getSession = (id: string) => getOrAdd(sessions, id, () => ({ messages: [], attempts: [], titles: [] }));
  const messages: Message[] = [];
  const deletedAt = new Map<string, string>();
  const folders = [directory, teamFolder(directory)];
  for (const record of folders.flatMap((folder) => [...readHistory(folder, onProblem)])) {
    if (!isWanted(record.sessionId)) continue;
    if (record.kind !== 'tombstone') messages.push(record);
    else if (record.timestamp > (deletedAt.get(record.sessionId) ?? '')) {
      deletedAt.set(record.sessionId, record.timestamp);
    }
  }
  const isKept = (record: Message | Attempt) => record.timestamp > (deletedAt.get(record.sessionId) ?? '');
  for (const message of messages) {
    if (isKept(message)) getSession(message.sessionId)[message.kind === 'title' ? 'titles' : 'messages'].push(message);
  }
  for (const attempt of folders.flatMap((folder) => [...readAllAttempts(folder, onProblem)])) {
    if (isWanted(attempt.sessionId) && isKept(attempt)) getSession(attempt.sessionId).attempts.push(attempt);
  }
  return sessions;
}

/** Reads all attempts of a project including the archive, oldest segment first. */
export function* readAllAttempts(directory: string, onProblem: (problem: Problem) => void): Generator<Attempt> {
  for (const log of ATTEMPT_LOGS) {
    for (const folder of [archiveFolder(directory), directory]) yield* readAttempts(folder, log, onProblem);
  }
}

const PREVIEW_LENGTH = 100;

/** The first 100 characters of a text, on one line. */
export function formatPreview(text: string): string {
  const line = text
    .slice(0, PREVIEW_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > PREVIEW_LENGTH ? `${characters.slice(0, PREVIEW_LENGTH).join('')}…` : line;
}

/** The preview of a session without messages, from its first attempt. */
export function formatAttemptPreview(attempt: Attempt): string {
  return formatPreview(attempt.context ?? attempt.command ?? attempt.path ?? attempt.pattern ?? attempt.tool ?? '');
}

/** The title of a session as lists show it: one that is not the user's own says so. */
export function labelTitle(title: string, { isForeign }: { readonly isForeign: boolean }): string {
  return isForeign ? `(foreign) ${title}` : title;
}

/** Summarises a session from its records, in any order. */
export function summariseSession(
  project: string,
  sessionId: string,
  { messages, attempts, titles = [] }: SessionRecords,
): SessionSummary {
  const said = messages.filter(({ kind }) => kind !== 'checkpoint');
  const firstMessage = findEarliest(said);
  const firstAttempt = findEarliest(attempts);
  const first = firstMessage ?? firstAttempt;
  const last = findLatest([...messages, ...attempts]);
  const firstText = firstMessage
    ? formatPreview(firstMessage.content)
    : firstAttempt && formatAttemptPreview(firstAttempt);
  const isForeign = [...messages, ...attempts].some(({ foreign }) => foreign);
  const agent = first?.agent ?? last?.agent;
  const branch = last?.branch ?? first?.branch;
  const title = chooseTitle(
    [...messages, ...titles, ...attempts].flatMap((record) => titleOf(record) ?? []),
    branch,
  );
  return {
    sessionId,
    project,
    timestamp: first?.timestamp ?? '',
    lastActivity: last?.timestamp ?? '',
    messageCount: said.length,
    title: labelTitle(title ?? firstText ?? '', { isForeign }),
    preview: firstText ?? '',
    firstRole: firstMessage?.role ?? 'user',
    ...omitUndefined({ agent, branch }),
    failures: countCalls(attempts, 'failure'),
    successes: countCalls(attempts, 'success'),
    ...summariseLabels(titles.findLast(hasLabels)),
    ...omitUndefined({ author: last?.author }),
    ...(isForeign ? { foreign: true } : {}),
  };
}

/** Whether a record says how the user labelled its session. */
export function hasLabels(message: Message): boolean {
  return message.kind === 'title' && (message.starred !== undefined || message.tags !== undefined);
}

/** The user's labels of a session, as its summary has them. */
export function summariseLabels(
  labels: Pick<Message, 'starred' | 'tags'> = {},
): Pick<SessionSummary, 'starred' | 'tags'> {
  const { starred, tags = [] } = labels;
  return { ...(starred === true ? { starred } : {}), ...(tags.length > 0 ? { tags } : {}) };
}

/** Of equal times, the first. */
function findEarliest<T extends Message | Attempt>(records: readonly T[]): T | undefined {
  let earliest = records[0];
  for (const record of records) if (earliest && record.timestamp < earliest.timestamp) earliest = record;
  return earliest;
}

/** Of equal times, the last. */
function findLatest<T extends Message | Attempt>(records: readonly T[]): T | undefined {
  let latest = records[0];
  for (const record of records) if (latest && record.timestamp >= latest.timestamp) latest = record;
  return latest;
}
