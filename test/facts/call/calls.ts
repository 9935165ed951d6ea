import { analyseCall, type CallAnalysis } from '../../../src/facts/call/analyse-call.ts';
import { describeCall } from '../../../src/facts/call/describe-call.ts';
import type { ToolCall } from '../../../src/facts/call/tool-call.ts';

export const ROOT = '/home/kim/app';

/** A call of a tool in the checkout {@link ROOT}. */
export function callOf(tool: string, input: Readonly<Record<string, unknown>>, more: Partial<ToolCall> = {}): ToolCall {
  return {
    sessionId: 's1',
    tool,
    input,
    timestamp: '2026-03-02T10:00:00.000Z',
    root: ROOT,
    cwd: ROOT,
    ...more,
  };
}

/** The analysis of a call. */
export function analysed(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  more: Partial<ToolCall> = {},
): CallAnalysis {
  return analyseCall(describeCall(callOf(tool, input, more)));
}

/** The analysis of a shell command. */
export function command(text: string, more: Partial<ToolCall> = {}): CallAnalysis {
  return analysed('Bash', { command: text }, more);
}
