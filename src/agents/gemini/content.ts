import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined } from '../../record/object.ts';
import { extractText } from '../claude-like-hooks.ts';
import { asFields, asList, asText, type Fields, listImage } from '../transcript/fields.ts';
import type { TranscriptImage } from '../transcript/transcript.ts';

/** The parts of a message by kind. Thoughts are left out. */
interface GeminiParts {
  readonly texts: readonly string[];
  readonly images: readonly TranscriptImage[];
  readonly calls: readonly Fields[];
  readonly responses: readonly Fields[];
}

/** Splits content into its parts: a text, a part or a list of them. Anything else has no parts. */
export function splitParts(content: unknown): GeminiParts {
  const texts: string[] = [];
  const images: TranscriptImage[] = [];
  const calls: Fields[] = [];
  const responses: Fields[] = [];
  for (const item of Array.isArray(content) ? asList(content) : [content]) {
    if (typeof item === 'string') texts.push(item);
    const part = asFields(item);
    if (!part || part.thought === true) continue;
    const text = asText(part.text);
    const call = asFields(part.functionCall);
    const response = asFields(part.functionResponse);
    if (text !== undefined) texts.push(text);
    if (call) calls.push(call);
    if (response) responses.push(response);
    images.push(...listImage(asFields(part.inlineData)));
  }
  return { texts: texts.filter((text) => text !== ''), images, calls, responses };
}

/** What the texts of a user's turn are. */
type UserText =
  | { readonly kind: 'typed'; readonly text: string }
  /** The summary that replaces what was compressed. */
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'command' | 'injected' };

const HOOK_CONTEXT = '<hook_context>';
const HOOK_CONTEXT_END = '</hook_context>';
const SUMMARY = '<state_snapshot>';
const SUMMARY_END = '</state_snapshot>';
/** How texts begin that Gemini CLI injects into the user's turn. */
const INJECTED_OPENINGS = [
  '<session_context>',
  HOOK_CONTEXT,
  '<loaded_context>',
  'This is the Gemini CLI. We are setting up the context',
  'I ran the following shell command:',
  'System: Please continue',
  'System: Potential loop detected',
];
const FILES_BEGIN = /^\s*---\s*Content from referenced files\s*---/;
const FILES_END = /^\s*---\s*End of content\s*---/;
/** `/clear`, `/git:commit fix`; not a path such as `/etc/hosts is wrong`. */
const COMMAND = /^(?:\/[a-z][\w:.-]*(?=\s|$)|\?$)/i;

/** Separates what the user typed from injected text: context of the session or of a hook, and referenced files. */
export function parseUserText(texts: readonly string[]): UserText {
  const summary = texts.find((text) => text.trimStart().startsWith(SUMMARY));
  if (summary !== undefined) return { kind: 'summary', text: extractSummary(summary) };
  const typed: string[] = [];
  let isInFiles = false;
  for (const text of texts.map(removeHookContext)) {
    if (FILES_BEGIN.test(text)) isInFiles = true;
    if (!isInFiles && !isInjected(text)) typed.push(text);
    if (FILES_END.test(text)) isInFiles = false;
  }
  const text = typed.join('\n').trim();
  if (text === '') return { kind: 'injected' };
  return COMMAND.test(text) ? { kind: 'command' } : { kind: 'typed', text };
}

/** The text without the context from hooks that Gemini CLI puts before the first prompt. Tags in it are escaped. */
export function removeHookContext(text: string): string {
  const end = text.startsWith(HOOK_CONTEXT) ? text.indexOf(HOOK_CONTEXT_END) : -1;
  return end < 0 ? text : text.slice(end + HOOK_CONTEXT_END.length).trim();
}

function extractSummary(text: string): string {
  const end = text.lastIndexOf(SUMMARY_END);
  return text.slice(text.indexOf(SUMMARY) + SUMMARY.length, end < 0 ? text.length : end).trim();
}

function isInjected(text: string): boolean {
  const opening = text.slice(0, 200).trimStart();
  return INJECTED_OPENINGS.some((known) => opening.startsWith(known));
}

const ENDED: ReadonlySet<unknown> = new Set(['success', 'error', 'cancelled']);
const HEAD_LENGTH = 1000;
const CANCELLED = /^\[Operation Cancelled\]/i;
const REJECTED = /user (?:denied|did not (?:allow|approve)|rejected|declined)|denied execution/i;
const DENIED =
  /(?:denied|blocked|disallowed|not allowed) by (?:polic|hook|admin|configuration)|tool execution (?:denied|blocked)|\byore: This failed/i;
const STOPPED = /^Command was cancelled by user before it could (?:complete|start)/;
const TIMED_OUT = /^Command was automatically cancelled because it exceeded the timeout/;
const IN_BACKGROUND = /^Command (?:moved to|is running in|started in) (?:the )?background/i;
const INVALID =
  /^(?:Error: )?(?:Tool "[^"\n]{0,200}" not found|params(?:\/\S{0,200})? must (?:have|be|NOT)|Invalid (?:parameters|arguments)|Missing or empty|Parameters must)/;

/** The result of a call in a message; undefined while it is running. */
export function parseCallResult(call: Fields): CallResult | undefined {
  if (!ENDED.has(call.status)) return undefined;
  const [response] = splitParts(call.result).responses;
  const { text, isError } = readResponse(response, call);
  if (call.status === 'cancelled') return toCancelled(text);
  return parseToolText(text, isError || call.status === 'error');
}

/** The result of a call from the response that the model was given. */
export function parseResponse(response: Fields): CallResult {
  const { text, isError } = readResponse(response);
  return CANCELLED.test(text) ? toCancelled(text) : parseToolText(text, isError);
}

/** The result of a command or another tool, from the text that the model was given. */
export function parseToolText(modelText: string, isError: boolean): CallResult {
  const text = unwrapOutput(modelText);
  const shell = parseShellOutput(text);
  if (shell) {
    const { output, exitCode, isBroken } = shell;
    const hasFailed = isError || isBroken === true || (exitCode ?? 0) !== 0;
    return { status: hasFailed ? 'error' : 'ok', output, ...omitUndefined({ exitCode }) };
  }
  if (STOPPED.test(text)) return { status: 'interrupted', output: text };
  if (TIMED_OUT.test(text)) return { status: 'error', output: text };
  if (!isError) return { status: IN_BACKGROUND.test(text) ? 'unknown' : 'ok', output: text };
  if (DENIED.test(text.slice(0, HEAD_LENGTH))) return { status: 'denied', output: text };
  return { status: INVALID.test(text) ? 'invalid' : 'error', output: text };
}

/** The result in the payload of a hook. A failed command is no error to Gemini CLI: its exit code is in the text. */
export function parseToolResponse(response: unknown): CallResult {
  const fields = asFields(response);
  const text = extractText(fields?.llmContent ?? fields?.returnDisplay ?? response);
  const error = asText(fields?.error) ?? asText(asFields(fields?.error)?.message);
  return parseToolText(text === '' ? (error ?? '') : text, error !== undefined);
}

/** What stands above an output that was shortened in the middle. */
const SHORTENED = /^Output too large\. Showing first [^\n]{1,5000}\n/;
const WRAPPER = '<untrusted_context>\n';
const WRAPPER_END = '\n</untrusted_context>';

/** The output of a tool without what Gemini CLI puts around it, and without context from hooks below it. */
function unwrapOutput(text: string): string {
  const end = text.endsWith(HOOK_CONTEXT_END) ? text.lastIndexOf(`\n${HOOK_CONTEXT}`) : -1;
  const output = (end < 0 ? text : text.slice(0, end).trimEnd()).replace(SHORTENED, '');
  const isWrapped = output.startsWith(WRAPPER) && output.endsWith(WRAPPER_END);
  return isWrapped ? output.slice(WRAPPER.length, -WRAPPER_END.length) : output;
}

function toCancelled(text: string): CallResult {
  return { status: REJECTED.test(text.slice(0, HEAD_LENGTH)) ? 'rejected' : 'interrupted', output: text };
}

function readResponse(
  response: Fields | undefined,
  call?: Fields,
): { readonly text: string; readonly isError: boolean } {
  const answer = asFields(response?.response);
  const error = asText(answer?.error);
  if (error !== undefined) return { text: error, isError: true };
  const output = asText(answer?.output) ?? asText(answer?.content);
  if (output !== undefined) return { text: output, isError: false };
  const texts = splitParts(call?.result).texts;
  return { text: texts.length > 0 ? texts.join('\n') : (asText(call?.resultDisplay) ?? ''), isError: false };
}

/** What Gemini CLI reports about a command that ran. */
interface ShellOutput {
  readonly output: string;
  readonly exitCode?: number;
  /** Set when it was ended by a signal or could not be run. */
  readonly isBroken?: boolean;
}

/** How far from the end the lines about a command's end are looked for, in characters. */
const TAIL_LENGTH = 4000;
const FIELD_LINE = /^(Error|Exit Code|Signal|Background PIDs|Process Group PGID): ([^\n]*)$/;
const START = /^(?:Command: [\s\S]{0,20000}?\nDirectory: [^\n]{0,5000}\n)?(?:Output|Stdout): /;

/**
 * Parses the frame that Gemini CLI puts around a command's output: `Output: …` and, below it, lines such as
 * `Exit Code: 1`, which newer versions omit when it is 0. Undefined for a text without the frame.
 */
function parseShellOutput(text: string): ShellOutput | undefined {
  const start = START.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const { fields, end } = readLastFields(text);
  // `Error:` alone may be the command's own output.
  if (!fields.has('Exit Code') && !fields.has('Process Group PGID')) return undefined;
  const body = text.slice(start, Math.max(start, end)).trimEnd();
  const code = fields.get('Exit Code');
  const error = omitNone(fields.get('Error'));
  const signal = omitNone(fields.get('Signal'));
  const exitCode = Number.parseInt(code ?? (error || signal ? '' : '0'), 10);
  const isBroken = Number.isNaN(exitCode) || error !== undefined;
  return {
    output: [stripPlaceholders(body), error].filter((part) => part).join('\n'),
    ...(Number.isNaN(exitCode) ? {} : { exitCode }),
    ...(isBroken ? { isBroken } : {}),
  };
}

/** The fields in the last lines, and where the first of them begins. */
function readLastFields(text: string): {
  readonly fields: ReadonlyMap<string, string>;
  readonly end: number;
} {
  const fields = new Map<string, string>();
  let end = text.length;
  const from = Math.max(0, text.length - TAIL_LENGTH);
  while (end > from) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const field = FIELD_LINE.exec(text.slice(start, end));
    if (!field || start < from || fields.has(field[1] ?? '')) break;
    fields.set(field[1] ?? '', field[2] ?? '');
    end = start - 1;
  }
  return { fields, end };
}

function omitNone(value: string | undefined): string | undefined {
  return value === undefined || value === '(none)' || value === '0' || value === '' ? undefined : value;
}

/** Gemini CLI writes `(empty)` for no output. */
function stripPlaceholders(body: string): string {
  if (body === '(empty)') return '';
  return body.replace(/^\(empty\)\nStderr: /, '').replace(/\nStderr: (?:\(empty\))?$/, '');
}
