import { analyseCall, type CallAnalysis } from '../memory/call/analyse-call.ts';
import { type CallFields, describeCall } from '../memory/call/describe-call.ts';
import type { ToolCall } from '../memory/call/tool-call.ts';
import { JUST_NOW_MS } from '../memory/guard/liveness.ts';
import type { Guard } from '../memory/index.ts';
import { type PendingCall, partsOf } from './pending-call.ts';

/** What an edit needs besides that its file was read. */
const EDIT_KINDS: ReadonlySet<string> = new Set(['call', 'tool', 'path', 'file', 'text']);

/**
 * Whether calls that wait to be analysed may change what the guard says of a call: what it would warn of may have ended,
 * and what failed may fail again. Says yes too often rather than too seldom, and mostly no: then there is nothing to warn
 * of, and they need not be analysed while an agent waits. `call` with its root and a time that can be read.
 */
export function pendingMatters(
  pending: readonly PendingCall[],
  call: ToolCall,
  guard: Guard,
  request: () => string | undefined,
): boolean {
  const fields = describeCall(call);
  const analysis = analyseCall(fields);
  const own = pending.filter(({ sessionId }) => sessionId === call.sessionId);
  const verdict = guard.judge(call, { request, pendingCalls: own.length });
  if (verdict !== undefined) {
    const isRead = verdict.failure.key.startsWith(READ_FIRST) && own.some((other) => hasRead(other, fields));
    if (!isRead || guard.judge(call, { kinds: EDIT_KINDS }) !== undefined) return true;
  }
  return pending.some((other) => mayFailAgain(other, analysis, call));
}

/** The rule of editing tools that a file has to be read first, of any agent. */
export const READ_FIRST = 'rule:read ';

/** Whether a call that waits has read the file of another one, or written it. */
export function hasRead({ path, ending }: PendingCall, fields: CallFields): boolean {
  return path === fields.path && ending === 'ok';
}

/**
 * Whether a call that waits to be analysed may have failed by something that another one needs. Says yes too often rather
 * than too seldom. `call` with a time that can be read.
 */
export function mayFailAgain(other: PendingCall, analysis: CallAnalysis, call: ToolCall): boolean {
  if (other.ending !== 'failed') return false;
  const age = Date.parse(call.timestamp) - Date.parse(other.timestamp);
  // Of what has just failed in the same session nobody is warned.
  if (other.sessionId === call.sessionId && age < JUST_NOW_MS) return false;
  const error = other.error ?? '';
  // Rules of editing tools are told by their words alone, and so is a shell that cannot start.
  if (analysis.family === 'edit' && RULE_WORDS.test(error)) return true;
  const isSameShell = analysis.family === 'shell' && !/spawn/i.test(error);
  const needed = new Set(analyseCall(partsOf(other).fields).needs);
  return analysis.needs.some((key) => needed.has(key) && !(isSameShell && key.startsWith('tool:')));
}

const RULE_WORDS = /\bread\b|new_string|no changes|identical/i;
