import type { HookCall, HookEvent, HookReply } from '../agents/hook-protocol.ts';
import { type CallResult, isOwnTool } from '../facts/call/tool-call.ts';
import { omitUndefined } from '../record/object.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { Spool, toSpooledCall } from '../recording/spool.ts';
import { type HookContext, hasTranscript } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/** A larger spool is drained, because every check before a call reads it. */
const MAX_SPOOL_BYTES = 48 * 1024;

/**
 * Adds a call that ended to the spool, and replies with the note that could not be given before the call. If the event
 * does not show the outcome of the call or its id, the call is left to the transcript.
 */
export async function onAfterCall(
  { call, result }: Extract<HookEvent, { type: 'afterCall' }>,
  context: HookContext,
): Promise<HookReply> {
  const { agent, protocol, session, now } = context;
  const { sessionId, parentSessionId, cwd } = session;
  const project = ProjectHandle.enter(cwd, context);
  if (project === undefined) return {};
  const { root, directory } = project;
  const marks = new SessionMarks(directory, sessionId);
  const note = protocol.acceptsContextBeforeCall ? undefined : marks.takeNote(call);
  if (!isOwnTool(call.tool) && isRecordedNow(call, result, marks, context)) {
    const timestamp = new Date(now()).toISOString();
    const ended = { ...call, sessionId, agent: agent.name, cwd, root, timestamp };
    const size = new Spool(directory).add(
      toSpooledCall({ ...ended, ...omitUndefined({ parentSessionId, branch: project.branch() }) }, result),
    );
    if (size > MAX_SPOOL_BYTES) await project.drainSpool(context);
  }
  return omitUndefined({ context: note });
}

function isRecordedNow(call: HookCall, result: CallResult, marks: SessionMarks, context: HookContext): boolean {
  if (result.status === 'unknown') return false;
  if (call.callId !== undefined) return true;
  if (hasTranscript(context)) return false;
  if (context.agent.hooks?.mayRepeatEvents !== true) return true;
  // The hooks of another agent may have its name of the tool: `Bash` for `bash`.
  const { tool, input } = call;
  return marks.isFirst(JSON.stringify([tool.toLowerCase(), input, result.output?.slice(0, 2000)]), context.now());
}
