import type { CallResult } from '../../memory/index.ts';
import { asFields, asText, type Fields } from '../transcript/fields.ts';
import { geminiParts } from './reader-state.ts';

const ENDED: ReadonlySet<unknown> = new Set(['success', 'error', 'cancelled']);
const HEAD = 1000;
const CANCELLED = /^\[Operation Cancelled\]/i;
const REJECTED = /user (?:denied|did not (?:allow|approve)|rejected|declined)|denied execution/i;
const DENIED =
  /(?:denied|blocked|disallowed|not allowed) by (?:polic|hook|admin|configuration)|tool execution (?:denied|blocked)|\byore: This failed/i;
const STOPPED = /^Command was cancelled by user before it could (?:complete|start)/;
const TIMED_OUT = /^Command was automatically cancelled because it exceeded the timeout/;
const IN_BACKGROUND = /^Command (?:moved to|is running in|started in) (?:the )?background/i;
const INVALID =
  /^(?:Error: )?(?:Tool "[^"\n]{0,200}" not found|params(?:\/\S{0,200})? must (?:have|be|NOT)|Invalid (?:parameters|arguments)|Missing or empty|Parameters must)/;

/** How a call of a message ended; undefined while it has not. */
export function geminiResult(call: Fields): CallResult | undefined {
  if (!ENDED.has(call.status)) return undefined;
  const [response] = geminiParts(call.result).responses;
  const { text, isError } = told(response, call);
  if (call.status === 'cancelled') return cancelled(text);
  return resultOf(text, isError || call.status === 'error');
}

/** How a call ended, from the answer that the model was given. */
export function geminiResponse(response: Fields): CallResult {
  const { text, isError } = told(response);
  return CANCELLED.test(text) ? cancelled(text) : resultOf(text, isError);
}

/** How a command or another tool ended, from the text for the model. */
export function resultOf(text: string, isError: boolean): CallResult {
  const frame = shellFrame(text);
  if (frame) {
    const failed = isError || frame.isBroken === true || (frame.exitCode ?? 0) !== 0;
    const { output, exitCode } = frame;
    return { status: failed ? 'error' : 'ok', output, ...(exitCode === undefined ? {} : { exitCode }) };
  }
  if (STOPPED.test(text)) return { status: 'interrupted', output: text };
  if (TIMED_OUT.test(text)) return { status: 'error', output: text };
  if (!isError) return { status: IN_BACKGROUND.test(text) ? 'unknown' : 'ok', output: text };
  if (DENIED.test(text.slice(0, HEAD))) return { status: 'denied', output: text };
  return { status: INVALID.test(text) ? 'invalid' : 'error', output: text };
}

function cancelled(text: string): CallResult {
  return { status: REJECTED.test(text.slice(0, HEAD)) ? 'rejected' : 'interrupted', output: text };
}

function told(
  response: Fields | undefined,
  call?: Fields,
): { readonly text: string; readonly isError: boolean } {
  const answer = asFields(response?.response);
  const error = asText(answer?.error);
  if (error !== undefined) return { text: error, isError: true };
  const output = asText(answer?.output) ?? asText(answer?.content);
  if (output !== undefined) return { text: output, isError: false };
  const texts = geminiParts(call?.result).texts;
  return { text: texts.length > 0 ? texts.join('\n') : (asText(call?.resultDisplay) ?? ''), isError: false };
}

/** What Gemini tells of a command that ran. */
interface ShellFrame {
  readonly output: string;
  readonly exitCode?: number;
  /** It was ended by a signal, or could not be run. */
  readonly isBroken?: boolean;
}

/** Where the lines about the end of a command are looked for, in characters. */
const TAIL = 4000;
const FIELD = /^(Error|Exit Code|Signal|Background PIDs|Process Group PGID): ([^\n]*)$/;
const START = /^(?:Command: [\s\S]{0,20000}?\nDirectory: [^\n]{0,5000}\n)?(?:Output|Stdout): /;

/**
 * Takes the frame off that Gemini puts around a command's output: `Output: …` and, below it, lines such as
 * `Exit Code: 1`, which newer versions leave out when it is 0. Undefined for a text without the frame.
 */
function shellFrame(text: string): ShellFrame | undefined {
  const start = START.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const { fields, end } = lastFields(text);
  // `Error:` alone may as well be the command's own.
  if (!fields.has('Exit Code') && !fields.has('Process Group PGID')) return undefined;
  const body = text.slice(start, Math.max(start, end)).trimEnd();
  const code = fields.get('Exit Code');
  const error = readField(fields.get('Error'));
  const signal = readField(fields.get('Signal'));
  const exitCode = Number.parseInt(code ?? (error || signal ? '' : '0'), 10);
  const isBroken = Number.isNaN(exitCode) || error !== undefined;
  return {
    output: [withoutEmpty(body), error].filter((part) => part).join('\n'),
    ...(Number.isNaN(exitCode) ? {} : { exitCode }),
    ...(isBroken ? { isBroken } : {}),
  };
}

/** The fields in the last lines, and where their first one begins. */
function lastFields(text: string): { readonly fields: ReadonlyMap<string, string>; readonly end: number } {
  const fields = new Map<string, string>();
  let end = text.length;
  const from = Math.max(0, text.length - TAIL);
  while (end > from) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const field = FIELD.exec(text.slice(start, end));
    if (!field || start < from || fields.has(field[1] ?? '')) break;
    fields.set(field[1] ?? '', field[2] ?? '');
    end = start - 1;
  }
  return { fields, end };
}

function readField(value: string | undefined): string | undefined {
  return value === undefined || value === '(none)' || value === '0' || value === '' ? undefined : value;
}

/** An output that Gemini calls empty is empty. */
function withoutEmpty(body: string): string {
  if (body === '(empty)') return '';
  return body.replace(/^\(empty\)\nStderr: /, '').replace(/\nStderr: (?:\(empty\))?$/, '');
}
