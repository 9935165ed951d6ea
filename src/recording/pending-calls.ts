import { buildAttemptFromSummary } from '../facts/attempt/build-attempt.ts';
import { omitUndefined } from '../record/object.ts';
import type { Attempt } from '../record/record.ts';
import type { PendingCall } from '../store/project-rows.ts';
import { readSpool, type SpooledCall } from './spooled-call.ts';

/** The calls of a spool as they will be recorded, but without the requests that they served. */
export function pendingCalls(directory: string): readonly PendingCall[] {
  return readSpool(directory).map((spooled) => ({
    time: Date.parse(spooled.timestamp),
    hasFailed: spooled.ending === 'failed',
    toAttempt: () => toAttempt(spooled),
  }));
}

function toAttempt({ v, id, mayBeDuplicate: _, sessionId, callId, timestamp, ...rest }: SpooledCall): Attempt {
  const { ending, looksFailed, isSilent, exitCode, durationMs, error, result, ...fields } = rest;
  const call = { sessionId, timestamp, ...omitUndefined({ callId }) };
  const summary = omitUndefined({ ending, looksFailed, isSilent, exitCode, durationMs, error, result });
  return { v, id, ...buildAttemptFromSummary(call, fields, summary) };
}
