import { getOrAdd } from '../record/once.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { IS_OWN_WORK } from '../store/session-rows.ts';
import { truncateLine } from '../text/one-line.ts';

/** Something that was asked for in several sessions, in the same words except for numbers. */
export interface RecurringTask {
  /** The latest request. */
  readonly name: string;
  readonly sessions: number;
  readonly lastAt: string;
}

const MAX_TASKS = 10;
const MAX_NAME_LENGTH = 80;
/** Two sessions may be chance, and several on one day are one piece of work. */
const MIN_SESSIONS = 3;
const MIN_DAYS = 3;
/** The latest requests that are compared. */
const MAX_REQUESTS = 2_000;
const DAY_MS = 86_400_000;

/** Tasks that were requested in several sessions and on several days, those of the most sessions first. */
export function findRecurringTasks({ connection, project }: ProjectRows): readonly RecurringTask[] {
  const requests = connection.all<{ readonly session: number; readonly at: number; readonly text: string }>(
    `SELECT request.session, request.at, request.text FROM session JOIN request ON request.session = session.id
     WHERE session.project = ? AND startedBy IS NULL AND ${IS_OWN_WORK} AND isFollowUp = 0
     ORDER BY session.lastTime DESC, request.at DESC LIMIT ?`,
    project,
    MAX_REQUESTS,
  );
  const tasks = new Map<string, { name: string; last: number; sessions: Set<number>; days: Set<number> }>();
  for (const { session, at, text } of requests) {
    const key = text.toLowerCase().replace(/\d+/g, '#');
    const task = getOrAdd(tasks, key, () => ({ name: text, last: at, sessions: new Set(), days: new Set() }));
    if (at > task.last) Object.assign(task, { name: text, last: at });
    task.sessions.add(session);
    task.days.add(Math.floor(at / DAY_MS));
  }
  return [...tasks.values()]
    .filter(({ sessions, days }) => sessions.size >= MIN_SESSIONS && days.size >= MIN_DAYS)
    .sort((a, b) => b.sessions.size - a.sessions.size || b.last - a.last)
    .slice(0, MAX_TASKS)
    .map(({ name, sessions, last }) => ({
      name: truncateLine(name, MAX_NAME_LENGTH),
      sessions: sessions.size,
      lastAt: new Date(last).toISOString(),
    }));
}
