import { briefProject, type ProjectBriefing } from '../memory/index.ts';
import type { ProjectHandle } from '../recording/project-handle.ts';
import type { HookContext } from './hook-context.ts';

/** The briefing of a project from what was learned last, for one session. */
export function briefAnew(
  { directory, config }: ProjectHandle,
  variant: 'start' | 'compact',
  { scene, beside }: HookContext,
): ProjectBriefing {
  return briefProject(directory, {
    maxSize: config.get('retrieval.maxContextSize'),
    now: beside.now(),
    variant,
    sessionId: scene.sessionId,
  });
}
