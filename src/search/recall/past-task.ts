import type { WorkFailure } from '../../ask/session-failures.ts';
import type { SessionWork, WorkRequest, WorkStep } from '../../ask/session-work.ts';
import { asksQuestion, numbersIn } from '../../facts/request.ts';
import { omitUndefined } from '../../record/object.ts';
import { once } from '../../record/once.ts';
import { stem } from '../../text/stem.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { splitWords } from '../../text/words.ts';
import type { RankedSessions } from '../query/session-search.ts';

/** A request of a session and everything that came of it. */
export interface PastTask {
  /** Undefined for a session without requests. */
  readonly request: WorkRequest | undefined;
  /** The decisive line of a commit or else of a reply. */
  readonly decision?: string;
  readonly steps: readonly WorkStep[];
  readonly failures: readonly WorkFailure[];
  /** The user's feedback. */
  readonly outcome?: 'worked' | 'failed';
}

/** The index of the request that has, with what came of it, the most of a subject; behind the last one if none has any. */
export function findRequest({ requests }: SessionWork, share: (text: string) => number): number {
  const shares = requests.map(({ text, decision, steps }) =>
    share([text, decision ?? '', ...steps.map((step) => step.text)].join('\n')),
  );
  const most = Math.max(0, ...shares);
  return most === 0 ? requests.length : shares.indexOf(most);
}

/**
 * The task of the request at `index`, with what came of that request alone, except for a later line that `pickLine` knows
 * to belong. Behind the last request it is the session as a whole, of which only such a line does.
 */
export function findTask(
  work: SessionWork,
  index: number,
  pickLine: (lines: readonly string[]) => string | undefined,
): PastTask {
  const request = work.requests[index];
  if (request === undefined) {
    return {
      request,
      ...omitUndefined({ decision: pickLine(linesSince(work, work.startedAt)) }),
      steps: [],
      failures: [],
    };
  }
  const { at, steps, outcome } = request;
  const own = request.decision;
  const decision = pickLine(own === undefined ? [] : [own]) ?? pickLine(linesSince(work, at)) ?? own;
  const until = work.requests[index + 1]?.at;
  return {
    request,
    ...omitUndefined({ decision, outcome }),
    steps,
    failures: work.failures.filter((each) => each.at >= at && (until === undefined || each.at < until)),
  };
}

function linesSince({ requests, commits }: SessionWork, time: string): readonly string[] {
  const lines = [
    ...requests.map(({ at, decision }) => ({ at, line: decision })),
    ...commits.map(({ at, message }) => ({ at, line: message })),
  ];
  return lines.flatMap(({ at, line }) => (at >= time ? (line ?? []) : []));
}

/** Kinds of orders by verb: a request to add something is not fulfilled by its removal. */
const orders: () => ReadonlyMap<string, string> = once(
  () =>
    new Map(
      Object.entries({
        add: 'add create write implement build introduce make generate support set setup enable integrate provide',
        remove: 'remove delete drop disable strip uninstall',
        repair: 'fix repair solve resolve debug correct',
        change: 'update upgrade bump migrate switch convert replace change refactor improve',
        name: 'rename move',
      }).flatMap(([order, verbs]) => verbs.split(' ').map((verb) => [stem(verb), order])),
    ),
);

/** Steps with a lasting effect. */
const LASTING_STEPS: ReadonlySet<string> = new Set(['create', 'edit', 'install', 'commit']);
/** The minimum share of the prompt in the earlier request and decision. */
const MIN_COVERAGE = 0.85;
/** "Add authentication" is a task, but a question with a single word has only a subject. */
const MIN_COVERED_BY_QUESTION = 2;

/** Whether a request was served: with a result, and not called a failure by the user. */
export function isFulfilled({ decision, steps, outcome }: Pick<PastTask, 'decision' | 'steps' | 'outcome'>): boolean {
  return outcome !== 'failed' && (decision !== undefined || steps.some(({ kind }) => LASTING_STEPS.has(kind)));
}

/** Whether the task has done what the prompt orders. */
export function isAlreadyDone(prompt: string, task: PastTask, ranked: Pick<RankedSessions, 'coverage'>): boolean {
  const { request, decision } = task;
  if (asksQuestion(prompt) || !isFulfilled(task)) return false;
  const done = findOrders(`${request?.text ?? ''}\n${decision ?? ''}`);
  const order = findOrders(prompt)[0];
  if (order === undefined || !done.includes(order) || (done.includes('remove') && order !== 'remove')) return false;
  return isSameTask(prompt, task, ranked);
}

/**
 * Whether the request and what was decided have nearly all of what a prompt is about, and the same numbers: issue 12 is
 * not issue 13. Otherwise they may only be related.
 */
export function isSameTask(
  prompt: string,
  { request, decision }: Pick<PastTask, 'request' | 'decision'>,
  { coverage }: Pick<RankedSessions, 'coverage'>,
): boolean {
  const text = `${request?.text ?? ''}\n${decision ?? ''}`;
  const numbers = new Set(numbersIn(text));
  if (!numbersIn(prompt).every((number) => numbers.has(number))) return false;
  const { share, words } = coverage(text);
  return share >= MIN_COVERAGE && words >= (asksQuestion(prompt) ? MIN_COVERED_BY_QUESTION : 1);
}

/** Whether a prompt begins with the verb of an order. */
export function isOrder(prompt: string): boolean {
  const first = splitWords(prompt).find(({ text }) => !isStopWord(text) && text !== 'please');
  return first !== undefined && orders().has(stem(first.text));
}

/**
 * Whether a prompt says what to do so that it may be done once and for all. To repair the tests is not: they fail again.
 */
export function isOnceOnly(prompt: string): boolean {
  return isOrder(prompt) && (findOrders(prompt)[0] !== 'repair' || numbersIn(prompt).length > 0);
}

function findOrders(text: string): readonly string[] {
  return splitWords(text)
    .map(({ text: word }) => orders().get(stem(word)))
    .filter((order) => order !== undefined);
}
