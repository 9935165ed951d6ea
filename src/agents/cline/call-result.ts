import type { CallResult } from '../../memory/index.ts';
import { withoutElements } from '../transcript/elements.ts';
import { asText, defined, parseFields } from '../transcript/fields.ts';

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
export function callResult(tool: string, text: string, isError: boolean): CallResult {
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
  const { elements } = withoutElements(text, ERROR);
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
