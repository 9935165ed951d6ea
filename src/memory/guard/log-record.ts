import type { LogName } from '../../log/index.ts';
import { type Attempt, parseAttempt } from '../../record/index.ts';
import { parseWarningRecord, type WarningRecord } from './warning-log.ts';

/** The logs of attempts, and all that the guard learns from. */
export const ATTEMPT_LOGS: readonly LogName[] = ['failures', 'successes'];
export const GUARD_LOGS: readonly LogName[] = [...ATTEMPT_LOGS, 'warnings'];

/** A record of a log that is not too old to matter. */
export function recordIn(log: LogName, text: string, oldest: number): Attempt | WarningRecord | undefined {
  // Most lines of a long log are too old; telling so from their beginning spares parsing them.
  if (log !== 'warnings' && timeIn(text) < oldest) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (log === 'warnings') return parseWarningRecord(value);
  const parsed = parseAttempt(value);
  return parsed.ok ? parsed.record : undefined;
}

/** The time of a record, read without parsing it; infinite when it is not where yore writes it. */
export function timeIn(text: string): number {
  const at = text.indexOf('"timestamp":"');
  const time = at < 0 || at > 200 ? Number.NaN : Date.parse(text.slice(at + 13, at + 37));
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}
