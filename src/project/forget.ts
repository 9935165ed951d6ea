import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { causesOnlyOf } from '../ask/blamed.ts';
import { findFolderProblem, sleepSync, withLock, writeFileAtomic } from '../files/index.ts';
import { readAllAttempts, readHistory } from '../history/index.ts';
import {
  appendLine,
  appendRecord,
  archiveFolder,
  type LogName,
  listSegments,
  openSegmentPath,
  readLogLines,
  rewriteSegment,
  rotate,
  teamFolder,
} from '../log/index.ts';
import { type Attempt, type Message, parseObject, RECORD_VERSION } from '../record/index.ts';
import { isNewerLine, readSpoolLines, spoolPaths } from '../recording/spooled-call.ts';
import type { RowSource } from '../store/project-rows.ts';
import { compareText } from '../text/compare-text.ts';
import { findQuotes } from './quotes.ts';

/** What was deleted. */
export interface ForgetReport {
  readonly sessions: number;
  readonly messages: number;
  readonly attempts: number;
  readonly images: number;
  readonly prompts: number;
  /** Size of the deleted log lines and images. */
  readonly bytes: number;
}

/**
 * What is to be deleted from a project. Contains ids rather than recorded text, since it is written to a file before
 * anything is deleted, so that a deletion that is interrupted can be finished.
 */
export interface Deletion {
  /** Id of the project. */
  readonly project: string;
  /** Sessions of which everything up to `until` is deleted, with their sub-agents. */
  readonly sessionIds: readonly string[];
  /** ISO 8601. */
  readonly until: string;
  /** All sessions of the project, with its prompts and the user's choices. */
  readonly isWholeProject: boolean;
  /** Attempts that are deleted, with warnings about them. */
  readonly attemptIds: readonly string[];
  /** Replies in the chat that quote what is deleted, in any project. */
  readonly replyIds: readonly string[];
  /** Warnings and pins that quote what is deleted, though they are about something else. */
  readonly warningIds?: readonly string[];
  /** Failures of which no attempt is left. */
  readonly failureKeys: readonly string[];
  /** The user's choice to dismiss these failures stays. */
  readonly keepsDismissals: boolean;
}

/** What a deletion contains, for the report. */
export interface DeletionCounts {
  readonly sessions: number;
  readonly messages: number;
  readonly attempts: number;
}

const LOGS: readonly LogName[] = ['failures', 'successes', 'warnings', 'history'];
/** How long to wait for writers that opened a segment just before it was rotated. */
const GRACE_MS = 50;

/** What is deleted, for messages: the sessions by id, since nothing else may be left of them. */
export function describeDeletion({ isWholeProject, project, sessionIds, attemptIds }: Deletion): string {
  if (isWholeProject) return `all history of project ${project}`;
  const [first, ...subagents] = sessionIds;
  if (first === undefined) return attemptIds.length === 1 ? 'an attempt' : `${attemptIds.length} attempts`;
  return subagents.length === 0 ? `session ${first}` : `session ${first} with its sub-agents`;
}

/** The project that something is deleted from, and the data folders of all projects. */
export interface DeletionScope {
  readonly project: string;
  readonly rows: RowSource;
  readonly directory: string;
  readonly directories: readonly string[];
}

/** Finds what is to be deleted: one session of a project with its sub-agents, or all sessions. */
export function planSessionDeletion(
  scope: DeletionScope,
  sessionId: string | undefined,
  now: number,
): { readonly deletion: Deletion; readonly counts: DeletionCounts } {
  const messages: Pick<Message, 'sessionId' | 'timestamp'>[] = [];
  const parents = new Map<string, string>();
  const addParent = ({ sessionId: id, parentSessionId }: Message | Attempt, isFork = false): void => {
    if (parentSessionId !== undefined && !isFork) parents.set(id, parentSessionId);
  };
  for (const record of readHistory(scope.directory, ignore)) {
    if (record.kind === 'tombstone') continue;
    messages.push({ sessionId: record.sessionId, timestamp: record.timestamp });
    addParent(record, record.isFork);
  }
  const attempts = [...readAllAttempts(scope.directory, ignore)];
  for (const attempt of attempts) addParent(attempt);
  const isAffected = (id: string): boolean => sessionId === undefined || isPartOf(id, sessionId, parents);
  const deleted = [...messages, ...attempts].filter((record) => isAffected(record.sessionId));
  const found = new Set(deleted.map((record) => record.sessionId));
  const sessionIds = [...found].sort((a, b) => Number(b === sessionId) - Number(a === sessionId));
  const deletedAttempts = attempts.filter((attempt) => isAffected(attempt.sessionId));
  const until = deleted.reduce(
    (latest, { timestamp }) => (compareText(timestamp, latest) > 0 ? timestamp : latest),
    new Date(now).toISOString(),
  );
  const plan = {
    project: scope.project,
    sessionIds,
    until,
    isWholeProject: sessionId === undefined,
    attemptIds: deletedAttempts.map(({ id }) => id),
    failureKeys: findOrphanedKeys(scope, deletedAttempts),
    keepsDismissals: false,
  };
  const counts = {
    sessions: sessionIds.length,
    messages: deleted.length - deletedAttempts.length,
    attempts: deletedAttempts.length,
  };
  return { deletion: withReplies(plan, scope), counts };
}

/** Finds what is to be deleted with the attempts that match: warnings about them, or about the failure `key`. */
export function planAttemptDeletion(
  scope: DeletionScope,
  matches: (attempt: Attempt) => boolean,
  key: string | undefined,
  now: number,
): Deletion {
  const attempts = [...readAllAttempts(scope.directory, ignore)].filter(matches);
  const plan = {
    project: scope.project,
    sessionIds: [],
    until: new Date(now).toISOString(),
    isWholeProject: false,
    attemptIds: attempts.map(({ id }) => id),
    failureKeys: key === undefined ? [] : [key],
    keepsDismissals: true,
  };
  return withReplies(plan, scope);
}

function withReplies(plan: Omit<Deletion, 'replyIds'>, { directory, directories }: DeletionScope): Deletion {
  const deletion = { ...plan, replyIds: [] };
  if (plan.sessionIds.length + plan.attemptIds.length === 0) return deletion;
  const isDeleted = createFilter(deletion);
  const sessionIds = new Set(plan.sessionIds);
  return { ...plan, ...findQuotes(directory, { directories, sessionIds, isDeleted }) };
}

function isPartOf(id: string, sessionId: string, parents: ReadonlyMap<string, string>): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (at === sessionId) return true;
    seen.add(at);
  }
  return false;
}

/** The failures that only deleted attempts show. */
function findOrphanedKeys({ rows }: DeletionScope, deleted: readonly Attempt[]): readonly string[] {
  const failed = deleted.filter(({ outcome }) => outcome === 'failure').map(({ id }) => id);
  return failed.length === 0 ? [] : (rows.ask((found) => causesOnlyOf(found, failed)) ?? []);
}

/** The user's prompts in the sessions of a deletion, as far as they are still in the logs. */
export function readDeletedPrompts(directory: string, deletion: Deletion): readonly string[] {
  const isDeleted = createFilter(deletion);
  const prompts: string[] = [];
  for (const record of readHistory(directory, ignore)) {
    if (record.kind !== 'tombstone' && record.role === 'user' && isDeleted({ ...record })) prompts.push(record.content);
  }
  return prompts;
}

/**
 * Writes a tombstone for each session of a deletion, so that it is not imported again and is hidden, from hooks too, even
 * if what follows is interrupted.
 */
export function hideSessions(directory: string, deletion: Deletion): void {
  withLock(join(directory, 'maintenance.lock'), () => {
    writeTombstones(directory, deletion);
    removeSnapshots(directory);
  });
}

/**
 * Deletes records permanently from a project's logs and images, after {@link hideSessions}. Can be repeated after an
 * interruption at any point. Invalid lines are deleted if they contain the id of a session.
 */
export function deleteRecords(
  directory: string,
  deletion: Deletion,
): { readonly images: number; readonly bytes: number } {
  return withLock(join(directory, 'maintenance.lock'), () => {
    noteForTeam(directory, deletion);
    const before = listImages(directory);
    const bytes = deleteLines(directory, deletion);
    const removed = removeUnusedImages(directory, before);
    return { images: removed.count, bytes: bytes + removed.bytes };
  });
}

/** What the next sync deletes from the team's server and from the copies of other machines, one deletion per line. */
export function deletionsForTeam(directory: string): string {
  return join(teamFolder(directory), 'forgotten.jsonl');
}

/** Notes a deletion for the team, if the project was ever synced. The notes contain ids only. */
function noteForTeam(directory: string, { sessionIds, attemptIds, isWholeProject, until }: Deletion): void {
  if (!existsSync(teamFolder(directory))) return;
  const line = { sessions: sessionIds, ids: attemptIds, everything: isWholeProject, until };
  appendLine(deletionsForTeam(directory), JSON.stringify(line));
}

/** Deletes what other projects know of a deletion: warnings about its attempts, and replies that quote it. */
export function deleteFromOtherProject(
  directory: string,
  { attemptIds, replyIds, warningIds = [] }: Pick<Deletion, 'attemptIds' | 'replyIds' | 'warningIds'>,
): void {
  const ids = new Set([...attemptIds, ...replyIds, ...warningIds]);
  const shouldDelete = (line: string): boolean => {
    const { id, attemptId } = parseObject(line) ?? {};
    return ids.has(String(id)) || ids.has(String(attemptId));
  };
  const isAffected = (['history', 'warnings'] as const).some((log) =>
    listSegments(directory, log).some(({ path }) => {
      for (const { text } of readLogLines(path)) if (shouldDelete(text)) return true;
      return false;
    }),
  );
  if (!isAffected) return;
  withLock(join(directory, 'maintenance.lock'), () => rewriteLogs(directory, shouldDelete));
}

/**
 * Deletes what the user's own logs say of records that are about to be deleted from the team copy of a project: warnings,
 * pins, replies that quote them, and labels of their sessions.
 */
export function deleteQuotesOfCopy(
  { directory, directories }: Pick<DeletionScope, 'directory' | 'directories'>,
  isDeleted: (record: Readonly<Record<string, unknown>>) => boolean,
): void {
  const copy = teamFolder(directory);
  const attempts = [...readAllAttempts(copy, ignore)].filter((attempt) => isDeleted({ ...attempt }));
  const messages = [...readHistory(copy, ignore)].filter((record) => isDeleted({ ...record }));
  const sessionIds = new Set([...attempts, ...messages].map(({ sessionId }) => sessionId));
  if (sessionIds.size === 0) return;
  const labels = Array.from(readHistory(directory, ignore)).flatMap((record) =>
    'id' in record && sessionIds.has(record.sessionId) ? [record.id] : [],
  );
  const { replyIds, warningIds } = findQuotes(directory, { directories, sessionIds, isDeleted });
  const attemptIds = attempts.map(({ id }) => id);
  for (const each of directories)
    deleteFromOtherProject(each, { attemptIds, replyIds: [...replyIds, ...labels], warningIds });
}

function writeTombstones(directory: string, { sessionIds, until }: Deletion): void {
  const written = new Set<string>();
  for (const record of readHistory(directory, ignore)) {
    if (record.kind === 'tombstone' && record.timestamp >= until) written.add(record.sessionId);
  }
  for (const sessionId of sessionIds) {
    if (written.has(sessionId)) continue;
    const tombstone = { v: RECORD_VERSION, kind: 'tombstone', sessionId, timestamp: until };
    appendRecord(openSegmentPath(directory, 'history'), tombstone);
  }
}

function deleteLines(directory: string, deletion: Deletion): number {
  const isDeleted = createFilter(deletion);
  const shouldDelete = (line: string): boolean => {
    const record = parseObject(line);
    if (record !== undefined) return isDeleted(record);
    return deletion.isWholeProject || deletion.sessionIds.some((id) => line.includes(id));
  };
  deleteFromSpool(directory, shouldDelete);
  return rewriteLogs(directory, shouldDelete);
}

/** Calls that only a newer version of yore can drain. */
function deleteFromSpool(directory: string, shouldDelete: (line: string) => boolean): void {
  const { newer } = spoolPaths(directory);
  const lines = readSpoolLines(newer).filter(isNewerLine);
  const kept = lines.filter((line) => !shouldDelete(line));
  if (kept.length === lines.length) return;
  if (kept.length === 0) rmSync(newer, { force: true });
  else writeFileAtomic(newer, `${kept.join('\n')}\n`);
}

/** Deletes lines from all logs including the archive, and removes snapshots. Returns the number of bytes. */
function rewriteLogs(directory: string, shouldDelete: (line: string) => boolean): number {
  const folders = [directory, archiveFolder(directory)];
  for (const folder of folders) for (const log of LOGS) rotate(folder, log);
  sleepSync(GRACE_MS);
  let bytes = 0;
  for (const folder of folders) {
    for (const log of LOGS) {
      for (const { path, isOpen } of listSegments(folder, log)) {
        if (!isOpen) bytes += rewriteSegment(path, shouldDelete).bytes;
      }
    }
  }
  removeSnapshots(directory);
  return bytes;
}

/** Whether a record is to be deleted. */
function createFilter(deletion: Deletion): (record: Readonly<Record<string, unknown>>) => boolean {
  const { until, isWholeProject, keepsDismissals } = deletion;
  const sessionIds = new Set<unknown>(deletion.sessionIds);
  const ids = new Set<unknown>([...deletion.attemptIds, ...deletion.replyIds, ...(deletion.warningIds ?? [])]);
  const keys = new Set<unknown>(deletion.failureKeys);
  return ({ kind, id, sessionId, attemptId, key, timestamp }) => {
    if (kind === 'tombstone') return false;
    if (ids.has(id) || ids.has(attemptId)) return true;
    const isOld = typeof timestamp !== 'string' || timestamp <= until;
    // Only lines of the warnings log have a key. A pin contains the failure itself.
    const isDismissal = kind === 'dismiss' || kind === 'reset';
    if (key !== undefined && (isWholeProject || keys.has(key))) return isOld && !(keepsDismissals && isDismissal);
    return isOld && sessionIds.has(sessionId);
  };
}

/** Removes what was made from the logs and may contain what was deleted. yore 0.1 had more of it than this version. */
export function removeSnapshots(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory).filter((each) => DERIVED.test(each)))
    rmSync(join(directory, name), { recursive: true, force: true });
}

const DERIVED = /^(?:knowledge\.json|claims|told|briefing\.json|digest(?:-\d+)?\.jsonl?|(?:guard|recall)\.\w+)$/;

function listImages(directory: string): readonly string[] {
  const folder = join(directory, 'images');
  // Through a link, files of others would be deleted.
  return findFolderProblem(folder) === undefined && existsSync(folder) ? readdirSync(folder) : [];
}

/** Removes `candidates` that are no longer referenced. Newer images may not be referenced yet. */
function removeUnusedImages(directory: string, candidates: readonly string[]) {
  if (candidates.length === 0) return { count: 0, bytes: 0 };
  const used = findReferencedImages(directory);
  let count = 0;
  let bytes = 0;
  for (const name of candidates) {
    if (used.has(name)) continue;
    const path = join(directory, 'images', name);
    bytes += statSync(path).size;
    rmSync(path);
    count++;
  }
  return { count, bytes };
}

/** Searches the text of lines rather than records, to include records of a newer version. */
function findReferencedImages(directory: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { path } of listSegments(directory, 'history')) {
    for (const { text } of readLogLines(path)) {
      if (!text.includes('"imageRefs"')) continue;
      for (const [name] of text.matchAll(/[0-9a-f]{12}\.(?:png|jpg|gif|webp)/g)) names.add(name);
    }
  }
  return names;
}

function ignore(): void {}
