import type { CallResult } from '../../facts/call/tool-call.ts';
import { textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import { asCount, asFields, asList, asName, asObjects, asText, asTime, type Fields } from '../transcript/fields.ts';
import type { LineReader } from '../transcript/line-reading.ts';
import { type MessageBase, problem, skip, type TranscriptEvent, unknownType } from '../transcript/transcript.ts';
import { parseCallResult, parseResponse, parseUserText, removeHookContext, splitParts } from './content.ts';

/** What the location of a file says about its session. */
export interface SessionFile {
  /** For a file that does not name its session. */
  readonly sessionId: string;
  /** The session that started this sub-agent. */
  readonly parentSessionId?: string;
  readonly cwd?: string;
}

/**
 * Reads the records of a Gemini CLI session. A message may come again under the same id with more in it: each part is
 * reported when it first appears. What was rewound stays, because it was said. A `$set` with messages replaces what the
 * model sees, e.g. by a summary: only what is new in it is reported.
 */
export class GeminiRecordReader implements LineReader {
  readonly #file: SessionFile;
  #state: ReaderState;

  constructor(state: Fields | undefined, file: SessionFile) {
    this.#file = file;
    this.#state = state ? parseState(state) : INITIAL_STATE;
  }

  state(): Fields {
    return this.#state;
  }

  skipReason(head: string): string | undefined {
    return /^\{"\$set":\{"lastUpdated":"[^"]{0,80}"\}\}\r?$/.test(head) ? METADATA.reason : undefined;
  }

  *read(record: Fields): Generator<TranscriptEvent> {
    if (asName(record.id) !== undefined) {
      if (this.#state.sessionId === undefined) yield this.#session({});
      return yield* this.#message(record);
    }
    const change = asFields(record.$set);
    if (asName(record.$rewindTo) !== undefined) yield skip('rewind');
    else if (change) yield* this.#change(change);
    else if (asName(record.sessionId) !== undefined) yield* this.#header(record);
    else yield problem('unknown line');
  }

  /** The first line of a file, or the fields of a document. In some versions it holds the messages. */
  *#header(record: Fields): Generator<TranscriptEvent> {
    yield this.#session(record);
    for (const message of asObjects(record.messages)) yield* this.#message(message);
  }

  *#change(change: Fields): Generator<TranscriptEvent> {
    const sessionId = asName(change.sessionId);
    const isOther = sessionId !== undefined && sessionId !== this.#state.sessionId;
    if (isOther || this.#state.sessionId === undefined) yield this.#session(change);
    const title = asText(change.summary);
    if (title !== undefined && this.#state.sessionId !== undefined) {
      yield { type: 'session', sessionId: this.#state.sessionId, title };
    }
    if (Array.isArray(change.messages)) yield* this.#context(asObjects(change.messages));
    else if (!isOther && title === undefined) yield METADATA;
  }

  /** What the model sees from now on: old messages, perhaps shortened and under new ids, and new ones. */
  *#context(messages: readonly Fields[]): Generator<TranscriptEvent> {
    const known = messages.findLastIndex((message) => this.#isKnown(message));
    let isNew = false;
    for (const [index, message] of messages.entries()) {
      const id = asName(message.id);
      const isRecent = index >= messages.length - MAX_REMEMBERED;
      if (id === undefined || (!isRecent && !isSummary(message))) continue;
      if (index > known || isSummary(message) || findReported(this.#state, id)) {
        for (const event of this.#message(message)) {
          if (event === KNOWN) continue;
          isNew = true;
          yield event;
        }
      } else this.#markReported(id, '', { text: true, usage: true });
    }
    if (!isNew) yield skip('copy of the context');
  }

  #isKnown(message: Fields): boolean {
    const id = asName(message.id);
    if (id !== undefined && findReported(this.#state, id) !== undefined) return true;
    const text = splitParts(message.content).texts.join('\n');
    return text !== '' && this.#state.texts.includes(shortHash(text));
  }

  /** Reports what is new in a message. */
  *#message(message: Fields): Generator<TranscriptEvent> {
    const id = asName(message.id);
    if (id === undefined) return yield problem('message without an id');
    switch (message.type) {
      case 'user':
        return yield* this.#fromUser(id, message);
      case 'gemini':
        return yield* this.#fromModel(id, message);
      case 'error':
        return yield* this.#error(id, message);
      case 'info':
      case 'warning':
        return yield skip('notice');
      default:
        yield unknownType('message', message.type);
    }
  }

  *#fromUser(id: string, message: Fields): Generator<TranscriptEvent> {
    const { texts, images, responses } = splitParts(message.content);
    const timestamp = asTime(message.timestamp);
    yield* this.#responses(responses, timestamp);
    const said = parseUserText(texts);
    const isRepeatedSummary = said.kind === 'summary' && this.#state.summary === shortHash(said.text);
    const isKnown = findReported(this.#state, id) !== undefined || isRepeatedSummary;
    this.#markReported(id, texts.join('\n'), { text: true, usage: true });
    if (isKnown) return yield KNOWN;
    const shown = splitParts(message.displayContent)
      .texts.map(removeHookContext)
      .filter((text) => text !== '');
    const base = this.#messageBase(id, message);
    if (said.kind === 'summary') {
      this.#remember({ summary: shortHash(said.text) });
      yield { ...base, role: 'user', text: said.text, kind: 'checkpoint', isSystem: true };
    } else if (said.kind === 'typed') {
      const text = shown.length > 0 ? shown.join('\n') : said.text;
      yield { ...base, role: 'user', text, ...(images.length === 0 ? {} : { images }) };
    } else if (images.length > 0 && texts.length === 0) {
      yield { ...base, role: 'user', text: '', images };
    } else if (said.kind === 'command') yield skip('slash command');
    else if (texts.length > 0) yield INJECTED;
    else yield responses.length > 0 ? skip('tool results') : EMPTY;
  }

  *#fromModel(id: string, message: Fields): Generator<TranscriptEvent> {
    const { texts, calls } = splitParts(message.content);
    const text = texts.join('\n');
    const usage = parseUsage(asFields(message.tokens));
    const reported = findReported(this.#state, id);
    const isSummaryReply = reported === undefined && SUMMARY_REPLY.test(text);
    const hasNewText = text !== '' && reported?.text !== true && !isSummaryReply;
    const hasNewUsage = usage !== undefined && reported?.usage !== true;
    if (isSummaryReply) yield INJECTED;
    if (hasNewText || hasNewUsage) {
      yield {
        // Usage that comes after the text is reported as a message of its own.
        ...this.#messageBase(reported?.text === true ? `${id}-usage` : id, message),
        role: 'assistant',
        text: hasNewText ? text : '',
        ...omitUndefined({ model: asName(message.model) }),
        ...(hasNewUsage ? { usage } : {}),
      };
    }
    this.#markReported(id, hasNewText ? text : '', {
      text: text !== '' || reported?.text === true,
      usage: usage !== undefined || reported?.usage === true,
    });
    const stateBefore = this.#state;
    yield* this.#calls(message, calls);
    if (hasNewText || hasNewUsage || isSummaryReply || stateBefore !== this.#state) return;
    yield reported ? KNOWN : EMPTY;
  }

  *#calls(message: Fields, parts: readonly Fields[]): Generator<TranscriptEvent> {
    const timestamp = asTime(message.timestamp);
    for (const item of asList(message.toolCalls)) {
      const call = asFields(item);
      const callId = asName(call?.id);
      if (!call || callId === undefined || asName(call.name) === undefined) {
        yield problem('tool call without id or name');
        continue;
      }
      yield* this.#call(call, callId, timestamp);
      const result = parseCallResult(call);
      if (result) yield* this.#result(callId, result, asTime(call.timestamp) ?? timestamp);
    }
    for (const part of parts) {
      const callId = asName(part.id);
      if (callId !== undefined && asName(part.name) !== undefined) yield* this.#call(part, callId, timestamp);
    }
  }

  *#call(call: Fields, callId: string, timestamp: string | undefined): Generator<TranscriptEvent> {
    const hash = shortHash(callId);
    if (this.#state.open.includes(hash) || this.#state.ended.includes(hash)) return;
    this.#remember({ open: appendRecent(this.#state.open, hash) });
    yield {
      type: 'call',
      sessionId: this.#sessionId(),
      callId,
      tool: asName(call.name) ?? '',
      input: asFields(call.args) ?? {},
      ...omitUndefined({ timestamp }),
    };
  }

  *#responses(responses: readonly Fields[], timestamp: string | undefined): Generator<TranscriptEvent> {
    for (const response of responses) {
      const callId = asName(response.id);
      if (callId !== undefined && this.#state.open.includes(shortHash(callId))) {
        yield* this.#result(callId, parseResponse(response), timestamp);
      }
    }
  }

  *#result(callId: string, result: CallResult, timestamp: string | undefined): Generator<TranscriptEvent> {
    const hash = shortHash(callId);
    if (this.#state.ended.includes(hash)) return;
    const open = this.#state.open.filter((other) => other !== hash);
    this.#remember({ open, ended: appendRecent(this.#state.ended, hash) });
    yield { type: 'result', sessionId: this.#sessionId(), callId, ...omitUndefined({ timestamp }), result };
  }

  *#error(id: string, message: Fields): Generator<TranscriptEvent> {
    const text = splitParts(message.content).texts.join('\n');
    const isKnown = findReported(this.#state, id) !== undefined;
    this.#markReported(id, '', { text: true, usage: true });
    if (text === '' || isKnown) yield isKnown ? KNOWN : EMPTY;
    else yield { ...this.#messageBase(id, message), role: 'assistant', text, isSystem: true };
  }

  #session(fields: Fields): TranscriptEvent {
    const sessionId = asName(fields.sessionId) ?? this.#sessionId();
    const { parentSessionId, cwd = asText(asList(fields.directories)[0]) } = this.#file;
    this.#remember({ sessionId });
    return { type: 'session', sessionId, ...omitUndefined({ parentSessionId, cwd, title: asText(fields.summary) }) };
  }

  #sessionId(): string {
    return this.#state.sessionId ?? this.#file.sessionId;
  }

  #messageBase(id: string, message: Fields): MessageBase {
    const timestamp = asTime(message.timestamp);
    return { type: 'message', sessionId: this.#sessionId(), id, ...omitUndefined({ timestamp }) };
  }

  #markReported(id: string, text: string, parts: ReportedParts): void {
    const texts = text === '' ? this.#state.texts : appendRecent(this.#state.texts, shortHash(text));
    this.#remember({ messages: markReported(this.#state, id, parts), texts });
  }

  #remember(change: Partial<ReaderState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

const METADATA = skip('metadata');
const INJECTED = skip('injected text');
const EMPTY = skip('empty message');
const KNOWN = skip('repeated message');
/** The reply that Gemini CLI writes for the model after a summary. */
const SUMMARY_REPLY = /^Got it\. Thanks for the additional context!?$/;

function isSummary(message: Fields): boolean {
  return message.type === 'user' && parseUserText(splitParts(message.content).texts).kind === 'summary';
}

/** Gemini CLI counts cached tokens as input too, and thoughts separately from the output. */
function parseUsage(tokens: Fields | undefined): Usage | undefined {
  if (!tokens) return undefined;
  const cached = asCount(tokens.cached) ?? 0;
  const input = (asCount(tokens.input) ?? 0) + (asCount(tokens.tool) ?? 0);
  const outputTokens = (asCount(tokens.output) ?? 0) + (asCount(tokens.thoughts) ?? 0);
  if (input + outputTokens === 0) return undefined;
  return { inputTokens: Math.max(0, input - cached), outputTokens, cacheReadTokens: cached };
}

/** What is needed to continue in the middle of a session. Plain JSON; ids and texts are kept as short hashes. */
type ReaderState = {
  readonly sessionId?: string;
  /** Messages, oldest first: the hash of the id, and a digit for which parts of it were reported. */
  readonly messages: readonly string[];
  /** Recent texts, to recognise them when they come under another id. */
  readonly texts: readonly string[];
  /** The last summary that was reported. */
  readonly summary?: string;
  /** Calls without a result. */
  readonly open: readonly string[];
  /** Calls with a result. */
  readonly ended: readonly string[];
};

/** Which parts of a message were reported: its lines may bring its text, its usage and its calls one after the other. */
interface ReportedParts {
  readonly text: boolean;
  readonly usage: boolean;
}

/** The state at the beginning of a file. */
const INITIAL_STATE: ReaderState = { messages: [], texts: [], open: [], ended: [] };

/** How many items of each kind are remembered: the position has to stay small. */
const MAX_REMEMBERED = 120;
const HASH_LENGTH = 8;
/** In characters. */
const HASHED_END = 64;

/** A short hash of a text; for a long one, of its length and its ends. */
function shortHash(text: string): string {
  const key =
    text.length <= 2 * HASHED_END ? text : `${text.length} ${text.slice(0, HASHED_END)}${text.slice(-HASHED_END)}`;
  return textHash(key).toString(36).padStart(HASH_LENGTH, '0').slice(-HASH_LENGTH);
}

/** The list with one more item; the oldest goes when it gets too long. */
function appendRecent(list: readonly string[], item: string): readonly string[] {
  return [...list.slice(1 - MAX_REMEMBERED), item];
}

/** Which parts of a message were reported; undefined when it is new. */
function findReported(state: ReaderState, id: string): ReportedParts | undefined {
  const hash = shortHash(id);
  const known = state.messages.findLast((message) => message.startsWith(hash));
  const bits = known === undefined ? undefined : Number(known.slice(HASH_LENGTH));
  return bits === undefined ? undefined : { text: (bits & 1) !== 0, usage: (bits & 2) !== 0 };
}

/** The messages of a state, with the reported parts of this one. */
function markReported(state: ReaderState, id: string, parts: ReportedParts): readonly string[] {
  const hash = shortHash(id);
  const others = state.messages.filter((message) => !message.startsWith(hash));
  return appendRecent(others, `${hash}${(parts.text ? 1 : 0) + (parts.usage ? 2 : 0)}`);
}

/** Parses a stored state; malformed parts are dropped. */
function parseState(fields: Fields): ReaderState {
  const names = (value: unknown) => asList(value).flatMap((name) => asName(name) ?? []);
  return {
    ...omitUndefined({ sessionId: asName(fields.sessionId), summary: asName(fields.summary) }),
    messages: names(fields.messages),
    texts: names(fields.texts),
    open: names(fields.open),
    ended: names(fields.ended),
  };
}
