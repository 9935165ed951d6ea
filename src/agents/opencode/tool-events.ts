import type { CallResult } from '../../memory/index.ts';
import {
  asCount,
  asFields,
  asInteger,
  asName,
  asNumber,
  asObjects,
  asText,
  asTime,
  defined,
  type Fields,
} from '../transcript/fields.ts';
import { problem, type TranscriptEvent } from '../transcript/transcript-event.ts';

/** A tool call with all that is known of it, however the version of opencode keeps it. */
export interface StoredCall {
  readonly callId: unknown;
  readonly tool: unknown;
  readonly state: Fields;
  readonly started: unknown;
  readonly ended: unknown;
}

/** What opencode makes of a call whose tool or arguments do not fit: the call that was meant is its input. */
const INVALID = 'invalid';

/** Tools whose calls end well or not by their exit code alone. */
const SHELLS: ReadonlySet<string> = new Set(['bash', 'shell']);

/** The call, and its result if it has ended. */
export function* toolEvents(call: StoredCall, sessionId: string): Generator<TranscriptEvent> {
  const callId = asName(call.callId);
  const name = asName(call.tool);
  if (callId === undefined || name === undefined) {
    yield problem('call without a name or an id');
    return;
  }
  const input = asFields(call.state.input) ?? parsedInput(call.state.input);
  const isInvalid = name === INVALID;
  const tool = (isInvalid ? asName(input.tool) : undefined) ?? name;
  const timestamp = asTime(call.started);
  yield { type: 'call', sessionId, callId, tool, input: isInvalid ? {} : input, ...defined({ timestamp }) };
  const result = isInvalid ? invalidResult(input, call.state) : resultOf(call.state, SHELLS.has(tool));
  if (!result) return;
  const durationMs = duration(call.started, call.ended);
  const ended = asTime(call.ended) ?? timestamp;
  yield {
    type: 'result',
    sessionId,
    callId,
    result: { ...result, ...defined({ durationMs }) },
    ...defined({ timestamp: ended }),
  };
}

const ABORTED = /^(?:Tool execution aborted|Tool execution was interrupted|Aborted)/i;
const DENIED = /^(?:Error: )?yore: |rule which prevents you from using/;
const DISMISSED = /^The user (?:rejected|dismissed|declined)/;
/** What the shell tool adds to the output of a command that did not end by itself. */
const NOTE = /\n*<(?:bash_|shell_)?metadata>\n?([\s\S]{0,2000})<\/(?:bash_|shell_)?metadata>\s*$/;

function resultOf(state: Fields, isShell: boolean): CallResult | undefined {
  if (state.status === 'error') return errorResult(state);
  if (state.status !== 'completed') return undefined;
  const text = asText(state.output) ?? contentText(state.content) ?? asText(state.result) ?? '';
  const exitCode = exitCodeOf(state);
  if (!isShell || exitCode !== undefined) return { status: 'ok', output: text, ...defined({ exitCode }) };
  return withoutExitCode(text, asFields(state.metadata) ?? {});
}

/** A command that is still running, was stopped, or of which it is not known how it ended. */
function withoutExitCode(text: string, metadata: Fields): CallResult | undefined {
  if (metadata.status === 'running') return undefined;
  const note = NOTE.exec(text.slice(-3000));
  const output = note ? text.slice(0, text.length - note[0].length) : text;
  const told = note?.[1]?.trim() ?? '';
  if (/user aborted/i.test(told)) return { status: 'interrupted', output };
  const isLate = metadata.timeout === true || /timeout/i.test(told);
  if (isLate) return { status: 'error', output: `${output}\n${told}`.trim() };
  return { status: 'unknown', output };
}

function errorResult(state: Fields): CallResult {
  const error = asFields(state.error);
  const output = asText(state.error) ?? asText(error?.message) ?? contentText(state.content) ?? '';
  if (ABORTED.test(output)) return { status: 'interrupted', output };
  if (DISMISSED.test(output)) return { status: 'rejected', output };
  if (DENIED.test(output.slice(0, 300))) return { status: 'denied', output };
  return { status: 'error', output, ...defined({ exitCode: exitCodeOf(state) }) };
}

function invalidResult(input: Fields, state: Fields): CallResult {
  return {
    status: 'invalid',
    output: asText(input.error) ?? asText(state.output) ?? asText(state.error) ?? '',
  };
}

function exitCodeOf(state: Fields): number | undefined {
  const metadata = asFields(state.metadata) ?? asFields(state.structured);
  return asInteger(metadata?.exit) ?? asInteger(metadata?.exitCode);
}

/** The texts of a result that is made of parts. */
function contentText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  return asObjects(content)
    .flatMap((part) => (part.type === 'text' ? (asText(part.text) ?? []) : []))
    .join('\n');
}

/** While a call is being written, its input is unfinished text. */
function parsedInput(input: unknown): Fields {
  try {
    return asFields(JSON.parse(asText(input) ?? '')) ?? {};
  } catch {
    return {};
  }
}

function duration(started: unknown, ended: unknown): number | undefined {
  const from = asNumber(started);
  const to = asNumber(ended);
  return from === undefined || to === undefined ? undefined : asCount(to - from);
}
