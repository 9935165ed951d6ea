/** What every log says of a session: who, where and when. */
export interface Presence {
  agent?: string;
  branch?: string;
  /** Earliest and latest time; empty before the first record. */
  first: string;
  last: string;
}

const NAME_CHARACTERS = 100;

/** Notes a record's time, agent and branch. */
export function notePresence(
  presence: Presence,
  record: { readonly timestamp: string; readonly agent?: string; readonly branch?: string },
): void {
  const { timestamp, agent, branch } = record;
  if (presence.first === '' || timestamp < presence.first) presence.first = timestamp;
  if (timestamp > presence.last) presence.last = timestamp;
  if (agent !== undefined && presence.agent === undefined) presence.agent = agent.slice(0, NAME_CHARACTERS);
  if (branch !== undefined) presence.branch = branch.slice(0, NAME_CHARACTERS);
}
