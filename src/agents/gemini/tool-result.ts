import type { CallResult } from '../../memory/index.ts';
import { asFields, asText, type Fields } from '../transcript/fields.ts';
import { geminiParts } from './parts.ts';
import { shellFrame } from './shell-frame.ts';

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
