import { join } from 'node:path';
import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import { asCount, asFields, asList, asName, asText, asTime, type Fields, listImage } from '../transcript/fields.ts';
import { fileSource, firstFields, listTranscriptFiles } from '../transcript/files.ts';
import { type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import {
  type AgentTranscripts,
  type MessageBase,
  problem,
  skip,
  skipTable,
  type TranscriptEvent,
  type TranscriptImage,
  type TranscriptLocations,
  unknownType,
} from '../transcript/transcript.ts';

/**
 * The sessions of pi: `~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`. `PI_CODING_AGENT_DIR` moves `~/.pi/agent`,
 * `PI_CODING_AGENT_SESSION_DIR` only the sessions, which are all in that folder then.
 */
export const piTranscripts: AgentTranscripts = {
  agent: 'pi',
  find: (places) => {
    const paths = listSessionFolders(places).flatMap((folder) =>
      listTranscriptFiles(folder, (name) => name.endsWith('.jsonl'), 1),
    );
    return [...new Set(paths)].flatMap((path) => fileSource('pi', path) ?? []);
  },
  recognises: (path) => {
    const header = firstFields(path);
    return header?.type === 'session' && asName(header.id) !== undefined && typeof header.cwd === 'string';
  },
  read: (source, position) =>
    readJsonLines(source, position, (state) => new PiLineReader(state, parseSessionId(source.path) ?? 'unknown')),
};

function listSessionFolders({ home, env }: TranscriptLocations): readonly string[] {
  const sessions = join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions');
  const moved = env.PI_CODING_AGENT_SESSION_DIR;
  return moved ? [sessions, moved] : [sessions];
}

/** Types of lines that are skipped, and why. */
const SKIPPED_LINES: ReadonlyMap<unknown, string> = skipTable({
  'change of settings': 'thinking_level_change',
  'change of the context': 'context_edit',
  label: 'label',
  'data of an extension': 'custom',
  'injected text': 'custom_message',
});

/**
 * Reads the lines of a pi session. They form a tree, each line a child of the one it followed. Every branch was said, so
 * the order in the file is the order of events. `fileSessionId` is for a file whose first line is damaged.
 */
class PiLineReader implements LineReader {
  #state: Fields;

  constructor(state: Fields | undefined, fileSessionId: string) {
    this.#state = state ?? { fileSessionId };
  }

  state(): Fields {
    return this.#state;
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    if (line.type === 'session') return yield* this.#session(line);
    const reason = SKIPPED_LINES.get(line.type);
    if (reason !== undefined) return yield skip(reason);
    if (asName(this.#state.sessionId) === undefined) yield this.#reportSession({ sessionId: this.#sessionId() });
    switch (line.type) {
      case 'message':
        return yield* this.#message(line);
      case 'compaction':
      case 'branch_summary':
        return yield {
          ...this.#messageBase(line),
          role: 'user',
          text: asText(line.summary) ?? '',
          kind: 'checkpoint',
          isSystem: true,
          ...omitUndefined({ usage: parseUsage(asFields(line.usage)) }),
        };
      case 'session_info':
        return yield {
          type: 'session',
          sessionId: this.#sessionId(),
          ...omitUndefined({ title: asText(line.name) }),
          isTitleChosen: true,
        };
      case 'usage':
        return yield* this.#usage(line, line);
      case 'model_change':
        return yield {
          type: 'session',
          sessionId: this.#sessionId(),
          ...omitUndefined({ model: asName(line.modelId) }),
        };
      default:
        yield unknownType('line', line.type);
    }
  }

  *#session(line: Fields): Generator<TranscriptEvent> {
    const sessionId = asName(line.id) ?? this.#sessionId();
    const parentSessionId = parseSessionId(asText(line.parentSession) ?? '');
    const cwd = asText(line.cwd);
    yield this.#reportSession({
      sessionId,
      ...(parentSessionId === undefined ? {} : { parentSessionId, isFork: true }),
      ...(cwd ? { cwd } : {}),
    });
  }

  #reportSession(session: Omit<Extract<TranscriptEvent, { type: 'session' }>, 'type'>): TranscriptEvent {
    this.#state = { ...this.#state, sessionId: session.sessionId };
    return { type: 'session', ...session };
  }

  #sessionId(): string {
    return asName(this.#state.sessionId) ?? asName(this.#state.fileSessionId) ?? 'unknown';
  }

  *#message(line: Fields): Generator<TranscriptEvent> {
    const message = asFields(line.message);
    switch (message?.role) {
      case 'user':
        return yield* this.#fromUser(line, message);
      case 'assistant':
        return yield* this.#fromModel(line, message);
      case 'toolResult':
        return yield* this.#toolResult(line, message);
      case 'bashExecution':
        return yield* this.#userCommand(line, message);
      case 'custom':
      case 'hookMessage':
        return yield INJECTED;
      case 'system':
        return yield skip('system prompt');
      default:
        yield unknownType('role', message?.role);
    }
  }

  *#fromUser(line: Fields, message: Fields): Generator<TranscriptEvent> {
    const { text, images } = splitContent(message.content);
    const typed = extractTyped(text);
    if (typed === '' && images.length === 0) return yield text === '' ? EMPTY : INJECTED;
    yield {
      ...this.#messageBase(line, message),
      role: 'user',
      text: typed,
      ...(images.length === 0 ? {} : { images }),
    };
  }

  *#fromModel(line: Fields, message: Fields): Generator<TranscriptEvent> {
    const { text, calls } = splitContent(message.content);
    const base = { ...this.#messageBase(line, message), role: 'assistant' as const };
    const model = asName(message.model);
    const usage = parseUsage(asFields(message.usage));
    const hasFailed = message.stopReason === 'error' || message.stopReason === 'aborted';
    if (text !== '' || usage) yield { ...base, text, ...omitUndefined({ model, usage }) };
    else if (calls.length === 0 && !hasFailed) yield EMPTY;
    for (const call of calls) yield* this.#call(line, message, call);
    if (hasFailed) yield* this.#failedReply(line, message, calls, base);
  }

  *#call(line: Fields, message: Fields, call: Fields): Generator<TranscriptEvent> {
    const callId = asName(call.id);
    const tool = asName(call.name);
    if (callId === undefined || tool === undefined) return yield problem('tool call without id or name');
    const { sessionId, timestamp } = this.#messageBase(line, message);
    const input = asFields(call.arguments) ?? {};
    yield { type: 'call', sessionId, callId, tool, input, ...omitUndefined({ timestamp }) };
  }

  /** Calls in an interrupted reply are not made. A provider error is worth keeping. */
  *#failedReply(
    line: Fields,
    message: Fields,
    calls: readonly Fields[],
    base: MessageBase,
  ): Generator<TranscriptEvent> {
    const { sessionId, timestamp } = base;
    const status = message.stopReason === 'aborted' ? 'interrupted' : 'cancelled';
    for (const call of calls) {
      const callId = asName(call.id);
      if (callId === undefined || asName(call.name) === undefined) continue;
      yield { type: 'result', sessionId, callId, ...omitUndefined({ timestamp }), result: { status } };
    }
    const text = asText(message.errorMessage) ?? '';
    if (text === '' || message.stopReason === 'aborted') return;
    const id = asName(line.id);
    yield {
      type: 'message',
      sessionId,
      ...omitUndefined({ timestamp, id: id === undefined ? undefined : `${id}-error` }),
      role: 'assistant',
      text,
      isSystem: true,
    };
  }

  *#toolResult(line: Fields, message: Fields): Generator<TranscriptEvent> {
    const callId = asName(message.toolCallId);
    if (callId === undefined) return yield problem('result of no call');
    const { text, images } = splitContent(message.content);
    const { sessionId, timestamp } = this.#messageBase(line, message);
    const result = parseToolResult(asName(message.toolName) ?? '', text, message.isError === true);
    yield { type: 'result', sessionId, callId, ...omitUndefined({ timestamp }), result };
    for (const _ of images) yield skip('image in a result');
    if (asFields(message.usage)) yield* this.#usage(line, message);
  }

  /** Usage outside of replies: of a tool that asks a model, or to keep a cache warm. */
  *#usage(line: Fields, source: Fields): Generator<TranscriptEvent> {
    const usage = parseUsage(asFields(source.usage));
    if (!usage) yield EMPTY;
    else
      yield {
        ...this.#messageBase(line),
        role: 'assistant',
        text: '',
        ...omitUndefined({ model: asName(source.model) }),
        usage,
      };
  }

  *#userCommand(line: Fields, message: Fields): Generator<TranscriptEvent> {
    const command = asText(message.command);
    const { sessionId, timestamp, id } = this.#messageBase(line, message);
    const callId = id ?? timestamp;
    if (!command || callId === undefined) return yield problem('command of the user without text');
    const when = omitUndefined({ timestamp });
    yield { type: 'call', sessionId, callId: `user-${callId}`, tool: 'bash', input: { command }, ...when };
    const result = toUserCommandResult(
      asText(message.output) ?? '',
      asCount(message.exitCode),
      message.cancelled === true,
    );
    yield { type: 'result', sessionId, callId: `user-${callId}`, ...when, result };
  }

  #messageBase(line: Fields, message?: Fields): MessageBase {
    const timestamp = asTime(line.timestamp) ?? asTime(message?.timestamp);
    return { type: 'message', sessionId: this.#sessionId(), ...omitUndefined({ id: asName(line.id), timestamp }) };
  }
}

const INJECTED = skip('injected text');
const EMPTY = skip('empty message');

/** The session id in a file name: `<time>_<id>.jsonl`. */
function parseSessionId(path: string): string | undefined {
  return /(?:^|[/\\_])([^/\\_]{1,200})\.jsonl$/.exec(path)?.[1];
}

/** Undefined when nothing was used. */
function parseUsage(usage: Fields | undefined): Usage | undefined {
  if (!usage) return undefined;
  const counts = omitUndefined({
    inputTokens: asCount(usage.input),
    outputTokens: asCount(usage.output),
    cacheReadTokens: asCount(usage.cacheRead),
    cacheWriteTokens: asCount(usage.cacheWrite),
  });
  return Object.values(counts).some((count) => count !== undefined && count > 0) ? counts : undefined;
}

/** The last line of a failed command of the `bash` tool. */
const EXIT_CODE = /Command exited with code (\d{1,5})\s*$/;
const ABORTED = /(?:^|\n)(?:Command|Operation|Request) (?:was )?aborted\.?\s*$/;
const SKIPPED = /^Skipped due to queued user message/;
const INVALID = /^(?:Validation failed for tool "|Tool \S+ not found)/;
/** Blocked by an extension; yore's reasons begin with its name. */
const BLOCKED = /^(?:Tool execution was blocked|yore: )/;
const NO_OUTPUT = '(no output)';
/** How far from the end the last line is looked for, in characters. */
const TAIL_LENGTH = 200;

/** The result of a tool call, from the text for the model and whether pi considers it an error. */
function parseToolResult(tool: string, text: string, isError: boolean): CallResult {
  if (!isError) {
    const output = text === NO_OUTPUT ? '' : text;
    return { status: 'ok', output, ...(tool === 'bash' ? { exitCode: 0 } : {}) };
  }
  const tail = text.slice(-TAIL_LENGTH);
  const exit = EXIT_CODE.exec(tail);
  if (exit) {
    const output = text.slice(0, text.length - tail.length + exit.index).trimEnd();
    return { status: 'error', output: output === NO_OUTPUT ? '' : output, exitCode: Number(exit[1]) };
  }
  return { status: parseStatus(text), output: text };
}

function parseStatus(text: string): CallResult['status'] {
  if (ABORTED.test(text.slice(-TAIL_LENGTH))) return 'interrupted';
  if (SKIPPED.test(text)) return 'cancelled';
  if (BLOCKED.test(text)) return 'denied';
  return INVALID.test(text) ? 'invalid' : 'error';
}

/** The result of a command that the user ran with `!`. */
function toUserCommandResult(output: string, exitCode: number | undefined, isCancelled: boolean): CallResult {
  if (isCancelled) return { status: 'interrupted', output };
  if (exitCode === undefined) return { status: 'unknown', output };
  return { status: exitCode === 0 ? 'ok' : 'error', output, exitCode };
}

/** The parts of a message by kind. Thinking is left out. */
interface MessageContent {
  readonly text: string;
  readonly images: readonly TranscriptImage[];
  readonly calls: readonly Fields[];
}

/** Splits the content of a message, a text or a list of blocks. */
function splitContent(content: unknown): MessageContent {
  if (typeof content === 'string') return { text: content, images: [], calls: [] };
  const texts: string[] = [];
  const images: TranscriptImage[] = [];
  const calls: Fields[] = [];
  for (const item of asList(content)) {
    const block = asFields(item);
    if (block?.type === 'text') texts.push(asText(block.text) ?? '');
    if (block?.type === 'toolCall') calls.push(block);
    if (block?.type === 'image') images.push(...listImage(block));
  }
  return { text: texts.filter((text) => text !== '').join('\n'), images, calls };
}

/** A file named on the command line, or a skill: pi puts its whole text before the prompt. */
const INSERTED = /\s*<(file|skill) name="[^"\n]{0,4000}"[^>\n]{0,4000}>/y;

/** What the user typed, without the files and skills that pi put before it. */
function extractTyped(text: string): string {
  let start = 0;
  for (;;) {
    INSERTED.lastIndex = start;
    const opening = INSERTED.exec(text);
    const closing = `</${opening?.[1]}>`;
    const end = opening ? text.indexOf(closing, INSERTED.lastIndex) : -1;
    if (end < 0) return start === 0 ? text : text.slice(start).trim();
    start = end + closing.length;
  }
}
