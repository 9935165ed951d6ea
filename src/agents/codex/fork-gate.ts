import { asName, asNumber, asText, asTime, type Fields } from '../transcript/fields.ts';

/**
 * A rollout that was forked, or that a sub-agent began with its parent's context, starts with a copy of the parent's
 * lines, written anew with the time of the fork. What is copied is in the rollout of the parent and is not told again.
 */
export interface ForkGate {
  /** When the session began, in milliseconds. */
  readonly since: number;
  /** Whether turns in the copy have ids that tell their time. */
  readonly hasTimedTurns: boolean;
}

/** The whole copy is written at once; who forks then types. */
const COPIED_WITHIN_MS = 3000;
const TIMED_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The time in an id of version 7, in milliseconds; undefined for other ids. */
function timeOfId(id: string | undefined): number | undefined {
  const parts = id === undefined ? undefined : TIMED_ID.exec(id);
  return parts ? Number.parseInt(`${parts[1]}${parts[2]}`, 16) : undefined;
}

/** The gate before what is the session's own. */
export function gateFor(sessionId: string, startedAt: string | undefined): ForkGate | undefined {
  const since = timeOfId(sessionId) ?? (startedAt === undefined ? undefined : Date.parse(startedAt));
  return since === undefined ? undefined : { since, hasTimedTurns: false };
}

/** The gate after a line; undefined when the line is the session's own, and all after it are. */
export function passGate(gate: ForkGate, line: Fields, payload: Fields): ForkGate | undefined {
  const turn = timeOfId(asName(payload.turn_id));
  if (turn !== undefined) return turn >= gate.since ? undefined : { ...gate, hasTimedTurns: true };
  if (gate.hasTimedTurns || asText(line.type) === 'session_meta') return gate;
  const written = asTime(line.timestamp);
  return written !== undefined && Date.parse(written) > gate.since + COPIED_WITHIN_MS ? undefined : gate;
}

/** A gate that was kept. */
export function readGate(fields: Fields | undefined): ForkGate | undefined {
  const since = asNumber(fields?.since);
  return since === undefined ? undefined : { since, hasTimedTurns: fields?.hasTimedTurns === true };
}
