import type { HookEvent, HookReply } from '../agents/wire/hook-event.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import type { HookContext } from './hook-context.ts';
import { type KeptBriefing, readBriefing } from './kept-briefing.ts';
import { reportSettings } from './report-settings.ts';

/**
 * What an agent is told when a session starts: the briefing of the project, after a compaction with what that loses.
 * Nothing when a session is resumed or forked, where the agent has it already.
 */
export async function onStart(
  { source }: Extract<HookEvent, { type: 'start' }>,
  context: HookContext,
): Promise<HookReply> {
  if (source === 'resume' || source === 'fork') return {};
  const project = ProjectHandle.find(context.scene.cwd, context.beside);
  if (project === undefined) return {};
  reportSettings(project, context);
  const { config } = project;
  if (!config.get('retrieval.enabled') || !config.get('retrieval.autoInject')) return {};
  const { text, line } = await briefingOf(project, source, context);
  return {
    ...(text === '' ? {} : { context: text }),
    // A person who works on has seen it.
    ...(line === '' || source === 'compact' ? {} : { notice: line }),
  };
}

/** A session that starts afresh is told what the last pause has prepared. */
async function briefingOf(
  project: ProjectHandle,
  source: string,
  context: HookContext,
): Promise<KeptBriefing> {
  const kept =
    source === 'startup'
      ? readBriefing(project.directory, project.config.get('retrieval.maxContextSize'))
      : undefined;
  if (kept !== undefined) return kept;
  const { briefAnew } = await import('./on-start-anew.ts');
  return briefAnew(project, source === 'compact' ? 'compact' : 'start', context);
}
