import { describeAttempt } from '../../../facts/call/command-text.ts';
import { findErrorLine } from '../../../facts/failure/error-line.ts';
import { omitUndefined } from '../../../record/object.ts';
import { type Attempt, isToolCall } from '../../../record/record.ts';
import { oneLine } from '../../../text/one-line.ts';
import {
  countHour,
  type HourCounts,
  MAX_PATH_LENGTH,
  type SessionActivity,
  signatureHash,
  updateActivity,
} from './activity.ts';
import { addContext, type RequestEntry } from './requests.ts';

/** A call that failed one or more times. */
export interface FailureGroup {
  readonly what: string;
  readonly isCommand: boolean;
  /** The path of a call without a command. */
  readonly path?: string;
  readonly signature?: string;
  /** Hash of the signature, to compare it with those of successes. */
  readonly hash?: number;
  readonly first: string;
  last: string;
  count: number;
  /** Of the last time. */
  error: string;
  kind?: string;
  request?: string;
}

/** The aggregate over the log of failures of a session. Serialisable. */
export interface FailureState extends SessionActivity {
  /** Tool calls. */
  failed: number;
  contexts: RequestEntry[];
  groups: FailureGroup[];
  /** When the user said that it failed, by key of the request. */
  refused: Record<string, string>;
  hours: HourCounts;
}

const MAX_GROUPS = 60;
const MAX_ERROR_LENGTH = 200;
const MAX_ERROR_READ = 2_000;
const MAX_SIGNATURE_LENGTH = 300;

/** The state before the first failure. */
export function newFailureState(): FailureState {
  return { first: '', last: '', failed: 0, contexts: [], groups: [], refused: {}, hours: {} };
}

/** What failed and why, as digests show it. */
export interface FailureText {
  readonly what: string;
  readonly error: string;
}

/** Describes a failure; undefined for a record that is no failed call. */
export function describeFailure(attempt: Attempt): FailureText | undefined {
  if (attempt.outcome !== 'failure' || !isToolCall(attempt)) return undefined;
  const what = describeAttempt(attempt);
  if (what === '') return undefined;
  const { error: output = '' } = attempt;
  const isLong = output.length > 2 * MAX_ERROR_READ;
  const error = isLong ? `${output.slice(0, MAX_ERROR_READ)}\n${output.slice(-MAX_ERROR_READ)}` : output;
  return { what, error: oneLine(findErrorLine(error), MAX_ERROR_LENGTH) };
}

/** Adds a record of the log of failures, in its order. `text` is the description of the failure. */
export function aggregateFailure(state: FailureState, attempt: Attempt, text: FailureText | undefined): void {
  updateActivity(state, attempt);
  const request = addContext(state.contexts, attempt);
  if (attempt.outcome !== 'failure') return;
  if (attempt.kind === 'feedback' && request !== undefined) state.refused[request] = attempt.timestamp;
  if (!isToolCall(attempt)) return;
  state.failed++;
  countHour(state.hours, attempt.timestamp);
  if (text) addToGroup(state, attempt, text, request);
}

function addToGroup(
  state: FailureState,
  attempt: Attempt,
  { what, error }: FailureText,
  request: string | undefined,
): void {
  const at = attempt.timestamp;
  const { signature } = attempt;
  const hash = signature === undefined ? undefined : signatureHash(signature);
  let group = state.groups.findLast((known) => known.what === what && known.hash === hash);
  if (!group) {
    const isCommand = attempt.command !== undefined;
    const path = isCommand || attempt.path === undefined ? undefined : oneLine(attempt.path, MAX_PATH_LENGTH);
    const call = { what, isCommand, ...omitUndefined({ path }), ...signatureFields(signature, hash) };
    group = { ...call, first: at, last: at, count: 0, error };
    state.groups.push(group);
    if (state.groups.length > MAX_GROUPS) state.groups.shift();
  }
  group.count++;
  group.error = error;
  if (at > group.last) group.last = at;
  if (attempt.kind !== undefined) group.kind = attempt.kind;
  if (request !== undefined) group.request = request;
}

/** Of a very long signature only the hash is kept. */
function signatureFields(
  signature: string | undefined,
  hash: number | undefined,
): Pick<FailureGroup, 'signature' | 'hash'> {
  if (signature === undefined || hash === undefined) return {};
  return signature.length > MAX_SIGNATURE_LENGTH ? { hash } : { signature, hash };
}
