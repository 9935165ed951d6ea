import type { HookMessage, HookReply } from '../agents/hook-protocol.ts';
import { AGENTS, findAgent, HOOKED_AGENTS } from '../agents/registry.ts';
import type { HookContext } from './hook-context.ts';
import { hookLogPath, logActivity, logHookProblem } from './hook-log.ts';

/** What {@link handleHook} needs to know of the machine. */
export interface HookEnvironment {
  /** yore's home. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds since the agent began to wait. */
  readonly elapsed: () => number;
}

/** A hook event as an agent sends it. */
export interface HookRequest {
  /** The agent's name, from the command line or the URL. */
  readonly agent: string;
  /** The name of the event, for agents whose payloads do not contain it. */
  readonly event?: string;
  /** JSON. */
  readonly payload: string;
}

/** A payload may contain a whole file or the output of a build. */
export const MAX_PAYLOAD_BYTES: number = 16 * 1024 * 1024;

/** How long handling an event may take, in milliseconds. Some agents allow one second for all hooks at the end. */
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

/**
 * The text to send back to an agent for a hook event; usually empty. Fails open: whatever goes wrong is logged in
 * yore's home, and the reply is empty. It is also empty after the deadline. Never rejects.
 */
export async function handleHook(request: HookRequest, machine: HookEnvironment): Promise<string> {
  const { agent, event } = request;
  const where = [agent, event].flatMap((name) => name?.slice(0, 40) ?? []).join(' ');
  const onProblem = (problem: unknown): void => logHookProblem(machine.home, where, problem, machine.now());
  try {
    return await makeReply(request, machine, onProblem);
  } catch (error) {
    onProblem(error);
    return '';
  }
}

async function makeReply(
  request: HookRequest,
  machine: HookEnvironment,
  onProblem: (problem: unknown) => void,
): Promise<string> {
  const { home, now, elapsed } = machine;
  const configured = findAgent(request.agent);
  if (configured?.hooks === undefined) {
    onProblem(`no agent of this name has hooks. Agents with hooks: ${HOOKED_AGENTS.join(', ')}`);
    return '';
  }
  const protocol = await configured.hooks.loadProtocol();
  const message = protocol.decode(JSON.parse(request.payload), request.event);
  if (message === undefined) {
    onProblem(`malformed payload of ${request.payload.length} characters`);
    const { addUnknownParts } = await import('../recording/transcript/unknown-parts.ts');
    const event = { reason: 'malformed hook event', count: 1, path: hookLogPath(home), lastAt: now(), isWhole: true };
    addUnknownParts(home, configured.name, [event], now());
    return '';
  }
  const { session, event } = message;
  const agent = message.agent === undefined ? configured : AGENTS[message.agent];
  const deadline = elapsed() + BUDGETS[event.type];
  const timeLeft = (): number => deadline - elapsed();
  const reply = await handleEvent(event, { ...machine, agent, protocol, session, timeLeft, onProblem });
  const text = timeLeft() > 0 ? protocol.encode(reply, message) : '';
  logActivity(home, agent.name, { type: event.type, at: now(), durationMs: elapsed() });
  return text;
}

/** Each handler is loaded only for its event. */
async function handleEvent(event: HookMessage['event'], context: HookContext): Promise<HookReply> {
  switch (event.type) {
    case 'start':
      if (context.agent.hooks?.hasReached) await (await import('./idle.ts')).readLateTranscripts(context);
      return await (await import('./start.ts')).onStart(event, context);
    case 'prompt':
      return await (await import('./prompt.ts')).onPrompt(event, context);
    case 'beforeCall':
      return await (await import('./before-call.ts')).onBeforeCall(event, context);
    case 'afterCall':
      return await (await import('./after-call.ts')).onAfterCall(event, context);
    case 'other':
      return {};
    default:
      await (await import('./idle.ts')).onIdle(event, context);
      return {};
  }
}
