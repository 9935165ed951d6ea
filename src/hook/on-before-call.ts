import type { HookAnswer, HookEvent } from '../agents/wire/hook-event.ts';
import type { ToolCall } from '../memory/index.ts';
import { BesideAgent } from '../project/beside-agent.ts';
import { Spool } from '../project/spool.ts';
import { type GivenNow, Warner } from '../project/warner.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/**
 * The warning before a call, in the way that the setting `retrieval.onDuplicate` and the agent allow. Reads a little and
 * mostly writes only when it warns; a project that is not known has nothing to warn of.
 */
export async function onBeforeCall(
  { call }: Extract<HookEvent, { type: 'beforeCall' }>,
  context: HookContext,
): Promise<HookAnswer> {
  const { agent, wire, scene, beside } = context;
  const project = BesideAgent.find(scene.cwd, beside);
  if (project === undefined) return {};
  const { sessionId, cwd } = scene;
  const timestamp = new Date(beside.now()).toISOString();
  const found = await warn({ ...call, sessionId, agent, cwd, timestamp }, project, context);
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

/** What has ended since the last pause is analysed first where it may matter for this call, which is seldom. */
async function warn(
  call: ToolCall,
  project: BesideAgent,
  { onProblem }: HookContext,
): Promise<GivenNow | undefined> {
  const warner = new Warner(project.surroundings());
  const found = warner.warnAmid(new Spool(project.directory).pending(), call);
  if (found !== 'unclear') return found;
  warner.guard.close();
  (await import('./on-spooled.ts')).drainBeside(project, onProblem);
  return new Warner(project.surroundings()).warn(call);
}

/** A fact that the model can act on. */
const RETRY = 'This is said once: the same call, made again, is let through.';
