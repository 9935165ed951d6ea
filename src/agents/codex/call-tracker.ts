import type { CallResult } from '../../memory/index.ts';
import { omitUndefined, textHash } from '../../record/index.ts';
import {
  asFields,
  asInput,
  asInteger,
  asName,
  asNumber,
  asObjects,
  asText,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';
import { type SkipEvent, skip } from '../transcript/transcript-event.ts';
import { beginningOf, type CallsState, MOST_RUNNING, withNewest } from './rollout-state.ts';

/** What became of a call, or why nothing is made of what was said about one. */
export type CallNews =
  | SkipEvent
  | { readonly type: 'ended'; readonly callId: string; readonly result: CallResult };

/** Follows the calls of a rollout to their results, which are told in several places, or much later. */
export class CallBook {
  #state: CallsState;

  constructor(state: CallsState) {
    this.#state = state;
  }

  state(): CallsState {
    return this.#state;
  }

  isKnown(callId: string): boolean {
    const { open, running, ended } = this.#state;
    return (
      ended.includes(callId) ||
      open.some(([id]) => id === callId) ||
      running.some((call) => call[1] === callId)
    );
  }

  start(callId: string, tool: string, input: Fields): void {
    this.#change({ open: withNewest(this.#state.open, [callId, tool] as const) });
    const processId = tool === 'write_stdin' ? processOf(input) : undefined;
    if (processId === undefined) return;
    this.#change({ looks: withNewest(this.#state.looks, [callId, processId] as const) });
  }

  /** What a call put out. */
  output(callId: string, output: unknown): readonly CallNews[] {
    const { open, running, facts, looks, ended } = this.#state;
    if (ended.includes(callId)) return [skip('second result of a call')];
    const tool = open.find(([id]) => id === callId)?.[1];
    const known = facts.find((fact) => fact.callId === callId);
    const found = callOutput(output, tool, known);
    const processId = looks.find(([id]) => id === callId)?.[1];
    if (processId !== undefined) return this.#look(callId, processId, found);
    if (found.kind === 'ended') return [this.end(callId, found.result)];
    if (known?.exitCode !== undefined) return [this.end(callId, resultOf(known, found.output))];
    const started = [found.processId, callId, beginningOf(found.output)] as const;
    this.#change({ running: withNewest(running, started, MOST_RUNNING), open: without(open, callId) });
    return [skip('call that goes on in the background')];
  }

  /** More of a running process: if it ended, the call that started it did. */
  #look(callId: string, processId: string, found: CallOutput): readonly CallNews[] {
    if (found.kind === 'running') return [this.end(callId, { status: 'ok', output: found.output })];
    const { result } = found;
    if (result.exitCode === undefined) return [this.end(callId, result)];
    // That the process failed is told of the call that started it, how long this look took is not.
    const look = this.end(callId, { status: 'ok', output: result.output ?? '' });
    const started = this.#state.running.find(([id]) => id === processId);
    if (!started) return [look];
    const { status, exitCode } = result;
    return [this.end(started[1], { status, exitCode, output: started[2] + (result.output ?? '') }), look];
  }

  /** An event says how a call ended; what it put out is told by the item that follows, if one does. */
  note(callId: string, facts: CallFacts, output = ''): readonly CallNews[] {
    if (this.#state.running.some((call) => call[1] === callId))
      return [this.end(callId, resultOf(facts, output))];
    if (this.#state.open.some(([id]) => id === callId)) {
      this.#change({ facts: withNewest(this.#state.facts, { callId, ...facts }) });
    }
    return [skip('copy of a result')];
  }

  /** The user stopped the turn: what was under way did not end by itself. Processes in the background go on. */
  abort(): readonly CallNews[] {
    return this.#state.open.map(([callId]) => this.end(callId, { status: 'interrupted' }));
  }

  end(callId: string, result: CallResult): CallNews {
    const { open, running, looks, facts, ended } = this.#state;
    this.#state = {
      open: without(open, callId),
      running: running.filter((call) => call[1] !== callId),
      looks: without(looks, callId),
      facts: facts.filter((fact) => fact.callId !== callId),
      ended: withNewest(ended, callId),
    };
    return { type: 'ended', callId, result };
  }

  #change(change: Partial<CallsState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

/** The result that facts tell. */
export function resultOf({ exitCode, durationMs, isError }: CallFacts, output: string): CallResult {
  const isFailed = isError === true || (exitCode !== undefined && exitCode !== 0);
  return { status: isFailed ? 'error' : 'ok', output, ...omitUndefined({ exitCode, durationMs }) };
}

function without(list: CallsState['open'], callId: string): CallsState['open'] {
  return list.filter(([id]) => id !== callId);
}

function processOf(input: Fields): string | undefined {
  const number = asNumber(input.session_id);
  return number === undefined ? asName(input.session_id) : String(number);
}

/** How a call ended, or that its process goes on. */
type CallOutput =
  | { readonly kind: 'ended'; readonly result: CallResult }
  | { readonly kind: 'running'; readonly processId: string; readonly output: string };

/** What is known of a call from events about it. */
export interface CallFacts {
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly isError?: boolean;
}

/** Tools that run a command, whose output has a head with the exit code. */
const COMMAND_TOOLS: ReadonlySet<string> = new Set([
  'exec_command',
  'write_stdin',
  'unified_exec',
  'shell',
  'shell_command',
  'local_shell',
  'container.exec',
  'apply_patch',
]);

const HEAD_LENGTH = 2000;
const PROCESS_EXITED = /^Process exited with code (-?\d+)$/m;
const PROCESS_RUNNING = /^Process running with session ID (\d+)$/m;
const EXIT_CODE = /^Exit code: (-?\d+)$/m;
const WALL_TIME = /^Wall time: ([\d.]+) seconds$/m;
const OUTPUT = /^Output:\n?/m;
const KNOWN_HEAD = /^(?:Chunk ID: |Wall time: |Process (?:exited|running)|Exit code: |Command: )/;

const INTERRUPTED = /^(?:aborted\b|turn aborted|interrupted by user|command was interrupted)/i;
const REJECTED = /\brejected by (?:the )?user\b|\buser (?:rejected|cancelled|declined)\b/i;
const DENIED =
  /^(?:yore: |Command blocked by \w+ hook|(?:Tool call |Patch )?blocked by (?:a |the )?(?:\w+ )?hook)|rejected: blocked by policy|approval policy is Never|reject(?:ed)? command|Rejected\("(?!rejected by user)|not permitted by (?:the )?(?:policy|sandbox)/i;
const INVALID =
  /^(?:apply_patch verification failed|failed to parse (?:function )?arguments|failed to parse exec|unsupported (?:custom tool )?call|invalid (?:patch|arguments)|apply_patch handler received|patch rejected: )/i;
const FAILED =
  /^(?:exec_command failed|write_stdin failed|execution error|failed to |fatal error|tool call error|error:|err: |unable to |no such tool|unknown tool)/i;

/** How a call ended, from its output. `tool` is undefined when the call was not seen. */
function callOutput(output: unknown, tool: string | undefined, facts: CallFacts = {}): CallOutput {
  const text = outputText(output);
  const isFailed = asFields(output)?.success === false || facts.isError === true;
  if (tool === undefined || COMMAND_TOOLS.has(tool)) {
    const found = jsonForm(text) ?? headForm(text);
    if (found?.kind === 'running') return found;
    if (found) return ended(found, facts, isFailed);
  }
  return ended({ output: text, ...wordsOf(text) }, facts, isFailed);
}

interface Found {
  readonly kind?: 'ended';
  readonly output: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly status?: CallResult['status'];
}

function ended(found: Found, facts: CallFacts, isFailed: boolean): CallOutput {
  const exitCode = found.exitCode ?? facts.exitCode;
  const isError = isFailed || (exitCode !== undefined && exitCode !== 0);
  const status = found.status ?? (isError ? 'error' : 'ok');
  const durationMs = found.durationMs ?? facts.durationMs;
  return { kind: 'ended', result: omitUndefined({ status, output: found.output, exitCode, durationMs }) };
}

/** `{"output":"…","metadata":{"exit_code":1,"duration_seconds":0.2}}` */
function jsonForm(text: string): Found | undefined {
  if (!text.startsWith('{"output"')) return undefined;
  const fields = parseFields(text);
  const metadata = asFields(fields?.metadata);
  const output = asText(fields?.output);
  const exitCode = asInteger(metadata?.exit_code);
  if (output === undefined || exitCode === undefined) return undefined;
  return omitUndefined({ output, exitCode, durationMs: milliseconds(asNumber(metadata?.duration_seconds)) });
}

/** Lines about the process, then `Output:` and what it wrote. */
function headForm(text: string): Found | Extract<CallOutput, { kind: 'running' }> | undefined {
  if (!KNOWN_HEAD.test(text)) return undefined;
  const start = text.slice(0, HEAD_LENGTH);
  const at = OUTPUT.exec(start);
  const head = at ? start.slice(0, at.index) : start;
  const output = at ? text.slice(at.index + at[0].length) : '';
  const running = PROCESS_RUNNING.exec(head)?.[1];
  if (running !== undefined) return { kind: 'running', processId: running, output };
  const code = (PROCESS_EXITED.exec(head) ?? EXIT_CODE.exec(head))?.[1];
  const durationMs = milliseconds(Number(WALL_TIME.exec(head)?.[1]));
  if (code === undefined) return at ? omitUndefined({ output, durationMs }) : undefined;
  return omitUndefined({ output: at ? output : text, exitCode: asInteger(Number(code)), durationMs });
}

/** What the words of an output say where no exit code does. */
function wordsOf(text: string): { readonly status?: CallResult['status'] } {
  const start = text.slice(0, HEAD_LENGTH);
  if (INTERRUPTED.test(start)) return { status: 'interrupted' };
  if (INVALID.test(start)) return { status: REJECTED.test(start) ? 'rejected' : 'invalid' };
  if (DENIED.test(start)) return { status: 'denied' };
  if (REJECTED.test(start) && start.length < 600) return { status: 'rejected' };
  return FAILED.test(start) ? { status: 'error' } : {};
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined || !Number.isFinite(seconds) ? undefined : Math.round(seconds * 1000);
}

/** The text of an output, which is a text, a list of parts or, in old files, an object around one of these. */
function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  const fields: Fields | undefined = asFields(output);
  if (fields) return outputText(fields.content ?? fields.output);
  return asObjects(output)
    .flatMap((part) => asText(part.text) ?? [])
    .join('\n');
}

/** A call as it is in an item, with its result where the item has that too. */
export interface ItemCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: Fields;
  readonly result?: CallResult;
}

const CALL_ITEMS: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'image_generation_call',
  'tool_search_call',
]);

/** Whether an item is a call. */
export function isCallItem(type: string): boolean {
  return CALL_ITEMS.has(type);
}

/** The call in an item; undefined when it has no id or no name. `timestamp`: of its line, for items without an id. */
export function callOf(item: Fields, timestamp: string | undefined): ItemCall | undefined {
  const callId = asName(item.call_id) ?? asName(item.id);
  switch (item.type) {
    case 'local_shell_call':
      return callId === undefined
        ? undefined
        : { callId, tool: 'local_shell', input: shellInput(asFields(item.action)) };
    case 'web_search_call':
      return endedCall(callId, 'web_search', asInput(item.action), item.status, timestamp);
    case 'image_generation_call':
      return endedCall(
        callId,
        'image_generation',
        omitUndefined({ prompt: asText(item.revised_prompt) }),
        item.status,
        timestamp,
      );
    case 'tool_search_call':
      return callId === undefined
        ? undefined
        : { callId, tool: 'tool_search', input: inputOf(item.arguments) };
    default: {
      const tool = toolName(item);
      if (callId === undefined || tool === undefined) return undefined;
      return { callId, tool, input: inputOf(item.type === 'custom_tool_call' ? item.input : item.arguments) };
    }
  }
}

/** What the provider ran itself: call and end are one item, of which old ones have no id. */
function endedCall(
  id: string | undefined,
  tool: string,
  input: Fields,
  status: unknown,
  timestamp: string | undefined,
): ItemCall {
  const callId = id ?? `${tool}-${timestamp ?? ''}-${textHash(JSON.stringify(input)).toString(36)}`;
  return { callId, tool, input, result: { status: status === 'failed' ? 'error' : 'ok' } };
}

function toolName(item: Fields): string | undefined {
  const name = asName(item.name);
  const namespace = asName(item.namespace);
  if (name === undefined || !namespace?.startsWith('mcp__') || name.startsWith('mcp__')) return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}

/** Arguments are JSON as text; what is no JSON object is the input itself, as of `apply_patch`. */
function inputOf(value: unknown): Fields {
  if (typeof value !== 'string') return asInput(value);
  if (value === '') return {};
  const parsed = parseFields(value);
  return parsed ? asInput(parsed) : { input: value };
}

function shellInput(action: Fields | undefined): Fields {
  const command = Array.isArray(action?.command) ? action.command.map(String) : asText(action?.command);
  return omitUndefined({ command, workdir: asText(action?.working_directory) });
}
