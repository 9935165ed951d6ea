import { redactBounded } from '../../redact/index.ts';
import type { CallResult } from './tool-call.ts';

/**
 * How a call ended, as far as that can be told without knowing what the call does: redacted, bounded, and all that its
 * record needs. The same whether the record is made now or later.
 */
export interface KeptResult {
  /** `ok` and `failed` still depend on what the call does. */
  readonly ending: 'ok' | 'failed' | 'rejected' | 'denied' | 'interrupted' | 'cancelled' | 'unclear';
  /** Of `ok`: the output shows a failure, which counts where the exit code is hidden. */
  readonly looksFailed?: true;
  /** Of `failed`: nothing but an exit code of 1, with which a search says that it found nothing. */
  readonly isSilent?: true;
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** The output of what failed. */
  readonly error?: string;
  /** The output of anything else, and of what is silent; left out when empty. */
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

/** Failing lines in an output whose exit code says nothing. */
const LOOKS_FAILED =
  /^(?:FAIL\b|--- FAIL|[ \t]*(?:\S+: )?(?:error|fatal|panic)(?:\[\w+\])?:|npm (?:ERR!|error) |Traceback )|command not found|: No such file or directory|^exit(?:ed| status| code)?[:= ]*(?:with code )?[1-9]|\b[1-9]\d* (?:failed|failing|errors?)\b/im;

const LOOKED_AT = 20_000;

/** What to keep of how a call ended. `mayHideExit`: exit code 0 may not mean that it went well. Never throws. */
export function keepResult(result: CallResult, mayHideExit: boolean): KeptResult {
  const output = result.output ?? '';
  const ending = endingOf(result, output);
  const isSilent = ending === 'failed' && result.exitCode === 1 && isBlank(output);
  return {
    ending,
    ...(ending === 'ok' && mayHideExit && LOOKS_FAILED.test(ends(output)) ? { looksFailed: true } : {}),
    ...(isSilent ? { isSilent } : {}),
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
    ...(result.durationMs === undefined ? {} : { durationMs: result.durationMs }),
    ...(ending === 'failed' ? { error: redactBounded(output, ERROR) } : {}),
    ...((ending === 'failed' && !isSilent) || output === '' ? {} : { result: redactBounded(output, RESULT) }),
  };
}

/** Whether a command line may hide its exit code, told without reading it as a shell would. */
export function mayHideExit(command: string | undefined): boolean {
  return command !== undefined && /[|;&\n!`(){}\\]/.test(command);
}

function endingOf({ status, exitCode }: CallResult, output: string): KeptResult['ending'] {
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

/** Where an output tells how it went. */
function ends(output: string): string {
  return output.length <= 2 * LOOKED_AT
    ? output
    : `${output.slice(0, LOOKED_AT)}\n${output.slice(-LOOKED_AT)}`;
}

function isBlank(output: string): boolean {
  const text = output.trim();
  return /^(?:Exit code:? 1)?\s*$/.test(text) || text === '(no output)';
}
