import { existsSync } from 'node:fs';
import { boundRequest } from '../facts/attempt/bound-request.ts';
import { isFollowUp } from '../facts/attempt/follow-up.ts';
import { statIfExists, tryReadText, writeFileAtomic } from '../files/file-access.ts';
import { readBackwards } from '../log/read.ts';
import { openSegmentPath, sessionFilePath } from '../log/segments.ts';
import { parseObject } from '../record/object.ts';
import { type Parsed, parseHistoryRecord } from '../record/parse.ts';

/** How far back in the history the current request is looked for. */
const LOOKBACK_BYTES = 256 * 1024;
const CACHE_NAME = 'request';

/** A request that one process leaves to the next, with the state of the history log at that time. */
interface CachedRequest {
  readonly text: string;
  readonly inode: number;
  readonly size: number;
}

/** The current request of each session of a project: the last prompt that was not just a follow-up. */
export class SessionRequests {
  readonly #directory: string;
  readonly #known = new Map<string, string>();

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The current request; undefined when there is none, or none within the last part of the history. */
  get(sessionId: string): string | undefined {
    return this.#known.get(sessionId) ?? this.#findInHistory(sessionId, LOOKBACK_BYTES);
  }

  /** Makes a prompt the current request unless it is a follow-up. Returns whether it did. */
  follow(sessionId: string, text: string): boolean {
    const isRequest = !isFollowUp(text) || this.get(sessionId) === undefined;
    if (isRequest) this.#known.set(sessionId, text);
    return isRequest;
  }

  /**
   * Caches the current request for the short processes that record its calls. Must be called right after the request was
   * appended to the history. Best-effort.
   */
  writeCache(sessionId: string, request: string): void {
    const stats = statIfExists(this.#history);
    if (stats === undefined) return;
    const cached: CachedRequest = { text: boundRequest(request), inode: stats.ino, size: stats.size };
    try {
      writeFileAtomic(sessionFilePath(this.#directory, sessionId, CACHE_NAME), JSON.stringify(cached), {
        durable: false,
      });
    } catch {
      // The next process searches the history instead.
    }
  }

  /** The request from {@link writeCache}, redacted and truncated; undefined if there has been another one since. */
  readCache(sessionId: string): string | undefined {
    const path = sessionFilePath(this.#directory, sessionId, CACHE_NAME);
    // A failed read takes much longer than this check.
    const cached = existsSync(path) ? parseCached(tryReadText(path) ?? '') : undefined;
    const stats = cached === undefined ? undefined : statIfExists(this.#history);
    if (cached === undefined || stats?.ino !== cached.inode || stats.size < cached.size) return undefined;
    // One byte more, for the line break before the new lines: a line whose beginning is not read is skipped.
    const newBytes = Math.min(stats.size - cached.size + 1, LOOKBACK_BYTES);
    const isCurrent = this.#findInHistory(sessionId, newBytes) === undefined;
    return isCurrent ? cached.text : undefined;
  }

  #findInHistory(sessionId: string, bytes: number): string | undefined {
    for (const line of readBackwards(this.#history, bytes, sessionId)) {
      const message = parseRequestLine(line, parseHistoryRecord);
      if (message === undefined || message.sessionId !== sessionId || message.kind !== undefined) continue;
      if (message.role !== 'user' || isFollowUp(message.content)) continue;
      this.#known.set(sessionId, message.content);
      return message.content;
    }
    return undefined;
  }

  get #history(): string {
    return openSegmentPath(this.#directory, 'history');
  }
}

function parseCached(text: string): CachedRequest | undefined {
  const value = parseObject(text) as Partial<CachedRequest> | undefined;
  return typeof value?.text === 'string' ? (value as CachedRequest) : undefined;
}

/** The record in a line of a log; undefined when it cannot be parsed. */
export function parseRequestLine<T>(line: string, parse: (value: unknown) => Parsed<T>): T | undefined {
  const result = parse(parseObject(line));
  return result.ok ? result.record : undefined;
}
