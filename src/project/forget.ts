import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findFolderProblem, sleepSync, withLock } from '../files/index.ts';
import { readAllAttempts, readHistory } from '../history/index.ts';
import {
  appendRecord,
  archiveFolder,
  type LogName,
  listSegments,
  openSegmentPath,
  readLines,
  rewriteSegment,
  rotate,
} from '../log/index.ts';
import { removeDigests } from '../memory/index.ts';
import { type Attempt, parseObject, RECORD_VERSION } from '../record/index.ts';

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

/** What is to be deleted from a project. */
export interface Deletion {
  readonly sessionIds: ReadonlySet<string>;
  /** The user's prompts in those sessions. */
  readonly prompts: readonly string[];
  readonly messages: number;
  /** To delete warnings about these attempts as well. */
  readonly attemptIds: ReadonlySet<string>;
}

type SessionsToDelete = Pick<Deletion, 'sessionIds' | 'attemptIds'>;

const LOGS: readonly LogName[] = ['history', 'failures', 'successes', 'warnings'];
/** How long to wait for writers that opened a segment just before it was rotated. */
const GRACE_MS = 50;

/** Finds what is to be deleted: one session of a project, or all of them. */
export function planDeletion(directory: string, sessionId?: string): Deletion {
  const sessionIds = new Set<string>();
  const prompts: string[] = [];
  let messages = 0;
  const attemptIds = new Set<string>();
  const isAffected = (id: string) => sessionId === undefined || id === sessionId;
  for (const record of readHistory(directory, ignore)) {
    if (record.kind === 'tombstone' || !isAffected(record.sessionId)) continue;
    sessionIds.add(record.sessionId);
    messages++;
    if (record.role === 'user') prompts.push(record.content);
  }
  for (const attempt of readAllAttempts(directory, ignore)) {
    if (!isAffected(attempt.sessionId)) continue;
    sessionIds.add(attempt.sessionId);
    attemptIds.add(attempt.id);
  }
  return { sessionIds, prompts, messages, attemptIds };
}

/**
 * Deletes sessions permanently from a project's logs and images, and writes a tombstone for each so that they are not
 * imported again. The tombstones are written first, which hides the sessions even if deleting is interrupted. Invalid
 * lines are deleted if they contain the id of a session.
 */
export function deleteSessions(
  directory: string,
  sessions: SessionsToDelete,
  now: number,
): { readonly images: number; readonly bytes: number } {
  return withLock(join(directory, 'maintenance.lock'), () => {
    const timestamp = new Date(now).toISOString();
    for (const sessionId of sessions.sessionIds) {
      const tombstone = { v: RECORD_VERSION, kind: 'tombstone', sessionId, timestamp };
      appendRecord(openSegmentPath(directory, 'history'), tombstone);
    }
    const before = listImages(directory);
    const bytes = deleteLines(directory, (line) => isOfSession(line, sessions));
    const removed = removeUnusedImages(directory, before);
    return { images: removed.count, bytes: bytes + removed.bytes };
  });
}

/**
 * Permanently deletes the attempts for which `matches` is true, and warnings about them or about the failure `key`.
 * Returns the number of attempts.
 */
export function deleteAttempts(
  directory: string,
  matches: (attempt: Attempt) => boolean,
  key?: string,
): { readonly attempts: number; readonly bytes: number } {
  return withLock(join(directory, 'maintenance.lock'), () => {
    const ids = new Set<string>();
    for (const attempt of readAllAttempts(directory, ignore)) if (matches(attempt)) ids.add(attempt.id);
    if (ids.size === 0) return { attempts: 0, bytes: 0 };
    const bytes = deleteLines(directory, (line) => {
      const fields = parseObject(line);
      if (fields === undefined) return false;
      const { id, kind, attemptId, key: about } = fields;
      // The user's choice to dismiss a failure is kept; a pin contains the failure itself and is deleted.
      const isDismissal = kind === 'dismiss' || kind === 'reset';
      return ids.has(String(id)) || ids.has(String(attemptId)) || (!isDismissal && key !== undefined && about === key);
    });
    return { attempts: ids.size, bytes };
  });
}

/** Deletes lines from all logs including the archive, and removes snapshots. Returns the number of bytes. */
function deleteLines(directory: string, shouldDelete: (line: string) => boolean): number {
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

function isOfSession(line: string, { sessionIds, attemptIds }: SessionsToDelete): boolean {
  const fields = parseObject(line);
  if (fields === undefined) return [...sessionIds].some((id) => line.includes(id));
  const { kind, sessionId, attemptId } = fields;
  if (kind === 'tombstone') return false;
  return sessionIds.has(String(sessionId)) || (kind === 'warning' && attemptIds.has(String(attemptId)));
}

/** Snapshots contain what was deleted. They are rebuilt when needed. */
function removeSnapshots(directory: string): void {
  removeDigests(directory);
  for (const name of SNAPSHOTS.split(' ')) rmSync(join(directory, name), { recursive: true, force: true });
}

const SNAPSHOTS = 'knowledge.json recall.idx recall.recent guard.idx guard.recent briefing.json claims told';

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
    for (const { text } of readLines(path)) {
      if (!text.includes('"imageRefs"')) continue;
      for (const [name] of text.matchAll(/[0-9a-f]{12}\.(?:png|jpg|gif|webp)/g)) names.add(name);
    }
  }
  return names;
}

function ignore(): void {}
