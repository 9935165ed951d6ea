import { noteActivity } from './activity.ts';
import { Deadline } from './deadline.ts';
import { budgetOf, handleHook } from './handle-hook.ts';
import { logHookProblem } from './hook-log.ts';
import { HOOKED_AGENTS } from './hooked-agents.ts';
import { wireOf } from './wire-of.ts';

/** What {@link answerHook} needs to know of the machine. */
export interface HookMachine {
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

/** What an agent sent. */
export interface HookRequest {
  /** As it is named on the command line or in the address. */
  readonly agent: string;
  /** The name of the event, for agents whose payloads do not tell. */
  readonly event?: string;
  /** JSON. */
  readonly payload: string;
}

/**
 * The text that goes back to an agent, mostly empty. Never throws and never rejects: what goes wrong is written to a log
 * in yore's home, and the agent goes on as if yore were not there. An answer that comes too late is not given.
 */
export async function answerHook(request: HookRequest, machine: HookMachine): Promise<string> {
  const { home, now } = machine;
  const where = `${request.agent.slice(0, 40)}${request.event === undefined ? '' : ` ${request.event.slice(0, 40)}`}`;
  const onProblem = (problem: unknown): void => logHookProblem(home, where, problem, now());
  try {
    return await answer(request, machine, onProblem);
  } catch (error) {
    onProblem(error);
    return '';
  }
}

async function answer(
  { agent: name, event, payload }: HookRequest,
  machine: HookMachine,
  onProblem: (problem: unknown) => void,
): Promise<string> {
  const { home, env, now, elapsed, userHome } = machine;
  const found = wireOf(name);
  if (found === undefined) {
    onProblem(`no agent of that name has hooks. There are: ${HOOKED_AGENTS.join(', ')}`);
    return '';
  }
  const { agent, wire } = found;
  const message = wire.decode(JSON.parse(payload), event);
  if (message === undefined) {
    onProblem(`a payload that makes no sense, of ${payload.length} characters`);
    return '';
  }
  const deadline = new Deadline(budgetOf(message.event.type), elapsed);
  const answered = await handleHook(message, {
    agent,
    wire,
    beside: { home, env, now },
    deadline,
    userHome,
    onProblem,
  });
  const text = deadline.isOver ? '' : wire.encode(answered, message);
  noteActivity(home, message.agent ?? agent, {
    type: message.event.type,
    at: now(),
    durationMs: elapsed(),
  });
  return text;
}
