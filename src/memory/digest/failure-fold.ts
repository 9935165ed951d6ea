import type { Attempt } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { findErrorLine } from '../failure/error-line.ts';
import { displayCommand } from './display-command.ts';
import { countHour, type HourCounts } from './hour-counts.ts';
import { notePresence, type Presence } from './presence.ts';
import type { RequestEntry } from './request-table.ts';
import { signatureHash } from './short-hash.ts';
import { noteContext } from './success-fold.ts';

/** The same call that failed one or more times. */
export interface FailureGroup {
  readonly what: string;
  readonly isCommand: boolean;
  readonly signature?: string;
  /** Of the signature, to compare it with those of successes. */
  readonly hash?: number;
  readonly first: string;
  last: string;
  count: number;
  /** Of the last time. */
  error: string;
  kind?: string;
  request?: string;
}

/** What the failures of a session have told so far. Serialisable. */
export interface FailureState extends Presence {
  /** Everything in the log of failures, also what does not count as one. */
  count: number;
  failed: number;
  contexts: RequestEntry[];
  groups: FailureGroup[];
  /** When the user said that it failed, by key of the request. */
  refused: Record<string, string>;
  hours: HourCounts;
}

const MOST_GROUPS = 60;
const WHAT_CHARACTERS = 200;
const ERROR_CHARACTERS = 200;
const ERROR_READ = 2_000;
const SIGNATURE_CHARACTERS = 300;

/** The state before the first failure. */
export function newFailureState(): FailureState {
  return { first: '', last: '', count: 0, failed: 0, contexts: [], groups: [], refused: {}, hours: {} };
}

/** What failed and why, as the digest tells it. */
export interface DigestedFailure {
  readonly what: string;
  readonly error: string;
}

/** What failed and why; undefined for what is no failure of a call. */
export function digestFailure(attempt: Attempt): DigestedFailure | undefined {
  const { command, path, tool, error = '' } = attempt;
  if (attempt.outcome !== 'failure' || attempt.kind === 'feedback' || attempt.pattern !== undefined)
    return undefined;
  const what =
    command === undefined
      ? oneLine(path ?? toolText(tool, attempt.args), WHAT_CHARACTERS)
      : displayCommand(command);
  if (what === '') return undefined;
  return { what, error: oneLine(findErrorLine(error.slice(0, ERROR_READ)), ERROR_CHARACTERS) };
}

/** A call of a tool that is neither a command nor about a file: `Skill commit`. */
function toolText(tool = '', args: Attempt['args'] = {}): string {
  const about = Object.values(args).find((value) => typeof value === 'string' && value !== '');
  return typeof about === 'string' ? `${tool} ${about.slice(0, WHAT_CHARACTERS)}` : tool;
}

/** Takes in the next line of the log of failures, in its order. */
export function foldFailure(
  state: FailureState,
  attempt: Attempt,
  failed: DigestedFailure | undefined,
): void {
  notePresence(state, attempt);
  state.count++;
  const request = noteContext(state.contexts, attempt);
  if (attempt.outcome !== 'failure') return;
  if (attempt.kind === 'feedback' && request !== undefined) state.refused[request] = attempt.timestamp;
  if (!failed) return;
  state.failed++;
  countHour(state.hours, attempt.timestamp);
  noteGroup(state, attempt, failed, request);
}

function noteGroup(
  state: FailureState,
  attempt: Attempt,
  { what, error }: DigestedFailure,
  request: string | undefined,
): void {
  const at = attempt.timestamp;
  const { signature } = attempt;
  const hash = signature === undefined ? undefined : signatureHash(signature);
  let group = state.groups.findLast((known) => known.what === what && known.hash === hash);
  if (!group) {
    const isCommand = attempt.command !== undefined;
    group = { what, isCommand, ...signatureOf(signature, hash), first: at, last: at, count: 0, error };
    state.groups.push(group);
    if (state.groups.length > MOST_GROUPS) state.groups.shift();
  }
  group.count++;
  group.error = error;
  if (at > group.last) group.last = at;
  if (attempt.kind !== undefined) group.kind = attempt.kind;
  if (request !== undefined) group.request = request;
}

/** A very long signature is known by its hash alone. */
function signatureOf(
  signature: string | undefined,
  hash: number | undefined,
): Pick<FailureGroup, 'signature' | 'hash'> {
  if (signature === undefined || hash === undefined) return {};
  return signature.length > SIGNATURE_CHARACTERS ? { hash } : { signature, hash };
}
