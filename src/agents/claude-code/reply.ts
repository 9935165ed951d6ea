import { omitUndefined } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import { asCount, asFields, asInput, asName, asObjects, asText, type Fields } from '../transcript/fields.ts';
import {
  type CallEvent,
  type MessageEvent,
  problem,
  type ResultEvent,
  type SkipEvent,
  skip,
  type TranscriptEvent,
  unknownType,
} from '../transcript/transcript.ts';
import type { Line } from './lines.ts';

/** A larger reply is reported before it is complete, so that no file can exhaust the memory. */
const MAX_CALLS = 1000;
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** A reply of the model. Claude Code writes one line per block. */
export class Reply {
  readonly sessionId: string;
  readonly id: string;
  readonly #timestamp: string | undefined;
  readonly #texts: string[] = [];
  readonly #calls: (CallEvent | ResultEvent)[] = [];
  #textLength = 0;
  #model: string | undefined;
  #usage: Usage | undefined;

  constructor(sessionId: string, id: string, timestamp: string | undefined) {
    this.sessionId = sessionId;
    this.id = id;
    this.#timestamp = timestamp;
  }

  addText(text: string): void {
    this.#texts.push(text);
    this.#textLength += text.length;
  }

  /** A call, or the result of one that the provider ran itself. */
  addCall(call: CallEvent | ResultEvent): void {
    this.#calls.push(call);
  }

  /** The last line of a reply has its final usage. */
  setUsage(usage: Usage | undefined, model: string | undefined): void {
    this.#usage = usage ?? this.#usage;
    this.#model = model ?? this.#model;
  }

  isLarge(): boolean {
    return this.#calls.length >= MAX_CALLS || this.#textLength >= MAX_TEXT_LENGTH;
  }

  hasText(): boolean {
    return this.#texts.length > 0;
  }

  /** The message and its calls. `messages` is how many this reply became before; the first one has its usage. */
  events(messages: number): readonly TranscriptEvent[] {
    const text = this.#texts.join('\n\n');
    const usage = messages === 0 ? this.#usage : undefined;
    if (text === '' && !usage) return this.#calls;
    const message: MessageEvent = {
      type: 'message',
      sessionId: this.sessionId,
      id: messages === 0 ? this.id : `${this.id}:${messages + 1}`,
      role: 'assistant',
      text,
      ...omitUndefined({ timestamp: this.#timestamp, model: this.#model, usage }),
    };
    return [message, ...this.#calls];
  }
}

/**
 * Usage as the provider reports it for a message; undefined when nothing was used. A message without a reason to stop was
 * recorded at its start, with a placeholder for its output tokens.
 */
export function parseUsage({ usage: value, stop_reason: stopReason }: Fields): Usage | undefined {
  const fields: Fields | undefined = asFields(value);
  if (!fields) return undefined;
  const written: Fields | undefined = asFields(fields.cache_creation);
  const usage = omitUndefined({
    inputTokens: asCount(fields.input_tokens),
    outputTokens: asCount(fields.output_tokens),
    cacheReadTokens: asCount(fields.cache_read_input_tokens),
    cacheWriteTokens: asCount(fields.cache_creation_input_tokens),
  });
  if (!Object.values(usage).some((count) => count > 0)) return undefined;
  return {
    ...usage,
    ...omitUndefined({
      cacheHourTokens: asCount(written?.ephemeral_1h_input_tokens) || undefined,
      incompleteReplies: stopReason === null ? 1 : undefined,
    }),
  };
}

const NO_CONTENT = '(no content)';

/** Adds a block of a line to its reply; returns why if it is skipped. */
export function addBlock(reply: Reply, block: Fields, line: Line): SkipEvent | undefined {
  const type = asText(block.type) ?? '';
  if (type === 'text') return addText(reply, block);
  if (type === 'thinking' || type === 'redacted_thinking') return skip('thinking');
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') return addCall(reply, block, line);
  if (type.endsWith('_tool_result')) return addResult(reply, block, line);
  return unknownType('block', type);
}

function addText(reply: Reply, block: Fields): SkipEvent | undefined {
  const text = asText(block.text);
  if (text === undefined) return problem('block without text');
  if (text.trim() === '' || text === NO_CONTENT) return skip('empty text');
  reply.addText(text);
  return undefined;
}

function addCall(reply: Reply, block: Fields, line: Line): SkipEvent | undefined {
  const callId = asName(block.id);
  const tool = asName(block.name);
  if (callId === undefined || tool === undefined) return problem('call without an id or a name');
  const { sessionId, timestamp, cwd } = line;
  reply.addCall({
    type: 'call',
    sessionId,
    callId,
    tool,
    input: asInput(block.input),
    ...omitUndefined({ timestamp, cwd }),
  });
  return undefined;
}

/** The provider ran the tool itself, e.g. a web search. */
function addResult(reply: Reply, block: Fields, line: Line): SkipEvent | undefined {
  const callId = asName(block.tool_use_id);
  if (callId === undefined) return problem('result without a call');
  const error = asName(asFields(block.content)?.error_code);
  const lines = asObjects(block.content).map(
    (part) => asText(part.text) ?? [part.title, part.url].filter(asText).join(' '),
  );
  const output = error ?? lines.join('\n');
  const isError = error !== undefined || block.is_error === true;
  const { sessionId, timestamp } = line;
  reply.addCall({
    type: 'result',
    sessionId,
    callId,
    ...omitUndefined({ timestamp }),
    result: { status: isError ? 'error' : 'ok', output },
  });
  return undefined;
}
