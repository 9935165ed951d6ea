import { omitUndefined } from '../../record/object.ts';
import type { Outcome } from '../../record/record.ts';
import { redactBounded, redactOutput } from '../../redact/redact.ts';
import type { CallAnalysis } from './analyse-call.ts';
import type { CallResult } from './tool-call.ts';

/**
 * The result of a call, redacted and truncated, as far as it can be judged without analysing the call. It contains all
 * that the record needs, so that hooks can leave building the record to a later process.
 */
export interface ResultSummary {
  /** `ok` and `failed` are provisional: {@link classifyOutcome} also considers what the call does. */
  readonly ending: 'ok' | 'failed' | 'rejected' | 'denied' | 'interrupted' | 'cancelled' | 'unclear';
  /** With `ok`: the output reports a failure, which counts if the call hides its exit code. */
  readonly looksFailed?: true;
  /** With `failed`: exit code 1 and no output, as from a search without a match. */
  readonly isSilent?: true;
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** The output of a failed call. */
  readonly error?: string;
  /** The output of any other call, and of a silent one; absent if empty. */
  readonly result?: string;
}

const ERROR = { head: 1500, tail: 1500 };
const RESULT = { head: 400, tail: 400 };

const REJECTED =
  /user (?:doesn't want to (?:proceed|take this action)|rejected|declined|chose not)|rejected by (?:the )?user/i;
const INTERRUPTED = /^\[?request interrupted by user|interrupted by user|^aborted by user|^user cancelled/i;
const CANCELLED = /sibling tool call errored|cancelled: parallel tool call/i;
const DENIED =
  /permission to use .* (?:has been|was) denied|requires approval|blocked by (?:policy|hook|permission)|hook (?:blocked|denied)|not allowed by (?:policy|permission)/i;

/** Lines that report a failure, for calls that hide their exit code. */
const LOOKS_FAILED =
  /^(?:FAIL\b|--- FAIL|[ \t]*(?:\S+: )?(?:error|fatal|panic)(?:\[\w+\])?:|npm (?:ERR!|error) |Traceback )|command not found|: No such file or directory|^exit(?:ed| status| code)?[:= ]*(?:with code )?[1-9]|\b[1-9]\d* (?:failed|failing|errors?)\b/im;

const MAX_SCANNED = 20_000;

/**
 * Summarises the result of a call. `mayHideExit`: the call may exit with 0 although it failed. `command`: what it ran, which
 * decides whether its output is a secret. Never throws.
 */
export function summariseResult(result: CallResult, mayHideExit: boolean, command: string | undefined): ResultSummary {
  const output = result.output ?? '';
  const ending = classifyEnding(result, output);
  const isSilent = ending === 'failed' && result.exitCode === 1 && isBlank(output);
  const looksFailed = ending === 'ok' && mayHideExit && LOOKS_FAILED.test(headAndTail(output));
  const hasResult = (ending !== 'failed' || isSilent) && output !== '';
  return omitUndefined({
    ending,
    looksFailed: looksFailed ? (true as const) : undefined,
    isSilent: isSilent ? (true as const) : undefined,
    exitCode: result.exitCode,
    durationMs: result.durationMs,
    error: ending === 'failed' ? redactBounded(output, ERROR) : undefined,
    result: hasResult ? redactOutput(command, output, RESULT) : undefined,
  });
}

/** Whether a command line may hide its exit code: a cheap upper bound that needs no parser. */
export function mayHideExitCode(command: string | undefined): boolean {
  return command !== undefined && /[|;&\n!`(){}\\]/.test(command);
}

function classifyEnding({ status, exitCode }: CallResult, output: string): ResultSummary['ending'] {
  switch (status) {
    case 'rejected':
    case 'denied':
    case 'interrupted':
    case 'cancelled':
      return status;
    case 'unknown':
      return 'unclear';
    case 'ok':
      if (exitCode === undefined || exitCode === 0) return 'ok';
  }
  const head = output.slice(0, 600);
  if (REJECTED.test(head)) return 'rejected';
  if (INTERRUPTED.test(head)) return 'interrupted';
  if (CANCELLED.test(head)) return 'cancelled';
  return status !== 'invalid' && DENIED.test(head) ? 'denied' : 'failed';
}

/** The parts of a long output that usually report how it went. */
function headAndTail(output: string): string {
  return output.length <= 2 * MAX_SCANNED ? output : `${output.slice(0, MAX_SCANNED)}\n${output.slice(-MAX_SCANNED)}`;
}

function isBlank(output: string): boolean {
  const text = output.trim();
  return /^(?:Exit code:? 1)?\s*$/.test(text) || text === '(no output)';
}

/** The outcome to record. Not failures: a call that was rejected, interrupted or cancelled, a search without a match. */
export function classifyOutcome(call: CallAnalysis, { ending, looksFailed, isSilent }: ResultSummary): Outcome {
  switch (ending) {
    case 'ok':
      return call.hidesExitCode && looksFailed === true ? 'unclear' : 'success';
    case 'failed':
      // `grep` and similar programs exit with 1 when nothing matches.
      return isSilent === true && call.parts.at(-1)?.action === 'search' ? 'noMatch' : 'failure';
    default:
      return ending;
  }
}
