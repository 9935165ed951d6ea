import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sleepSync, withLock } from '../files/index.ts';
import { parseLine, readAllAttempts, readHistory } from '../history/index.ts';
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
import { type Attempt, type Parsed, RECORD_VERSION } from '../record/index.ts';

/** What forgetting deleted. */
export interface ForgetReport {
  readonly sessions: number;
  readonly messages: number;
  readonly attempts: number;
  readonly images: number;
  readonly prompts: number;
  /** Bytes of logs and images. */
  readonly bytes: number;
}

/** What a project loses, before anything is deleted. */
export interface Doomed {
  readonly sessionIds: ReadonlySet<string>;
  /** What the user typed in those sessions. */
  readonly prompts: readonly string[];
  readonly messages: number;
  readonly attempts: number;
  /** Warnings that rested on these tell of them. */
  readonly attemptIds: ReadonlySet<string>;
}

const LOGS: readonly LogName[] = ['history', 'failures', 'successes', 'warnings'];
/** How long a writer that opened a file just before it was closed is waited for. */
const GRACE_MS = 50;

/** Finds what is to be forgotten: one session of a project, or all of them. */
export function findDoomed(directory: string, sessionId?: string): Doomed {
  const sessionIds = new Set<string>();
  const prompts: string[] = [];
  let messages = 0;
  const attemptIds = new Set<string>();
  const isDoomed = (id: string) => sessionId === undefined || id === sessionId;
  for (const record of readHistory(directory, ignore)) {
    if (record.kind === 'tombstone' || !isDoomed(record.sessionId)) continue;
    sessionIds.add(record.sessionId);
    messages++;
    if (record.role === 'user') prompts.push(record.content);
  }
  for (const attempt of readAllAttempts(directory, ignore)) {
    if (!isDoomed(attempt.sessionId)) continue;
    sessionIds.add(attempt.sessionId);
    attemptIds.add(attempt.id);
  }
  return { sessionIds, prompts, messages, attempts: attemptIds.size, attemptIds };
}

/**
 * Deletes sessions from a project's logs and images for good, and leaves a tombstone for each so that
 * importing does not bring them back. The tombstones are written first: from then on the sessions are hidden,
 * whatever happens to the rest. Lines that cannot be read go when they name a session.
 */
export function deleteSessions(
  directory: string,
  { sessionIds, attemptIds }: Pick<Doomed, 'sessionIds' | 'attemptIds'>,
  now: number,
): { readonly images: number; readonly bytes: number } {
  return withLock(join(directory, 'maintenance.lock'), () => {
    const timestamp = new Date(now).toISOString();
    for (const sessionId of sessionIds) {
      appendRecord(openSegmentPath(directory, 'history'), {
        v: RECORD_VERSION,
        kind: 'tombstone',
        sessionId,
        timestamp,
      });
    }
    const before = imagesIn(directory);
    const bytes = deleteLines(directory, (line) => belongsTo(line, sessionIds, attemptIds));
    const removed = removeUnusedImages(directory, before);
    return { images: removed.count, bytes: bytes + removed.bytes };
  });
}

/**
 * Deletes the attempts that fit, and the warnings that rested on them or are about `key`, for good. Returns how many
 * attempts there were.
 */
export function deleteAttempts(
  directory: string,
  fits: (attempt: Attempt) => boolean,
  key?: string,
): { readonly attempts: number; readonly bytes: number } {
  return withLock(join(directory, 'maintenance.lock'), () => {
    const doomed = new Set<string>();
    for (const attempt of readAllAttempts(directory, ignore)) if (fits(attempt)) doomed.add(attempt.id);
    if (doomed.size === 0) return { attempts: 0, bytes: 0 };
    const bytes = deleteLines(directory, (line) => {
      const fields = fieldsOf(line);
      if (fields === undefined) return false;
      const { id, kind, attemptId, key: about } = fields;
      // That nobody wants to hear of it stays known; a pin holds the failure itself, which is to be gone.
      const isSilence = kind === 'dismiss' || kind === 'reset';
      return (
        doomed.has(String(id)) ||
        doomed.has(String(attemptId)) ||
        (!isSilence && key !== undefined && about === key)
      );
    });
    return { attempts: doomed.size, bytes };
  });
}

/** Deletes lines from all logs, also from archived ones, and what was made from them. Returns the bytes. */
function deleteLines(directory: string, isDoomed: (line: string) => boolean): number {
  const folders = [directory, archiveFolder(directory)];
  for (const folder of folders) for (const log of LOGS) rotate(folder, log);
  sleepSync(GRACE_MS);
  let bytes = 0;
  for (const folder of folders) {
    for (const log of LOGS) {
      for (const { path, isOpen: open } of listSegments(folder, log)) {
        if (!open) bytes += rewriteSegment(path, isDoomed).bytes;
      }
    }
  }
  removeDerived(directory);
  return bytes;
}

function belongsTo(line: string, sessionIds: ReadonlySet<string>, attemptIds: ReadonlySet<string>): boolean {
  const fields = fieldsOf(line);
  if (fields === undefined) return [...sessionIds].some((id) => line.includes(id));
  const { kind, sessionId, attemptId } = fields;
  if (kind === 'tombstone') return false;
  return sessionIds.has(String(sessionId)) || (kind === 'warning' && attemptIds.has(String(attemptId)));
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  const parsed = parseLine(
    line,
    (value): Parsed<Record<string, unknown>> =>
      typeof value === 'object' && value !== null
        ? { ok: true, record: value as Record<string, unknown> }
        : { ok: false, reason: 'invalid', problem: 'not an object' },
  );
  return parsed.ok ? parsed.record : undefined;
}

/** What was made from the logs tells of what is gone; it is made again when it is needed. */
function removeDerived(directory: string): void {
  removeDigests(directory);
  for (const name of [
    'knowledge.json',
    'recall.idx',
    'recall.recent',
    'guard.idx',
    'guard.recent',
    'briefing.json',
  ])
    rmSync(join(directory, name), { force: true });
  for (const name of ['claims', 'told']) rmSync(join(directory, name), { recursive: true, force: true });
}

function imagesIn(directory: string): readonly string[] {
  const folder = join(directory, 'images');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Only images that were there before: one that is being attached just now is not yet referred to. */
function removeUnusedImages(
  directory: string,
  candidates: readonly string[],
): { readonly count: number; readonly bytes: number } {
  if (candidates.length === 0) return { count: 0, bytes: 0 };
  const used = namesInHistory(directory);
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

/** Looks at the text of lines, so that what a newer yore wrote keeps its images too. */
function namesInHistory(directory: string): ReadonlySet<string> {
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
