import type { Attempt } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { commandPart } from './command-part.ts';
import { commitMessage } from './commit-message.ts';
import { displayCommand } from './display-command.ts';
import { noteFile } from './history-fold.ts';
import { countHour, type HourCounts } from './hour-counts.ts';
import { notePresence, type Presence } from './presence.ts';
import { noteRequest, noteTags, type RequestEntry, readRequest } from './request-table.ts';
import { signatureHash } from './short-hash.ts';
import type { Since } from './tally/since.ts';

/** The same thing done successfully one or more times for the same request. */
export interface SuccessGroup {
  readonly kind: string;
  readonly text: string;
  /** Key of the request it served, where it is known. */
  readonly request?: string;
  /** Hash of its signature. */
  readonly signature?: number;
  /** Of the first and the last time. */
  readonly first: string;
  last: string;
  count: number;
}

/** What the successes of a session have told so far. Serialisable. */
export interface SuccessState extends Presence {
  count: number;
  contexts: RequestEntry[];
  groups: SuccessGroup[];
  files: string[];
  /** When the user said that it worked, by key of the request. */
  worked: Record<string, string>;
  hours: HourCounts;
  /** For the order of work: what was checked since the last commit and the last push. */
  since: Since;
}

const MOST_GROUPS = 100;
const MOST_FILES = 60;
const PATH_CHARACTERS = 200;
/** The whole request is in the history, as a rule. */
const CONTEXT_CHARACTERS = 160;
/** Paths that are not in the project: scratch files, notes of agents. */
const OUTSIDE = /^(?:[/\\~]|[A-Za-z]:|\.\.(?:[/\\]|$))/;
/** Looking at things serves every request and decides none. */
const IGNORED: ReadonlySet<string> = new Set(['read', 'search', 'probe', 'note', 'checkout']);
/** The first to go when there are too many. */
const MINOR: ReadonlySet<string> = new Set(['run', 'format', 'lint']);

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

/** What a success did, as the digest tells it. */
export interface DigestedSuccess {
  readonly kind: string;
  readonly text: string;
}

/** What a success did; undefined when it is of no interest. */
export function digestSuccess(attempt: Attempt): DigestedSuccess | undefined {
  const { command, path } = attempt;
  const kind = attempt.kind ?? (command === undefined ? 'read' : 'run');
  if (IGNORED.has(kind) || kind === 'feedback' || attempt.pattern !== undefined) return undefined;
  if (kind === 'commit')
    return { kind, text: commitMessage(attempt) ?? displayCommand(command ?? 'git commit') };
  if (command !== undefined) {
    // A shell command that moves files is a command, not the edit of a file.
    const text = commandPart(displayCommand(command), kind);
    return text === '' ? undefined : { kind: kind === 'edit' || kind === 'create' ? 'run' : kind, text };
  }
  if (path === undefined || OUTSIDE.test(path) || (kind !== 'edit' && kind !== 'create')) return undefined;
  return { kind, text: oneLine(path, PATH_CHARACTERS) };
}

/** Takes in the next success of the session, in the order of the log. */
export function foldSuccess(state: SuccessState, attempt: Attempt, did: DigestedSuccess | undefined): void {
  notePresence(state, attempt);
  state.count++;
  countHour(state.hours, attempt.timestamp);
  const request = noteContext(state.contexts, attempt);
  if (attempt.kind === 'feedback' && request !== undefined) state.worked[request] = attempt.timestamp;
  if (!did) return;
  if (did.kind === 'edit' || did.kind === 'create') noteFile(state.files, did.text, MOST_FILES);
  noteGroup(state, attempt, did, request);
}

/** Notes the request that an attempt served and returns its key. */
export function noteContext(contexts: RequestEntry[], attempt: Attempt): string | undefined {
  const request = attempt.context === undefined ? undefined : readRequest(attempt.context);
  if (!request) return undefined;
  const entry = noteRequest(contexts, attempt.timestamp, request, CONTEXT_CHARACTERS);
  noteTags(entry, attempt.tags);
  return entry.key;
}

function noteGroup(
  state: SuccessState,
  attempt: Attempt,
  { kind, text }: DigestedSuccess,
  request: string | undefined,
): void {
  const at = attempt.timestamp;
  const known = state.groups.findLast(
    (group) =>
      // Most differ in length, which is known without looking at the text.
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
  state.groups.push({
    kind,
    text,
    ...(request === undefined ? {} : { request }),
    ...(attempt.signature === undefined ? {} : { signature: signatureHash(attempt.signature) }),
    first: at,
    last: at,
    count: 1,
  });
  if (state.groups.length > MOST_GROUPS) dropOne(state.groups);
}

/** Editing a file that was created for the same request belongs to its creation. */
function isSameKind(known: string, kind: string): boolean {
  return known === kind || (known === 'create' && kind === 'edit');
}

function dropOne(groups: SuccessGroup[]): void {
  const minor = groups.findIndex((group) => MINOR.has(group.kind));
  groups.splice(Math.max(minor, 0), 1);
}
