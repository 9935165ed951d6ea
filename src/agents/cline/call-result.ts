import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import { extractElements } from '../transcript/elements.ts';
import { asObjects, asText, type Fields, listTexts } from '../transcript/fields.ts';

const DENIED =
  /^(?:The user denied this operation|User (?:declined|rejected)|The user rejected|Tool "[^"\n]{1,200}" requires approval)/;
const CANCELLED =
  /^Skipping tool |was not executed because|due to user rejecting a previous tool|Only one tool may be used/;
const INTERRUPTED = /interrupted by (?:the )?user|^Tool (?:execution )?was interrupted|\[Response interrupted/i;
const INVALID = /Missing value for required parameter|Missing required parameter|without value for required/;
const FAILED =
  /^(?:The tool execution failed with the following error|Tool execution failed|Error executing |Error:|\[ERROR\])/;
const EXIT_CODE = /exit code:?\s*(-?\d{1,10})\b/i;
const ERROR: ReadonlySet<string> = new Set(['error']);
const SHELL = 'execute_command';

/** Separates the description of how a command ended from its output. */
const OUTPUT = /(?:^|\n)(?:Output:|Here's the output so far:)\s?\n?/;

/** The result of a call, from the text that the model was given. */
export function parseCallResult(tool: string, text: string, isError: boolean): CallResult {
  const fields = text.startsWith('{"status":') ? parseObject(text) : undefined;
  const status = asText(fields?.status);
  if (status === 'denied') return { status: 'rejected' };
  if (status === 'error') return toFailure(asText(fields?.error) ?? asText(fields?.message) ?? text);
  const head = text.slice(0, 600);
  if (DENIED.test(head)) return { status: 'rejected' };
  if (CANCELLED.test(head)) return { status: 'cancelled', output: text };
  if (INTERRUPTED.test(head.slice(0, 200))) return { status: 'interrupted', output: text };
  if (isError || FAILED.test(head)) return toFailure(text);
  return tool === SHELL ? parseCommandResult(text) : { status: 'ok', ...(text === '' ? {} : { output: text }) };
}

function toFailure(text: string): CallResult {
  const { elements } = extractElements(text, ERROR);
  const output = elements[0]?.content.trim() ?? text;
  return { status: INVALID.test(text.slice(0, 2000)) ? 'invalid' : 'error', output };
}

/** Many versions do not say how a command ended: the status is unknown then. */
function parseCommandResult(text: string): CallResult {
  const found = OUTPUT.exec(text);
  const about = found ? text.slice(0, found.index) : text.slice(0, 600);
  const output = found ? text.slice(found.index + found[0].length).trimEnd() : undefined;
  const code = EXIT_CODE.exec(about)?.[1];
  if (code === undefined) return { status: 'unknown', ...omitUndefined({ output }) };
  const exitCode = Number(code);
  return { status: exitCode === 0 ? 'ok' : 'error', exitCode, ...omitUndefined({ output }) };
}

/** What one of the parts of a call did: the CLI runs several commands, or reads several files, in one call. */
export interface Operation {
  readonly output: string;
  readonly error?: string;
}

/** The operations of a call of the CLI, from the content of its result; empty for a result in another form. */
export function parseOperations(content: unknown): readonly Operation[] {
  const single = typeof content === 'string' && SINGLE.test(content) ? parseObject(content) : undefined;
  const found = single ? [single] : asObjects(content);
  return found.every(isOperation) ? found.map(toOperation) : [];
}

const SINGLE = /^\{"(?:query|error)":/;

/** An error alone stands for a call that was not made. */
function isOperation(fields: Fields): boolean {
  const { query, success, error } = fields;
  if (Object.keys(fields).length === 1) return typeof error === 'string';
  return typeof query === 'string' && typeof success === 'boolean';
}

function toOperation({ result, error }: Fields): Operation {
  return { output: listTexts(result).join('\n'), ...omitUndefined({ error: asText(error) }) };
}

const EXITED = /^(?:Command failed: )?Command exited with code (-?\d{1,10})\b/;
const EXIT_LINE = /^\[Command exited with code -?\d{1,10}\](?:\n|$)/;
const ABORTED = /^Command failed: Command was aborted/;
const STILL_RUNNING = /^\[Command is still running\./;

/** The result of a command that the CLI ran. */
export function parseCommandOperation({ output, error }: Operation): CallResult {
  if (error === undefined) {
    return STILL_RUNNING.test(output) ? { status: 'unknown', output } : { status: 'ok', exitCode: 0, output };
  }
  const code = EXITED.exec(error)?.[1];
  if (code !== undefined) {
    return { status: 'error', exitCode: Number(code), output: output.replace(EXIT_LINE, '').trim() };
  }
  if (ABORTED.test(error)) return { status: 'interrupted', output };
  return parseCallResult('', joinOutput(output, error), true);
}

/** The result of a call of another tool of the CLI: it failed if all its operations did. */
export function parseToolOperations(operations: readonly Operation[]): CallResult {
  const text = operations.map(({ output, error }) => joinOutput(output, error)).join('\n');
  const hasFailed = operations.every(({ error }) => error !== undefined);
  return hasFailed ? parseCallResult('', text, true) : { status: 'ok', output: text };
}

function joinOutput(output: string, error: string | undefined): string {
  return [output, error].filter((text) => text).join('\n');
}
