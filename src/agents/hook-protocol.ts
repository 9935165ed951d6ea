import type { CallResult } from '../facts/call/tool-call.ts';
import type { AgentName } from './agent-name.ts';

/** The session in which a hook event happens. */
export interface HookSession {
  readonly sessionId: string;
  /** Set inside a sub-agent: the session that started it. `sessionId` is then the sub-agent's own. */
  readonly parentSessionId?: string;
  /** Absolute. */
  readonly cwd: string;
  readonly transcriptPath?: string;
  readonly model?: string;
}

/** A tool call in a hook event. */
export interface HookCall {
  readonly callId?: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What an agent reports while it works. */
export type HookEvent =
  /** On `resume`, the agent itself replays context that was added earlier. */
  | { readonly type: 'start'; readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork' }
  /** `id` is the agent's id of the prompt, the same as in its transcript, if it has one. */
  | { readonly type: 'prompt'; readonly text: string; readonly id?: string }
  | { readonly type: 'beforeCall'; readonly call: HookCall }
  /** The status of `result` is `unknown` where the event does not show whether the call succeeded. */
  | { readonly type: 'afterCall'; readonly call: HookCall; readonly result: CallResult }
  /** The agent has replied. */
  | { readonly type: 'stop' }
  | { readonly type: 'subagentStop'; readonly transcriptPath?: string }
  | { readonly type: 'beforeCompaction' }
  | { readonly type: 'afterCompaction'; readonly summary?: string }
  | { readonly type: 'end' }
  /** An event that yore does nothing about. */
  | { readonly type: 'other' };

/** A hook event with its session. */
export interface HookMessage {
  /** The agent that sent it, if it is not the protocol's own: Copilot also runs the hooks of Claude Code. */
  readonly agent?: AgentName;
  /** The agent's own name of the event, e.g. `PreToolUse`. */
  readonly name: string;
  readonly session: HookSession;
  readonly event: HookEvent;
}

/** What yore replies to an event. Empty: nothing. */
export interface HookReply {
  /** For the model: facts, never instructions. */
  readonly context?: string;
  /** For the user, one line. */
  readonly notice?: string;
  /** Before a call: block it once and say why (`deny`), or let the user decide (`ask`). */
  readonly decision?: { readonly mode: 'deny' | 'ask'; readonly reason: string };
}

/** How an agent's hooks communicate: what arrives on standard input and what the agent accepts on standard output. */
export interface HookProtocol {
  /** Whether the user can be asked before a call. If not, `ask` denies once. */
  readonly canAsk: boolean;
  /** Whether context added before a call reaches the model. If not, it is added to the result. */
  readonly acceptsContextBeforeCall: boolean;
  /**
   * Decodes a payload that was parsed as JSON; undefined when it is malformed. `event` comes from the command line, for
   * agents whose payload does not name the event.
   */
  decode(payload: unknown, event?: string): HookMessage | undefined;
  /** Encodes a reply for standard output; empty for nothing. Omits what the agent would not accept at this event. */
  encode(reply: HookReply, message: HookMessage): string;
}
