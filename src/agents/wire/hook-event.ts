import type { CallResult } from '../../memory/index.ts';
import type { AgentName } from '../agent-name.ts';

/** What every event of an agent says of where it happens. */
export interface HookSession {
  readonly sessionId: string;
  /** Set inside a sub-agent: the session that started it. `sessionId` is then the sub-agent's own. */
  readonly parentSessionId?: string;
  /** Absolute. */
  readonly cwd: string;
  readonly transcriptPath?: string;
  readonly model?: string;
}

/** A tool call in an event. */
export interface HookCall {
  readonly callId?: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What an agent tells while it works. */
export type HookEvent =
  /** The agent replays what was injected before on `resume`. */
  | { readonly type: 'start'; readonly source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork' }
  /** `id`: the agent's id of the prompt, the same as in its transcript, where it has one. */
  | { readonly type: 'prompt'; readonly text: string; readonly id?: string }
  | { readonly type: 'beforeCall'; readonly call: HookCall }
  /** `result` is what the event shows; `unknown` where success cannot be told from it. */
  | { readonly type: 'afterCall'; readonly call: HookCall; readonly result: CallResult }
  /** The agent has answered. */
  | { readonly type: 'stop'; readonly reply?: string }
  | { readonly type: 'subagentStop'; readonly transcriptPath?: string }
  | { readonly type: 'beforeCompaction' }
  | { readonly type: 'afterCompaction'; readonly summary?: string }
  | { readonly type: 'end' }
  /** Known, and nothing to do. */
  | { readonly type: 'other' };

/** An event and its scene. */
export interface HookMessage {
  /** The agent that really speaks, where it is another than the wire's: Copilot also runs the hooks of Claude Code. */
  readonly agent?: AgentName;
  /** The agent's own name of the event, e.g. `PreToolUse`. */
  readonly name: string;
  readonly scene: HookSession;
  readonly event: HookEvent;
}

/** What yore says to an event; empty: nothing. */
export interface HookReply {
  /** For the model: facts, never orders. */
  readonly context?: string;
  /** For the person, one line. */
  readonly notice?: string;
  /** Before a call: stop it this once and say why (`deny`), or ask the person (`ask`). */
  readonly objection?: { readonly mode: 'deny' | 'ask'; readonly reason: string };
}

/** How an agent's hooks speak: what comes on standard input, and what it understands on standard output. */
export interface HookProtocol {
  /** Whether the person can be asked before a call. Where not, `ask` denies once. */
  readonly canAsk: boolean;
  /** Whether context given before a call reaches the model. Where not, it is said with the result. */
  readonly notesBeforeCall: boolean;
  /**
   * The event in a payload that was parsed as JSON; undefined when it makes no sense. `event` is named on the command
   * line by agents whose payload does not name it.
   */
  decode(payload: unknown, event?: string): HookMessage | undefined;
  /** What goes to standard output; empty for nothing. Leaves out what the agent would not understand at this event. */
  encode(answer: HookReply, message: HookMessage): string;
}
