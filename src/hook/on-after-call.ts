import type { HookCall, HookEvent, HookReply } from '../agents/wire/hook-event.ts';
import { type CallResult, isOwnTool } from '../memory/index.ts';
import { pendingCall } from '../recording/pending-call.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { Spool } from '../recording/spool.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';
import { hasTranscript } from './transcript-path.ts';

/** What a process before a call has to look through stays below this. */
const MOST_SPOOLED = 48 * 1024;

/**
 * Keeps a call that ended, to be analysed when nobody waits, and says what could not be said before it. A call of which
 * the event does not tell how it went, or which call it is, is left to the transcript, which does.
 */
export async function onAfterCall(
  { call, result }: Extract<HookEvent, { type: 'afterCall' }>,
  context: HookContext,
): Promise<HookReply> {
  const { agent, wire, scene, beside } = context;
  const project = ProjectHandle.enter(scene.cwd, beside);
  if (project === undefined) return {};
  const { sessionId, cwd } = scene;
  const now = beside.now();
  const marks = new SessionMarks(project.directory, sessionId);
  const note = wire.notesBeforeCall ? undefined : marks.takeNote(call);
  if (!isOwnTool(call.tool) && isRecordedNow(call, result, marks, context)) {
    const branch = project.branch();
    const timestamp = new Date(now).toISOString();
    const { root, directory } = project;
    const ended = { ...call, sessionId, agent, cwd, root, timestamp };
    const size = new Spool(directory).add(
      pendingCall({ ...ended, ...(branch === undefined ? {} : { branch }) }, result),
    );
    if (size > MOST_SPOOLED) (await import('./on-spooled.ts')).drainBeside(project, context.onProblem);
  }
  return note === undefined ? {} : { context: note };
}

function isRecordedNow(
  call: HookCall,
  result: CallResult,
  marks: SessionMarks,
  context: HookContext,
): boolean {
  const { agent, scene, beside } = context;
  if (result.status === 'unknown') return false;
  if (call.callId !== undefined) return true;
  if (hasTranscript(agent, scene, context)) return false;
  // Copilot tells the same twice when it also runs the hooks of Claude Code.
  return (
    agent !== 'copilot' || marks.isFirst(JSON.stringify([call, result.output?.slice(0, 2000)]), beside.now())
  );
}
