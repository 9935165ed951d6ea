import type { SessionWork, WorkFailure, WorkRequest, WorkStep } from '../../ask/session-work.ts';
import { omitUndefined } from '../../record/object.ts';
import { once } from '../../record/once.ts';
import { stem } from '../../text/stem.ts';
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
 * The task of the request at `index`; an index behind the last request means the whole session. `pickLine`
 * chooses the decisive line, from the session if the task has none.
 */
export function findTask(
  work: SessionWork,
  index: number,
  pickLine: (lines: readonly string[]) => string | undefined,
): PastTask {
  const isWhole = index >= work.requests.length;
  const requests = isWhole ? work.requests : work.requests.slice(index, index + 1);
  const from = requests[0]?.at ?? work.startedAt;
  const until = isWhole ? undefined : work.requests[index + 1]?.at;
  const outcome = requests.findLast((each) => each.outcome !== undefined)?.outcome;
  const decision =
    pickLine(collectDecisions(requests)) ??
    pickLine(collectDecisions(work.requests)) ??
    pickLine(work.commits.map(({ message }) => message)) ??
    collectDecisions(requests)[0];
  return {
    request: requests[0],
    ...omitUndefined({ decision, outcome }),
    steps: requests.flatMap((each) => each.steps),
    failures: work.failures.filter(({ at }) => at >= from && (until === undefined || at < until)),
  };
}

function collectDecisions(requests: readonly WorkRequest[]): readonly string[] {
  return requests.flatMap((each) => (each.decision === undefined ? [] : [each.decision]));
}

/** A question is not an order, so nothing is done again. */
const QUESTION = /\?\s*$|^\s*(?:what|why|how|when|where|which|who|is|are|was|were|does|did|do|has|have|should)\b/i;

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

/** Whether the task has done what the prompt orders. */
export function isAlreadyDone(prompt: string, task: PastTask, ranked: Pick<RankedSessions, 'coverage'>): boolean {
  const { request, decision, steps, outcome } = task;
  if (QUESTION.test(prompt) || outcome === 'failed') return false;
  if (decision === undefined && !steps.some(({ kind }) => LASTING_STEPS.has(kind))) return false;
  const done = findOrders(`${request?.text ?? ''}\n${decision ?? ''}`);
  const order = findOrders(prompt)[0];
  if (order === undefined || !done.includes(order) || (done.includes('remove') && order !== 'remove')) return false;
  return isSameTask(prompt, task, ranked);
}

/** Whether the request and what was decided have nearly all of what a prompt is about. Otherwise they may only be related. */
export function isSameTask(
  prompt: string,
  { request, decision }: Pick<PastTask, 'request' | 'decision'>,
  { coverage }: Pick<RankedSessions, 'coverage'>,
): boolean {
  const { share, words } = coverage(`${request?.text ?? ''}\n${decision ?? ''}`);
  return share >= MIN_COVERAGE && words >= (QUESTION.test(prompt) ? MIN_COVERED_BY_QUESTION : 1);
}

function findOrders(text: string): readonly string[] {
  return splitWords(text)
    .map(({ text: word }) => orders().get(stem(word)))
    .filter((order) => order !== undefined);
}
