import type { ProjectTally } from '../digest/tally/project-tally.ts';
import type { RecurringTask } from './knowledge-file.ts';

const MOST = 10;
/** Twice may be chance. */
const LEAST_SESSIONS = 3;

/** What was asked for in several sessions, named by the words that the requests share; the most frequent first. */
export function recurringTasksOf({ tasks }: ProjectTally): readonly RecurringTask[] {
  const found: RecurringTask[] = [];
  const covered = new Set<string>();
  for (const task of tasks.ranked()) {
    if (found.length >= MOST || task.sessions < LEAST_SESSIONS) break;
    // Of requests that share more than two words, one pair stands for all.
    const stems = task.key.split(' ');
    if (stems.some((stem) => covered.has(stem))) continue;
    for (const stem of stems) covered.add(stem);
    found.push({ name: task.name, sessions: task.sessions, lastAt: task.last, example: task.example });
  }
  return found;
}
