import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { HookCall } from '../agents/wire/hook-event.ts';
import { errorCode, removeOldFiles } from '../files/index.ts';
import { textHash } from '../record/index.ts';

/** Marks of sessions that are over for so long are removed. */
const KEPT_MS = 2 * 86_400_000;
/** The same event told through two configurations arrives within this. */
const TWICE_MS = 5_000;
const LONGEST_LIST = 64 * 1024;

/**
 * What hooks have to remember of a session from one process to the next: small files in a folder beside the project's
 * logs, without which nothing is lost but that something may be said again.
 */
export class SessionMarks {
  readonly #folder: string;
  readonly #session: string;

  constructor(directory: string, sessionId: string) {
    this.#folder = join(directory, 'told');
    this.#session = textHash(sessionId).toString(36);
  }

  /** Ids of what the session was told. */
  told(): ReadonlySet<string> {
    const path = this.#path('told');
    // A failed read costs far more than looking.
    if (!existsSync(path)) return new Set();
    try {
      return new Set(readFileSync(path, 'utf8').slice(-LONGEST_LIST).split('\n'));
    } catch {
      return new Set();
    }
  }

  /** Notes that the session was told something. */
  tell(id: string): void {
    this.#write('told', (path) => appendFileSync(path, `${id.replaceAll('\n', ' ')}\n`, { mode: 0o600 }));
  }

  /** Keeps what is to be said with the result of a call. */
  keepNote(call: HookCall, text: string): void {
    this.#write(noteName(call), (path) => writeFileSync(path, text, { mode: 0o600 }));
  }

  /** What was kept for the result of a call, once. */
  takeNote(call: HookCall): string | undefined {
    const path = this.#path(noteName(call));
    if (!existsSync(path)) return undefined;
    try {
      const text = readFileSync(path, 'utf8');
      rmSync(path);
      return text;
    } catch {
      return undefined; // another process was faster
    }
  }

  /** Whether something happens for the first time: not when the same was asked a few seconds ago. */
  isFirst(what: string, now: number): boolean {
    const name = `once-${textHash(what).toString(36)}`;
    try {
      this.#write(name, (path) => closeSync(openSync(path, 'wx', 0o600)));
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const path = this.#path(name);
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now - at < TWICE_MS) return false;
    utimesSync(path, now / 1000, now / 1000);
    return true;
  }

  /** Removes the marks of all sessions that are long over. */
  tidy(now: number): void {
    removeOldFiles(this.#folder, now - KEPT_MS);
  }

  #path(name: string): string {
    return join(this.#folder, `${this.#session}.${name}`);
  }

  #write(name: string, write: (path: string) => void): void {
    const path = this.#path(name);
    try {
      write(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      write(path);
    }
  }
}

function noteName({ tool, input }: HookCall): string {
  return `note-${textHash(JSON.stringify([tool, input])).toString(36)}`;
}
