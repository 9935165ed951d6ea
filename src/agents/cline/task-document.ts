import { omitUndefined } from '../../record/object.ts';
import type { Role, Usage } from '../../record/record.ts';
import { hashItem, type TranscriptDocument } from '../transcript/document.ts';
import { extractElements } from '../transcript/elements.ts';
import { asCount, asFields, asList, asName, asObjects, asText, type Fields, listTexts } from '../transcript/fields.ts';
import { problem, skip, type TranscriptEvent, unknownType } from '../transcript/transcript.ts';
import { parseCallResult, parseCommandOperation, parseToolOperations } from './call-result.ts';
import type { ClineTask } from './task.ts';
import { findWorkingFolder, parseUserMessage, type TurnResult, type UserMessage } from './user-message.ts';

/** Tools with which the model talks to the user, and the input field that holds what it says. */
const TALKING_TOOLS: Readonly<Record<string, string>> = {
  ask_followup_question: 'question',
  attempt_completion: 'result',
  plan_mode_respond: 'response',
};

const INTERRUPTION = /\[Response interrupted by [^\]]{1,200}\]\s*$/;
const THINKING: ReadonlySet<string> = new Set(['thinking']);

/** Turns the messages of a task into events. */
export class TaskDocument implements TranscriptDocument {
  readonly items: readonly Fields[];
  readonly #task: ClineTask;
  readonly #cwd: string | undefined;
  /** Calls without an id whose result has not come yet, in order. */
  #pending: { readonly tool: string; readonly callId: string }[] = [];
  /** Tools by call id. */
  readonly #tools = new Map<string, string>();
  /** The number of commands by call id, for calls that run several. */
  readonly #commandCounts = new Map<string, number>();
  /** How often the same content has come, by its hash: messages without an id get one from these. */
  readonly #occurrences = new Map<number, number>();
  #time: number | undefined;
  #usage: Usage | undefined;

  constructor(task: ClineTask) {
    this.#task = task;
    this.items = task.messages;
    this.#time = task.startedAt;
    this.#usage = task.usage.get(-1);
    this.#cwd = task.cwd ?? findFolder(task.messages);
  }

  *read(index: number): Generator<TranscriptEvent> {
    if (index === 0) yield this.#session();
    const message = this.items[index] ?? {};
    const id = this.#getId(message);
    this.#advanceTime(message, index);
    if (message.isSummary === true) yield this.#summary(message, id);
    else if (message.role === 'user') yield* this.#user(parseUserMessage(message.content), id);
    else if (message.role === 'assistant') yield* this.#assistant(message, id);
    else yield unknownType('message', message.role ?? message.type);
    // Usage after this message belongs to the reply that follows.
    this.#usage = this.#task.usage.get(index) ?? this.#usage;
  }

  #session(): TranscriptEvent {
    const { sessionId, parentSessionId, models } = this.#task;
    return {
      type: 'session',
      sessionId,
      ...omitUndefined({ parentSessionId, cwd: this.#cwd, model: models[0]?.model }),
    };
  }

  #summary(message: Fields, id: string): TranscriptEvent {
    const text = joinTexts(message.content);
    return {
      type: 'message',
      ...this.#base(),
      id,
      role: 'assistant',
      text,
      kind: 'checkpoint',
      isSystem: true,
    };
  }

  *#user(turn: UserMessage, id: string): Generator<TranscriptEvent> {
    for (const result of turn.results) yield* this.#result(result);
    if (turn.hasInjected) yield skip('injected text');
    const { text, images } = turn;
    if (text === '' && images.length === 0) return;
    yield {
      type: 'message',
      ...this.#base(),
      id,
      role: 'user',
      text,
      ...(images.length > 0 ? { images } : {}),
    };
  }

  *#result({ callId, tool, text, isError, operations }: TurnResult): Generator<TranscriptEvent> {
    const call = callId === undefined ? this.#takePending(tool) : this.#findCall(callId);
    if (!call) {
      if (tool === undefined || !Object.hasOwn(TALKING_TOOLS, tool)) yield skip('result without a call');
      return;
    }
    const results =
      call.tool === COMMANDS_TOOL && operations.length > 0
        ? operations.map(parseCommandOperation)
        : [operations.length > 0 ? parseToolOperations(operations) : parseCallResult(call.tool, text, isError)];
    const [first] = results;
    // A call that was not made has one result for all its commands.
    const count = Math.max(results.length, this.#commandCounts.get(call.callId) ?? 1);
    for (let at = 0; at < count; at++) {
      const result = results[at] ?? first;
      if (result) yield { type: 'result', ...this.#base(), callId: getCommandId(call.callId, at), result };
    }
  }

  *#assistant(message: Fields, id: string): Generator<TranscriptEvent> {
    const text = joinTexts(message.content);
    const interruption = INTERRUPTION.exec(text);
    const { said, tools } = parseToolsInText(interruption ? text.slice(0, interruption.index).trimEnd() : text);
    const thought = extractElements(said, THINKING);
    const blocks = typeof message.content === 'string' ? [] : asObjects(message.content);
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    const isThinking = ({ type }: Fields) =>
      type === 'thinking' || type === 'reasoning' || type === 'redacted_thinking';
    if (thought.elements.length > 0 || blocks.some(isThinking)) yield skip('thinking');
    const texts = [
      thought.rest.trim(),
      ...tools.map(({ tool, input }) => getSaid(tool, input)),
      ...calls.map(({ name, input }) => getSaid(name, asFields(input) ?? {})),
    ].filter((text) => text !== '');
    yield* this.#message('assistant', texts.join('\n\n'), id, message);
    for (const [at, { tool, input }] of tools.entries()) {
      if (Object.hasOwn(TALKING_TOOLS, tool)) continue;
      const callId = `${id}-${at + 1}`;
      this.#pending.push({ tool, callId });
      yield { type: 'call', ...this.#base(), callId, tool, input };
    }
    for (const block of calls) yield* this.#call(block);
  }

  *#call(block: Fields): Generator<TranscriptEvent> {
    const tool = asName(block.name);
    const callId = asName(block.id);
    if (tool === undefined || callId === undefined) return yield problem('call without a name or an id');
    this.#tools.set(callId, tool);
    if (Object.hasOwn(TALKING_TOOLS, tool)) return;
    const input = asFields(block.input) ?? {};
    const commands = tool === COMMANDS_TOOL ? listCommands(input) : [];
    this.#commandCounts.set(callId, commands.length);
    if (commands.length === 0) yield { type: 'call', ...this.#base(), callId, tool, input };
    for (const [at, command] of commands.entries()) {
      yield { type: 'call', ...this.#base(), callId: getCommandId(callId, at), tool, input: { command } };
    }
  }

  *#message(role: Role, text: string, id: string, message: Fields): Generator<TranscriptEvent> {
    const usage = parseUsage(message) ?? this.#usage;
    this.#usage = undefined;
    if (text === '' && !usage) return;
    const model = this.#findModel(message);
    yield { type: 'message', ...this.#base(), id, role, text, ...omitUndefined({ model, usage }) };
  }

  #findCall(callId: string): { readonly tool: string; readonly callId: string } | undefined {
    const tool = this.#tools.get(callId);
    return tool === undefined || Object.hasOwn(TALKING_TOOLS, tool) ? undefined : { tool, callId };
  }

  /** The call that a result without an id belongs to: the first pending one of its tool. */
  #takePending(tool: string | undefined): { readonly tool: string; readonly callId: string } | undefined {
    const at = this.#pending.findIndex((call) => tool === undefined || call.tool === tool);
    return at < 0 ? undefined : this.#pending.splice(at, 1)[0];
  }

  #base(): { readonly sessionId: string; readonly timestamp?: string } {
    const { sessionId } = this.#task;
    return {
      sessionId,
      ...(this.#time === undefined ? {} : { timestamp: new Date(this.#time).toISOString() }),
    };
  }

  /** A message without a time is a moment later than the one before. */
  #advanceTime(message: Fields, index: number): void {
    const time = asCount(message.ts) ?? this.#task.times.get(index);
    if (time !== undefined && time < MAX_TIME) this.#time = time;
    else if (this.#time !== undefined && index > 0) this.#time++;
  }

  #findModel(message: Fields): string | undefined {
    const info = asFields(message.modelInfo);
    const own = asName(info?.modelId) ?? asName(info?.id);
    const time = this.#time ?? 0;
    return own ?? this.#task.models.findLast(({ from }) => from <= time)?.model ?? this.#task.models[0]?.model;
  }

  #getId(message: Fields): string {
    const own = asName(message.id);
    if (own !== undefined) return own;
    const hash = hashItem(message);
    const count = (this.#occurrences.get(hash) ?? 0) + 1;
    this.#occurrences.set(hash, count);
    return `${this.#task.sessionId}-${hash.toString(36)}${count > 1 ? `-${count}` : ''}`;
  }
}

/** The tool of the CLI that runs several commands in one call. Each is reported as a call. */
const COMMANDS_TOOL = 'run_commands';

function getCommandId(callId: string, at: number): string {
  return at === 0 ? callId : `${callId}-${at + 1}`;
}

/** A command is a line for the shell, or a program with its arguments. */
function listCommands({ commands }: Fields): readonly string[] {
  return (typeof commands === 'string' ? [commands] : asList(commands)).flatMap((command) => {
    const { command: program, args } = asFields(command) ?? {};
    return asText(command) ?? (asText(program) === undefined ? [] : [program, ...asList(args)].join(' '));
  });
}

/** The latest time that a date can hold. */
const MAX_TIME = 8_640_000_000_000_000;

function getSaid(tool: unknown, input: Fields): string {
  const key = typeof tool === 'string' && Object.hasOwn(TALKING_TOOLS, tool) ? TALKING_TOOLS[tool] : undefined;
  return key === undefined ? '' : (asText(input[key])?.trim() ?? '');
}

function joinTexts(content: unknown): string {
  return listTexts(content).join('\n\n').trim();
}

function parseUsage(message: Fields): Usage | undefined {
  const metrics = asFields(message.metrics);
  if (!metrics) return undefined;
  const tokens = asFields(metrics.tokens);
  const usage: Usage = omitUndefined({
    inputTokens: asCount(metrics.inputTokens) ?? asCount(tokens?.prompt),
    outputTokens: asCount(metrics.outputTokens) ?? asCount(tokens?.completion),
    cacheReadTokens: asCount(metrics.cacheReadTokens) ?? asCount(tokens?.cached),
    cacheWriteTokens: asCount(metrics.cacheWriteTokens),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function findFolder(messages: readonly Fields[]): string | undefined {
  for (const message of messages) {
    const folder = message.role === 'user' ? findWorkingFolder(message.content) : undefined;
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** A tool call in the text of a reply, as older versions make it: `<execute_command><command>…</command></…>`. */
interface ToolInText {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

const TOOLS = [
  'access_mcp_resource',
  'apply_diff',
  'ask_followup_question',
  'attempt_completion',
  'browser_action',
  'codebase_search',
  'condense',
  'edit_file',
  'execute_command',
  'fetch_instructions',
  'insert_content',
  'list_code_definition_names',
  'list_files',
  'load_mcp_documentation',
  'new_rule',
  'new_task',
  'plan_mode_respond',
  'read_file',
  'replace_in_file',
  'run_slash_command',
  'search_and_replace',
  'search_files',
  'summarize_task',
  'switch_mode',
  'update_todo_list',
  'use_mcp_tool',
  'use_skill',
  'web_fetch',
  'web_search',
  'write_to_file',
];
const OPENING = new RegExp(`<(${TOOLS.join('|')})>`, 'g');

/** Values that may contain their own closing tag: they end at the last one. */
const FREE_VALUES: ReadonlySet<string> = new Set(['args', 'arguments', 'command', 'content', 'diff', 'result']);

/** Separates what a reply says from the tools it calls. A call without an end was interrupted and does not count. */
function parseToolsInText(text: string): { readonly said: string; readonly tools: readonly ToolInText[] } {
  const tools: ToolInText[] = [];
  const said: string[] = [];
  let from = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    const tool = found[1] ?? '';
    const start = OPENING.lastIndex;
    const end = text.indexOf(`</${tool}>`, start);
    if (end < 0) {
      // Only the last call can lack its end: the rest of the text belongs to it.
      said.push(text.slice(from, found.index));
      from = text.length;
      break;
    }
    said.push(text.slice(from, found.index));
    tools.push({ tool, input: parseValues(text.slice(start, end)) });
    from = end + tool.length + 3;
    OPENING.lastIndex = from;
  }
  said.push(text.slice(from));
  return { said: said.join('').trim(), tools };
}

const VALUE = /<([a-z_]{1,40})>/g;

function parseValues(body: string): Record<string, string> {
  const values = new Map<string, string>();
  const value = new RegExp(VALUE);
  for (let found = value.exec(body); found; found = value.exec(body)) {
    const name = found[1] ?? '';
    const start = value.lastIndex;
    const closing = `</${name}>`;
    const end = FREE_VALUES.has(name) ? body.lastIndexOf(closing) : body.indexOf(closing, start);
    if (end < start) continue;
    if (!values.has(name)) values.set(name, body.slice(start, end).trim());
    value.lastIndex = end + closing.length;
  }
  return Object.fromEntries(values);
}
