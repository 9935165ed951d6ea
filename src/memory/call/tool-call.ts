/** A tool call as an agent makes it. */
export interface ToolCall {
  readonly sessionId: string;
  /** The agent's id of the call. */
  readonly callId?: string;
  readonly agent?: string;
  /** The agent's name of the tool, e.g. `Bash`, `exec_command`, `Read`, `mcp__tracker__create`. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The folder it runs in, absolute. */
  readonly cwd?: string;
  /** The folder of the checkout it works on, absolute: paths are kept relative to it. */
  readonly root?: string;
  readonly branch?: string;
  readonly commit?: string;
}

/** How a tool call ended, as the agent reports it. */
export interface CallResult {
  /** `unknown`: it is not known whether it went well. */
  readonly status:
    | 'ok'
    | 'error'
    | 'invalid'
    | 'rejected'
    | 'denied'
    | 'interrupted'
    | 'cancelled'
    | 'unknown';
  readonly output?: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
}
