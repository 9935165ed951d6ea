import type { CallResult } from '../../memory/index.ts';
import { asFields, asText, type Fields } from '../transcript/fields.ts';

/** A call whose result is still being told, line by line. Plain JSON, and small. */
export interface RunningCall {
  readonly callId: string;
  /** `run`: how it ended is not told; `test`: told when it failed; `failed`: it failed. */
  readonly kind: 'run' | 'test' | 'failed';
  readonly head: string;
  readonly tail: string;
  readonly isCut: boolean;
}

/** Of an output, its two ends are enough. */
const END_LENGTH = 1500;

/** A call that just began. */
export function beginCall(callId: string, kind: RunningCall['kind']): RunningCall {
  return { callId, kind, head: '', tail: '', isCut: false };
}

/** The call with one more line of output. */
export function withLine(call: RunningCall, line: string): RunningCall {
  if (call.tail === '' && call.head.length + line.length < END_LENGTH) {
    return { ...call, head: call.head === '' ? line : `${call.head}\n${line}` };
  }
  const tail = call.tail === '' ? line : `${call.tail}\n${line}`;
  const isCut = call.isCut || tail.length > END_LENGTH;
  return { ...call, tail: tail.slice(-END_LENGTH), isCut };
}

/** How it ended, as far as the text shows it. */
export function resultOf(call: RunningCall): CallResult {
  const output = [call.head, ...(call.isCut ? ['…'] : []), call.tail]
    .filter((part) => part !== '')
    .join('\n');
  if (call.kind === 'failed') return { status: 'error', output };
  // Of a test that passed, nothing at all is said.
  if (call.kind === 'test' && output === '') return { status: 'ok' };
  return { status: 'unknown', ...(output === '' ? {} : { output }) };
}

/** A call that was kept; undefined when it makes no sense. */
export function asRunningCall(value: unknown): RunningCall | undefined {
  const fields: Fields | undefined = asFields(value);
  const callId = asText(fields?.callId);
  const kind = fields?.kind;
  if (!fields || callId === undefined || (kind !== 'run' && kind !== 'test' && kind !== 'failed'))
    return undefined;
  return {
    callId,
    kind,
    head: asText(fields.head) ?? '',
    tail: asText(fields.tail) ?? '',
    isCut: fields.isCut === true,
  };
}
