import type { CallResult } from '../../memory/index.ts';
import {
  asFields,
  asInteger,
  asNumber,
  asObjects,
  asText,
  defined,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';

/** How a call ended, or that its process goes on. */
export type CallOutput =
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
export function callOutput(output: unknown, tool: string | undefined, facts: CallFacts = {}): CallOutput {
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
  return { kind: 'ended', result: defined({ status, output: found.output, exitCode, durationMs }) };
}

/** `{"output":"…","metadata":{"exit_code":1,"duration_seconds":0.2}}` */
function jsonForm(text: string): Found | undefined {
  if (!text.startsWith('{"output"')) return undefined;
  const fields = parseFields(text);
  const metadata = asFields(fields?.metadata);
  const output = asText(fields?.output);
  const exitCode = asInteger(metadata?.exit_code);
  if (output === undefined || exitCode === undefined) return undefined;
  return defined({ output, exitCode, durationMs: milliseconds(asNumber(metadata?.duration_seconds)) });
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
  if (code === undefined) return at ? defined({ output, durationMs }) : undefined;
  return defined({ output: at ? output : text, exitCode: asInteger(Number(code)), durationMs });
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
