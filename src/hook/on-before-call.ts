import type { HookAnswer, HookEvent } from '../agents/wire/hook-event.ts';
import { BesideAgent } from '../project/beside-agent.ts';
import { Warner } from '../project/warner.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/**
 * The warning before a call, in the way that the setting `retrieval.onDuplicate` and the agent allow. Reads a little and
 * writes only when it warns; a project that is not known has nothing to warn of.
 */
export function onBeforeCall(
  { call }: Extract<HookEvent, { type: 'beforeCall' }>,
  { agent, wire, scene, beside }: HookContext,
): HookAnswer {
  const project = BesideAgent.find(scene.cwd, beside);
  if (project === undefined) return {};
  const { sessionId, cwd } = scene;
  const timestamp = new Date(beside.now()).toISOString();
  const found = new Warner(project.surroundings()).warn({ ...call, sessionId, agent, cwd, timestamp });
  if (found === undefined) return {};
  const { warning, mode } = found;
  if (mode === 'note') {
    const note = `yore: ${warning.text}`;
    if (wire.notesBeforeCall) return { context: note };
    new SessionMarks(project.directory, sessionId).keepNote(call, note);
    return {};
  }
  return mode === 'ask' && wire.canAsk
    ? { objection: { mode: 'ask', reason: `yore: ${warning.text}\nProceed anyway?` } }
    : { objection: { mode: 'deny', reason: `yore: ${warning.text}\n${RETRY}` } };
}

/** A fact that the model can act on. */
const RETRY = 'This is said once: the same call, made again, is let through.';
