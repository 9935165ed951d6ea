import { analyseCall, type CallAnalysis } from '../../facts/call/analyse-call.ts';
import { type CallFields, describeCall } from '../../facts/call/describe-call.ts';
import type { ToolCall } from '../../facts/call/tool-call.ts';

/** A call that the guard is asked about, and what it needs. */
export interface AskedCall {
  readonly call: ToolCall;
  readonly fields: CallFields;
  readonly analysis: CallAnalysis;
}

/** Describes and analyses a call, once for all failures that it is compared with. */
export function describeAskedCall(call: ToolCall): AskedCall {
  const fields = describeCall(call);
  return { call, fields, analysis: analyseCall(fields) };
}
