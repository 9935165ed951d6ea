import { existsSync, renameSync, rmSync } from 'node:fs';
import { errorCode, statIfExists, storageError, writeFileAtomic } from '../files/file-access.ts';
import { appendLine } from '../log/append.ts';
import { mayHideExitCode, summariseResult } from '../memory/call/call-result.ts';
import { describeCall } from '../memory/call/describe-call.ts';
import type { CallResult, ToolCall } from '../memory/call/tool-call.ts';
import { YoreError } from '../record/error.ts';
import { newMessageId } from '../record/id.ts';
import { omitUndefined } from '../record/object.ts';
import { RECORD_VERSION } from '../record/record.ts';
import { redactValue } from '../redact/redact.ts';
import { readCalls, readNewerLines, type SpooledCall, spoolPaths } from './spooled-call.ts';

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
    return !existsSync(this.#paths.added) && !this.hasTaken();
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

  /** The calls that were taken, after those an older version of yore could not read. Damaged lines are left out. */
  taken(): readonly SpooledCall[] {
    const kept = readCalls(this.#paths.newer).map((call): SpooledCall => ({ ...call, mayBeDuplicate: true }));
    return [...kept, ...readCalls(this.#paths.taken)];
  }

  /** Removes what was taken, except for lines of a newer version of yore. */
  drop(): void {
    const newer = [this.#paths.newer, this.#paths.taken].flatMap(readNewerLines);
    if (newer.length > 0) writeFileAtomic(this.#paths.newer, `${[...new Set(newer)].join('\n')}\n`);
    else rmSync(this.#paths.newer, { force: true });
    rmSync(this.#paths.taken, { force: true });
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
