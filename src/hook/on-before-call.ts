import type { HookEvent, HookReply } from '../agents/wire/hook-event.ts';
import { mayBeWarned } from '../recording/may-be-warned.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { Spool } from '../recording/spool.ts';
import type { HookContext } from './hook-context.ts';

/**
 * The warning before a call. Mostly a look at what failed shows that there is none to give; what judges and warns is
 * loaded only when there may be. A project that is not known has nothing to warn of.
 */
export async function onBeforeCall(
  event: Extract<HookEvent, { type: 'beforeCall' }>,
  context: HookContext,
): Promise<HookReply> {
  const { agent, scene, beside } = context;
  const project = ProjectHandle.find(scene.cwd, beside);
  if (project === undefined) return {};
  const { sessionId, cwd } = scene;
  const call = { ...event.call, sessionId, agent, cwd, timestamp: new Date(beside.now()).toISOString() };
  const pending = new Spool(project.directory).pending();
  if (!mayBeWarned(pending, call, project.surroundings())) return {};
  return (await import('./on-suspected-call.ts')).onSuspectedCall(call, project, context);
}
