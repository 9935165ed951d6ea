import type { HookAnswer, HookEvent } from '../agents/wire/hook-event.ts';
import { BesideAgent } from '../project/beside-agent.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/**
 * Writes down a call that ended, and says what could not be said before it. A call of which the event does not tell how
 * it went is left to the transcript.
 */
export function onAfterCall(
  { call, result }: Extract<HookEvent, { type: 'afterCall' }>,
  { agent, wire, scene, beside }: HookContext,
): HookAnswer {
  const project = BesideAgent.enter(scene.cwd, beside);
  if (project === undefined) return {};
  const { sessionId, cwd } = scene;
  const now = beside.now();
  const marks = new SessionMarks(project.directory, sessionId);
  const note = wire.notesBeforeCall ? undefined : marks.takeNote(call);
  // Copilot tells the same twice when it also runs the hooks of Claude Code, and gives its calls no ids.
  const isNew =
    call.callId !== undefined ||
    agent !== 'copilot' ||
    marks.isFirst(JSON.stringify([call, result.output?.slice(0, 2000)]), now);
  if (result.status !== 'unknown' && isNew) {
    const branch = project.branch();
    const timestamp = new Date(now).toISOString();
    project.recorder.record(
      { ...call, sessionId, agent, cwd, timestamp, ...(branch === undefined ? {} : { branch }) },
      result,
    );
  }
  return note === undefined ? {} : { context: note };
}
