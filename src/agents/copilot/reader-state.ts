import {
  asCount,
  asFields,
  asName,
  asNumber,
  asObjects,
  asText,
  defined,
  type Fields,
} from '../transcript/fields.ts';
import { asTotals, type TokenTotals } from './token-totals.ts';

/** A call whose end has not been seen. */
export interface OpenCall {
  readonly callId: string;
  /** The sub-agent that made it; missing for the agent itself. */
  readonly agentId?: string;
}

/** A call whose command went on in the background; `exitCode` once its end was announced, before its output is read. */
export interface BackgroundCall extends OpenCall {
  readonly shell: string;
  readonly exitCode?: number;
}

/** What has to be known to go on in the middle of a session. Plain JSON. */
export interface ReaderState {
  readonly sessionId?: string;
  readonly cwd?: string;
  /** Sub-agents whose sessions were announced. */
  readonly agents: readonly string[];
  readonly open: readonly OpenCall[];
  readonly background: readonly BackgroundCall[];
  readonly isAborted?: boolean;
  /** Output tokens of messages since the last total. */
  readonly outputTokens: number;
  readonly totals?: TokenTotals;
}

/** At the beginning of a file. */
export const NOTHING_READ: ReaderState = { agents: [], open: [], background: [], outputTokens: 0 };

/** So much is remembered of each kind: more is not open at once, and the position has to stay small. */
const MOST_REMEMBERED = 40;

/** A list with one more at its end, without the oldest where it grows too long. */
export function remembering<T>(list: readonly T[], item: T): readonly T[] {
  return [...list.slice(1 - MOST_REMEMBERED), item];
}

/** The state in a position that was kept; what does not fit is left out. */
export function asReaderState(fields: Fields): ReaderState {
  const totals = asFields(fields.totals);
  return {
    ...defined({ sessionId: asName(fields.sessionId), cwd: asText(fields.cwd) }),
    agents: Array.isArray(fields.agents) ? fields.agents.flatMap((id) => asName(id) ?? []) : [],
    open: asObjects(fields.open).flatMap((call) => asOpenCall(call) ?? []),
    background: asObjects(fields.background).flatMap((call) => asBackgroundCall(call) ?? []),
    ...(fields.isAborted === true ? { isAborted: true } : {}),
    outputTokens: asCount(fields.outputTokens) ?? 0,
    ...(totals ? { totals: asTotals(totals) } : {}),
  };
}

function asOpenCall(fields: Fields): OpenCall | undefined {
  const callId = asName(fields.callId);
  return callId === undefined ? undefined : { callId, ...defined({ agentId: asName(fields.agentId) }) };
}

function asBackgroundCall(fields: Fields): BackgroundCall | undefined {
  const call = asOpenCall(fields);
  const shell = asName(fields.shell);
  if (!call || shell === undefined) return undefined;
  return { ...call, shell, ...defined({ exitCode: asNumber(fields.exitCode) }) };
}
