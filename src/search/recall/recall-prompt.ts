import type { FailureRows } from '../../ask/guard/failure-rows.ts';
import type { ProjectGuard } from '../../ask/guard/guard.ts';
import {
  type FailedRequest,
  type FailureOccurrence,
  isPortable,
  type KnownFailure,
  latestOccurrence,
} from '../../ask/guard/known-failure.ts';
import { readSessionWork } from '../../ask/session-work.ts';
import type { Config } from '../../config/config.ts';
import { isFollowUp } from '../../facts/attempt/follow-up.ts';
import { asksQuestion } from '../../facts/request.ts';
import { type RankedSessions, rankSessions } from '../query/session-search.ts';
import { findNamedConclusions } from './named-conclusions.ts';
import { isOnceOnly } from './past-task.ts';
import { isRecallable, type RecallOptions, recall } from './recall.ts';
import { type ActiveFailure, type Recollection, withDecisions } from './recollection.ts';
import { findRepeatedTask, type RepeatedTask } from './repeated-task.ts';

/** What {@link recallPrompt} needs to know besides the prompt. */
export interface RecallContext {
  readonly config: Config;
  readonly now: () => number;
  readonly guard: ProjectGuard;
}

/** Options of {@link recallPrompt}. */
export interface RecallPromptOptions {
  /** The session of the prompt, which is not recalled itself. */
  readonly sessionId?: string;
  /** Ids of recollections that were shown in this session. */
  readonly alreadyShown?: ReadonlySet<string>;
  /** Instead of the setting `retrieval.minConfidence`, for someone who asks. */
  readonly minConfidence?: number;
}

/**
 * What an agent should be told before it works on a prompt; usually nothing. Colleagues are asked when the user's own
 * sessions have nothing to say, and then other projects, if the settings allow it.
 */
export function recallPrompt(
  prompt: string,
  context: RecallContext,
  { sessionId, alreadyShown, minConfidence }: RecallPromptOptions = {},
): Recollection | undefined {
  const { config, guard, now } = context;
  if (!config.get('retrieval.enabled')) return undefined;
  const mayRepeat = !asksQuestion(prompt) && (isRecallable(prompt) || (isOnceOnly(prompt) && !isFollowUp(prompt)));
  const repeated = mayRepeat ? findRepeatedTask(guard.rows, prompt, sessionId) : undefined;
  if (repeated === undefined && !isRecallable(prompt)) return undefined;
  const options = {
    minConfidence: minConfidence ?? config.get('retrieval.minConfidence'),
    now: new Date(now()),
  };
  const rank: Rank = (projects) =>
    rankSessions(guard.rows.connection, {
      ...{ text: prompt, projects, except: sessionId, minConfidence: options.minConfidence },
    });
  const ranked = rank([guard.rows.projectId]);
  const found =
    recallOwn(prompt, ranked, repeated, context, options) ??
    recallFromTeam(prompt, ranked, context, options) ??
    recallFromOthers(prompt, rank, context, options);
  const shown = found !== undefined && alreadyShown?.has(found.id) ? undefined : found;
  const named = { except: sessionId, alreadyShown, minConfidence: options.minConfidence };
  return withDecisions(shown, findNamedConclusions(guard.rows, prompt, named));
}

type Rank = (projects: readonly string[]) => RankedSessions;

function recallOwn(
  prompt: string,
  ranked: RankedSessions,
  repeated: RepeatedTask | undefined,
  { guard, now }: RecallContext,
  options: RecallOptions,
): Recollection | undefined {
  const source = {
    repeated,
    sessions: ranked.sessions.filter(({ author }) => author === undefined),
    failures: () => listActiveFailures({ guard, now }, guard.own),
    work: (id: string) => readSessionWork(guard.rows, id),
  };
  return recall(prompt, ranked, source, options);
}

/** What colleagues have done in this project, as far as they share it. */
function recallFromTeam(
  prompt: string,
  ranked: RankedSessions,
  { guard, now }: RecallContext,
  options: RecallOptions,
): Recollection | undefined {
  const isWanted = (request: FailedRequest): boolean =>
    isPortable(request) && guard.own.choice(request.key) !== 'dismiss';
  const source = {
    sessions: ranked.sessions.filter(({ author }) => author !== undefined),
    failures: () => listActiveFailures({ guard, now }, guard.team, isWanted),
    work: (id: string) => readSessionWork(guard.rows, id),
    isTeam: true,
  };
  return recall(prompt, ranked, source, options);
}

/** The recollection of other projects with the highest confidence. */
function recallFromOthers(
  prompt: string,
  rank: Rank,
  { guard, now }: RecallContext,
  options: RecallOptions,
): Recollection | undefined {
  const others = [...guard.otherProjects()];
  if (others.length === 0) return undefined;
  const ranked = rank(others.map(({ id }) => id));
  const found = others.flatMap(({ id, name, guard: other }) => {
    const source = {
      sessions: ranked.sessions.filter(({ project, author }) => project === id && author === undefined),
      failures: () => listActiveFailures({ guard: other, now }, other.own, isPortable),
      work: (sessionId: string) => readSessionWork(other.rows, sessionId),
      project: name,
    };
    return recall(prompt, ranked, source, options) ?? [];
  });
  return found.sort((a, b) => b.confidence - a.confidence)[0];
}

/** The newest failures, newest last. */
function listActiveFailures(
  { guard, now }: Pick<RecallContext, 'guard' | 'now'>,
  failures: FailureRows,
  isWanted: (request: FailedRequest) => boolean = () => true,
): readonly ActiveFailure[] {
  return failures
    .newestRequests()
    .filter(isWanted)
    .map((request) => new RequestFailure(request, failures, (failure) => guard.isActive(failure, now())))
    .reverse();
}

/** A failure of which all but its request is looked up only if that matches the prompt: few do. */
class RequestFailure implements ActiveFailure {
  readonly what: string;
  readonly context: string;
  readonly #key: string;
  readonly #failures: FailureRows;
  readonly #isActive: (failure: KnownFailure) => boolean;

  constructor(
    { key, what, context }: FailedRequest,
    failures: FailureRows,
    isActiveNow: (failure: KnownFailure) => boolean,
  ) {
    this.what = what;
    this.context = context;
    this.#key = key;
    this.#failures = failures;
    this.#isActive = isActiveNow;
  }

  get at(): string {
    return new Date(this.#occurrence?.at ?? 0).toISOString();
  }

  get error(): string {
    return this.#occurrence?.line ?? '';
  }

  get sessionId(): string {
    return this.#failure?.sessions.at(-1) ?? '';
  }

  get isActive(): boolean {
    return this.#failure !== undefined && this.#isActive(this.#failure);
  }

  get fix(): string | undefined {
    return this.#failure?.fix;
  }

  get #occurrence(): FailureOccurrence | undefined {
    return this.#failure && latestOccurrence(this.#failure);
  }

  /** Undefined when it has been dropped since. */
  get #failure(): KnownFailure | undefined {
    return this.#failures.failure(this.#key);
  }
}
