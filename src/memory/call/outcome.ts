import type { Outcome } from '../../record/index.ts';
import type { CallAnalysis } from './analyse-call.ts';
import type { CallResult } from './tool-call.ts';

const REJECTED =
  /user (?:doesn't want to (?:proceed|take this action)|rejected|declined|chose not)|rejected by (?:the )?user/i;
const INTERRUPTED = /^\[?request interrupted by user|interrupted by user|^aborted by user|^user cancelled/i;
const CANCELLED = /sibling tool call errored|cancelled: parallel tool call/i;
const DENIED =
  /permission to use .* (?:has been|was) denied|requires approval|blocked by (?:policy|hook|permission)|hook (?:blocked|denied)|not allowed by (?:policy|permission)/i;

/** Failing lines in an output whose exit code says nothing. */
const LOOKS_FAILED =
  /^(?:FAIL\b|--- FAIL|[ \t]*(?:\S+: )?(?:error|fatal|panic)(?:\[\w+\])?:|npm (?:ERR!|error) |Traceback )|command not found|: No such file or directory|^exit(?:ed| status| code)?[:= ]*(?:with code )?[1-9]|\b[1-9]\d* (?:failed|failing|errors?)\b/im;

const LOOKED_AT = 20_000;

/** Recognises what is not a failure: rejected, interrupted, cancelled, denied, a search with no match. */
export function outcomeOf(call: CallAnalysis, result: CallResult): Outcome {
  const output = result.output ?? '';
  switch (result.status) {
    case 'rejected':
    case 'denied':
    case 'interrupted':
    case 'cancelled':
      return result.status;
    case 'unknown':
      return 'unclear';
    case 'ok':
      if (result.exitCode !== undefined && result.exitCode !== 0) return failed(call, result, output);
      return call.hidesExit && LOOKS_FAILED.test(ends(output)) ? 'unclear' : 'success';
    default:
      return failed(call, result, output);
  }
}

/** Where an output tells how it went. */
function ends(output: string): string {
  return output.length <= 2 * LOOKED_AT
    ? output
    : `${output.slice(0, LOOKED_AT)}\n${output.slice(-LOOKED_AT)}`;
}

function failed(call: CallAnalysis, result: CallResult, output: string): Outcome {
  const head = output.slice(0, 600);
  if (REJECTED.test(head)) return 'rejected';
  if (INTERRUPTED.test(head)) return 'interrupted';
  if (CANCELLED.test(head)) return 'cancelled';
  if (result.status !== 'invalid' && DENIED.test(head)) return 'denied';
  return isNoMatch(call, result, output) ? 'noMatch' : 'failure';
}

/** `grep` and its kin say with exit code 1 that they found nothing. */
function isNoMatch(call: CallAnalysis, result: CallResult, output: string): boolean {
  if (result.exitCode !== 1) return false;
  const last = call.parts.at(-1);
  if (last?.action !== 'search') return false;
  return /^(?:Exit code:? 1)?\s*$/.test(output.trim()) || output.trim() === '(no output)';
}
