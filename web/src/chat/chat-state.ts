import type { ChatNotification, ChatSnapshot, ChatStatus, DisplayMessage } from '../../../src/server/rpc/api.ts';

/** The chat as it is shown. */
export interface ChatView {
  readonly project: string;
  readonly sessionId?: string;
  readonly messages: readonly DisplayMessage[];
  readonly files: readonly string[];
  /** The reply that is being streamed, with its text so far. */
  readonly streaming: { readonly requestId: string; readonly text: string } | null;
  readonly isCompacting: boolean;
  readonly status: ChatStatus;
  readonly isReadOnly: boolean;
  /** How many earlier messages of the session are not shown. */
  readonly earlier: number;
  /** Sequence number of the last event that was applied. */
  readonly sequence: number;
  /** Notices about the last request, such as files that were left out. */
  readonly notices: readonly string[];
  /** Why the last request failed. */
  readonly error?: string;
  /** The last compaction. */
  readonly compacted?: {
    readonly summary: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  };
  /** The text of a reply that was interrupted because the server died. */
  readonly interrupted?: string;
  /** The last reply that was streamed here, and the message it became. */
  readonly streamed?: { readonly requestId: string; readonly messageId: string };
}

/** The state of a client that has just connected. */
export function fromSnapshot(snapshot: ChatSnapshot): ChatView {
  const { project, sessionId, messages, files, streaming, compacting, status, readOnly, earlier, sequence } = snapshot;
  return {
    project: project.id,
    ...(sessionId === undefined ? {} : { sessionId }),
    messages,
    files,
    streaming,
    isCompacting: compacting,
    status,
    isReadOnly: readOnly,
    earlier,
    sequence,
    notices: [],
  };
}

/** A fetched state, with what only this client knows: the last compaction and error, and an interrupted reply. */
export function mergeSnapshot(fresh: ChatView, before: ChatView | undefined): ChatView {
  if (before === undefined || before.project !== fresh.project) return fresh;
  const isSameQuestion = lastQuestion(before) === lastQuestion(fresh);
  // A session gets its id with its first message, which this client may know already.
  const hasBegun = before.sessionId === undefined && before.messages.length > 0 && isSameQuestion;
  if (before.sessionId !== fresh.sessionId && !hasBegun) return fresh;
  const { compacted, streamed, interrupted = before.streaming?.text } = before;
  const isInterrupted = isSameQuestion && isUnanswered(fresh) && interrupted !== undefined;
  return {
    ...fresh,
    ...(compacted === undefined ? {} : { compacted }),
    ...(streamed === undefined ? {} : { streamed }),
    ...(isInterrupted ? { interrupted } : {}),
    ...(isSameQuestion && before.error !== undefined ? { error: before.error } : {}),
  };
}

/** Whether the last message is a question that nobody is answering. */
export function isUnanswered({ messages, streaming }: ChatView): boolean {
  return streaming === null && messages.at(-1)?.role === 'user';
}

function lastQuestion({ messages }: ChatView): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.id;
}

/** The state after an event. Idempotent: an event that was applied already changes nothing. */
export function applyEvent(before: ChatView, event: ChatNotification): ChatView {
  if (event.sequence <= before.sequence) return before;
  const state = { ...before, sequence: event.sequence };
  switch (event.type) {
    case 'asked':
      return {
        ...clearOutcome(state),
        messages: addMessage(state.messages, event.message),
        notices: [],
        streaming:
          state.streaming?.requestId === event.requestId ? state.streaming : { requestId: event.requestId, text: '' },
      };
    case 'notice':
      return { ...state, notices: [...state.notices, event.text] };
    case 'chunk':
      return { ...state, streaming: addChunk(state.streaming, event.requestId, event.text, event.offset) };
    case 'complete': {
      const { message, requestId } = event.reply;
      const streaming = endStream(state.streaming, requestId);
      if (message === undefined) return { ...state, streaming };
      const streamed = { requestId, messageId: message.id };
      return { ...state, messages: addMessage(state.messages, message), streaming, streamed };
    }
    case 'failed':
      return { ...state, error: event.error.message, streaming: endStream(state.streaming, event.requestId) };
    case 'compaction-start':
      return { ...clearOutcome(state), isCompacting: true };
    case 'compaction-complete': {
      const { summary, tokensBefore, tokensAfter } = event;
      const done = { ...state, isCompacting: false };
      return event.case === 'none' ? done : { ...done, compacted: { summary, tokensBefore, tokensAfter } };
    }
    case 'compaction-error':
      return { ...state, isCompacting: false, error: event.error.message };
    case 'session':
      return state;
  }
}

/** Whether the whole state has to be fetched after this event. */
export function requiresFetch(event: ChatNotification): boolean {
  if (event.type === 'compaction-complete') return event.case !== 'none';
  return event.type === 'session';
}

function clearOutcome(state: ChatView): ChatView {
  const { error: _error, compacted: _compacted, interrupted: _interrupted, ...rest } = state;
  return rest;
}

function addMessage(messages: readonly DisplayMessage[], message: DisplayMessage): readonly DisplayMessage[] {
  return messages.some(({ id }) => id === message.id) ? messages : [...messages, message];
}

function addChunk(
  streaming: ChatView['streaming'],
  requestId: string,
  chunk: string,
  offset: number,
): ChatView['streaming'] {
  const text = streaming?.requestId === requestId ? streaming.text : '';
  return { requestId, text: text.slice(0, offset) + chunk + text.slice(offset + chunk.length) };
}

function endStream(streaming: ChatView['streaming'], requestId: string): ChatView['streaming'] {
  return streaming?.requestId === requestId ? null : streaming;
}
