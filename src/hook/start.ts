import type { HookEvent, HookReply } from '../agents/hook-protocol.ts';
import type { BriefingOptions, ProjectBriefing } from '../ask/briefing.ts';
import { isInjecting } from '../config/config.ts';
import { omitUndefined } from '../record/object.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { frameRecorded } from '../text/recorded-text.ts';
import { type HookContext, reportSettings } from './hook-context.ts';

/**
 * Replies with the briefing of the project when a session starts; after a compaction, with what that loses. Nothing
 * when a session is resumed or forked: the agent has it already.
 */
export async function onStart(
  { source }: Extract<HookEvent, { type: 'start' }>,
  context: HookContext,
): Promise<HookReply> {
  if (source === 'resume' || source === 'fork') return {};
  const project = ProjectHandle.find(context.session.cwd, context);
  if (project === undefined) return {};
  reportSettings(project, context);
  if (!isInjecting(project.config)) return {};
  const briefing = await brief(project, source === 'compact' ? 'compact' : 'start', context);
  if (briefing === undefined) return {};
  const { text, line } = briefing;
  return omitUndefined({
    context: text === '' ? undefined : frameRecorded(text),
    // After a compaction the user has already seen it.
    notice: line === '' || source === 'compact' ? undefined : line,
  });
}

/** The briefing as of the last catch-up: what the session itself has just done is not part of it. */
async function brief(
  project: ProjectHandle,
  variant: BriefingOptions['variant'],
  { session: { sessionId }, now }: HookContext,
): Promise<ProjectBriefing | undefined> {
  const { briefProject } = await import('../ask/briefing.ts');
  const { describeProject } = await import('../ask/knowledge.ts');
  const maxSize = project.config.get('retrieval.maxContextSize');
  const branch = project.branch();
  const answer = (rows: ProjectRows): ProjectBriefing => {
    const known = describeProject(rows, project.info, now());
    return briefProject(rows, { ...known, maxSize, variant, sessionId, branch });
  };
  return (await project.rows()).ask(answer);
}
