import type { Attempt } from '../../record/index.ts';
import { redactBounded } from '../../redact/index.ts';
import { analyseFailure } from '../failure/analyse-failure.ts';
import { tagsOf } from '../tags/index.ts';
import { analyseCall } from './analyse-call.ts';
import { describeCall } from './describe-call.ts';
import { outcomeOf } from './outcome.ts';
import type { CallResult, ToolCall } from './tool-call.ts';

/** An attempt that is about to be recorded. */
export type AttemptDraft = Omit<Attempt, 'v' | 'id'>;

/** What surrounds a call: the request it serves, and what the settings add to the table of tags. */
export interface CallSurroundings {
  /** The user's request in force. */
  readonly request?: string;
  readonly extraTags?: Readonly<Record<string, readonly string[]>>;
}

const ERROR = { head: 1500, tail: 1500 };
const RESULT = { head: 400, tail: 400 };
const LONGEST_REQUEST = 500;

/** The record of a call that ended: what was done, how it ended and why. Never throws. */
export function attemptOf(
  call: ToolCall,
  result: CallResult,
  surroundings: CallSurroundings = {},
): AttemptDraft {
  const fields = describeCall(call);
  const analysis = analyseCall(fields);
  const outcome = outcomeOf(analysis, result);
  const failed = outcome === 'failure';
  const output = result.output ?? '';
  const error = failed ? redactBounded(output, ERROR) : undefined;
  const failure = error === undefined ? undefined : analyseFailure(analysis, error, result.exitCode);
  const request = surroundings.request?.slice(0, LONGEST_REQUEST);
  const tags = tagsOf(
    {
      ...(request === undefined ? {} : { text: request }),
      tool: call.tool,
      ...(fields.command === undefined ? {} : { command: fields.command }),
      ...(fields.path === undefined ? {} : { path: fields.path }),
    },
    surroundings.extraTags,
  );
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
    ...(failed || output === '' ? {} : { result: redactBounded(output, RESULT) }),
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
    ...(result.durationMs === undefined ? {} : { durationMs: result.durationMs }),
    ...(request === undefined || request === '' ? {} : { context: request }),
    ...(tags.length === 0 ? {} : { tags }),
    signature: analysis.signature,
    ...(failure === undefined ? {} : { errorSignature: failure.signature }),
    kind: failure?.class ?? analysis.action,
  };
}
