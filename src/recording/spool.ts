import { existsSync, renameSync, rmSync } from 'node:fs';
import { mayHideExitCode, summariseResult } from '../facts/call/call-result.ts';
import { describeCall } from '../facts/call/describe-call.ts';
import type { CallResult, ToolCall } from '../facts/call/tool-call.ts';
import { errorCode, readIfExists, statIfExists, storageError, writeFileAtomic } from '../files/file-access.ts';
import { appendLine } from '../log/append.ts';
import { readLogLines } from '../log/read.ts';
import type { LogName } from '../log/segments.ts';
import { YoreError } from '../record/error.ts';
import { newMessageId } from '../record/id.ts';
import { isObject, omitUndefined, parseObject } from '../record/object.ts';
import { RECORD_VERSION } from '../record/record.ts';
import { redactValue } from '../redact/redact.ts';
import {
  isNewerLine,
  isSpoolEmpty,
  parseSpooledCall,
  readSpoolLines,
  type SpooledCall,
  spoolPaths,
} from './spooled-call.ts';

/** Prepares a call that has just ended for the spool. Does not analyse it. Never throws. */
export function toSpooledCall(call: ToolCall, result: CallResult): SpooledCall {
  const { sessionId, callId, timestamp } = call;
  const fields = describeCall(call);
  return {
    v: RECORD_VERSION,
    id: newMessageId(Date.parse(timestamp)),
    timestamp,
    sessionId,
    ...omitUndefined({ callId }),
    ...fields,
    ...summariseResult(result, mayHideExitCode(fields.command), fields.command),
  };
}

/** Calls that are drained at a time: so few that it takes well under a tenth of a second. */
const MAX_SLICE_LINES = 200;
const MAX_SLICE_BYTES = 256 * 1024;

/** Some calls of those that were taken. */
interface SpoolSlice {
  readonly calls: readonly SpooledCall[];
  /** Lines that only a newer version of yore can read. */
  readonly newer: readonly string[];
  /** The byte offset of the next slice. */
  readonly end: number;
  readonly isLast: boolean;
}

/** How far a drain has come. */
export interface SpoolProgress {
  /** The byte offset of the slice that is being drained. */
  readonly offset: number;
  /** Inode and size of the open segment of each log before that. */
  readonly logs: Readonly<Partial<Record<LogName, readonly [inode: number, size: number]>>>;
}

/** How often a writer whose line was taken away adds it again. */
const MAX_ATTEMPTS = 5;

/**
 * Calls of a project that have ended and are not analysed yet, in a file beside the logs. Any number of processes may
 * add to it at once without a lock; `drainSpool` moves the calls to the logs, one process at a time.
 */
export class Spool {
  readonly #paths: ReturnType<typeof spoolPaths>;

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    this.#paths = spoolPaths(directory);
  }

  isEmpty(): boolean {
    return isSpoolEmpty(this.#paths);
  }

  /** Whether a drain is in progress, or crashed. */
  hasTaken(): boolean {
    return existsSync(this.#paths.taken);
  }

  /**
   * Adds a call as one line in one `write()`, redacted once more. Creates the file (0600) if it is missing and closes a
   * line that was torn by a crash. If a drain takes the file meanwhile, the line is added again. Returns the size of
   * the file. Throws YoreError.
   */
  add(call: SpooledCall): number {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const size = this.#append(attempt === 0 ? call : { ...call, mayBeDuplicate: true });
      if (size !== undefined) return size;
    }
    throw new YoreError('BUSY', `${this.#paths.added} was drained ${MAX_ATTEMPTS} times while it was written to.`);
  }

  /** Takes the file away from the writers; false when there is none. The previous one must have been dropped. */
  take(): boolean {
    try {
      renameSync(this.#paths.added, this.#paths.taken);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw storageError('rename', this.#paths.added, error);
    }
  }

  /** The calls that were kept for a newer version of yore and that this version can read. */
  kept(): readonly SpooledCall[] {
    return readSpoolLines(this.#paths.newer)
      .flatMap((line) => parseSpooledCall(line) ?? [])
      .map((call): SpooledCall => ({ ...call, mayBeDuplicate: true }));
  }

  /** Some of the calls that were taken, from a byte offset on. Damaged lines are left out. */
  slice(offset: number): SpoolSlice {
    const calls: SpooledCall[] = [];
    const newer: string[] = [];
    let end = offset;
    let lines = 0;
    for (const line of readLogLines(this.#paths.taken, { from: offset })) {
      const isFull = lines >= MAX_SLICE_LINES || line.end - offset > MAX_SLICE_BYTES;
      if (isFull && lines > 0) return { calls, newer, end, isLast: false };
      lines++;
      const call = parseSpooledCall(line.text);
      if (call !== undefined) calls.push(call);
      else if (isNewerLine(line.text)) newer.push(line.text);
      end = line.end;
    }
    return { calls, newer, end, isLast: true };
  }

  /** How far a drain has come that was interrupted; undefined when it is not known. */
  readProgress(): SpoolProgress | undefined {
    const { offset, logs } = parseObject(readIfExists(this.#paths.progress) ?? '') ?? {};
    return typeof offset === 'number' && isObject(logs) ? { offset, logs: logs as SpoolProgress['logs'] } : undefined;
  }

  writeProgress(progress: SpoolProgress): void {
    writeFileAtomic(this.#paths.progress, JSON.stringify(progress), { durable: false });
  }

  /** Keeps lines for a newer version of yore, besides those that were kept before and are still too new. */
  keepNewer(lines: readonly string[]): void {
    const before = readSpoolLines(this.#paths.newer).filter((line) => line !== '');
    const kept = new Set([...before.filter(isNewerLine), ...lines]);
    if (kept.size === before.length && lines.length === 0) return;
    if (kept.size > 0) writeFileAtomic(this.#paths.newer, `${[...kept].join('\n')}\n`);
    else rmSync(this.#paths.newer, { force: true });
  }

  /** When a call was last added to what was taken, in epoch milliseconds. */
  takenAt(): number {
    return statIfExists(this.#paths.taken)?.mtimeMs ?? 0;
  }

  /** Removes what was taken. */
  drop(): void {
    rmSync(this.#paths.taken, { force: true });
    rmSync(this.#paths.progress, { force: true });
  }

  /** Whether there are calls of one of these sessions. */
  hasCallsOf(sessionIds: ReadonlySet<string>): boolean {
    return [this.#paths.taken, this.#paths.added]
      .flatMap(readSpoolLines)
      .some((line) => sessionIds.has(String(parseObject(line)?.sessionId)));
  }

  /** The size of the file; undefined when the file was taken, so that the line may or may not be lost. */
  #append(call: SpooledCall): number | undefined {
    let size: number | undefined;
    appendLine(this.#paths.added, JSON.stringify(redactValue(call)), (appended) => {
      const isStillThere = statIfExists(this.#paths.added)?.ino === appended.ino;
      if (isStillThere) size = appended.size;
    });
    return size;
  }
}
