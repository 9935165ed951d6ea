import type { TextLists } from '../../config/index.ts';
import type { Attempt } from '../../record/index.ts';
import { redactBounded } from '../../redact/index.ts';
import { analyseFailure } from '../failure/analyse-failure.ts';
import { MOST_TAGS, tagsOf } from '../tags/tags-of.ts';
import { analyseCall } from './analyse-call.ts';
import { type CallFields, describeCall } from './describe-call.ts';
import { type KeptResult, keepResult } from './kept-result.ts';
import { outcomeOf } from './outcome.ts';
import type { CallResult, ToolCall } from './tool-call.ts';

/** An attempt that is about to be recorded. */
export type AttemptDraft = Omit<Attempt, 'v' | 'id'>;

/** What the user asked for, as it is kept with the calls that serve it. */
export interface ServedRequest {
  readonly text: string;
  readonly tags: readonly string[];
}

/** What surrounds a call. */
export interface AttemptContext {
  /** The request in force. */
  readonly request?: ServedRequest;
  /** What the settings add to the table of tags. */
  readonly extraTags?: TextLists;
}

const REQUEST = { head: 500, tail: 0 };

/** A request as it is kept: redacted, bounded, tagged. */
export function servedRequest(text: string, extraTags?: TextLists): ServedRequest {
  const kept = redactBounded(text, REQUEST);
  return { text: kept, tags: tagsOf({ text: kept }, extraTags) };
}

/** Tags of calls, by what they are made from: most calls of a session are about the same files. */
let tagged = new Map<string, readonly string[]>();
const MOST_TAGGED = 1000;
const LONGEST_TAGGED = 1000;

function ownTags({ tool, command, path }: CallFields, extraTags: TextLists | undefined): readonly string[] {
  const what = {
    tool,
    ...(command === undefined ? {} : { command }),
    ...(path === undefined ? {} : { path }),
  };
  if (extraTags !== undefined || (command?.length ?? 0) > LONGEST_TAGGED) return tagsOf(what, extraTags);
  const key = `${tool}\0${command}\0${path}`;
  const known = tagged.get(key);
  if (known !== undefined) return known;
  const tags = tagsOf(what);
  if (tagged.size >= MOST_TAGGED) tagged = new Map();
  tagged.set(key, tags);
  return tags;
}

/** The record of a call that ended: what was done, how it ended and why. Never throws. */
export function attemptOf(
  call: ToolCall,
  result: CallResult,
  surroundings: AttemptContext = {},
): AttemptDraft {
  return attemptOfFields(call, describeCall(call), result, surroundings);
}

/** The same, from what was kept of the call when it began. Never throws. */
export function attemptOfFields(
  call: Pick<ToolCall, 'sessionId' | 'callId' | 'timestamp'>,
  fields: CallFields,
  result: CallResult,
  surroundings: AttemptContext = {},
): AttemptDraft {
  return attemptOfKept(call, fields, keepResult(result, analyseCall(fields).hidesExit), surroundings);
}

/** The same, from what was also kept of its result when it ended. Never throws. */
export function attemptOfKept(
  call: Pick<ToolCall, 'sessionId' | 'callId' | 'timestamp'>,
  fields: CallFields,
  kept: KeptResult,
  surroundings: AttemptContext = {},
): AttemptDraft {
  const analysis = analyseCall(fields);
  const outcome = outcomeOf(analysis, kept);
  const failed = outcome === 'failure';
  const error = failed ? (kept.error ?? '') : undefined;
  const failure = error === undefined ? undefined : analyseFailure(analysis, error, kept.exitCode);
  const { request, extraTags } = surroundings;
  const own = ownTags(fields, extraTags);
  const tags = [...new Set([...(request?.tags ?? []), ...own])].slice(0, MOST_TAGS);
  const environment = analysis.parts.flatMap(({ command }) => command.circumstances);
  const circumstances = [...new Set([...(fields.circumstances ?? []), ...environment])];
  return {
    sessionId: call.sessionId,
    timestamp: call.timestamp,
    outcome,
    ...(call.callId === undefined ? {} : { callId: call.callId }),
    ...fields,
    ...(circumstances.length === 0 ? {} : { circumstances }),
    ...(error === undefined ? {} : { error }),
    ...(failed || kept.result === undefined ? {} : { result: kept.result }),
    ...(kept.exitCode === undefined ? {} : { exitCode: kept.exitCode }),
    ...(kept.durationMs === undefined ? {} : { durationMs: kept.durationMs }),
    ...(request === undefined || request.text === '' ? {} : { context: request.text }),
    ...(tags.length === 0 ? {} : { tags }),
    signature: analysis.signature,
    ...(failure === undefined ? {} : { errorSignature: failure.signature }),
    kind: failure?.class ?? analysis.action,
  };
}
