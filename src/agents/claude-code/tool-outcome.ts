import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined } from '../../record/object.ts';
import { extractElements } from '../transcript/elements.ts';
import { asCount, asFields, asInteger, asName, asText, type Fields, listTexts } from '../transcript/fields.ts';

/** How a tool call ended, or that it continues in the background. */
export type ToolOutcome =
  | {
      readonly kind: 'ended';
      readonly result: CallResult;
      /** What the user said when rejecting it. */
      readonly userComment?: string;
    }
  | { readonly kind: 'background'; readonly taskId: string | undefined };

/** Reads an output that was saved beside the transcript; undefined if it does not exist. */
export type ReadSavedOutput = (path: string) => string | undefined;

const REMINDERS: ReadonlySet<string> = new Set(['system-reminder']);
const EXIT_CODE = /^(?:Error: )?Exit code (-?\d+)(?:\n|$)/;
const REJECTED =
  /^(?:Error: )?The user doesn't want to (?:proceed with this tool use|take this action)|^(?:Error: )?User rejected/;
const COMMENT_INTRO = /\bthe user said:\s*\n/;
/** What newer versions add to the user's words, for the model. */
const COMMENT_NOTE = /\n+Note: The user's next message may contain a correction[\s\S]*$/;
const INTERRUPTED =
  /^(?:Error: )?(?:\[Request interrupted by user|Request was aborted|The operation was aborted|Interrupted by user|Command was aborted)/;
const CANCELLED = /^(?:<tool_use_error>)?(?:Error: )?(?:Sibling tool call errored|Cancelled: parallel tool call)/;
const ERROR_TAG = '<tool_use_error>';
const ERROR_END = '</tool_use_error>';
const DENIED =
  /^(?:Error: )?(?:Permission to use .{1,2000} (?:has been|was) denied|Permission (?:for this \w+ )?(?:has been |was )?denied\b.{0,200}Reason|Permission for this action|Claude requested permissions? to |This command requires approval|This Bash command contains .{0,200} require approval|Hook \S+ denied|\S+ hook (?:error|blocked|denied)|\S+:\S+ hook |Blocked by hook|yore: )|^.{0,80}\boperation was blocked by hook/;
const ABORTED = '<error>Command was aborted before completion</error>';
const SAVED_PATH = /Full output saved to: ([^\n]{1,4096}?)\s*(?:\n|$)/;

/**
 * Parses how a call ended: `block` is its tool_result, `extra` the data that Claude Code keeps beside it
 * (`toolUseResult`), if that belongs to this call.
 */
export function parseOutcome(block: Fields, extra: unknown, readSaved: ReadSavedOutput): ToolOutcome {
  const text = stripReminders(listTexts(block.content).join('\n'));
  if (block.is_error === true) return parseFailure(text);
  const shape = asFields(extra);
  const taskId = asName(shape?.backgroundTaskId);
  if (taskId !== undefined || shape?.status === 'async_launched') return { kind: 'background', taskId };
  const output = shape ? parseOutput(shape, text, readSaved) : (readPersisted(text, readSaved) ?? text);
  const durationMs = asCount(shape?.durationMs) ?? asCount(shape?.totalDurationMs);
  if (shape?.interrupted === true || text.includes(ABORTED))
    return ended({ status: 'interrupted', output, durationMs });
  if (asCount(shape?.timedOutAfterMs) !== undefined) return ended({ status: 'error', output, durationMs });
  // Only a search that found nothing counts as exit code 1: `diff` with exit code 1 is no failure.
  const exitCode = shape?.returnCodeInterpretation === 'No matches found' ? 1 : undefined;
  return ended({ status: 'ok', output, exitCode, durationMs });
}

function parseFailure(text: string): ToolOutcome {
  if (REJECTED.test(text)) {
    const intro = COMMENT_INTRO.exec(text);
    const said = intro ? text.slice(intro.index + intro[0].length) : '';
    const userComment = said.replace(COMMENT_NOTE, '').trim();
    const rejected = ended({ status: 'rejected', output: text });
    return userComment === '' ? rejected : { ...rejected, userComment };
  }
  if (INTERRUPTED.test(text)) return ended({ status: 'interrupted', output: text });
  if (CANCELLED.test(text)) return ended({ status: 'cancelled', output: stripErrorTag(text) });
  if (text.startsWith(ERROR_TAG)) return ended({ status: 'invalid', output: stripErrorTag(text) });
  if (DENIED.test(text.slice(0, 3000))) return ended({ status: 'denied', output: text });
  const exit = EXIT_CODE.exec(text);
  if (!exit) return ended({ status: 'error', output: text });
  return ended({ status: 'error', output: text.slice(exit[0].length), exitCode: asInteger(Number(exit[1])) });
}

function stripErrorTag(text: string): string {
  if (!text.startsWith(ERROR_TAG)) return text;
  const inner = text.slice(ERROR_TAG.length).trimEnd();
  return (inner.endsWith(ERROR_END) ? inner.slice(0, -ERROR_END.length) : inner).trim();
}

function ended(
  result: { [K in keyof CallResult]: CallResult[K] | undefined } & Pick<CallResult, 'status'>,
): Extract<ToolOutcome, { readonly kind: 'ended' }> {
  return { kind: 'ended', result: omitUndefined(result) };
}

function parseOutput(shape: Fields, text: string, readSaved: ReadSavedOutput): string {
  const path = asText(shape.persistedOutputPath);
  const whole = path === undefined ? readPersisted(text, readSaved) : readSaved(path);
  if (whole !== undefined) return whole;
  const stdout = asText(shape.stdout);
  const stderr = asText(shape.stderr);
  if (stdout === undefined || shape.isImage === true) return text;
  return [stdout, stderr ?? ''].filter((part) => part !== '').join('\n');
}

function readPersisted(text: string, readSaved: ReadSavedOutput): string | undefined {
  if (!text.startsWith('<persisted-output>')) return undefined;
  const path = SAVED_PATH.exec(text.slice(0, 8192))?.[1];
  return path === undefined ? undefined : readSaved(path);
}

function stripReminders(text: string): string {
  const { rest, elements } = extractElements(text, REMINDERS);
  return elements.length > 0 ? rest.trimEnd() : text;
}
