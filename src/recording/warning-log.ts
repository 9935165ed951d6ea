import type { CheckedCall } from '../ask/guard/guard.ts';
import { describeAttempt } from '../facts/call/command-text.ts';
import { describeCall } from '../facts/call/describe-call.ts';
import { type ChoiceKind, parseWarningRecord, type WarningRecord } from '../facts/warning-record.ts';
import { appendRecord } from '../log/append.ts';
import { readBackwards } from '../log/read.ts';
import { openSegmentPath } from '../log/segments.ts';
import { newMessageId } from '../record/id.ts';
import { omitUndefined, parseObject } from '../record/object.ts';
import { type Attempt, RECORD_VERSION } from '../record/record.ts';
import { Claims } from './claims.ts';

/** How far back the override of a warning is looked for, in bytes. */
const OVERRIDE_LOOKBACK = 256 * 1024;

/** The log of a project's warnings: which were given, how they ended, and what the user decided about failures. */
export class WarningLog {
  readonly #directory: string;
  readonly #claims: Claims;

  /** `directory` holds the project's logs. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#claims = new Claims(directory);
  }

  /**
   * Records the warning for a call that is about to run. False if it was given before in the session: the repeated call
   * goes through. It is recorded before it is given, so that no two processes give it.
   */
  give({ call, warning }: CheckedCall): boolean {
    const { sessionId, agent, timestamp } = call;
    const { key, signature, attemptId, text } = warning;
    const id = newMessageId(Date.parse(timestamp));
    if (!this.#claims.take({ sessionId, agent, signature }, { warningId: id, key })) return false;
    this.#append({
      v: RECORD_VERSION,
      kind: 'warning',
      id,
      timestamp,
      sessionId,
      ...omitUndefined({ agent }),
      key,
      signature,
      attemptId,
      confidence: Math.round(warning.confidence * 1000) / 1000,
      what: describeAttempt(describeCall(call)),
      text,
    });
    return true;
  }

  /**
   * Records how a call ended, if there was a warning about it. `isRetry`: a process that died may have recorded it
   * already.
   */
  settle(attempt: Attempt, isRetry = false): void {
    if (attempt.outcome !== 'success' && attempt.outcome !== 'failure') return;
    const { sessionId, agent, signature, timestamp } = attempt;
    if (signature === undefined) return;
    const key = { sessionId, agent, signature };
    const claim = this.#claims.settle(key) ?? (isRetry ? this.#claims.findSettled(key) : undefined);
    if (claim === undefined || (isRetry && this.#hasOverride(claim.warningId))) return;
    this.#append({
      v: RECORD_VERSION,
      kind: 'override',
      id: newMessageId(Date.parse(timestamp)),
      timestamp,
      sessionId,
      warningId: claim.warningId,
      key: claim.key,
      succeeded: attempt.outcome === 'success',
    });
  }

  /**
   * Records the user's choice about a failure or a conclusion: `dismiss`, `pin`, or `reset` to take either back; for
   * conclusions also `edit`, with the new text, and `undo`, which takes the latest back. `sessionId`: the session with which
   * the choice is forgotten.
   */
  choose(
    kind: ChoiceKind,
    key: string,
    now: number,
    { sessionId = '', text }: { readonly sessionId?: string; readonly text?: string } = {},
  ): void {
    const timestamp = new Date(now).toISOString();
    this.#append({
      v: RECORD_VERSION,
      kind,
      id: newMessageId(now),
      timestamp,
      sessionId,
      key,
      ...omitUndefined({ text }),
    });
  }

  /** Removes what marks the warnings of sessions that ended long ago as given. */
  tidy(now: number): void {
    this.#claims.tidy(now);
  }

  #hasOverride(warningId: string): boolean {
    const path = openSegmentPath(this.#directory, 'warnings');
    for (const line of readBackwards(path, OVERRIDE_LOOKBACK, warningId)) {
      const record = parseWarningRecord(parseObject(line));
      if (record !== undefined && 'warningId' in record && record.warningId === warningId) return true;
    }
    return false;
  }

  #append(record: WarningRecord): void {
    appendRecord(openSegmentPath(this.#directory, 'warnings'), record);
  }
}
