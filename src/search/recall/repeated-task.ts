import { readSessionWork, type SessionWork, type WorkRequest, type WorkStep } from '../../ask/session-work.ts';
import { numbersIn, taskWords } from '../../facts/request.ts';
import { textHash } from '../../record/id.ts';
import type { ProjectRows } from '../../store/project-rows.ts';
import { IS_OWN_WORK } from '../../store/session-rows.ts';
import { isFulfilled, isOrder } from './past-task.ts';
import type { RecalledSession } from './recollection.ts';

/** A task that was requested before in the same words, except for numbers. */
export interface RepeatedTask extends RecalledSession {
  /** `done` once with the same numbers, or work that recurs, with the `steps` that most of the times share. */
  readonly kind: 'done' | 'steps';
}

interface DoneRequest {
  readonly work: SessionWork;
  readonly request: WorkRequest;
}

/** The latest sessions that are compared. */
const MAX_REPEATS = 10;

/** The latest time that the same was requested and done in the user's own sessions, apart from one of them. */
export function findRepeatedTask(rows: ProjectRows, prompt: string, except = ''): RepeatedTask | undefined {
  const all = findDone(rows, taskWords(prompt), except);
  const numbers = numbersIn(prompt).join();
  const same = all.filter(({ request }) => numbersIn(request.text).join() === numbers);
  const times = same.length > 0 ? same : all;
  const [latest] = times;
  if (latest === undefined) return undefined;
  const { work, request } = latest;
  const task = { request, ...request, failures: [] };
  if (times.length > 1) return { work, kind: 'steps', task: { ...task, steps: sharedSteps(latest, times) } };
  return same.length === 1 && isOrder(prompt) ? { work, kind: 'done', task } : undefined;
}

/** The latest first. */
function findDone(rows: ProjectRows, words: readonly string[], except: string): readonly DoneRequest[] {
  if (words.length === 0) return [];
  const task = words.join(' ');
  const sessions = rows.connection.all<{ readonly name: string }>(
    `SELECT session.name FROM request JOIN session ON session.id = request.session
     WHERE request.task = ? AND session.project = ? AND session.name <> ? AND isFollowUp = 0 AND ${IS_OWN_WORK}
     GROUP BY session.id ORDER BY max(request.at) DESC LIMIT ?`,
    ...[textHash(task), rows.project, except, MAX_REPEATS],
  );
  return sessions.flatMap(({ name }) => {
    const work = readSessionWork(rows, name);
    const request = work?.requests.findLast((each) => taskWords(each.text).join(' ') === task && isFulfilled(each));
    return work === undefined || request === undefined ? [] : [{ work, request }];
  });
}

/** The steps that most of the times were taken, whatever their numbers. */
function sharedSteps({ request }: DoneRequest, times: readonly DoneRequest[]): readonly WorkStep[] {
  const nameOf = ({ kind, text }: WorkStep): string => `${kind} ${text.replace(/\d+/g, '#')}`;
  const isShared = (step: WorkStep): boolean =>
    times.filter((each) => each.request.steps.some((other) => nameOf(other) === nameOf(step))).length >
    times.length / 2;
  return request.steps.filter(isShared);
}
