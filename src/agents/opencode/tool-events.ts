import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import {
  asCount,
  asFields,
  asInteger,
  asName,
  asNumber,
  asText,
  asTime,
  type Fields,
  listTexts,
} from '../transcript/fields.ts';
import { problem, type TranscriptEvent } from '../transcript/transcript.ts';

/** A tool call with its state, whichever version of opencode stored it. */
export interface StoredCall {
  readonly callId: unknown;
  readonly tool: unknown;
  readonly state: Fields;
  readonly started: unknown;
  readonly ended: unknown;
}

/** The tool that opencode calls in place of one with an unknown name or invalid arguments; the input has the original. */
const INVALID_TOOL = 'invalid';

/** Tools whose outcome is their exit code. */
const SHELLS: ReadonlySet<string> = new Set(['bash', 'shell']);

/** The call, and its result once it has ended. */
export function* toolEvents(call: StoredCall, sessionId: string): Generator<TranscriptEvent> {
  const callId = asName(call.callId);
  const name = asName(call.tool);
  if (callId === undefined || name === undefined) return yield problem('call without a name or an id');
  const input = asFields(call.state.input) ?? parseObject(asText(call.state.input) ?? '') ?? {};
  const isInvalid = name === INVALID_TOOL;
  const tool = (isInvalid ? asName(input.tool) : undefined) ?? name;
  const timestamp = asTime(call.started);
  yield {
    type: 'call',
    sessionId,
    callId,
    tool,
    input: isInvalid ? {} : input,
    ...omitUndefined({ timestamp }),
  };
  const result = isInvalid ? toInvalidResult(input, call.state) : parseResult(call.state, SHELLS.has(tool));
  if (!result) return;
  const durationMs = getDuration(call.started, call.ended);
  const ended = asTime(call.ended) ?? timestamp;
  yield {
    type: 'result',
    sessionId,
    callId,
    result: { ...result, ...omitUndefined({ durationMs }) },
    ...omitUndefined({ timestamp: ended }),
  };
}

const ABORTED = /^(?:Tool execution aborted|Tool execution was interrupted|Aborted)/i;
const DENIED = /^(?:Error: )?yore: |rule which prevents you from using/;
const DISMISSED = /^The user (?:rejected|dismissed|declined)/;
/** The shell tool adds this to the output of a command that did not end by itself. */
const NOTE = /\n*<(?:bash_|shell_)?metadata>\n?([\s\S]{0,2000})<\/(?:bash_|shell_)?metadata>\s*$/;

function parseResult(state: Fields, isShell: boolean): CallResult | undefined {
  if (state.status === 'error') return parseError(state);
  if (state.status !== 'completed') return undefined;
  const text = asText(state.output) ?? joinTexts(state.content) ?? asText(state.result) ?? '';
  const exitCode = parseExitCode(state);
  if (!isShell || exitCode !== undefined) return { status: 'ok', output: text, ...omitUndefined({ exitCode }) };
  return parseWithoutExitCode(text, asFields(state.metadata) ?? {});
}

/** A command that is still running, was stopped, or has an unknown outcome. */
function parseWithoutExitCode(text: string, metadata: Fields): CallResult | undefined {
  if (metadata.status === 'running') return undefined;
  const note = NOTE.exec(text.slice(-3000));
  const output = note ? text.slice(0, text.length - note[0].length) : text;
  const reason = note?.[1]?.trim() ?? '';
  if (/user aborted/i.test(reason)) return { status: 'interrupted', output };
  const isTimeout = metadata.timeout === true || /timeout/i.test(reason);
  if (isTimeout) return { status: 'error', output: `${output}\n${reason}`.trim() };
  return { status: 'unknown', output };
}

function parseError(state: Fields): CallResult {
  const error = asFields(state.error);
  const output = asText(state.error) ?? asText(error?.message) ?? joinTexts(state.content) ?? '';
  if (ABORTED.test(output)) return { status: 'interrupted', output };
  if (DISMISSED.test(output)) return { status: 'rejected', output };
  if (DENIED.test(output.slice(0, 300))) return { status: 'denied', output };
  return { status: 'error', output, ...omitUndefined({ exitCode: parseExitCode(state) }) };
}

function toInvalidResult(input: Fields, state: Fields): CallResult {
  return {
    status: 'invalid',
    output: asText(input.error) ?? asText(state.output) ?? asText(state.error) ?? '',
  };
}

function parseExitCode(state: Fields): number | undefined {
  const metadata = asFields(state.metadata) ?? asFields(state.structured);
  return asInteger(metadata?.exit) ?? asInteger(metadata?.exitCode);
}

/** The texts of a result in parts. */
function joinTexts(content: unknown): string | undefined {
  return Array.isArray(content) ? listTexts(content).join('\n') : undefined;
}

function getDuration(started: unknown, ended: unknown): number | undefined {
  const from = asNumber(started);
  const to = asNumber(ended);
  return from === undefined || to === undefined ? undefined : asCount(to - from);
}
