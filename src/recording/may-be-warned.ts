import { analyseCall } from '../memory/call/analyse-call.ts';
import { describeCall } from '../memory/call/describe-call.ts';
import { isOwnTool, type ToolCall } from '../memory/call/tool-call.ts';
import { quickCheck } from '../memory/guard/quick-check.ts';
import type { PendingCall } from './pending-call.ts';
import { hasRead, mayFailAgain, READ_FIRST } from './pending-matters.ts';
import { placed, type WarnerOptions } from './warner.ts';

/**
 * Whether there may be anything to warn of before a call, while other calls wait to be analysed: the first look, which
 * needs a fraction of what a `Warner` loads. Mostly no, and then a `Warner` would not warn; yes is for it to decide.
 */
export function mayBeWarned(
  pending: readonly PendingCall[],
  call: ToolCall,
  options: WarnerOptions,
): boolean {
  const { config, directory, machine: world, others, isRecording } = options;
  if (isOwnTool(call.tool) || !isRecording() || !config.get('retrieval.enabled')) return false;
  if (!config.get('retrieval.warnOnDuplicateFailure')) return false;
  if (others !== undefined && config.get('retrieval.crossProject')) return true;
  const own = placed(call, options);
  const fields = describeCall(own);
  const ofSession = pending.filter(({ sessionId }) => sessionId === call.sessionId);
  const suspects = quickCheck(directory, fields, {
    sessionId: call.sessionId,
    now: Date.parse(own.timestamp),
    lookbackDays: config.get('retrieval.failureLookbackDays'),
    machine: world,
    pendingCalls: ofSession.length,
  });
  if (suspects === 'unclear') return true;
  const isRead = ofSession.some((other) => hasRead(other, fields));
  if (suspects.some(({ failure: hazard }) => !(isRead && hazard.key.startsWith(READ_FIRST)))) return true;
  return pending.some((other) => mayFailAgain(other, analyseCall(fields), own));
}
