import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HookCall } from '../agents/hook-protocol.ts';
import { errorCode, readRegularFile, removeOldFiles, writeRegularFile } from '../files/file-access.ts';
import { sessionFilePath } from '../log/segments.ts';
import { shortHash } from '../record/id.ts';

/** Marks of sessions that ended longer ago are removed. */
const MAX_AGE_MS = 2 * 86_400_000;
/** An event that is reported through two settings files arrives twice within this time. */
const DUPLICATE_WINDOW_MS = 5_000;
const MAX_SHOWN_CHARS = 64 * 1024;

/**
 * What hooks remember of a session from one process to the next, as small files beside the project's logs. Without them
 * nothing is lost, except that something may be said twice.
 */
export class SessionMarks {
  readonly #directory: string;
  readonly #sessionId: string;

  /** `directory` holds the project's logs. */
  constructor(directory: string, sessionId: string) {
    this.#directory = directory;
    this.#sessionId = sessionId;
  }

  /** Ids of what the session has been told. */
  shown(): ReadonlySet<string> {
    const path = this.#path('told');
    // A failed read takes much longer than this check.
    if (!existsSync(path)) return new Set();
    try {
      return new Set(readRegularFile(path).toString('utf8').slice(-MAX_SHOWN_CHARS).split('\n'));
    } catch {
      return new Set();
    }
  }

  /** Remembers that the session has been told something. */
  addShown(id: string): void {
    this.#write('told', (path) => writeRegularFile(path, `${id.replaceAll('\n', ' ')}\n`, 'append'));
  }

  /** Keeps a note to be given with the result of a call. */
  keepNote(call: HookCall, text: string): void {
    this.#write(noteName(call), (path) => writeRegularFile(path, text, 'replace'));
  }

  /** Removes and returns the note that was kept for the result of a call. */
  takeNote(call: HookCall): string | undefined {
    const path = this.#path(noteName(call));
    if (!existsSync(path)) return undefined;
    try {
      const text = readRegularFile(path).toString('utf8');
      rmSync(path);
      return text;
    } catch {
      return undefined; // another process took it
    }
  }

  /** Whether an event is new: false when the same one arrived a few seconds ago. */
  isFirst(event: string, now: number): boolean {
    const name = `once-${shortHash(event)}`;
    try {
      this.#write(name, (path) => closeSync(openSync(path, 'wx', 0o600)));
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const path = this.#path(name);
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now - at < DUPLICATE_WINDOW_MS) return false;
    utimesSync(path, now / 1000, now / 1000);
    return true;
  }

  /** Removes the marks of all sessions that ended long ago. */
  tidy(now: number): void {
    removeOldFiles(dirname(this.#path('')), now - MAX_AGE_MS);
  }

  #path(name: string): string {
    return sessionFilePath(this.#directory, this.#sessionId, name);
  }

  #write(name: string, write: (path: string) => void): void {
    const path = this.#path(name);
    try {
      write(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      write(path);
    }
  }
}

function noteName({ tool, input }: HookCall): string {
  return `note-${shortHash(JSON.stringify([tool, input]))}`;
}
