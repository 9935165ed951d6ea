import type { HookReply } from '../agents/wire/hook-event.ts';
import type { ToolCall } from '../memory/index.ts';
import type { ProjectHandle } from '../recording/project-handle.ts';
import { Spool } from '../recording/spool.ts';
import { type GivenNow, Warner } from '../recording/warner.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/**
 * The warning before a call that something may speak against, in the way that the setting `retrieval.onDuplicate` and
 * the agent allow. Writes only when it warns, or when what waits has to be analysed first.
 */
export async function onSuspectedCall(
  call: ToolCall,
  project: ProjectHandle,
  { wire, onProblem }: HookContext,
): Promise<HookReply> {
  const found = await warn(call, project, onProblem);
  if (found === undefined) return {};
  const { warning, mode } = found;
  if (mode === 'note') {
    const note = `yore: ${warning.text}`;
    if (wire.notesBeforeCall) return { context: note };
    new SessionMarks(project.directory, call.sessionId).keepNote(call, note);
    return {};
  }
  return mode === 'ask' && wire.canAsk
    ? { objection: { mode: 'ask', reason: `yore: ${warning.text}\nProceed anyway?` } }
    : { objection: { mode: 'deny', reason: `yore: ${warning.text}\n${RETRY}` } };
}

/** What has ended since the last pause is analysed first where it may matter for this call, which is seldom. */
async function warn(
  call: ToolCall,
  project: ProjectHandle,
  onProblem: HookContext['onProblem'],
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
