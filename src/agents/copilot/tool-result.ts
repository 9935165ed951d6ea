import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined } from '../../record/object.ts';
import { asFields, asName, asNumber, asObjects, asText, type Fields } from '../transcript/fields.ts';

/** How a tool call ended, or the shell in which its command is still running. */
export type CallEnd = { readonly result: CallResult; readonly endedShell?: string } | { readonly runningIn: string };

/** How far from the end the line about a shell's end is looked for, in characters. */
const TAIL_LENGTH = 1000;
/** `<shellId: 3 completed with exit code 1>`, in older versions `<exited with exit code 1>`. */
const ENDED =
  /\s{0,9}<(?:(?:command with )?(?:shellId|id): (\S{1,80}) )?(?:completed|exited) with (?:exit )?code (-?\d{1,10})>\s*$/;
const RUNNING =
  /<command (?:with|started in (?:detached )?background with) (?:shellId|id): ([^\s>]{1,80})(?: is still running[^<>]{0,900})?>\s*$/;
const STOPPED = /^<command with (?:shellId|id): (\S{1,80}) stopped>\s*$/;

const REJECTED = /(?:user|human) (?:rejected|declined|denied|did not approve)|rejected by (?:the )?user/i;
/** Denied by a hook or a rule; the reasons of yore's hook begin with its name. */
const DENIED =
  /^(?:denied by|permission (?:denied and could not|to run this tool was denied)|blocked by)|(?:hook|polic(?:y|ies)) denied|\byore: This failed/i;
const INTERRUPTED = /^(?:(?:operation|request|tool execution|command) (?:was )?)?(?:aborted|interrupted|cancelled)\b/i;
const INVALID =
  /^(?:tool '?\S+'? (?:does not exist|is not available|not found)|unknown tool|invalid (?:arguments|input|parameters)|(?:multiple )?validation errors?\b|[^\n]{0,200}: Required\b)/i;

/** Splits a shell's output from the line in which Copilot says how it ended. */
function parseShellEnd(text: string): {
  readonly output: string;
  readonly exitCode?: number;
  readonly shell?: string;
} {
  const end = ENDED.exec(text.slice(-TAIL_LENGTH));
  if (!end) return { output: text };
  return {
    output: text.slice(0, text.length - end[0].length),
    exitCode: Number(end[2]),
    ...omitUndefined({ shell: end[1] }),
  };
}

/** How a call ended, from the data of `tool.execution_complete`. */
export function parseCallEnd(data: Fields): CallEnd {
  if (data.success === false || asFields(data.error)) return { result: parseFailure(data) };
  const result = asFields(data.result);
  const text = asText(result?.content) ?? asText(data.result) ?? asText(result?.detailedContent) ?? '';
  const { output, exitCode = findExitCode(result), shell } = parseShellEnd(text);
  if (exitCode !== undefined) {
    const status = exitCode === 0 ? 'ok' : 'error';
    return { result: { status, output, exitCode }, ...omitUndefined({ endedShell: shell }) };
  }
  const runningIn = RUNNING.exec(text.slice(-TAIL_LENGTH))?.[1];
  if (runningIn !== undefined) return { runningIn };
  return { result: { status: data.success === true || data.result ? 'ok' : 'unknown', output } };
}

/** How a call ended, from the type and the text of the result in a hook event. */
export function parseHookResult(resultType: unknown, resultText: unknown): CallResult {
  const text = asText(resultText) ?? '';
  const type = asName(resultType);
  if (type === undefined) return { status: 'unknown', output: text };
  return toCallResult(
    type === 'success' ? { success: true, result: { content: text } } : { error: { code: type, message: text } },
  );
}

/** Like {@link parseCallEnd}. A command that is still running has no result yet. */
export function toCallResult(data: Fields): CallResult {
  const end = parseCallEnd(data);
  return 'result' in end ? end.result : { status: 'unknown' };
}

/** The shell that a call of `stop_bash` stopped. */
export function findStoppedShell(data: Fields): string | undefined {
  return STOPPED.exec(asText(asFields(data.result)?.content) ?? '')?.[1];
}

function findExitCode(result: Fields | undefined): number | undefined {
  const terminal = asObjects(result?.contents).find((block) => block.type === 'terminal');
  return asNumber(terminal?.exitCode);
}

function parseFailure(data: Fields): CallResult {
  const error = asFields(data.error);
  const text = asText(error?.message) ?? asText(data.error) ?? asText(asFields(data.result)?.content) ?? '';
  const { output, exitCode } = parseShellEnd(text);
  const status = parseStatus(asName(error?.code), text);
  return { status, output, ...omitUndefined({ exitCode }) };
}

function parseStatus(code: string | undefined, text: string): CallResult['status'] {
  if (code === 'rejected' || REJECTED.test(text.slice(0, TAIL_LENGTH))) return 'rejected';
  if (code === 'denied' || DENIED.test(text.slice(0, TAIL_LENGTH))) return 'denied';
  if (code === 'aborted' || code === 'cancelled' || INTERRUPTED.test(text)) return 'interrupted';
  return INVALID.test(text) ? 'invalid' : 'error';
}
