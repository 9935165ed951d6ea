import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfExists, statIfExists, writeFileAtomic } from '../files/file-access.ts';
import { errorCode, storageError } from '../files/storage-error.ts';
import { appendLine } from '../log/append.ts';
import { mayHideExitCode, type ResultSummary, summariseResult } from '../memory/call/call-result.ts';
import { type CallFields, describeCall } from '../memory/call/describe-call.ts';
import type { CallResult, ToolCall } from '../memory/call/tool-call.ts';
import { YoreError } from '../record/error.ts';
import { newMessageId } from '../record/id.ts';
import { omitUndefined } from '../record/omit-undefined.ts';
import { RECORD_VERSION } from '../record/record.ts';
import { redactValue } from '../redact/redact-value.ts';

/**
 * A call in the spool: redacted and truncated, with everything its record needs. It already has the id of that record,
 * so that a crashed drain can be repeated without recording a call twice.
 */
export interface SpooledCall extends CallFields, ResultSummary {
  readonly v: number;
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly callId?: string;
  /** The line may have been added before; see {@link Spool.add}. */
  readonly isAgain?: true;
}

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
    ...summariseResult(result, mayHideExitCode(fields.command)),
  };
}

/** How often a writer whose line was taken away adds it again. */
const MAX_ATTEMPTS = 5;

/**
 * Calls of a project that have ended and are not analysed yet, in a file beside the logs. Any number of processes may
 * add to it at once without a lock; `drainSpool` moves the calls to the logs, one process at a time.
 */
export class Spool {
  readonly #path: string;
  /** What a drain has taken and not dropped yet. */
  readonly #takenPath: string;
  /** Lines of a newer version of yore, which drains them. */
  readonly #newerPath: string;

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    this.#path = join(directory, 'spool.jsonl');
    this.#takenPath = join(directory, 'spool.taken');
    this.#newerPath = join(directory, 'spool.newer');
  }

  isEmpty(): boolean {
    return !existsSync(this.#path) && !this.hasTaken();
  }

  /** Whether a drain is in progress, or crashed. */
  hasTaken(): boolean {
    return existsSync(this.#takenPath);
  }

  /**
   * Adds a call as one line in one `write()`, redacted once more. Creates the file (0600) if it is missing and closes a
   * line that was torn by a crash. If a drain takes the file meanwhile, the line is added again. Returns the size of
   * the file. Throws YoreError.
   */
  add(call: SpooledCall): number {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const size = this.#append(attempt === 0 ? call : { ...call, isAgain: true });
      if (size !== undefined) return size;
    }
    throw new YoreError('BUSY', `${this.#path} was drained ${MAX_ATTEMPTS} times while it was written to.`);
  }

  /** All calls in the spool, oldest first, including those that are being drained. */
  calls(): readonly SpooledCall[] {
    return [this.#takenPath, this.#path].flatMap(readCalls);
  }

  /** Takes the file away from the writers; false when there is none. The previous one must have been dropped. */
  take(): boolean {
    try {
      renameSync(this.#path, this.#takenPath);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw storageError('rename', this.#path, error);
    }
  }

  /** The calls that were taken, after those an older version of yore could not read. Damaged lines are left out. */
  taken(): readonly SpooledCall[] {
    const older = readCalls(this.#newerPath).map((call) => ({ ...call, isAgain: true as const }));
    return [...older, ...readCalls(this.#takenPath)];
  }

  /** Removes what was taken, except for lines of a newer version of yore. */
  drop(): void {
    const newer = [this.#newerPath, this.#takenPath].flatMap(readSpoolLines).filter(isOfNewerVersion);
    if (newer.length > 0) writeFileAtomic(this.#newerPath, `${[...new Set(newer)].join('\n')}\n`);
    else rmSync(this.#newerPath, { force: true });
    rmSync(this.#takenPath, { force: true });
  }

  /** The size of the file; undefined when the file was taken, so that the line may or may not be lost. */
  #append(call: SpooledCall): number | undefined {
    let size: number | undefined;
    appendLine(this.#path, JSON.stringify(redactValue(call)), (appended) => {
      const isStillThere = statIfExists(this.#path)?.ino === appended.ino;
      if (isStillThere) size = appended.size;
    });
    return size;
  }
}

function readSpoolLines(path: string): readonly string[] {
  // A failed read takes much longer than this check.
  return existsSync(path) ? (readIfExists(path) ?? '').split('\n') : [];
}

function readCalls(path: string): readonly SpooledCall[] {
  return readSpoolLines(path).flatMap((line) => parseSpooledCall(line) ?? []);
}

const ENDINGS: ReadonlySet<unknown> = new Set<ResultSummary['ending']>([
  'ok',
  'failed',
  'rejected',
  'denied',
  'interrupted',
  'cancelled',
  'unclear',
]);

/** Undefined when the line is damaged or of another version. */
function parseSpooledCall(line: string): SpooledCall | undefined {
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const { v, id, timestamp, sessionId, tool, ending } = value;
  const isComplete = [id, timestamp, sessionId, tool].every((text) => typeof text === 'string');
  const isKnown = v === RECORD_VERSION && isComplete && ENDINGS.has(ending);
  return isKnown && !Number.isNaN(Date.parse(String(timestamp)))
    ? (value as unknown as SpooledCall)
    : undefined;
}

function isOfNewerVersion(line: string): boolean {
  const version = parseObject(line)?.v;
  return typeof version === 'number' && version > RECORD_VERSION;
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
