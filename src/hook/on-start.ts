import type { HookAnswer, HookEvent } from '../agents/wire/hook-event.ts';
import { BesideAgent } from '../project/beside-agent.ts';
import { memoryBeside } from '../project/memory-beside.ts';
import type { HookContext } from './hook-context.ts';
import { reportSettings } from './report-settings.ts';

/**
 * What an agent is told when a session starts: the briefing of the project, after a compaction with what that loses.
 * Nothing when a session is resumed or forked, where the agent has it already.
 */
export function onStart({ source }: Extract<HookEvent, { type: 'start' }>, context: HookContext): HookAnswer {
  if (source === 'resume' || source === 'fork') return {};
  const project = BesideAgent.find(context.scene.cwd, context.beside);
  if (project === undefined) return {};
  reportSettings(project, context);
  const { config } = project;
  if (!config.get('retrieval.enabled') || !config.get('retrieval.autoInject')) return {};
  const { text, line } = memoryBeside(project, context.beside.now).briefing({
    variant: source === 'compact' ? 'compact' : 'start',
    sessionId: context.scene.sessionId,
  });
  return {
    ...(text === '' ? {} : { context: text }),
    // A person who works on has seen it.
    ...(line === '' || source === 'compact' ? {} : { notice: line }),
  };
}
