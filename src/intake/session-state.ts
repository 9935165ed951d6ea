import type { CallFields, ServedRequest } from '../memory/index.ts';
import type { Attempt, Role, Usage } from '../record/index.ts';

/** A call whose result has not come yet, as it will be kept. */
export interface OpenCall {
  readonly callId: string;
  readonly timestamp: string;
  readonly fields: CallFields;
  /** What it is for, where the transcript says that with the call. */
  readonly request?: ServedRequest;
  /** How often the user has spoken since. */
  readonly promptsSince: number;
}

/**
 * What has to be known of a session to go on with it. Plain JSON, redacted: it is kept between readings, beside the
 * position in the transcript.
 */
export interface SessionState {
  readonly sessionId: string;
  readonly parentSessionId?: string;
  readonly isFork?: boolean;
  /** The folder of its beginning: it decides which project the session is of. */
  readonly firstCwd?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly commit?: string;
  readonly model?: string;
  /** Of the last part that had a time. */
  readonly timestamp?: string;
  /** Messages without an id of the agent's own so far, by role. */
  readonly said: Readonly<Record<Role, number>>;
  readonly request?: ServedRequest;
  readonly lastCall?: Pick<Attempt, 'command' | 'path' | 'tags'>;
  /** Of replies that said nothing: it belongs to the next one that does. */
  readonly usage?: Usage;
  readonly open: readonly OpenCall[];
}

/** Usage added up. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sum: Record<string, number> = {};
  for (const usage of [a, b]) {
    for (const [key, value] of Object.entries(usage)) sum[key] = (sum[key] ?? 0) + value;
  }
  return sum;
}

/** Reads what was kept. Undefined when it makes no sense: damaged, or written by another version. */
export function parseSessionStates(value: unknown): readonly SessionState[] | undefined {
  return Array.isArray(value) && value.every(isSessionState) ? value : undefined;
}

function isSessionState(value: unknown): value is SessionState {
  if (!isObject(value) || typeof value.sessionId !== 'string') return false;
  const { said, open } = value;
  if (!isObject(said) || typeof said.user !== 'number' || typeof said.assistant !== 'number') return false;
  return Array.isArray(open) && open.every(isOpenCall);
}

function isOpenCall(value: unknown): boolean {
  if (!isObject(value)) return false;
  return (
    typeof value.callId === 'string' &&
    typeof value.timestamp === 'string' &&
    isObject(value.fields) &&
    typeof value.fields.tool === 'string' &&
    typeof value.promptsSince === 'number'
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
