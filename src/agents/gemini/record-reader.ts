import type { CallResult } from '../../memory/index.ts';
import type { Usage } from '../../record/index.ts';
import {
  asCount,
  asFields,
  asList,
  asName,
  asObjects,
  asText,
  asTime,
  defined,
  type Fields,
} from '../transcript/fields.ts';
import type { LineReader } from '../transcript/line-reading.ts';
import { problem, skip, type TranscriptEvent, unknownType } from '../transcript/transcript-event.ts';
import {
  asReaderState,
  geminiParts,
  MOST_REMEMBERED,
  NOTHING_READ,
  type ReaderState,
  remembering,
  shortHash,
  telling,
  toldOf,
  userWords,
} from './reader-state.ts';
import { geminiResponse, geminiResult } from './tool-result.ts';

/** What the file's place tells. */
export interface FilePlace {
  /** For a file that does not say whose it is. */
  readonly sessionId: string;
  /** The session whose sub-agent this is. */
  readonly parentSessionId?: string;
  readonly cwd?: string;
}

/**
 * Reads the records of a session of Gemini CLI. A message may come again under its id, with more in it: each part of it
 * is told when it is met first. What was rewound stays, since it was said. `$set` with messages replaces what the model
 * sees, e.g. by a summary: only what is new in it is told.
 */
export class GeminiRecordReader implements LineReader {
  readonly #place: FilePlace;
  #state: ReaderState;
  #stateFields: Fields;

  constructor(state: Fields | undefined, place: FilePlace) {
    this.#place = place;
    this.#state = state ? asReaderState(state) : NOTHING_READ;
    this.#stateFields = { ...this.#state };
  }

  state(): Fields {
    return this.#stateFields;
  }

  skipReason(head: string): string | undefined {
    return /^\{"\$set":\{"lastUpdated":"[^"]{0,80}"\}\}\r?$/.test(head) ? METADATA.reason : undefined;
  }

  *read(record: Fields): Generator<TranscriptEvent> {
    if (asName(record.id) !== undefined) {
      if (this.#state.sessionId === undefined) yield this.#session({});
      yield* this.message(record);
      return;
    }
    const change = asFields(record.$set);
    if (asName(record.$rewindTo) !== undefined) yield skip('rewind');
    else if (change) yield* this.#change(change);
    else if (asName(record.sessionId) !== undefined) yield* this.#header(record);
    else yield problem('unknown line');
  }

  /** The first line of a file, or the fields of a whole document. In some versions it holds the messages. */
  *#header(record: Fields): Generator<TranscriptEvent> {
    yield this.#session(record);
    for (const message of asObjects(record.messages)) yield* this.message(message);
  }

  *#change(change: Fields): Generator<TranscriptEvent> {
    const sessionId = asName(change.sessionId);
    const isOther = sessionId !== undefined && sessionId !== this.#state.sessionId;
    if (isOther || this.#state.sessionId === undefined) yield this.#session(change);
    if (Array.isArray(change.messages)) yield* this.#context(asObjects(change.messages));
    else if (!isOther) yield METADATA;
  }

  /** What the model sees from now on: old messages, maybe shorter and under new ids, and what is not known yet. */
  *#context(messages: readonly Fields[]): Generator<TranscriptEvent> {
    const known = messages.findLastIndex((message) => this.#isKnown(message));
    let isNew = false;
    for (const [index, message] of messages.entries()) {
      const id = asName(message.id);
      const isRecent = index >= messages.length - MOST_REMEMBERED;
      if (id === undefined || (!isRecent && !isSummary(message))) continue;
      if (index > known || isSummary(message) || toldOf(this.#state, id)) {
        for (const event of this.message(message)) {
          if (event === KNOWN) continue;
          isNew = true;
          yield event;
        }
      } else this.#tell(id, '', { text: true, usage: true });
    }
    if (!isNew) yield skip('copy of the context');
  }

  #isKnown(message: Fields): boolean {
    const id = asName(message.id);
    if (id !== undefined && toldOf(this.#state, id) !== undefined) return true;
    const text = geminiParts(message.content).texts.join('\n');
    return text !== '' && this.#state.texts.includes(shortHash(text));
  }

  /** Tells what is new in a message. */
  *message(message: Fields): Generator<TranscriptEvent> {
    const id = asName(message.id);
    if (id === undefined) {
      yield problem('message without an id');
      return;
    }
    switch (message.type) {
      case 'user':
        yield* this.#fromUser(id, message);
        return;
      case 'gemini':
        yield* this.#fromModel(id, message);
        return;
      case 'error':
        yield* this.#failure(id, message);
        return;
      case 'info':
      case 'warning':
        yield skip('notice');
        return;
      default:
        yield unknownType('message', message.type);
    }
  }

  *#fromUser(id: string, message: Fields): Generator<TranscriptEvent> {
    const { texts, images, responses } = geminiParts(message.content);
    const timestamp = asTime(message.timestamp);
    yield* this.#responses(responses, timestamp);
    const words = userWords(texts);
    const isSummaryAgain = words.kind === 'summary' && this.#state.summary === shortHash(words.text);
    const isKnown = toldOf(this.#state, id) !== undefined || isSummaryAgain;
    this.#tell(id, texts.join('\n'), { text: true, usage: true });
    if (isKnown) {
      yield KNOWN;
      return;
    }
    const shown = geminiParts(message.displayContent).texts;
    const said = this.#said(id, message);
    if (words.kind === 'summary') {
      this.#remember({ summary: shortHash(words.text) });
      yield { ...said, role: 'user', text: words.text, kind: 'checkpoint', isSystem: true };
    } else if (words.kind === 'typed') {
      const text = shown.length > 0 ? shown.join('\n') : words.text;
      yield { ...said, role: 'user', text, ...(images.length === 0 ? {} : { images }) };
    } else if (images.length > 0 && texts.length === 0) {
      yield { ...said, role: 'user', text: '', images };
    } else if (words.kind === 'command') yield skip('slash command');
    else if (texts.length > 0) yield INJECTED;
    else yield responses.length > 0 ? skip('tool results') : EMPTY;
  }

  *#fromModel(id: string, message: Fields): Generator<TranscriptEvent> {
    const { texts, calls } = geminiParts(message.content);
    const text = texts.join('\n');
    const usage = geminiUsage(asFields(message.tokens));
    const told = toldOf(this.#state, id);
    const isAnswerToSummary = told === undefined && ANSWER_TO_SUMMARY.test(text);
    const givesText = text !== '' && told?.text !== true && !isAnswerToSummary;
    const givesUsage = usage !== undefined && told?.usage !== true;
    if (isAnswerToSummary) yield INJECTED;
    if (givesText || givesUsage) {
      yield {
        // The cost of a message that was told comes later as a message of its own.
        ...this.#said(told?.text === true ? `${id}-usage` : id, message),
        role: 'assistant',
        text: givesText ? text : '',
        ...defined({ model: asName(message.model) }),
        ...(givesUsage ? { usage } : {}),
      };
    }
    this.#tell(id, givesText ? text : '', {
      text: text !== '' || told?.text === true,
      usage: usage !== undefined || told?.usage === true,
    });
    const before = this.#state;
    yield* this.#calls(message, calls);
    if (givesText || givesUsage || isAnswerToSummary || before !== this.#state) return;
    yield told ? KNOWN : EMPTY;
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
      const result = geminiResult(call);
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
    this.#remember({ open: remembering(this.#state.open, hash) });
    yield {
      type: 'call',
      sessionId: this.#sessionId(),
      callId,
      tool: asName(call.name) ?? '',
      input: asFields(call.args) ?? {},
      ...defined({ timestamp }),
    };
  }

  *#responses(responses: readonly Fields[], timestamp: string | undefined): Generator<TranscriptEvent> {
    for (const response of responses) {
      const callId = asName(response.id);
      if (callId !== undefined && this.#state.open.includes(shortHash(callId))) {
        yield* this.#result(callId, geminiResponse(response), timestamp);
      }
    }
  }

  *#result(callId: string, result: CallResult, timestamp: string | undefined): Generator<TranscriptEvent> {
    const hash = shortHash(callId);
    if (this.#state.ended.includes(hash)) return;
    const open = this.#state.open.filter((other) => other !== hash);
    this.#remember({ open, ended: remembering(this.#state.ended, hash) });
    yield { type: 'result', sessionId: this.#sessionId(), callId, ...defined({ timestamp }), result };
  }

  *#failure(id: string, message: Fields): Generator<TranscriptEvent> {
    const text = geminiParts(message.content).texts.join('\n');
    const isKnown = toldOf(this.#state, id) !== undefined;
    this.#tell(id, '', { text: true, usage: true });
    if (text === '' || isKnown) yield isKnown ? KNOWN : EMPTY;
    else yield { ...this.#said(id, message), role: 'assistant', text, isSystem: true };
  }

  #session(fields: Fields): TranscriptEvent {
    const sessionId = asName(fields.sessionId) ?? this.#sessionId();
    const { parentSessionId, cwd = asText(asList(fields.directories)[0]) } = this.#place;
    this.#remember({ sessionId });
    return { type: 'session', sessionId, ...defined({ parentSessionId, cwd }) };
  }

  #sessionId(): string {
    return this.#state.sessionId ?? this.#place.sessionId;
  }

  #said(
    id: string,
    message: Fields,
  ): {
    readonly type: 'message';
    readonly sessionId: string;
    readonly id: string;
    readonly timestamp?: string;
  } {
    const timestamp = asTime(message.timestamp);
    return { type: 'message', sessionId: this.#sessionId(), id, ...defined({ timestamp }) };
  }

  #tell(id: string, text: string, told: { readonly text: boolean; readonly usage: boolean }): void {
    const texts = text === '' ? this.#state.texts : remembering(this.#state.texts, shortHash(text));
    this.#remember({ messages: telling(this.#state, id, told), texts });
  }

  #remember(change: Partial<ReaderState>): void {
    this.#state = { ...this.#state, ...change };
    this.#stateFields = { ...this.#state };
  }
}

const METADATA = skip('metadata');
const INJECTED = skip('injected text');
const EMPTY = skip('empty message');
const KNOWN = skip('message that came before');
/** What is put into the model's mouth after a summary. */
const ANSWER_TO_SUMMARY = /^Got it\. Thanks for the additional context!?$/;

function isSummary(message: Fields): boolean {
  return message.type === 'user' && userWords(geminiParts(message.content).texts).kind === 'summary';
}

/** What a reply cost: Gemini counts what came from the cache as input too, and thoughts apart from the output. */
function geminiUsage(tokens: Fields | undefined): Usage | undefined {
  if (!tokens) return undefined;
  const cached = asCount(tokens.cached) ?? 0;
  const input = (asCount(tokens.input) ?? 0) + (asCount(tokens.tool) ?? 0);
  const outputTokens = (asCount(tokens.output) ?? 0) + (asCount(tokens.thoughts) ?? 0);
  if (input + outputTokens === 0) return undefined;
  return { inputTokens: Math.max(0, input - cached), outputTokens, cacheReadTokens: cached };
}
