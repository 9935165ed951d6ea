import type { Message } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { notePresence, type Presence } from './presence.ts';
import { replyLine } from './reply-line.ts';
import { noteRequest, type RequestEntry, readRequest } from './request-table.ts';

/** What the messages of a session have told so far. Serialisable. */
export interface HistoryState extends Presence {
  requests: RequestEntry[];
  /** Key of the request in force. */
  current?: string;
  /** Files that replies changed, the latest last. */
  files: string[];
}

const MOST_FILES = 60;
const PATH_CHARACTERS = 200;

/** The state before the first message. */
export function newHistoryState(): HistoryState {
  return { first: '', last: '', requests: [], files: [] };
}

/** Takes in the next message of the session, in the order of the log. Returns the request it made, if it is a new one. */
export function foldMessage(state: HistoryState, message: Message): RequestEntry | undefined {
  notePresence(state, message);
  if (message.kind === 'checkpoint' || message.systemEvent === true) return undefined;
  if (message.role === 'user') return foldRequest(state, message);
  foldReply(state, message);
  return undefined;
}

function foldRequest(state: HistoryState, message: Message): RequestEntry | undefined {
  const request = readRequest(message.content);
  if (!request) return undefined;
  const entry = noteRequest(state.requests, message.timestamp, request);
  state.current = entry.key;
  return entry.at === message.timestamp ? entry : undefined;
}

function foldReply(state: HistoryState, message: Message): void {
  for (const file of message.filesModified ?? []) noteFile(state.files, file, MOST_FILES);
  const current = state.requests.find((entry) => entry.key === state.current);
  if (!current) return;
  const reply = replyLine(message.content);
  if (reply !== undefined) current.reply = reply;
}

/** Moves a file to the end of a list of the latest ones. */
export function noteFile(files: string[], path: string, most: number): void {
  const name = oneLine(path, PATH_CHARACTERS);
  const known = files.indexOf(name);
  if (known === files.length - 1 && known >= 0) return;
  if (known >= 0) files.splice(known, 1);
  files.push(name);
  if (files.length > most) files.shift();
}
