import type { SessionDigest } from '../digest/session-digest.ts';
import { type Episode, episodeAt } from './episode.ts';
import { isDone } from './is-done.ts';
import { hitsOf, lookUp } from './look-up.ts';
import { hasSubject, type Query, queryOf } from './query.ts';
import { encodeSession, sessionOf } from './recall-block.ts';
import type { RecallMemory } from './recall-memory.ts';
import { dayOf, type Recollection, type RecollectionKind, recollectionLines } from './recollection.ts';
import { type Relevance, Relevances } from './relevance.ts';
import { standingMatches } from './standing.ts';
import { strengthsOf } from './strengths-of.ts';

/** How to recall. */
export interface RecallOptions {
  /** Below it nothing is said: the setting `retrieval.minConfidence`. */
  readonly minConfidence: number;
  readonly now: Date;
  /** The session the prompt belongs to: it is not told of itself. */
  readonly currentSessionId?: string;
  /** Ids of the recollections that this session has been given. */
  readonly alreadyShown?: ReadonlySet<string>;
}

interface Told {
  readonly digest: SessionDigest;
  readonly episode: Episode;
  readonly confidence: number;
}

/** Sessions that answer nearly as well as the best: of these the newest counts. */
const NEARLY = 0.95;
/** How many more sessions are told of, in a line each, and how well they must answer compared to the best. */
const MOST_OTHERS = 3;
const OTHERS = 0.5;
/** Sessions that cannot reach this part of the confidence are not looked at more closely. */
const WORTH_A_LOOK = 0.4;
/** A line of a commit or reply with less of the prompt than that is about something else. */
const LEAST_IN_LINE = 0.25;
/** A command of the agent's own, e.g. `/review`, is no request. */
const SLASH_COMMAND = /^\/[\w:-]+$/;

/**
 * What is worth saying before the agent starts on a prompt: that it was done before, the steps that worked, or
 * what failed and what worked instead. Undefined, which is most of the time, when nothing in the memory is
 * clearly about the same thing; also for short answers, greetings and general questions.
 */
export function recall(
  prompt: string,
  memory: RecallMemory,
  options: RecallOptions,
): Recollection | undefined {
  if (SLASH_COMMAND.test(prompt.trim())) return undefined;
  const query = queryOf(prompt);
  if (!hasSubject(query)) return undefined;
  const relevances = new Relevances(lookUp(memory.index, query));
  const standing = standingMatches(query, memory.failures ?? [], relevances, options.minConfidence);
  const [told, ...others] = bestSessions(query, memory, relevances, options);
  const newest = standing.at(-1);
  if (told === undefined && newest === undefined) return undefined;

  const sessionId = told?.digest.sessionId ?? newest?.failure.sessionId ?? '';
  const at =
    told === undefined ? (newest?.failure.at ?? '') : (told.episode.request?.at ?? told.digest.startedAt);
  const id = `${sessionId}@${at}`;
  if (options.alreadyShown?.has(id)) return undefined;
  const kind = told === undefined ? 'failure' : kindOf(prompt, told.episode);
  const failures = standing.map(({ failure }) => failure);
  return {
    id,
    kind,
    confidence: told?.confidence ?? newest?.confidence ?? 0,
    sessionId,
    date: dayOf(at),
    ...recollectionLines({ kind, told, others, failures, now: options.now }),
  };
}

/** The session that answers best, if it is sure enough, and the next ones that may be meant. */
function bestSessions(
  query: Query,
  memory: RecallMemory,
  relevances: Relevances,
  { minConfidence, currentSessionId }: RecallOptions,
): readonly Told[] {
  const candidates = relevances
    .candidates(minConfidence * WORTH_A_LOOK)
    .map((session) => memory.index.block(session))
    .map((block) => ({ ...relevances.of(hitsOf(query, block)), sessionId: sessionOf(block) }))
    .sort((one, other) => other.rank - one.rank)
    .filter(({ sessionId }) => sessionId !== currentSessionId);
  const most = candidates[0]?.rank ?? 0;
  const sure = candidates.filter(
    ({ rank, confidence }) => rank >= most * OTHERS && confidence >= minConfidence,
  );
  const nearly = (sure[0]?.rank ?? 0) * NEARLY;
  const [first] = sure
    .filter(({ rank }) => rank >= nearly)
    .sort((one, other) => other.hits.endedAt - one.hits.endedAt);
  if (first === undefined) return [];
  const next = candidates.filter((each) => each !== first && each.rank >= most * OTHERS);
  const told: Told[] = [];
  for (const { sessionId, place, confidence } of [first, ...next]) {
    if (told.length > MOST_OTHERS) break;
    const digest = memory.digest(sessionId);
    if (digest === undefined) continue;
    const fresh = freshRelevance(query, digest, relevances)?.place ?? place;
    const decisive = (lines: readonly string[]) => bestLine(query, lines, relevances);
    told.push({ digest, episode: episodeAt(digest, fresh, decisive), confidence });
  }
  return told;
}

/** The line that has most of the prompt; undefined when none has enough of it to be its outcome. */
function bestLine(query: Query, lines: readonly string[], relevances: Relevances): string | undefined {
  let [best, most] = [undefined as string | undefined, LEAST_IN_LINE];
  for (const line of lines) {
    const evidence = relevances.evidenceIn(strengthsOf(query, line));
    if (evidence > most) [best, most] = [line, evidence];
  }
  return best;
}

/** The index may be a little older than the digest: the place is taken from the digest itself. */
function freshRelevance(query: Query, digest: SessionDigest, relevances: Relevances): Relevance | undefined {
  const hits = hitsOf(query, encodeSession(digest));
  return hits.passages.length === 0 ? undefined : relevances.of(hits);
}

function kindOf(prompt: string, episode: Episode): RecollectionKind {
  if (isDone(prompt, episode)) return 'done';
  if (episode.steps.length > 0 && episode.outcome !== 'failed') return 'pattern';
  return episode.failures.some(({ resolution }) => resolution !== undefined) ? 'failure' : 'session';
}
