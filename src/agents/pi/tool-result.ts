import type { CallResult } from '../../memory/index.ts';

/** The last line of what a command of the `bash` tool gave that failed. */
const EXIT_CODE = /Command exited with code (\d{1,5})\s*$/;
const ABORTED = /(?:^|\n)(?:Command|Operation|Request) (?:was )?aborted\.?\s*$/;
const SKIPPED = /^Skipped due to queued user message/;
const INVALID = /^(?:Validation failed for tool "|Tool \S+ not found)/;
/** By an extension; yore's own reasons begin with its name. */
const BLOCKED = /^(?:Tool execution was blocked|yore: )/;
const NO_OUTPUT = '(no output)';
/** Where the last line is looked for, in characters. */
const TAIL = 200;

/** How a tool call of pi ended: `text` is what the model was told, `isError` what pi thinks of it. */
export function piResult(tool: string, text: string, isError: boolean): CallResult {
  if (!isError) {
    const output = text === NO_OUTPUT ? '' : text;
    return { status: 'ok', output, ...(tool === 'bash' ? { exitCode: 0 } : {}) };
  }
  const tail = text.slice(-TAIL);
  const exit = EXIT_CODE.exec(tail);
  if (exit) {
    const output = text.slice(0, text.length - tail.length + exit.index).trimEnd();
    return { status: 'error', output: output === NO_OUTPUT ? '' : output, exitCode: Number(exit[1]) };
  }
  return { status: statusOf(text), output: text };
}

function statusOf(text: string): CallResult['status'] {
  if (ABORTED.test(text.slice(-TAIL))) return 'interrupted';
  if (SKIPPED.test(text)) return 'cancelled';
  if (BLOCKED.test(text)) return 'denied';
  return INVALID.test(text) ? 'invalid' : 'error';
}

/** How a command ended that the user ran with `!`. */
export function userCommandResult(
  output: string,
  exitCode: number | undefined,
  isCancelled: boolean,
): CallResult {
  if (isCancelled) return { status: 'interrupted', output };
  if (exitCode === undefined) return { status: 'unknown', output };
  return { status: exitCode === 0 ? 'ok' : 'error', output, exitCode };
}
