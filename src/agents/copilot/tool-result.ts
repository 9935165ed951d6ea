import type { CallResult } from '../../memory/index.ts';
import { asFields, asName, asNumber, asObjects, asText, type Fields } from '../transcript/fields.ts';

/** How a tool call ended; `runningIn` names the shell in which its command still runs, so that there is no end yet. */
export type CallEnd =
  | { readonly result: CallResult; readonly endedShell?: string }
  | { readonly runningIn: string };

/** The last line of what a shell gave, in characters. */
const TAIL = 1000;
/** `<shellId: 3 completed with exit code 1>`, in older versions `<exited with exit code 1>`. */
const ENDED =
  /\s{0,9}<(?:(?:command with )?(?:shellId|id): (\S{1,80}) )?(?:completed|exited) with (?:exit )?code (-?\d{1,10})>\s*$/;
const RUNNING =
  /<command (?:with|started in (?:detached )?background with) (?:shellId|id): ([^\s>]{1,80})(?: is still running[^<>]{0,900})?>\s*$/;
const STOPPED = /^<command with (?:shellId|id): (\S{1,80}) stopped>\s*$/;

const REJECTED = /(?:user|human) (?:rejected|declined|denied|did not approve)|rejected by (?:the )?user/i;
/** By a hook or a rule; the reasons of yore's own hook begin with its name. */
const DENIED =
  /^(?:denied by|permission (?:denied and could not|to run this tool was denied)|blocked by)|(?:hook|polic(?:y|ies)) denied|\byore: This failed/i;
const INTERRUPTED =
  /^(?:(?:operation|request|tool execution|command) (?:was )?)?(?:aborted|interrupted|cancelled)\b/i;
const INVALID =
  /^(?:tool '?\S+'? (?:does not exist|is not available|not found)|unknown tool|invalid (?:arguments|input|parameters)|(?:multiple )?validation errors?\b|[^\n]{0,200}: Required\b)/i;

/** What a shell gave, without the line in which Copilot says how it ended. */
function shellEnd(text: string): {
  readonly output: string;
  readonly exitCode?: number;
  readonly shell?: string;
} {
  const end = ENDED.exec(text.slice(-TAIL));
  if (!end) return { output: text };
  return {
    output: text.slice(0, text.length - end[0].length),
    exitCode: Number(end[2]),
    ...(end[1] === undefined ? {} : { shell: end[1] }),
  };
}

/** How a call ended, from the data of `tool.execution_complete`. */
export function copilotCallEnd(data: Fields): CallEnd {
  if (data.success === false || asFields(data.error)) return { result: failedCall(data) };
  const result = asFields(data.result);
  const text = asText(result?.content) ?? asText(data.result) ?? asText(result?.detailedContent) ?? '';
  const { output, exitCode = exitCodeOf(result), shell } = shellEnd(text);
  if (exitCode !== undefined) {
    const status = exitCode === 0 ? 'ok' : 'error';
    return { result: { status, output, exitCode }, ...(shell === undefined ? {} : { endedShell: shell }) };
  }
  const runningIn = RUNNING.exec(text.slice(-TAIL))?.[1];
  if (runningIn !== undefined) return { runningIn };
  return { result: { status: data.success === true || data.result ? 'ok' : 'unknown', output } };
}

/** The shell that a call of `stop_bash` stopped. */
export function stoppedShell(data: Fields): string | undefined {
  return STOPPED.exec(asText(asFields(data.result)?.content) ?? '')?.[1];
}

function exitCodeOf(result: Fields | undefined): number | undefined {
  const terminal = asObjects(result?.contents).find((block) => block.type === 'terminal');
  return asNumber(terminal?.exitCode);
}

function failedCall(data: Fields): CallResult {
  const error = asFields(data.error);
  const text = asText(error?.message) ?? asText(data.error) ?? asText(asFields(data.result)?.content) ?? '';
  const { output, exitCode } = shellEnd(text);
  const status = statusOf(asName(error?.code), text);
  return { status, output, ...(exitCode === undefined ? {} : { exitCode }) };
}

function statusOf(code: string | undefined, text: string): CallResult['status'] {
  if (code === 'rejected' || REJECTED.test(text.slice(0, TAIL))) return 'rejected';
  if (code === 'denied' || DENIED.test(text.slice(0, TAIL))) return 'denied';
  if (code === 'aborted' || code === 'cancelled' || INTERRUPTED.test(text)) return 'interrupted';
  return INVALID.test(text) ? 'invalid' : 'error';
}
