import type { SessionWork } from '../../ask/session-work.ts';
import { formatDay } from '../../ask/step-text.ts';
import { isEmptyWord, isFollowUp } from '../../facts/attempt/follow-up.ts';
import { omitUndefined } from '../../record/object.ts';
import { includesStem, stem } from '../../text/stem.ts';
import { splitWords } from '../../text/words.ts';
import type { RankedSession, RankedSessions } from '../query/session-search.ts';
import { findRequest, findTask, isAlreadyDone, isSameTask, type PastTask } from './past-task.ts';
import {
  type ActiveFailure,
  formatRecollection,
  type RecalledSession,
  type Recollection,
  type RecollectionKind,
} from './recollection.ts';
import type { RepeatedTask } from './repeated-task.ts';

/** What {@link recall} may speak of: sessions and failures of one project, or of colleagues in it. */
export interface RecallSource {
  /** Best first. */
  readonly sessions: readonly RankedSession[];
  /** Failures that have not been solved, the newest last; looked up only for a prompt that may match some. */
  readonly failures: () => readonly ActiveFailure[];
  /** The prompt as a task that was done before in the same words. */
  readonly repeated?: RepeatedTask | undefined;
  /** What was done in a session; undefined if it only asked for something. */
  readonly work: (sessionId: string) => SessionWork | undefined;
  /** The name of the project, if it is another one than that of the prompt. */
  readonly project?: string;
  /** It is from colleagues in the project of the prompt. Default false. */
  readonly isTeam?: boolean;
}

/** Options of {@link recall}. */
export interface RecallOptions {
  /** The minimum confidence of a recollection: the setting `retrieval.minConfidence`. */
  readonly minConfidence: number;
  readonly now: Date;
}

/** Number of further sessions to show, and their minimum confidence: which of the best is meant is often not certain. */
const MAX_OTHERS = 5;
const MIN_OTHER_CONFIDENCE = 0.5;
/** That the same words ask for the same. */
const REPEATED_CONFIDENCE = 0.95;
/** A line of a commit or reply with less of what the prompt is about is about something else. */
const MIN_LINE_SHARE = 0.1;
/** A slash command of the agent, e.g. `/review`, is no request. */
const SLASH_COMMAND = /^\/[\w:-]+$/;
/** Words of the chores that end every task, and of questions about what was just done. */
const CHORES =
  'address amend branch build changelog check ci clean cleanup comment commit conflict description diff draft ' +
  'error explain fail feedback format issue latest lint linter main master merge morning move open origin pr prs pull ' +
  'push readme rebase refactor resolve revert review reviewer show simplify squash summary test title undo';

/** Whether anything can be recalled for a prompt: not for slash commands, replies, greetings and chores. */
export function isRecallable(prompt: string): boolean {
  if (SLASH_COMMAND.test(prompt.trim()) || isFollowUp(prompt)) return false;
  return splitWords(prompt).some(({ parts }) =>
    parts.some((word) => !isEmptyWord(word) && !includesStem(CHORES, stem(word))),
  );
}

/**
 * Recalls what the agent should know before it works on a prompt: that it was done before, the steps that worked, or
 * what failed and what worked instead. Undefined, as for most prompts, unless something is clearly about the same
 * subject.
 */
export function recall(
  prompt: string,
  ranked: RankedSessions,
  source: RecallSource,
  { minConfidence, now }: RecallOptions,
): Recollection | undefined {
  const { project, isTeam = false } = source;
  const repeated = REPEATED_CONFIDENCE < minConfidence ? undefined : source.repeated;
  if (!ranked.isKnown && repeated === undefined) return undefined;
  const failing = (ranked.isKnown ? source.failures() : [])
    .map((failure) => ({ failure, confidence: ranked.confidence(`${failure.context ?? ''}\n${failure.what}`) }))
    .filter(({ failure, confidence }) => confidence >= minConfidence && failure.isActive !== false);
  const newest = failing.at(-1);
  const found =
    repeated === undefined
      ? findSessions(ranked, source, minConfidence)
      : { best: repeated, others: [], confidence: REPEATED_CONFIDENCE };
  if (found === undefined && newest === undefined) return undefined;

  const { best, others = [] } = found ?? {};
  const sessionId = best?.work.sessionId ?? newest?.failure.sessionId ?? '';
  const at = best === undefined ? (newest?.failure.at ?? '') : (best.task.request?.at ?? best.work.startedAt);
  const isElsewhere = isTeam || project !== undefined;
  const kind = repeated?.kind ?? (best === undefined ? 'failure' : classify(prompt, best.task, ranked, isElsewhere));
  const failures = failing.map(({ failure }) => failure);
  const isSure = repeated !== undefined || (best !== undefined && isSameTask(prompt, best.task, ranked));
  return {
    id: `${sessionId}@${at}`,
    kind,
    confidence: found?.confidence ?? newest?.confidence ?? 0,
    sessionId,
    date: formatDay(at),
    ...omitUndefined({ project, isTeam: isTeam || undefined }),
    ...formatRecollection({ kind, isSure, session: best, others, failures, now, project }),
  };
}

/** The best session, if its confidence suffices, and others that may be meant. */
function findSessions(
  ranked: RankedSessions,
  { sessions, work }: RecallSource,
  minConfidence: number,
):
  | { readonly best: RecalledSession; readonly others: readonly RecalledSession[]; readonly confidence: number }
  | undefined {
  const recalled: (RecalledSession & { readonly confidence: number })[] = [];
  for (const { sessionId, confidence } of sessions) {
    if (recalled.length > MAX_OTHERS || (recalled.length === 0 && confidence < minConfidence)) break;
    if (confidence < Math.min(minConfidence, MIN_OTHER_CONFIDENCE)) continue;
    const known = work(sessionId);
    if (known !== undefined) recalled.push({ work: known, task: describeTask(known, ranked), confidence });
  }
  const [best, ...others] = recalled;
  return best && { best, others, confidence: best.confidence };
}

function describeTask(work: SessionWork, ranked: RankedSessions): PastTask {
  const share = (text: string): number => ranked.coverage(text).share;
  return findTask(work, findRequest(work, share), (lines) => {
    const [best] = lines.toSorted((a, b) => share(b) - share(a));
    return best !== undefined && share(best) >= MIN_LINE_SHARE ? best : undefined;
  });
}

/** What was done in another project, or on another machine, is not done here. */
function classify(prompt: string, task: PastTask, ranked: RankedSessions, isElsewhere: boolean): RecollectionKind {
  if (!isElsewhere && isAlreadyDone(prompt, task, ranked)) return 'done';
  if (task.steps.length > 0 && task.outcome !== 'failed') return 'steps';
  return task.failures.some(({ fix }) => fix !== undefined) ? 'failure' : 'session';
}
