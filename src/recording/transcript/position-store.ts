import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentName } from '../../agents/agent-name.ts';
import type { ReadPosition } from '../../agents/transcript/transcript.ts';
import { readIfExists, tryReadText, writeFileAtomic } from '../../files/file-access.ts';
import { withLock } from '../../files/lock.ts';
import { textHash } from '../../record/id.ts';
import { isObject, parseObject } from '../../record/object.ts';
import { parseSessionStates, type ReadingState } from './session-state.ts';
import { removeUnknownParts } from './unknown-parts.ts';

/** How far a transcript was read. */
export interface StoredPosition {
  readonly agent: AgentName;
  readonly path: string;
  /** Stamp of the transcript if it was read to its end; otherwise empty. */
  readonly stamp: string;
  readonly position: ReadPosition;
  /** It was read as a transcript that is not the user's own. */
  readonly isForeign?: true;
  /** State of the sessions at that position. */
  readonly sessions: readonly ReadingState[];
  /** ISO 8601. */
  readonly lastRead: string;
}

const VERSION = 1;

/**
 * Stores how far each transcript was read, in `imports/<hash>.json` of yore's home. If a file is lost or damaged, the
 * transcript is read from the beginning, which records nothing twice.
 */
export class PositionStore {
  readonly #home: string;
  readonly #folder: string;

  /** `home` is yore's home folder. */
  constructor(home: string) {
    this.#home = home;
    this.#folder = join(home, 'imports');
  }

  read(path: string): StoredPosition | undefined {
    const file = this.#file(path, 'json');
    // In a first import there are no files, and catching an error takes longer than a stat.
    const text = existsSync(file) ? readIfExists(file) : undefined;
    return text === undefined ? undefined : parsePosition(text, path);
  }

  write(stored: StoredPosition): void {
    const text = JSON.stringify({ v: VERSION, ...stored });
    writeFileAtomic(this.#file(stored.path, 'json'), text, { durable: false });
  }

  /**
   * Removes what is stored of sessions and their sub-agents. If one of them was read last, the position is removed with
   * it, since it may contain text of the session; the stamp stays, so that an unchanged transcript is not read again.
   * What was not understood of their transcripts is removed, too.
   */
  forget(sessionIds: ReadonlySet<string>): void {
    const isForgotten = ({ sessionId, parentSessionId = '', isFork = false }: ReadingState): boolean =>
      sessionIds.has(sessionId) || (!isFork && sessionIds.has(parentSessionId));
    for (const name of existsSync(this.#folder) ? readdirSync(this.#folder) : []) {
      const file = join(this.#folder, name);
      const known = POSITION_FILE.test(name) ? parseStates(file) : [];
      if (known?.some(isForgotten) === false) continue;
      const path = parseObject(tryReadText(file) ?? '')?.path;
      if (typeof path === 'string') removeUnknownParts(this.#home, path);
      withLock(join(this.#folder, name.replace(/json$/, 'lock')), () => {
        const sessions = parseStates(file);
        if (sessions === undefined) rmSync(file, { force: true });
        else {
          const stored = parseObject(readIfExists(file) ?? '');
          const last = sessions.at(-1);
          const position = last === undefined || isForgotten(last) ? {} : stored?.position;
          const kept = sessions.filter((state) => !isForgotten(state));
          writeFileAtomic(file, JSON.stringify({ ...stored, position, sessions: kept }), { durable: false });
        }
      });
    }
  }

  /** Path of the lock that a process holds while it reads a transcript. */
  lockPath(path: string): string {
    return this.#file(path, 'lock');
  }

  #file(path: string, extension: string): string {
    return join(this.#folder, `${textHash(path).toString(36)}.${extension}`);
  }
}

const POSITION_FILE = /^[a-z0-9]+\.json$/;

/** The session states in a file; undefined when it is damaged. */
function parseStates(file: string): readonly ReadingState[] | undefined {
  return parseSessionStates(parseObject(tryReadText(file) ?? '')?.sessions);
}

function parsePosition(text: string, path: string): StoredPosition | undefined {
  const stored = parseObject(text);
  if (stored?.v !== VERSION || stored.path !== path || typeof stored.stamp !== 'string') return undefined;
  const sessions = parseSessionStates(stored.sessions);
  if (sessions === undefined || !isObject(stored.position)) return undefined;
  return { ...(stored as unknown as StoredPosition), sessions };
}
