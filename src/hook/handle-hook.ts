import type { HookMessage, HookReply } from '../agents/wire/hook-event.ts';
import type { HookContext } from './hook-context.ts';

/** What handling needs besides the message. */
export type HookSurroundings = Omit<HookContext, 'scene'>;

/** Milliseconds that an event may take. Some agents give the end of a session a second, with all its hooks. */
const BUDGETS: Readonly<Record<HookMessage['event']['type'], number>> = {
  start: 2_000,
  prompt: 2_000,
  beforeCall: 2_000,
  afterCall: 2_000,
  stop: 2_500,
  subagentStop: 1_500,
  beforeCompaction: 2_500,
  afterCompaction: 1_500,
  end: 900,
  other: 1_000,
};

/** How long an event may take, whatever happens. */
export function budgetOf(type: HookMessage['event']['type']): number {
  return BUDGETS[type];
}

/**
 * Handles an event of an agent: records, warns, briefs, learns. What it needs for one event is loaded for that alone.
 * Throws what recording may throw; the caller lets the agent go on.
 */
export async function handleHook(
  { scene, event, ...message }: HookMessage,
  surroundings: HookSurroundings,
): Promise<HookReply> {
  const context: HookContext = { ...surroundings, scene, agent: message.agent ?? surroundings.agent };
  switch (event.type) {
    case 'start':
      return await (await import('./on-start.ts')).onStart(event, context);
    case 'prompt':
      return await (await import('./on-prompt.ts')).onPrompt(event, context);
    case 'beforeCall':
      return (await import('./on-before-call.ts')).onBeforeCall(event, context);
    case 'afterCall':
      return (await import('./on-after-call.ts')).onAfterCall(event, context);
    case 'other':
      return {};
    default:
      await (await import('./on-pause.ts')).onPause(event, context);
      return {};
  }
}
