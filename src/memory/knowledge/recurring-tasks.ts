import type { ProjectCounts } from '../digest/counts/project-counts.ts';
import type { RecurringTask } from './knowledge-file.ts';

const MOST = 10;
/** Twice may be chance; several sessions of one day are one piece of work. */
const LEAST_SESSIONS = 3;
const LEAST_DAYS = 3;

/** What was asked for in several sessions and on several days; the most frequent first. */
export function recurringTasksOf({ tasks }: ProjectCounts): readonly RecurringTask[] {
  return tasks
    .ranked()
    .filter(({ sessions, days }) => sessions >= LEAST_SESSIONS && days >= LEAST_DAYS)
    .slice(0, MOST)
    .map(({ name, sessions, last, example }) => ({ name, sessions, lastAt: last, example }));
}
