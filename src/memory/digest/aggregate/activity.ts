import { textHash } from '../../../record/id.ts';
import type { Message } from '../../../record/record.ts';
import { oneLine } from '../../../text/one-line.ts';

/** When a session was active, with which agent and on which branch: what all logs have in common. */
export interface SessionActivity {
  agent?: string;
  branch?: string;
  /** Another session started it, as a sub-agent. */
  isSubAgent?: true;
  /** Earliest and latest time; empty before the first record. */
  first: string;
  last: string;
}

const MAX_NAME_LENGTH = 100;

/** Adds a record's time, agent, branch and parent. */
export function updateActivity(
  activity: SessionActivity,
  record: Pick<Message, 'timestamp' | 'agent' | 'branch' | 'parentSessionId' | 'isFork'>,
): void {
  const { timestamp, agent, branch, parentSessionId, isFork } = record;
  if (activity.first === '' || timestamp < activity.first) activity.first = timestamp;
  if (timestamp > activity.last) activity.last = timestamp;
  if (agent !== undefined && activity.agent === undefined) activity.agent = agent.slice(0, MAX_NAME_LENGTH);
  if (branch !== undefined) activity.branch = branch.slice(0, MAX_NAME_LENGTH);
  if (parentSessionId !== undefined && isFork !== true) activity.isSubAgent = true;
}

/** Numbers of occurrences by hour (`2025-11-18T15`). */
export type HourCounts = Record<string, number>;

const HOUR_LENGTH = 'YYYY-MM-DDThh'.length;
/** A year that does not have four digits comes from a wrong clock. */
const TIME_LENGTH = 24;
const MAX_HOURS = 200;

/** Counts an occurrence. Beyond {@link MAX_HOURS} hours, new ones are added to the last hour. */
export function countHour(counts: HourCounts, timestamp: string): void {
  if (timestamp.length !== TIME_LENGTH) return;
  const hour = timestamp.slice(0, HOUR_LENGTH);
  const known = counts[hour];
  if (known !== undefined) {
    counts[hour] = known + 1;
    return;
  }
  const hours = Object.keys(counts);
  const last = hours.at(-1);
  if (hours.length < MAX_HOURS || last === undefined) counts[hour] = 1;
  else counts[last] = (counts[last] ?? 0) + 1;
}

/** Files kept of a session. */
export const MAX_FILES = 60;
/** Characters kept of a path. */
export const MAX_PATH_LENGTH = 200;

/** Moves a path to the end of a list of the latest {@link MAX_FILES} files. */
export function addFile(files: string[], path: string): void {
  const name = oneLine(path, MAX_PATH_LENGTH);
  const known = files.indexOf(name);
  if (known === files.length - 1 && known >= 0) return;
  if (known >= 0) files.splice(known, 1);
  files.push(name);
  if (files.length > MAX_FILES) files.shift();
}

/** A compact number to compare signatures by; collisions are rare. */
export function signatureHash(signature: string): number {
  return textHash(signature) % 0x3fffffff;
}
