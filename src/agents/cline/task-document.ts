import type { CallResult } from '../../memory/index.ts';
import type { Role, Usage } from '../../record/index.ts';
import { fingerprint, type TranscriptDocument } from '../transcript/document.ts';
import { extractElements } from '../transcript/elements.ts';
import {
  asCount,
  asFields,
  asName,
  asObjects,
  asText,
  defined,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';
import { problem, skip, type TranscriptEvent, unknownType } from '../transcript/transcript-event.ts';
import type { ClineTask } from './task.ts';
import { type UserTurn, userTurn, workingFolder } from './user-turn.ts';

/** Tools with which the model speaks to the person, and the value that holds its words. */
const SPEAKING: Readonly<Record<string, string>> = {
  ask_followup_question: 'question',
  attempt_completion: 'result',
  plan_mode_respond: 'response',
};

const CUT_OFF = /\s*\[Response interrupted by [^\]]{1,200}\]\s*$/;
const THINKING: ReadonlySet<string> = new Set(['thinking']);

/** Makes events of the messages of a task. */
export class TaskDocument implements TranscriptDocument {
  readonly items: readonly Fields[];
  readonly #task: ClineTask;
  readonly #cwd: string | undefined;
  /** Calls without an id that wait for their result, in order. */
  #waiting: { readonly tool: string; readonly callId: string }[] = [];
  /** Tools by the id of the call. */
  readonly #tools = new Map<string, string>();
  /** How often a message with the same content was met: ids are made of it. */
  readonly #seen = new Map<number, number>();
  #time: number | undefined;
  #spent: Usage | undefined;

  constructor(task: ClineTask) {
    this.#task = task;
    this.items = task.messages;
    this.#time = task.begun;
    this.#spent = task.usage.get(-1);
    this.#cwd = task.cwd ?? firstFolder(task.messages);
  }

  *read(index: number): Generator<TranscriptEvent> {
    if (index === 0) yield* this.#introduction();
    const message = this.items[index] ?? {};
    const id = this.#idOf(message);
    this.#tellTime(message, index);
    if (message.isSummary === true) yield this.#summary(message, id);
    else if (message.role === 'user') yield* this.#user(userTurn(message.content), id);
    else if (message.role === 'assistant') yield* this.#assistant(message, id);
    else yield unknownType('message', message.role ?? message.type);
    // What was spent after this message is told with the reply that follows.
    this.#spent = this.#task.usage.get(index) ?? this.#spent;
  }

  *#introduction(): Generator<TranscriptEvent> {
    const { sessionId, parentSessionId, models } = this.#task;
    yield {
      type: 'session',
      sessionId,
      ...defined({ parentSessionId, cwd: this.#cwd, model: models[0]?.model }),
    };
  }

  #summary(message: Fields, id: string): TranscriptEvent {
    const text = textOf(message.content);
    const scene = this.#scene();
    return { type: 'message', ...scene, id, role: 'assistant', text, kind: 'checkpoint', isSystem: true };
  }

  *#user(turn: UserTurn, id: string): Generator<TranscriptEvent> {
    for (const { callId, tool, text, isError } of turn.results) {
      const call = callId === undefined ? this.#answered(tool) : this.#known(callId);
      if (call)
        yield {
          type: 'result',
          ...this.#scene(),
          callId: call.callId,
          result: callResult(call.tool, text, isError),
        };
      else if (tool === undefined || !Object.hasOwn(SPEAKING, tool)) yield skip('result without a call');
    }
    if (turn.hasInjected) yield skip('injected text');
    const { words, images } = turn;
    if (words === '' && images.length === 0) return;
    yield {
      type: 'message',
      ...this.#scene(),
      id,
      role: 'user',
      text: words,
      ...(images.length > 0 ? { images } : {}),
    };
  }

  *#assistant(message: Fields, id: string): Generator<TranscriptEvent> {
    const { said, tools } = toolsInText(textOf(message.content).replace(CUT_OFF, ''));
    const thought = extractElements(said, THINKING);
    const blocks = typeof message.content === 'string' ? [] : asObjects(message.content);
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    const isThinking = ({ type }: Fields) =>
      type === 'thinking' || type === 'reasoning' || type === 'redacted_thinking';
    if (thought.elements.length > 0 || blocks.some(isThinking)) yield skip('thinking');
    const words = [
      thought.rest.trim(),
      ...tools.map(({ tool, input }) => spoken(tool, input)),
      ...calls.map(({ name, input }) => spoken(name, asFields(input) ?? {})),
    ].filter((text) => text !== '');
    yield* this.#message('assistant', words.join('\n\n'), id, message);
    for (const [at, { tool, input }] of tools.entries()) {
      if (Object.hasOwn(SPEAKING, tool)) continue;
      const callId = `${id}-${at + 1}`;
      this.#waiting.push({ tool, callId });
      yield { type: 'call', ...this.#scene(), callId, tool, input };
    }
    for (const block of calls) yield* this.#call(block);
  }

  *#call(block: Fields): Generator<TranscriptEvent> {
    const tool = asName(block.name);
    const callId = asName(block.id);
    if (tool === undefined || callId === undefined) {
      yield problem('call without a name or an id');
      return;
    }
    this.#tools.set(callId, tool);
    if (Object.hasOwn(SPEAKING, tool)) return;
    yield { type: 'call', ...this.#scene(), callId, tool, input: asFields(block.input) ?? {} };
  }

  *#message(role: Role, text: string, id: string, message: Fields): Generator<TranscriptEvent> {
    const usage = usageOf(message) ?? this.#spent;
    this.#spent = undefined;
    if (text === '' && !usage) return;
    const model = this.#modelOf(message);
    yield { type: 'message', ...this.#scene(), id, role, text, ...defined({ model, usage }) };
  }

  #known(callId: string): { readonly tool: string; readonly callId: string } | undefined {
    const tool = this.#tools.get(callId);
    return tool === undefined || Object.hasOwn(SPEAKING, tool) ? undefined : { tool, callId };
  }

  /** The call that a result without an id is for: the first of its tool that has none. */
  #answered(tool: string | undefined): { readonly tool: string; readonly callId: string } | undefined {
    const at = this.#waiting.findIndex((call) => tool === undefined || call.tool === tool);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  #scene(): { readonly sessionId: string; readonly timestamp?: string } {
    const { sessionId } = this.#task;
    return {
      sessionId,
      ...(this.#time === undefined ? {} : { timestamp: new Date(this.#time).toISOString() }),
    };
  }

  /** The time of a message; a moment after the one before where nothing tells. */
  #tellTime(message: Fields, index: number): void {
    const told = asCount(message.ts) ?? this.#task.times.get(index);
    if (told !== undefined && told < LAST_TIME) this.#time = told;
    else if (this.#time !== undefined && index > 0) this.#time++;
  }

  #modelOf(message: Fields): string | undefined {
    const info = asFields(message.modelInfo);
    const own = asName(info?.modelId) ?? asName(info?.id);
    const time = this.#time ?? 0;
    return (
      own ?? this.#task.models.findLast(({ from }) => from <= time)?.model ?? this.#task.models[0]?.model
    );
  }

  #idOf(message: Fields): string {
    const own = asName(message.id);
    if (own !== undefined) return own;
    const hash = fingerprint(message);
    const count = (this.#seen.get(hash) ?? 0) + 1;
    this.#seen.set(hash, count);
    return `${this.#task.sessionId}-${hash.toString(36)}${count > 1 ? `-${count}` : ''}`;
  }
}

/** The last moment that a date can hold. */
const LAST_TIME = 8_640_000_000_000_000;

function spoken(tool: unknown, input: Fields): string {
  const key = typeof tool === 'string' && Object.hasOwn(SPEAKING, tool) ? SPEAKING[tool] : undefined;
  return key === undefined ? '' : (asText(input[key])?.trim() ?? '');
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content.trim();
  return asObjects(content)
    .flatMap((block) => (block.type === 'text' ? (asText(block.text) ?? []) : []))
    .join('\n\n')
    .trim();
}

function usageOf(message: Fields): Usage | undefined {
  const metrics = asFields(message.metrics);
  if (!metrics) return undefined;
  const tokens = asFields(metrics.tokens);
  const usage: Usage = defined({
    inputTokens: asCount(metrics.inputTokens) ?? asCount(tokens?.prompt),
    outputTokens: asCount(metrics.outputTokens) ?? asCount(tokens?.completion),
    cacheReadTokens: asCount(metrics.cacheReadTokens) ?? asCount(tokens?.cached),
    cacheWriteTokens: asCount(metrics.cacheWriteTokens),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function firstFolder(messages: readonly Fields[]): string | undefined {
  for (const message of messages) {
    const folder = message.role === 'user' ? workingFolder(message.content) : undefined;
    if (folder !== undefined) return folder;
  }
  return undefined;
}

const DENIED = /^(?:The user denied this operation|User declined|The user rejected)/;
const CANCELLED =
  /^Skipping tool |was not executed because|due to user rejecting a previous tool|Only one tool may be used/;
const INTERRUPTED =
  /interrupted by (?:the )?user|^Tool (?:execution )?was interrupted|\[Response interrupted/i;
const INVALID = /Missing value for required parameter|Missing required parameter|without value for required/;
const FAILED =
  /^(?:The tool execution failed with the following error|Tool execution failed|Error executing |Error:|\[ERROR\])/;
const EXIT_CODE = /exit code:?\s*(-?\d{1,10})\b/i;
const ERROR: ReadonlySet<string> = new Set(['error']);
const SHELL = 'execute_command';

/** Where the words about a command end and its output begins. */
const OUTPUT = /(?:^|\n)(?:Output:|Here's the output so far:)\s?\n?/;

/** How a call ended, by the text that the model was given for it. */
function callResult(tool: string, text: string, isError: boolean): CallResult {
  const fields = text.startsWith('{"status":') ? parseFields(text) : undefined;
  const status = asText(fields?.status);
  if (status === 'denied') return { status: 'rejected' };
  if (status === 'error') return failure(asText(fields?.error) ?? asText(fields?.message) ?? text);
  const head = text.slice(0, 600);
  if (DENIED.test(head)) return { status: 'rejected' };
  if (CANCELLED.test(head)) return { status: 'cancelled', output: text };
  if (INTERRUPTED.test(head.slice(0, 200))) return { status: 'interrupted', output: text };
  if (isError || FAILED.test(head)) return failure(text);
  return tool === SHELL ? commandResult(text) : { status: 'ok', ...(text === '' ? {} : { output: text }) };
}

function failure(text: string): CallResult {
  const { elements } = extractElements(text, ERROR);
  const output = elements[0]?.content.trim() ?? text;
  return { status: INVALID.test(text.slice(0, 2000)) ? 'invalid' : 'error', output };
}

/** Many versions do not say how a command ended: then it is not known. */
function commandResult(text: string): CallResult {
  const found = OUTPUT.exec(text);
  const about = found ? text.slice(0, found.index) : text.slice(0, 600);
  const output = found ? text.slice(found.index + found[0].length).trimEnd() : undefined;
  const code = EXIT_CODE.exec(about)?.[1];
  if (code === undefined) return { status: 'unknown', ...defined({ output }) };
  const exitCode = Number(code);
  return { status: exitCode === 0 ? 'ok' : 'error', exitCode, ...defined({ output }) };
}

/** A tool that a reply calls in its text, the way of older versions: `<execute_command><command>…</command></…>`. */
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

/** Values that may hold anything, their own closing tag included: they end at the last one. */
const FREE_VALUES: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'command',
  'content',
  'diff',
  'result',
]);

/** What a reply says and the tools it calls. A call without an end was cut off and is no call. */
function toolsInText(text: string): { readonly said: string; readonly tools: readonly ToolInText[] } {
  const tools: ToolInText[] = [];
  const said: string[] = [];
  let from = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    const tool = found[1] ?? '';
    const start = OPENING.lastIndex;
    const end = text.indexOf(`</${tool}>`, start);
    if (end < 0) {
      // Only the last one can be without an end: the rest of the text belongs to it.
      said.push(text.slice(from, found.index));
      from = text.length;
      break;
    }
    said.push(text.slice(from, found.index));
    tools.push({ tool, input: valuesIn(text.slice(start, end)) });
    from = end + tool.length + 3;
    OPENING.lastIndex = from;
  }
  said.push(text.slice(from));
  return { said: said.join('').trim(), tools };
}

const VALUE = /<([a-z_]{1,40})>/g;

function valuesIn(body: string): Record<string, string> {
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
