import { findCommandPart, findCommitMessage, formatCommand } from '../../../facts/call/command-text.ts';
import { omitUndefined } from '../../../record/object.ts';
import { type Attempt, isToolCall } from '../../../record/record.ts';
import { oneLine } from '../../../text/one-line.ts';
import {
  addFile,
  countHour,
  type HourCounts,
  MAX_PATH_LENGTH,
  type SessionActivity,
  signatureHash,
  updateActivity,
} from './activity.ts';
import { addContext, type RequestEntry } from './requests.ts';

/** The same thing done successfully one or more times for the same request. */
export interface SuccessGroup {
  readonly kind: string;
  readonly text: string;
  /** Key of the request it served, if known. */
  readonly request?: string;
  /** Hash of its signature. */
  readonly signature?: number;
  /** Of the first and the last time. */
  readonly first: string;
  last: string;
  count: number;
}

/** A step of the workflow that checks precede. */
type Goal = 'commit' | 'push';
/** A check of the work. */
type Check = 'test' | 'lint' | 'build' | 'format';
/** What happened since a goal was last reached: the command of each check, and whether anything was changed. */
type ChecksSinceGoal = Record<Goal, Partial<Record<Check | 'work', string>>>;

/** The aggregate over the successes of a session. Serialisable. */
export interface SuccessState extends SessionActivity {
  /** Tool calls. */
  count: number;
  contexts: RequestEntry[];
  groups: SuccessGroup[];
  files: string[];
  /** When the user said that it worked, by key of the request. */
  worked: Record<string, string>;
  hours: HourCounts;
  since: ChecksSinceGoal;
}

const MAX_GROUPS = 100;
/** Paths outside the project: scratch files, notes of agents. */
const OUTSIDE_PROJECT = /^(?:[/\\~]|[A-Za-z]:|\.\.(?:[/\\]|$))/;
/** Reading serves every request and decides none. */
const IGNORED_KINDS: ReadonlySet<string> = new Set(['read', 'search', 'probe', 'note', 'checkout']);
/** The first to be dropped when there are too many. */
const MINOR_KINDS: ReadonlySet<string> = new Set(['run', 'format', 'lint']);

/** The state before the first success. */
export function newSuccessState(): SuccessState {
  return {
    first: '',
    last: '',
    count: 0,
    contexts: [],
    groups: [],
    files: [],
    worked: {},
    hours: {},
    since: { commit: {}, push: {} },
  };
}

/** What a success did, as digests show it. */
export interface SuccessText {
  readonly kind: string;
  readonly text: string;
}

/** Describes a success; undefined when it is of no interest. */
export function describeSuccess(attempt: Attempt): SuccessText | undefined {
  const { command, path } = attempt;
  const kind = attempt.kind ?? (command === undefined ? 'read' : 'run');
  if (IGNORED_KINDS.has(kind) || !isToolCall(attempt)) return undefined;
  if (kind === 'commit') return { kind, text: findCommitMessage(attempt) ?? formatCommand(command ?? 'git commit') };
  if (command !== undefined) {
    // A shell command that moves files is a command, not the edit of a file.
    const text = findCommandPart(formatCommand(command), kind);
    return text === '' ? undefined : { kind: kind === 'edit' || kind === 'create' ? 'run' : kind, text };
  }
  if (path === undefined || OUTSIDE_PROJECT.test(path) || (kind !== 'edit' && kind !== 'create')) return undefined;
  return { kind, text: oneLine(path, MAX_PATH_LENGTH) };
}

/** Adds a success, in the order of the log. `text` is its description. */
export function aggregateSuccess(state: SuccessState, attempt: Attempt, text: SuccessText | undefined): void {
  updateActivity(state, attempt);
  if (isToolCall(attempt)) {
    state.count++;
    countHour(state.hours, attempt.timestamp);
  }
  const request = addContext(state.contexts, attempt);
  if (attempt.kind === 'feedback' && request !== undefined) state.worked[request] = attempt.timestamp;
  if (!text) return;
  if (text.kind === 'edit' || text.kind === 'create') addFile(state.files, text.text);
  addToGroup(state, attempt, text, request);
}

function addToGroup(
  state: SuccessState,
  attempt: Attempt,
  { kind, text }: SuccessText,
  request: string | undefined,
): void {
  const at = attempt.timestamp;
  const known = state.groups.findLast(
    (group) =>
      // Most texts differ in length, which is faster to compare.
      group.text.length === text.length &&
      group.text === text &&
      group.request === request &&
      isSameKind(group.kind, kind),
  );
  if (known) {
    known.count++;
    if (at > known.last) known.last = at;
    return;
  }
  const signature = attempt.signature === undefined ? undefined : signatureHash(attempt.signature);
  state.groups.push(omitUndefined({ kind, text, request, signature, first: at, last: at, count: 1 }));
  if (state.groups.length > MAX_GROUPS) dropLeastUseful(state.groups);
}

/** An edit of a file that was created for the same request belongs to its creation. */
function isSameKind(known: string, kind: string): boolean {
  return known === kind || (known === 'create' && kind === 'edit');
}

function dropLeastUseful(groups: SuccessGroup[]): void {
  const minor = groups.findIndex((group) => MINOR_KINDS.has(group.kind));
  groups.splice(Math.max(minor, 0), 1);
}
