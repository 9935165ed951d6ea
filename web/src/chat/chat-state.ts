import type {
  ChatNotification,
  ChatSnapshot,
  ChatStatus,
  DisplayMessage,
} from '../../../src/server/rpc/api.ts';

/** The chat as it is shown. */
export interface ChatState {
  readonly project: string;
  readonly sessionId?: string;
  readonly messages: readonly DisplayMessage[];
  readonly files: readonly string[];
  /** What was said of the reply so far. */
  readonly streaming: { readonly requestId: string; readonly text: string } | null;
  readonly isCompacting: boolean;
  readonly status: ChatStatus;
  readonly isReadOnly: boolean;
  /** So many messages of the session are not shown. */
  readonly earlier: number;
  /** Of the last event that is part of this. */
  readonly sequence: number;
  /** Lines that belong to the last request: files that were left out, waits. */
  readonly notices: readonly string[];
  /** Why the last request failed. */
  readonly error?: string;
  /** What the last compaction made of the history. */
  readonly compacted?: {
    readonly summary: string;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  };
  /** What was said of a reply that will never end: the server went away in the middle of it. */
  readonly brokenOff?: string;
  /** The last reply that was seen to grow, and the message it became. */
  readonly grown?: { readonly requestId: string; readonly messageId: string };
}

/** What a client that has just connected shows: everything the server knows, nothing from before. */
export function stateOf(snapshot: ChatSnapshot): ChatState {
  const { project, sessionId, messages, files, streaming, compacting, status, readOnly, earlier, sequence } =
    snapshot;
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

/**
 * The state that was fetched, with what only this client knows: what the last compaction did, and what was said of a
 * reply that the server knows nothing of any more.
 */
export function withKnown(fresh: ChatState, before: ChatState | undefined): ChatState {
  if (before === undefined || before.project !== fresh.project) return fresh;
  const isSame = lastAsked(before) === lastAsked(fresh);
  // A session gets its id with its first message, which this client may know already.
  const hasBegun = before.sessionId === undefined && before.messages.length > 0 && isSame;
  if (before.sessionId !== fresh.sessionId && !hasBegun) return fresh;
  const { compacted, grown, brokenOff = before.streaming?.text } = before;
  const isBroken = isSame && isUnanswered(fresh) && brokenOff !== undefined;
  return {
    ...fresh,
    ...(compacted === undefined ? {} : { compacted }),
    ...(grown === undefined ? {} : { grown }),
    ...(isBroken ? { brokenOff } : {}),
    ...(isSame && before.error !== undefined ? { error: before.error } : {}),
  };
}

/** Is the last thing that was said a question, and nobody at work on the answer? */
export function isUnanswered({ messages, streaming }: ChatState): boolean {
  return streaming === null && messages.at(-1)?.role === 'user';
}

function lastAsked({ messages }: ChatState): string | undefined {
  return messages.findLast(({ role }) => role === 'user')?.id;
}

/** The chat after something happened. Told twice, it makes no difference. */
export function afterEvent(before: ChatState, event: ChatNotification): ChatState {
  if (event.sequence <= before.sequence) return before;
  const state = { ...before, sequence: event.sequence };
  switch (event.type) {
    case 'asked':
      return {
        ...withoutEnds(state),
        messages: withMessage(state.messages, event.message),
        notices: [],
        streaming:
          state.streaming?.requestId === event.requestId
            ? state.streaming
            : { requestId: event.requestId, text: '' },
      };
    case 'notice':
      return { ...state, notices: [...state.notices, event.text] };
    case 'chunk':
      return { ...state, streaming: withChunk(state.streaming, event.requestId, event.text, event.offset) };
    case 'complete': {
      const { message } = event.reply;
      const { requestId } = event.reply;
      const streaming = endOf(state.streaming, requestId);
      if (message === undefined) return { ...state, streaming };
      const grown = { requestId, messageId: message.id };
      return { ...state, messages: withMessage(state.messages, message), streaming, grown };
    }
    case 'failed':
      return { ...state, error: event.error.message, streaming: endOf(state.streaming, event.requestId) };
    case 'compaction-start':
      return { ...withoutEnds(state), isCompacting: true };
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

/** Must the whole state be fetched after this? */
export function needsFetch(event: ChatNotification): boolean {
  if (event.type === 'compaction-complete') return event.case !== 'none';
  return event.type === 'session';
}

function withoutEnds(state: ChatState): ChatState {
  const { error: _error, compacted: _compacted, brokenOff: _brokenOff, ...rest } = state;
  return rest;
}

function withMessage(
  messages: readonly DisplayMessage[],
  message: DisplayMessage,
): readonly DisplayMessage[] {
  return messages.some(({ id }) => id === message.id) ? messages : [...messages, message];
}

function withChunk(
  streaming: ChatState['streaming'],
  requestId: string,
  chunk: string,
  offset: number,
): ChatState['streaming'] {
  const text = streaming?.requestId === requestId ? streaming.text : '';
  return { requestId, text: text.slice(0, offset) + chunk + text.slice(offset + chunk.length) };
}

function endOf(streaming: ChatState['streaming'], requestId: string): ChatState['streaming'] {
  return streaming?.requestId === requestId ? null : streaming;
}
