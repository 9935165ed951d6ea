import { formatDay } from '../../ask/step-text.ts';
import { omitUndefined } from '../../record/object.ts';
import type { SessionDigest } from '../digest/session-digest.ts';
import { findTask, isAlreadyDone, isSameTask, type PastTask } from './past-task.ts';
import { findMatches, hasSubject, matchSession, matchText, parseQuery, type Query } from './query.ts';
import type { RecallMemory } from './recall-snapshot.ts';
import { formatRecollection, type RecalledSession, type Recollection, type RecollectionKind } from './recollection.ts';
import { matchFailures, type Relevance, RelevanceScorer } from './relevance.ts';
import { blockSessionId, encodeSession } from './session-block.ts';

/** Options of {@link recall}. */
export interface RecallOptions {
  /** The minimum confidence of a recollection: the setting `retrieval.minConfidence`. */
  readonly minConfidence: number;
  readonly now: Date;
  /** The session of the prompt, which is not recalled itself. */
  readonly currentSessionId?: string;
  /** The name of the project whose memory it is, if it is another one than that of the prompt. */
  readonly project?: string;
  /** It is the memory of colleagues in the project of the prompt. Default false. */
  readonly isTeam?: boolean;
}

interface RankedSession extends RecalledSession {
  readonly confidence: number;
  /** Of the best session: the task is the same, not only similar. */
  readonly isSame: boolean;
}

/** Of the sessions whose rank is this close to the best, the newest counts. */
const NEARLY_BEST = 0.95;
/** Number of further sessions to show, and their minimum rank compared to the best. */
const MAX_OTHERS = 5;
const MIN_OTHER_RANK = 0.3;
/** The rank of a session that changed nothing, such as a review, compared with one that did. */
const UNCHANGED_RANK = 0.6;
/** Sessions that cannot reach this share of the minimum confidence are not scored. */
const CANDIDATE_SHARE = 0.4;
/** How many sessions may fit a prompt before it is a guess which of them is meant. */
const FEW_SESSIONS = 1.25;
/** A session counts among them by this power of its rank relative to the best. */
const FIT_POWER = 6;
/** A line of a commit or reply with less evidence is about something else. */
const MIN_LINE_EVIDENCE = 0.25;
/** A slash command of the agent, e.g. `/review`, is no request. */
const SLASH_COMMAND = /^\/[\w:-]+$/;

/** Whether anything can be recalled for a prompt: not for slash commands, short replies, greetings and chores. */
export function isRecallable(prompt: string): boolean {
  return !SLASH_COMMAND.test(prompt.trim()) && hasSubject(parseQuery(prompt));
}

/**
 * Recalls what the agent should know before it works on a prompt: that it was done before, the steps that worked, or
 * what failed and what worked instead. Undefined, as for most prompts, unless something is clearly about the same
 * subject; also for short replies, greetings and general questions.
 */
export function recall(prompt: string, memory: RecallMemory, options: RecallOptions): Recollection | undefined {
  if (!isRecallable(prompt)) return undefined;
  const query = parseQuery(prompt);
  const scorer = new RelevanceScorer(findMatches(memory.index, query));
  const failing = matchFailures(query, memory.failures ?? [], scorer, options.minConfidence);
  const [best, ...others] = findSessions(prompt, query, memory, scorer, options);
  const newest = failing.at(-1);
  if (best === undefined && newest === undefined) return undefined;

  const sessionId = best?.digest.sessionId ?? newest?.failure.sessionId ?? '';
  const at = best === undefined ? (newest?.failure.at ?? '') : (best.task.request?.at ?? best.digest.startedAt);
  const { now, project, isTeam = false } = options;
  const isElsewhere = isTeam || project !== undefined;
  const kind = best === undefined ? 'failure' : classify(prompt, best.task, isElsewhere);
  const failures = failing.map(({ failure }) => failure);
  return {
    id: `${sessionId}@${at}`,
    kind,
    confidence: best?.confidence ?? newest?.confidence ?? 0,
    sessionId,
    date: formatDay(at),
    ...omitUndefined({ project, isTeam: isTeam || undefined }),
    ...formatRecollection({
      ...{ kind, session: best, others, failures, now, project },
      isSure: best?.isSame === true,
    }),
  };
}

/** The best session, if its confidence suffices, and others that may be meant. */
function findSessions(
  prompt: string,
  query: Query,
  memory: RecallMemory,
  scorer: RelevanceScorer,
  { minConfidence, currentSessionId }: RecallOptions,
): readonly RankedSession[] {
  const score = (session: number) => {
    const block = memory.index.block(session);
    return { ...scorer.score(matchSession(query, block)), sessionId: blockSessionId(block) };
  };
  const isConfident = ({ confidence, sessionId }: ReturnType<typeof score>): boolean =>
    confidence >= minConfidence && sessionId !== currentSessionId;
  // Mostly there is none, and then it does not matter which others come close.
  if (!scorer.candidates(minConfidence).some((session) => isConfident(score(session)))) return [];
  const candidates = scorer
    .candidates(minConfidence * CANDIDATE_SHARE)
    .map(score)
    .sort((a, b) => b.rank - a.rank)
    .filter(({ sessionId }) => sessionId !== currentSessionId);
  const ranked = candidates
    .filter(({ rank }) => rank >= (candidates[0]?.rank ?? 0) * MIN_OTHER_RANK)
    .slice(0, 2 * MAX_OTHERS)
    .map((each) => (hasChanges(memory.digest(each.sessionId)) ? each : { ...each, rank: each.rank * UNCHANGED_RANK }))
    .sort((a, b) => b.rank - a.rank);
  const confident = ranked.filter(({ confidence }) => confidence >= minConfidence);
  const [first] = confident
    .filter(({ rank }) => rank >= (confident[0]?.rank ?? 0) * NEARLY_BEST)
    .sort((a, b) => b.hits.endedAt - a.hits.endedAt);
  if (first === undefined) return [];
  const others = ranked.filter((each) => each !== first);
  const sessions: RankedSession[] = [];
  const certainty = Math.min(1, FEW_SESSIONS / countFitting(ranked));
  for (const { sessionId, passage, confidence } of [first, ...others]) {
    if (sessions.length > MAX_OTHERS) break;
    const digest = memory.digest(sessionId);
    if (digest === undefined) continue;
    const current = scoreDigest(query, digest, scorer)?.passage ?? passage;
    const pickLine = (lines: readonly string[]) => findBestLine(query, lines, scorer);
    const task = findTask(digest, current, pickLine);
    // However many sessions fit, the same task is no guess.
    const isSame = sessions.length === 0 && isSameTask(prompt, task);
    sessions.push({ digest, task, confidence: isSame ? confidence : confidence * certainty, isSame });
    if ((sessions[0]?.confidence ?? 0) < minConfidence) return [];
  }
  return sessions;
}

/** The effective number of sessions that fit a prompt: one that comes half as close as the best hardly counts. */
function countFitting(ranked: readonly Relevance[]): number {
  const best = ranked[0]?.rank ?? 0;
  return ranked.reduce((sum, { rank }) => sum + (rank / best) ** FIT_POWER, 0);
}

function hasChanges(digest: SessionDigest | undefined): boolean {
  return digest !== undefined && (digest.files.length > 0 || digest.commits.length > 0);
}

/** The line with the most evidence for the prompt, if it is enough. */
function findBestLine(query: Query, lines: readonly string[], scorer: RelevanceScorer): string | undefined {
  let [best, most] = [undefined as string | undefined, MIN_LINE_EVIDENCE];
  for (const line of lines) {
    const evidence = scorer.scoreText(matchText(query, line));
    if (evidence > most) [best, most] = [line, evidence];
  }
  return best;
}

/** Scores the digest itself, because the index may be a little older. */
function scoreDigest(query: Query, digest: SessionDigest, scorer: RelevanceScorer): Relevance | undefined {
  const hits = matchSession(query, encodeSession(digest));
  return hits.passages.length === 0 ? undefined : scorer.score(hits);
}

/** What was done in another project, or on another machine, is not done here. */
function classify(prompt: string, task: PastTask, isElsewhere: boolean): RecollectionKind {
  if (!isElsewhere && isAlreadyDone(prompt, task)) return 'done';
  if (task.steps.length > 0 && task.outcome !== 'failed') return 'steps';
  return task.failures.some(({ resolution }) => resolution !== undefined) ? 'failure' : 'session';
}
