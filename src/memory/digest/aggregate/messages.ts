import type { Message } from '../../../record/record.ts';
import { oneLine } from '../../../text/one-line.ts';
import { betterTitle, type TitleCandidate } from '../../../text/session-title.ts';
import { addFile, type SessionActivity, updateActivity } from './activity.ts';
import { addRequest, parseRequest, type RequestEntry } from './requests.ts';

/** The aggregate over the messages of a session. Serialisable. */
export interface MessageState extends SessionActivity {
  requests: RequestEntry[];
  /** Key of the current request. */
  current?: string;
  /** Files that replies changed, the latest last. */
  files: string[];
  title?: TitleCandidate;
}

/** The state before the first message. */
export function newMessageState(): MessageState {
  return { first: '', last: '', requests: [], files: [] };
}

/** Adds a message, in the order of the log. Returns its request, if that is a new one. */
export function aggregateMessage(state: MessageState, message: Message): RequestEntry | undefined {
  updateActivity(state, message);
  const title = betterTitle(state.title, message);
  if (title !== undefined) state.title = title;
  if (message.kind !== undefined || message.systemEvent === true) return undefined;
  if (message.role === 'user') return aggregateRequest(state, message);
  aggregateReply(state, message);
  return undefined;
}

function aggregateRequest(state: MessageState, message: Message): RequestEntry | undefined {
  const request = parseRequest(message.content);
  if (!request || request.isFollowUp) return undefined;
  const entry = addRequest(state.requests, message.timestamp, request);
  state.current = entry.key;
  return entry.at === message.timestamp ? entry : undefined;
}

function aggregateReply(state: MessageState, message: Message): void {
  for (const file of message.filesModified ?? []) addFile(state.files, file);
  const current = state.requests.find((entry) => entry.key === state.current);
  if (!current) return;
  const decision = findDecision(message.content);
  if (decision !== undefined) current.reply = decision;
}

const MAX_DECISION_LENGTH = 200;
const MAX_LINES_READ = 12;
const MAX_REPLY_READ = 4_000;
/** Words with which a reply reports what was done or found. */
const DECISIVE =
  /\b(?:added|changed|chose|committed|configured|created|decided|deleted|done|enabled|fixed|implemented|installed|introduced|merged|migrated|moved|now (?:uses?|works?|passes|runs)|reason|refactored|removed|renamed|replaced|resolved|rewrote|root cause|switched|updated|wrote|works now)\b/i;
const MARKUP = /^(?:[#>*+\-•✅✓\s]|\d+[.)]\s)+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/gu;

/** The line of an assistant's reply that says what was done or decided, if there is one. */
export function findDecision(content: string): string | undefined {
  for (const line of content.slice(0, MAX_REPLY_READ).split('\n', MAX_LINES_READ)) {
    if (!DECISIVE.test(line)) continue;
    const text = oneLine(line.replace(MARKUP, ''), MAX_DECISION_LENGTH);
    if (text.split(' ').length >= 4 && !text.endsWith(':') && !text.endsWith('?')) return text;
  }
  return undefined;
}
