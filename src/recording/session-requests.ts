import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statIfExists, writeFileAtomic } from '../files/index.ts';
import { openSegmentPath, readBackwards } from '../log/index.ts';
import { goesOn, type ServedRequest } from '../memory/index.ts';
import { parseHistoryRecord, textHash } from '../record/index.ts';

/** How far back the request in force is looked for. */
const LOOKED_AT_BYTES = 256 * 1024;

/** A request as one process leaves it to the next, and how much of the log of messages it knew. */
interface KeptRequest extends ServedRequest {
  readonly inode: number;
  readonly size: number;
}

/** What the user asked last in each session of a project. */
export class SessionRequests {
  readonly #directory: string;
  /** Of sessions that this process has seen. */
  readonly #known = new Map<string, string>();

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The request in force; undefined when nothing was asked, or too long ago. */
  of(sessionId: string): string | undefined {
    return this.#known.get(sessionId) ?? this.#lastOf(sessionId, LOOKED_AT_BYTES);
  }

  #lastOf(sessionId: string, bytes: number): string | undefined {
    for (const line of readBackwards(this.#history, bytes, sessionId)) {
      const message = parsedLine(line, parseHistoryRecord);
      if (message === undefined || message.sessionId !== sessionId || message.kind !== undefined) continue;
      if (message.role !== 'user' || goesOn(message.content)) continue;
      this.set(sessionId, message.content);
      return message.content;
    }
    return undefined;
  }

  /** Notes a request of this process's own. */
  set(sessionId: string, text: string): void {
    this.#known.set(sessionId, text);
  }

  /**
   * Leaves the request in force to the processes that record its calls, which would have to look for it and tag it again.
   * To be called when it was just recorded.
   */
  keep(sessionId: string, { text, tags }: ServedRequest): void {
    const stats = statIfExists(this.#history);
    if (stats === undefined) return;
    const kept: KeptRequest = { text, tags, inode: stats.ino, size: stats.size };
    try {
      writeFileAtomic(this.#keptPath(sessionId), JSON.stringify(kept), { durable: false });
    } catch {
      // It is looked for again.
    }
  }

  /** What {@link keep} left, while it is the request in force. */
  kept(sessionId: string): ServedRequest | undefined {
    const path = this.#keptPath(sessionId);
    // A failed read costs far more than looking.
    const kept = existsSync(path) ? parsedRequest(readFileSync(path, 'utf8')) : undefined;
    const stats = kept === undefined ? undefined : statIfExists(this.#history);
    if (kept === undefined || stats?.ino !== kept.inode || stats.size < kept.size) return undefined;
    // With the line break before them: a line that is not seen to begin is left out.
    const gained = Math.min(stats.size - kept.size + 1, LOOKED_AT_BYTES);
    return this.#lastOf(sessionId, gained) === undefined ? { text: kept.text, tags: kept.tags } : undefined;
  }

  get #history(): string {
    return openSegmentPath(this.#directory, 'history');
  }

  #keptPath(sessionId: string): string {
    return join(this.#directory, 'told', `${textHash(sessionId).toString(36)}.request`);
  }
}

function parsedRequest(text: string): KeptRequest | undefined {
  try {
    const value = JSON.parse(text) as Partial<KeptRequest> | null;
    return typeof value?.text === 'string' && Array.isArray(value.tags) ? (value as KeptRequest) : undefined;
  } catch {
    return undefined;
  }
}

/** The record in a line of a log; undefined when there is none. */
export function parsedLine<T>(
  line: string,
  parse: (value: unknown) => { readonly ok: true; readonly record: T } | { readonly ok: false },
): T | undefined {
  try {
    const result = parse(JSON.parse(line));
    return result.ok ? result.record : undefined;
  } catch {
    return undefined;
  }
}
