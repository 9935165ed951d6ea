import {
  type CallFields,
  type CallResult,
  describeCall,
  mayHideExitCode,
  type ResultSummary,
  summariseResult,
  type ToolCall,
} from '../memory/index.ts';
import { newMessageId, RECORD_VERSION } from '../record/index.ts';

/**
 * A call that ended and waits to be analysed: redacted and bounded, with all that its record needs. `id` is that of the
 * record, so that it can be told whether it was made.
 */
export interface PendingCall extends CallFields, ResultSummary {
  readonly v: number;
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly callId?: string;
  /** It may have been handed over before. */
  readonly isAgain?: true;
}

/** What to keep of a call that has just ended. Costs no analysis. Never throws. */
export function pendingCall(call: ToolCall, result: CallResult): PendingCall {
  const { sessionId, callId, timestamp } = call;
  const fields = describeCall(call);
  return {
    v: RECORD_VERSION,
    id: newMessageId(Date.parse(timestamp)),
    timestamp,
    sessionId,
    ...(callId === undefined ? {} : { callId }),
    ...fields,
    ...summariseResult(result, mayHideExitCode(fields.command)),
  };
}

/** A pending call in its parts, as `attemptOfKept` takes them. */
export function partsOf(pending: PendingCall): {
  readonly call: Pick<ToolCall, 'sessionId' | 'callId' | 'timestamp'>;
  readonly fields: CallFields;
  readonly kept: ResultSummary;
} {
  const { v: _v, id: _id, isAgain: _isAgain, sessionId, callId, timestamp, ...rest } = pending;
  const { ending, looksFailed, isSilent, exitCode, durationMs, error, result, ...fields } = rest;
  return {
    call: { sessionId, timestamp, ...(callId === undefined ? {} : { callId }) },
    fields,
    kept: {
      ending,
      ...(looksFailed === undefined ? {} : { looksFailed }),
      ...(isSilent === undefined ? {} : { isSilent }),
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(error === undefined ? {} : { error }),
      ...(result === undefined ? {} : { result }),
    },
  };
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

/** Reads a line; undefined when it holds no pending call that this version knows. */
export function parsePending(line: string): PendingCall | undefined {
  const value = parsedFields(line);
  if (value === undefined) return undefined;
  const { v, id, timestamp, sessionId, tool, ending } = value;
  const isWhole = [id, timestamp, sessionId, tool].every((text) => typeof text === 'string');
  const isKnown = v === RECORD_VERSION && isWhole && ENDINGS.has(ending);
  return isKnown && !Number.isNaN(Date.parse(String(timestamp)))
    ? (value as unknown as PendingCall)
    : undefined;
}

/** Whether a line was written by a newer yore, which alone can read it. */
export function isOfNewerVersion(line: string): boolean {
  const version = parsedFields(line)?.v;
  return typeof version === 'number' && version > RECORD_VERSION;
}

function parsedFields(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
