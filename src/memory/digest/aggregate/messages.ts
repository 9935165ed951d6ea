import { findDecision, parseRequest } from '../../../facts/request.ts';
import type { Message } from '../../../record/record.ts';
import { betterTitle, type TitleCandidate } from '../../../text/session-title.ts';
import { addFile, type SessionActivity, updateActivity } from './activity.ts';
import { addRequest, type RequestEntry } from './requests.ts';

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
