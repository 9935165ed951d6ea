import { type CallResult, type ToolFamily, toolFamily } from '../../facts/call/tool-call.ts';
import { textHash } from '../../record/id.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import {
  asFields,
  asInput,
  asInteger,
  asName,
  asNumber,
  asObjects,
  asText,
  type Fields,
} from '../transcript/fields.ts';
import { appendBounded } from '../transcript/line-reading.ts';
import { type SkipEvent, skip } from '../transcript/transcript.ts';
import { appendRecent, type CallFacts, type CallsState, MAX_RUNNING, truncateOutput } from './rollout-state.ts';

/** The end of a call, or why something said about a call is skipped. */
export type CallUpdate = SkipEvent | { readonly type: 'ended'; readonly callId: string; readonly result: CallResult };

/** Matches the calls of a rollout with their results, which are reported in several places or much later. */
export class CallTracker {
  #state: CallsState;

  constructor(state: CallsState) {
    this.#state = state;
  }

  state(): CallsState {
    return this.#state;
  }

  isKnown(callId: string): boolean {
    const { open, running, ended } = this.#state;
    return ended.includes(callId) || open.some(([id]) => id === callId) || running.some((call) => call[1] === callId);
  }

  start(callId: string, tool: string, input: Fields): void {
    this.#change({ open: appendRecent(this.#state.open, [callId, tool] as const) });
    const processId = tool === 'write_stdin' ? parseProcessId(input) : undefined;
    if (processId === undefined) return;
    this.#change({ polls: appendRecent(this.#state.polls, [callId, processId] as const) });
  }

  /** The output of a call. */
  output(callId: string, output: unknown): readonly CallUpdate[] {
    const { open, running, facts, polls, ended } = this.#state;
    if (ended.includes(callId)) return [skip('second result of a call')];
    const tool = open.find(([id]) => id === callId)?.[1];
    const known = facts.find((fact) => fact.callId === callId);
    const found = parseOutput(output, tool, known);
    const processId = polls.find(([id]) => id === callId)?.[1];
    if (processId !== undefined) return this.#endPoll(callId, processId, found);
    if (found.kind === 'ended') return [this.end(callId, found.result)];
    if (known?.exitCode !== undefined) return [this.end(callId, toCodexResult(known, found.output))];
    const started = [found.processId, callId, truncateOutput(found.output)] as const;
    this.#change({ running: appendBounded(running, started, MAX_RUNNING), open: removeCall(open, callId) });
    return [skip('call that continues in the background')];
  }

  /** A poll for more output of a running process. If the process has ended, so has the call that started it. */
  #endPoll(callId: string, processId: string, found: CallOutput): readonly CallUpdate[] {
    if (found.kind === 'running') return [this.end(callId, { status: 'ok', output: found.output })];
    const { result } = found;
    if (result.exitCode === undefined) return [this.end(callId, result)];
    // The failure belongs to the call that started the process, the duration of this poll does not.
    const poll = this.end(callId, { status: 'ok', output: result.output ?? '' });
    const started = this.#state.running.find(([id]) => id === processId);
    if (!started) return [poll];
    const { status, exitCode } = result;
    return [this.end(started[1], { status, exitCode, output: started[2] + (result.output ?? '') }), poll];
  }

  /** An event about the end of a call. Its output comes with the item that follows, if there is one. */
  addFacts(callId: string, facts: CallFacts, output = ''): readonly CallUpdate[] {
    const started = this.#state.running.find((call) => call[1] === callId);
    if (started) return [this.end(callId, { ...toCodexResult(facts, output), output: output || started[2] })];
    if (this.#state.open.some(([id]) => id === callId)) {
      this.#change({ facts: appendRecent(this.#state.facts, { callId, ...facts }) });
    }
    return [skip('copy of a result')];
  }

  /** The user stopped the turn: open calls were interrupted. Background processes continue. */
  abort(): readonly CallUpdate[] {
    return this.#state.open.map(([callId]) => this.end(callId, { status: 'interrupted' }));
  }

  end(callId: string, result: CallResult): CallUpdate {
    const { open, running, polls, facts, ended } = this.#state;
    this.#state = {
      open: removeCall(open, callId),
      running: running.filter((call) => call[1] !== callId),
      polls: removeCall(polls, callId),
      facts: facts.filter((fact) => fact.callId !== callId),
      ended: appendRecent(ended, callId),
    };
    return { type: 'ended', callId, result };
  }

  #change(change: Partial<CallsState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

/** The result of a call from what events say about it. */
export function toCodexResult({ exitCode, durationMs, isError, wasStopped }: CallFacts, output: string): CallResult {
  if (wasStopped) return { status: 'unknown', output };
  const hasFailed = isError === true || (exitCode !== undefined && exitCode !== 0);
  return { status: hasFailed ? 'error' : 'ok', output, ...omitUndefined({ exitCode, durationMs }) };
}

function removeCall(list: CallsState['open'], callId: string): CallsState['open'] {
  return list.filter(([id]) => id !== callId);
}

function parseProcessId(input: Fields): string | undefined {
  const number = asNumber(input.session_id);
  return number === undefined ? asName(input.session_id) : String(number);
}

/** How a call ended, or that its process is still running. */
type CallOutput =
  | { readonly kind: 'ended'; readonly result: CallResult }
  | { readonly kind: 'running'; readonly processId: string; readonly output: string };

/** Tools that run a command or a patch: their output has a header with the exit code. */
const HEADED: ReadonlySet<ToolFamily> = new Set(['shell', 'poll', 'patch']);

const MAX_HEADER_LENGTH = 2000;
const PROCESS_EXITED = /^Process exited with code (-?\d+)$/m;
const PROCESS_RUNNING = /^Process running with session ID (\d+)$/m;
const EXIT_CODE = /^Exit code: (-?\d+)$/m;
const WALL_TIME = /^Wall time: ([\d.]+) seconds$/m;
const OUTPUT = /^Output:\n?/m;
const KNOWN_HEADER = /^(?:Chunk ID: |Wall time: |Process (?:exited|running)|Exit code: |Command: )/;

const INTERRUPTED = /^(?:aborted\b|turn aborted|interrupted by user|command was interrupted)/i;
const REJECTED = /\brejected by (?:the )?user\b|\buser (?:rejected|cancelled|declined)\b/i;
const DENIED =
  /^(?:yore: |Command blocked by \w+ hook|(?:Tool call |Patch )?blocked by (?:a |the )?(?:\w+ )?hook)|rejected: blocked by policy|approval policy is Never|reject(?:ed)? command|Rejected\("(?!rejected by user)|not permitted by (?:the )?(?:policy|sandbox)/i;
const INVALID =
  /^(?:apply_patch verification failed|failed to parse (?:function )?arguments|failed to parse exec|unsupported (?:custom tool )?call|invalid (?:patch|arguments)|apply_patch handler received|patch rejected: )/i;
const FAILED =
  /^(?:exec_command failed|write_stdin failed|execution error|failed to |fatal error|tool call error|error:|err: |unable to |no such tool|unknown tool)/i;

/** How a call ended, from its output. `tool` is undefined when the call itself is unknown. */
function parseOutput(output: unknown, tool: string | undefined, facts: CallFacts = {}): CallOutput {
  const text = joinOutput(output);
  const hasFailed = asFields(output)?.success === false || facts.isError === true;
  if (tool === undefined || HEADED.has(toolFamily(tool))) {
    const found = parseJsonOutput(text) ?? parseHeader(text);
    if (found?.kind === 'running') return found;
    if (found) return toEnded(found, facts, hasFailed);
  }
  return toEnded({ output: text, ...parseStatus(text) }, facts, hasFailed);
}

interface ParsedOutput {
  readonly kind?: 'ended';
  readonly output: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly status?: CallResult['status'];
}

function toEnded(found: ParsedOutput, facts: CallFacts, hasFailed: boolean): CallOutput {
  const exitCode = found.exitCode ?? facts.exitCode;
  const isError = hasFailed || (exitCode !== undefined && exitCode !== 0);
  const status = found.status ?? (isError ? 'error' : 'ok');
  const durationMs = found.durationMs ?? facts.durationMs;
  return { kind: 'ended', result: omitUndefined({ status, output: found.output, exitCode, durationMs }) };
}

/** `{"output":"…","metadata":{"exit_code":1,"duration_seconds":0.2}}` */
function parseJsonOutput(text: string): ParsedOutput | undefined {
  if (!text.startsWith('{"output"')) return undefined;
  const fields = parseObject(text);
  const metadata = asFields(fields?.metadata);
  const output = asText(fields?.output);
  const exitCode = asInteger(metadata?.exit_code);
  if (output === undefined || exitCode === undefined) return undefined;
  return omitUndefined({
    output,
    exitCode,
    durationMs: toMilliseconds(asNumber(metadata?.duration_seconds)),
  });
}

/** Lines about the process, then `Output:` and its output. */
function parseHeader(text: string): ParsedOutput | Extract<CallOutput, { kind: 'running' }> | undefined {
  if (!KNOWN_HEADER.test(text)) return undefined;
  const start = text.slice(0, MAX_HEADER_LENGTH);
  const at = OUTPUT.exec(start);
  const head = at ? start.slice(0, at.index) : start;
  const output = at ? text.slice(at.index + at[0].length) : '';
  const running = PROCESS_RUNNING.exec(head)?.[1];
  if (running !== undefined) return { kind: 'running', processId: running, output };
  const code = (PROCESS_EXITED.exec(head) ?? EXIT_CODE.exec(head))?.[1];
  const durationMs = toMilliseconds(Number(WALL_TIME.exec(head)?.[1]));
  if (code === undefined) return at ? omitUndefined({ output, durationMs }) : undefined;
  return omitUndefined({ output: at ? output : text, exitCode: asInteger(Number(code)), durationMs });
}

/** The status from the wording of an output without an exit code. */
export function parseStatus(text: string): { readonly status?: CallResult['status'] } {
  const start = text.slice(0, MAX_HEADER_LENGTH);
  if (INTERRUPTED.test(start)) return { status: 'interrupted' };
  if (INVALID.test(start)) return { status: REJECTED.test(start) ? 'rejected' : 'invalid' };
  if (DENIED.test(start)) return { status: 'denied' };
  if (REJECTED.test(start) && start.length < 600) return { status: 'rejected' };
  return FAILED.test(start) ? { status: 'error' } : {};
}

function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined || !Number.isFinite(seconds) ? undefined : Math.round(seconds * 1000);
}

/** The text of an output: a text, a list of parts or, in old files, an object around one of these. */
export function joinOutput(output: unknown): string {
  if (typeof output === 'string') return output;
  const fields: Fields | undefined = asFields(output);
  if (fields) return joinOutput(fields.content ?? fields.output);
  return asObjects(output)
    .flatMap((part) => asText(part.text) ?? [])
    .join('\n');
}

/** A call in an item, with its result if the item has it. */
export interface ItemCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: Fields;
  readonly result?: CallResult;
}

/** Types of items that are calls. */
export const CALL_ITEMS: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'image_generation_call',
  'tool_search_call',
]);

/** The call in an item; undefined without an id or a name. `timestamp` is that of its line, for items without an id. */
export function parseCall(item: Fields, timestamp: string | undefined): ItemCall | undefined {
  const callId = asName(item.call_id) ?? asName(item.id);
  switch (item.type) {
    case 'local_shell_call':
      return callId === undefined
        ? undefined
        : { callId, tool: 'local_shell', input: parseShellInput(asFields(item.action)) };
    case 'web_search_call':
      return toEndedCall(callId, 'web_search', asInput(item.action), item.status, timestamp);
    case 'image_generation_call':
      return toEndedCall(
        callId,
        'image_generation',
        omitUndefined({ prompt: asText(item.revised_prompt) }),
        item.status,
        timestamp,
      );
    case 'tool_search_call':
      return callId === undefined ? undefined : { callId, tool: 'tool_search', input: parseInput(item.arguments) };
    default: {
      const tool = parseToolName(item);
      if (callId === undefined || tool === undefined) return undefined;
      return {
        callId,
        tool,
        input: parseInput(item.type === 'custom_tool_call' ? item.input : item.arguments),
      };
    }
  }
}

/** A tool that the provider ran: call and result are one item. Old ones have no id. */
function toEndedCall(
  id: string | undefined,
  tool: string,
  input: Fields,
  status: unknown,
  timestamp: string | undefined,
): ItemCall {
  const callId = id ?? `${tool}-${timestamp ?? ''}-${textHash(JSON.stringify(input)).toString(36)}`;
  return { callId, tool, input, result: { status: status === 'failed' ? 'error' : 'ok' } };
}

function parseToolName(item: Fields): string | undefined {
  const name = asName(item.name);
  const namespace = asName(item.namespace);
  if (name === undefined || !namespace?.startsWith('mcp__') || name.startsWith('mcp__')) return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}

/** Arguments are JSON text. Other text, such as a patch, is the input itself. */
function parseInput(value: unknown): Fields {
  if (typeof value !== 'string') return asInput(value);
  if (value === '') return {};
  const parsed = parseObject(value);
  return parsed ? asInput(parsed) : { input: value };
}

function parseShellInput(action: Fields | undefined): Fields {
  const command = Array.isArray(action?.command) ? action.command.map(String) : asText(action?.command);
  return omitUndefined({ command, workdir: asText(action?.working_directory) });
}
